// Turns the current C++ exception into a Python exception: `except +raised` in the .pxd files.
#pragma once
#include "runtime/context_error.hpp"

#include <Python.h>
#include <new>

namespace usmtensor {

// Called by Cython inside the catch clause, with the GIL held.
inline void raised() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (...) {
    const Error current = current_error();
    PyObject *module = PyImport_ImportModule("usmtensor._errors");
    PyObject *error = module ? PyObject_CallMethod(module, "of_kind", "isi", int(current.kind),
                                                   current.what(), current.code)
                             : nullptr;
    if (error)
      PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error)), error);
    Py_XDECREF(error);
    Py_XDECREF(module);
  }
}

} // namespace usmtensor
