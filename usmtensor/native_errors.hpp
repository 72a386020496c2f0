// Turns the current C++ exception into a Python exception: `except +raised` in the .pxd files.
#pragma once
#include "runtime/context_error.hpp"

#include <Python.h>
#include <new>

namespace usmtensor {

inline void raise_error_of_kind(ErrorKind kind, const char *message, int code) {
  PyObject *module = PyImport_ImportModule("usmtensor._errors");
  PyObject *types = module ? PyObject_GetAttrString(module, "_BY_KIND") : nullptr;
  PyObject *type = types ? PyTuple_GetItem(types, static_cast<Py_ssize_t>(kind)) : nullptr;
  PyObject *error = type ? PyObject_CallFunction(type, "s", message) : nullptr;
  if (error) {
    if (code != 0) {
      PyObject *number = PyLong_FromLong(code);
      if (!number || PyObject_SetAttrString(error, "code", number) < 0)
        PyErr_Clear(); // the message matters more than the code
      Py_XDECREF(number);
    }
    PyErr_SetObject(type, error);
  }
  Py_XDECREF(error);
  Py_XDECREF(types);
  Py_XDECREF(module);
}

// Called by Cython inside the catch clause, with the GIL held.
inline void raised() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (...) {
    const Error error = current_error();
    raise_error_of_kind(error.kind, error.what(), error.code);
  }
}

} // namespace usmtensor
