// The smallest test harness that says where and what failed.
#pragma once
#include <cstdio>

inline int failed_checks = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++failed_checks;                                                                             \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
    }                                                                                              \
  } while (false)

// The exit status of a test program.
inline int failures() { return failed_checks != 0; }
