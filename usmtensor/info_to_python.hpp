// The result of a device query as a Python object: None, bool, int, str or list of int.
#pragma once
#include "runtime/device.hpp"

#include <Python.h>

namespace usmtensor {

struct InfoToPython {
  PyObject *operator()(std::monostate) const { Py_RETURN_NONE; }
  PyObject *operator()(bool value) const { return PyBool_FromLong(value); }
  PyObject *operator()(std::int64_t value) const { return PyLong_FromLongLong(value); }
  PyObject *operator()(const std::string &value) const {
    return PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "replace");
  }
  PyObject *operator()(const std::vector<std::int64_t> &values) const {
    PyObject *list = PyList_New(static_cast<Py_ssize_t>(values.size()));
    for (std::size_t i = 0; list && i < values.size(); ++i) {
      PyObject *item = PyLong_FromLongLong(values[i]);
      if (item)
        PyList_SetItem(list, static_cast<Py_ssize_t>(i), item);
      else
        Py_CLEAR(list);
    }
    return list;
  }
};

inline PyObject *info_to_python(const Info &info) { return std::visit(InfoToPython(), info); }

} // namespace usmtensor
