// Blocks of numbers: initialised with zeros, copied as a whole, and checked for finite values.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>

// Numbers, initially zero. The caller has called `has_room`.
class Numbers {
  public:
    explicit Numbers(std::size_t count)
        : numbers_(static_cast<double *>(std::calloc(count ? count : 1, sizeof(double)))) {
        if (!numbers_) std::abort();
    }
    Numbers(const Numbers &) = delete;
    Numbers &operator=(const Numbers &) = delete;
    ~Numbers() { std::free(numbers_); }
    operator double *() { return numbers_; }
    operator const double *() const { return numbers_; }

  private:
    double *const numbers_;
};

inline void copy_numbers(double *target, const double *source, std::size_t count) {
    std::memcpy(target, source, count * sizeof(double));
}

// A sum that is finite if all its terms are finite. Several partial sums run in parallel.
inline double sum_of(const double *numbers, std::size_t count) {
    constexpr std::size_t lanes = 4, rows = 4;
    double totals[lanes] = {};
    for (; count >= lanes * rows; count -= lanes * rows, numbers += lanes * rows)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t lane = 0; lane < lanes; ++lane) totals[lane] += numbers[row * lanes + lane];
    for (; count >= lanes; count -= lanes, numbers += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) totals[lane] += numbers[lane];
    while (count) totals[0] += numbers[--count];
    return totals[0] + totals[1] + totals[2] + totals[3];
}
inline bool are_finite(const double *numbers, std::size_t count) { return std::isfinite(sum_of(numbers, count)); }
