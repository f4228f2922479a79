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
#define PY_MAJOR_VERSION 3 // as the kernel says it
#include <pythonic/core.hpp>
#include <pythonic/include/types/raw_array.hpp>
#include <pythonic/include/utils/shared_ref.hpp>

// The kernel makes no arrays and works on rows of memory that is not Pythran's. So nothing counts
// the views of it: each row that a function names would cost two writes that the compiler cannot
// keep apart from the numbers.
PYTHONIC_NS_BEGIN
namespace utils {
template <> inline void shared_ref<types::raw_array<double>>::acquire() {}
template <> inline void shared_ref<types::raw_array<double>>::dispose() {}
} // namespace utils
PYTHONIC_NS_END

#include "wear_kernel.hpp"
namespace kernel = __pythran_wear_kernel;

// Where a kernel has loops that wide registers speed up, it stands here a second time for
// processors that have them; the bits are the same, because no form contracts products or changes
// the order of a sum.
#if defined(KERNEL_HAS_LANES) && defined(__x86_64__) && !defined(KERNEL_BASELINE)
#include <cpuid.h>
#define __pythran_wear_kernel __pythran_wear_kernel_wide
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
// Pythran's own `call` is for all processors: the compiler would put no wide function into it, and
// so none into the loops of its callers.
PYTHONIC_NS_BEGIN
namespace types {
template <class Function, class... Arguments>
static inline auto wide_call(Function &&function, Arguments &&...arguments)
    -> decltype(std::forward<Function>(function).template operator()<by_val_t<Arguments>...>(
        static_cast<by_val_t<Arguments>>(arguments)...)) {
    return std::forward<Function>(function).template operator()<by_val_t<Arguments>...>(
        static_cast<by_val_t<Arguments>>(arguments)...);
}
} // namespace types
PYTHONIC_NS_END
#define call wide_call
#include "wear_kernel.hpp"
#undef call
#pragma clang attribute pop
#undef __pythran_wear_kernel
namespace wide_kernel = __pythran_wear_kernel_wide;

// Whether the processor has AVX2, and the system keeps its registers (Intel's manual, volume 1,
// section 14.3).
inline bool has_wide_registers() {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return false;
    unsigned kept, high;
    __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    if ((kept & 6) != 6) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}
static const bool is_wide = has_wide_registers();
#else
namespace wide_kernel = kernel;
constexpr bool is_wide = false;
#endif
#undef throw

template <class... Sizes>
using Array = pythonic::types::ndarray<double, pythonic::types::pshape<Sizes...>>;
using Array1 = Array<long>;
using Array2 = Array<long, long>;
using Array3 = Array<long, long, long>;

// An array on a block of memory, which it does not own.
template <class... Sizes>
Array<Sizes...> array_on(double *place, pythonic::types::pshape<Sizes...> shape) {
    Array<Sizes...> array;
    array.buffer = place;
    array._shape = shape;
    array._strides = pythonic::types::make_strides(shape);
    return array;
}
inline Array1 array1(const Block &block) {
    return array_on(block.place, pythonic::types::pshape<long>(block.sizes[0]));
}
inline Array2 array2(const Block &block) {
    return array_on(block.place,
                    pythonic::types::pshape<long, long>(block.sizes[0], block.sizes[1]));
}
inline Array3 array3(const Block &block) {
    return array_on(block.place, pythonic::types::pshape<long, long, long>(
                                     block.sizes[0], block.sizes[1], block.sizes[2]));
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
