// Recognises temporary operands of Python's operators: only the interpreter's stack refers to them,
// as to `a + b` in `a + b + c`. Nothing can read a temporary after the operator.
//
// A reference count of 1 does not prove it, because C code may apply an operator to an object that
// it owns and reads again: a method bound to the object, an object array of NumPy, an extension
// class. So the interpreter itself must apply the operator.
#pragma once
#include <Python.h>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

namespace usmtensor {

// Returns true if no variable, container or C code is known to hold an operand.
inline bool has_one_reference(PyObject *operand) {
#if PY_VERSION_HEX >= 0x030E0000 // the stack may borrow a variable's reference
  return PyUnstable_Object_IsUniqueReferencedTemporary(operand);
#else
  return Py_REFCNT(operand) == 1;
#endif
}

// Returns true if the current instruction of the interpreter is an operator. `is_operator` has 256
// flags, by opcode. The function is static, because its address tells where this module is.
static bool executes_operator(const bool *is_operator) {
  PyFrameObject *const frame = PyEval_GetFrame();
  const int position = frame ? PyFrame_GetLasti(frame) : -1;
  if (position < 0)
    return false;
  PyCodeObject *const code = PyFrame_GetCode(frame);
  PyObject *const text = PyCode_GetCode(code);
  Py_DECREF(code);
  if (!text) {
    PyErr_Clear();
    return false;
  }
  const auto opcode = static_cast<unsigned char>(PyBytes_AS_STRING(text)[position]);
  Py_DECREF(text);
  return is_operator[opcode];
}

// The machine code of the program or the library that has a function.
class MachineCode {
public:
  explicit MachineCode(const void *function) : begin_(address(function)), end_(begin_) {
    dl_iterate_phdr(find, this);
  }
  bool contains(std::uintptr_t code) const { return begin_ <= code && code < end_; }

private:
  static std::uintptr_t address(const void *function) {
    return reinterpret_cast<std::uintptr_t>(function);
  }
  static int find(dl_phdr_info *object, std::size_t, void *result) {
    auto &self = *static_cast<MachineCode *>(result);
    for (int k = 0; k < object->dlpi_phnum; ++k) {
      const std::uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[k].p_vaddr;
      const std::uintptr_t end = begin + object->dlpi_phdr[k].p_memsz;
      if (object->dlpi_phdr[k].p_type == PT_LOAD && begin <= self.begin_ && self.begin_ < end) {
        self.begin_ = begin;
        self.end_ = end;
        return 1;
      }
    }
    return 0;
  }

  std::uintptr_t begin_, end_;
};

// Returns true if the interpreter's loop has called an operator of the class `type`, through at
// most two functions of Python. Its callers are found by unwinding the stack, which takes 2 us.
inline bool interpreter_applies_operator(const bool *is_operator, PyTypeObject *type) {
  struct Walk {
    _Unwind_Reason_Code visit(_Unwind_Context *context) {
      const std::uintptr_t code = _Unwind_GetIP(context);
      if (!between && (here.contains(code) || slots.contains(code)))
        return _URC_NO_REASON;
      found = _Unwind_GetRegionStart(context) == reinterpret_cast<std::uintptr_t>(loop);
      return !found && python.contains(code) && ++between <= 2 ? _URC_NO_REASON : _URC_NORMAL_STOP;
    }

    const void *const loop;
    const MachineCode &here, &slots, &python;
    int between = 0; // functions of Python
    bool found = false;
  };
  static const void *const loop = dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault");
  static const MachineCode here(reinterpret_cast<const void *>(&executes_operator));
  static const MachineCode slots(reinterpret_cast<const void *>(type->tp_as_number->nb_add));
  static const MachineCode python(loop);
  if (!loop || !executes_operator(is_operator))
    return false;
  Walk walk{loop, here, slots, python};
  _Unwind_Backtrace([](_Unwind_Context *context,
                       void *walk) { return static_cast<Walk *>(walk)->visit(context); },
                    &walk);
  return walk.found;
}

} // namespace usmtensor
