// Calls to a model's kernel and its memory. The layout comes from the instance's data.
#pragma once
#include "instance_data.hpp"
#include "numbers.hpp"
#include <algorithm>

// Memory of the kernel's functions, and the calls to them.
class Kernel {
    const InstanceData &data_;
    Numbers numbers_;
    double *places_[argument_count];
    Rows *rows_;

  public:
    Kernel(const InstanceData &data, double *saved) : data_(data), numbers_(data.kernel_count) {
        Block blocks[argument_count];
        for (int i = 0; i < argument_count; ++i) {
            const InstanceData::Place &place = data.places[i];
            places_[i] = (place.is_saved ? saved : numbers_) + place.start;
            if (place.content) std::memcpy(places_[i], place.content, place.size * sizeof(double));
            blocks[i].place = places_[i];
            std::copy_n(place.sizes, 3, blocks[i].sizes);
        }
        rows_ = new_rows(blocks);
    }
    Kernel(const Kernel &) = delete;
    Kernel &operator=(const Kernel &) = delete;
    ~Kernel() { delete_rows(rows_); }

    void take_parameters(const double *values) {
        for (std::size_t place : data_.parameter_places) numbers_[place] = *values++;
    }
    // Save the values derived from the parameters before a change, and restore them.
    void keep_parameters() {
        for (const int *pair = old_arguments[0]; *pair >= 0; pair += 2) copy_argument(pair[0], pair[1]);
    }
    void put_back_parameters() {
        for (const int *pair = old_arguments[0]; *pair >= 0; pair += 2) copy_argument(pair[1], pair[0]);
    }
    double *sample() { return places_[sample_argument]; }
    double *entered() { return places_[entered_argument < 0 ? sample_argument : entered_argument]; }
    double *watch() { return places_[watch_argument < 0 ? sample_argument : watch_argument]; }
    double *derivatives() { return places_[derivatives_argument < 0 ? sample_argument : derivatives_argument]; }
    void take_points(Points &points) {
        kernel_take_points(*rows_, points.times.data(), points.values.data(), long(points.times.size()));
    }
    // For the calls of kernel_calls.hpp.
    operator Rows &() { return *rows_; }

  private:
    void copy_argument(int target, int source) {
        std::copy_n(places_[source], data_.places[source].size, places_[target]);
    }
};

constexpr bool takes_derivatives = derivatives_argument >= 0;
