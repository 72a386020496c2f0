// Turns the current C++ exception into a Python exception: `except +raised` in the .pxd files.
#pragma once
#include "runtime/context_error.hpp"

#include <Python.h>
#include <cstring>
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
    // A driver's text may have bytes that are not UTF-8.
    PyObject *message =
        PyUnicode_DecodeUTF8(current.what(), std::strlen(current.what()), "replace");
    PyObject *module = message ? PyImport_ImportModule("usmtensor._runtime.errors") : nullptr;
    PyObject *error = module ? PyObject_CallMethod(module, "of_kind", "iOi", int(current.kind),
                                                   message, current.code)
                             : nullptr;
    if (error)
      PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error)), error);
    Py_XDECREF(error);
    Py_XDECREF(module);
    Py_XDECREF(message);
  }
}

} // namespace usmtensor
