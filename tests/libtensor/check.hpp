// A minimal unit test framework.
#pragma once
#include <atomic>
#include <cstdio>

inline std::atomic<int> failures{0};

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (false)
