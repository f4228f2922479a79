// Functions of a library of runs: addresses and sizes of all arguments, and the returned numbers.
// The generated kernel.cpp has a RUN for each.
#pragma once
#include "kernel_rows.hpp"
#include <cstdint>

#ifdef _WIN32
#define EXPORTED extern "C" __declspec(dllexport)
#else
#define EXPORTED extern "C" __attribute__((visibility("default")))
#endif
#define RUN(name)                                                                                  \
    EXPORTED void wear_##name(void *const *places, const std::int64_t *sizes, double *results)

