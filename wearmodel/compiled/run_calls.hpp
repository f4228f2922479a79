// Plain functions of a library of runs: the places and sizes of all arguments, and the numbers that
// the function returns. The generated kernel.cpp has a RUN for each.
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

template <std::size_t> using Length = long;
template <class Value, std::size_t... axis>
auto rows_of(void *place, const std::int64_t *sizes, std::index_sequence<axis...>) {
    pythonic::types::pshape<Length<axis>...> shape(static_cast<long>(sizes[axis])...);
    pythonic::types::ndarray<Value, decltype(shape)> array;
    array.buffer = static_cast<Value *>(place);
    array._shape = shape;
    array._strides = pythonic::types::make_strides(shape);
    return array;
}
// An array of so many axes on memory that it does not own.
template <class Value, std::size_t axes> auto rows(void *place, const std::int64_t *sizes) {
    return rows_of<Value>(place, sizes, std::make_index_sequence<axes>());
}
