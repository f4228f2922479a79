// The translated kernel, and its arguments made of blocks of memory; kernel.cpp has the calls.
#pragma once
#include "kernel_calls.hpp"
#include <cstdlib>
#include <tuple>
#include <utility>

// Compiled without exceptions the library needs libc and libm alone. Some of Pythran's types throw;
// the kernel uses none of them.
#ifndef __cpp_exceptions
#define throw std::abort(),
#endif
#undef OVERFLOW // a macro of macOS's math.h
#include "wear_kernel.hpp"
#undef throw

namespace kernel = __pythran_wear_kernel;

template <class... Sizes>
using Array = pythonic::types::ndarray<double, pythonic::types::pshape<Sizes...>>;
using Array1 = Array<long>;
using Array2 = Array<long, long>;
using Array3 = Array<long, long, long>;

inline Array1 array1(const Block &block) {
    return Array1(block.place, pythonic::types::pshape<long>(block.sizes[0]),
                  pythonic::types::ownership::external);
}
inline Array2 array2(const Block &block) {
    return Array2(block.place, pythonic::types::pshape<long, long>(block.sizes[0], block.sizes[1]),
                  pythonic::types::ownership::external);
}
inline Array3 array3(const Block &block) {
    return Array3(block.place,
                  pythonic::types::pshape<long, long, long>(block.sizes[0], block.sizes[1], block.sizes[2]),
                  pythonic::types::ownership::external);
}

template <class Tuple> BrokenRule broken(const Tuple &rule) {
    return {std::get<0>(rule), std::get<1>(rule), std::get<2>(rule)};
}

template <class Tuple, std::size_t... index>
void put_from(const Tuple &outputs, double *values, std::index_sequence<index...>) {
    ((values[index] = std::get<index>(outputs)), ...);
}
template <class Tuple> void put(const Tuple &outputs, double *values) {
    put_from(outputs, values, std::make_index_sequence<std::tuple_size<Tuple>::value>());
}
