// A kernel that a user wrote: a function of a source.
#pragma once
#include <string>
#include <vector>

namespace usmtensor {

struct SourceKernel {
  bool operator==(const SourceKernel &other) const {
    return name == other.name && source == other.source && options == other.options;
  }
  std::string name, source;
  std::vector<std::string> options; // of the compiler, after those of the library
  bool complete;                    // the source includes no files of the user: it may be on disk
};

} // namespace usmtensor
