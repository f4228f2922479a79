// The translated kernel, and its arguments from blocks of memory. kernel.cpp contains the calls.
#pragma once
#include "kernel_calls.hpp"
#include <cstdlib>
#include <tuple>
#include <utility>

// Compiled without exceptions the library needs only libc and libm. Some of Pythran's types throw,
// but the kernel does not use them.
#ifndef __cpp_exceptions
#define throw std::abort(),
#endif
#undef OVERFLOW // a macro of macOS's math.h
#define PY_MAJOR_VERSION 3 // as the kernel requires
#include <pythonic/core.hpp>

#include "views.hpp"

#include "wear_kernel.hpp"
namespace kernel = __pythran_wear_kernel;

// A kernel with loops that benefit from wide registers is compiled a second time for processors
// that have them. The bits are equal, because neither form contracts products or changes the order
// of a sum.
#if defined(KERNEL_HAS_LANES) && defined(__x86_64__) && !defined(KERNEL_BASELINE)
#include <cpuid.h>
#define __pythran_wear_kernel __pythran_wear_kernel_wide
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
// Pythran's `call` is for all processors. The compiler would not inline wide functions into it, nor
// into the loops of its callers.
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

// Whether the processor has AVX2 and the system saves its registers (Intel's manual, volume 1,
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
