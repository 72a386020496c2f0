// The least that a unit test needs.
#pragma once
#include <cstdio>

inline int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (false)
