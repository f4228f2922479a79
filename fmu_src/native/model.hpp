// The model as an instance holds it: one flat block, and the calls to the kernel's functions.
//
// No formula here. What wearmodel/models/frictional_shock.py does around the kernel is done again: samples
// are remembered, a step that fails leaves nothing behind, outputs come from the end of the last
// step's polynomials. The messages are the same, word for word.
#pragma once
#include "text.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <utility>

enum class Kind { real, integer, boolean, string };

struct Variable {
    const char *name, *unit_shown, *unit;
    Kind kind;
    double start;
    const char *literals; // of an enumeration parameter
    int literal_count;
    const char *lower_text; // empty: no lower bound
    bool lower_is_open;
    double lower;
    bool has_upper;
    double upper;
    const char *upper_text;
};

#include "tables.hpp"

// Compiled without exceptions the library needs libc and libm alone. Some of Pythran's types throw;
// the kernel uses none of them.
#ifndef __cpp_exceptions
#define throw std::abort(),
#endif
#undef OVERFLOW // a macro of macOS's math.h
#include "wear_kernel.hpp"
#undef throw

namespace kernel = __pythran_wear_kernel;

constexpr int first_output = input_count;
constexpr int first_parameter = input_count + output_count;
constexpr int variable_count = first_parameter + parameter_count;
constexpr int longest_order = 3; // of extrapolation, and of input derivatives
static_assert(parameter_count <= records::parameters_count, "the table and the kernel differ");
static_assert(input_count + 1 == limits::sample_length, "the table and the kernel differ");
static_assert(sizeof variables / sizeof *variables == variable_count, "the table has a hole");

enum Phase : std::int32_t { instantiated, initialising, stepping, terminated, phase_count };

// The kernel's records that a step changes; one that fails puts them back.
struct Motion {
    double state[records::state_count];
    double samples[records::samples_count][limits::sample_length];
    double predictions[records::predictions_count][records::errors_count];
    double now[records::present_count];

    bool is_finite() const {
        double total = 0;
        const double *number = state;
        for (std::size_t i = 0; i < sizeof *this / sizeof total; ++i) total += number[i];
        return std::isfinite(total); // a sum is finite only where all its terms are
    }
};

// What the last step was taken from; of size 0 before the first.
struct LastStep {
    Motion before;
    double time, size;
    double inputs[input_count];
    double derivatives[input_count][longest_order];
    std::int64_t has_derivatives;
};

// All that a saved state holds. Numbers only and no pointers: it is copied and stored as it is.
struct Memory {
    char guid[40];
    std::int32_t phase, has_model, outputs_are_current, has_derivatives;
    double start_time, stop_time, time; // without a stop time: infinite
    double values[variable_count]; // inputs, outputs, parameters by value reference
    double start_inputs[input_count];
    double derivatives[input_count][longest_order]; // of order 1, 2, 3, for the next step
    Motion motion;
    LastStep last_step;
    char failure[480]; // why there is no model although there should be one
};

class Model {
    using Row = pythonic::types::ndarray<double, pythonic::types::pshape<long>>;
    using Rows = pythonic::types::ndarray<double, pythonic::types::pshape<long, long>>;

  public:
    Memory memory{};

    Model() {
        std::memcpy(memory.guid, model_guid, sizeof model_guid);
        memory.stop_time = INFINITY;
        for (int i = 0; i < variable_count; ++i) memory.values[i] = variables[i].start;
    }
    Model(const Model &) = delete;

    // Copy another block; the caller has checked it.
    void load(const Memory &other) {
        memory = other;
        complete();
    }

    // Build the model from parameters and start inputs; false leaves the reason in `failure`.
    bool build() {
        std::memcpy(memory.start_inputs, memory.values, sizeof memory.start_inputs);
        Text reason = broken_declaration();
        if (reason.empty() && !std::isfinite(memory.start_time))
            reason << "start_time=" << memory.start_time << " s must be finite";
        if (reason.empty()) reason = infinite_input();
        if (reason.empty()) reason = begin();
        memory.has_model = reason.empty();
        memory.outputs_are_current = true;
        if (!memory.has_model) std::fill_n(memory.values + first_output, output_count, 0.0);
        keep_failure(reason);
        return memory.has_model;
    }

    // Take one step; a reason that is not empty leaves all as it was.
    Text step(double step_size) {
        const Text reason = infinite_input();
        if (!reason.empty()) return reason;
        const Motion before = motion;
        Text failure = advance(step_size);
        if (failure.empty() && !measure()) failure << overflow_text;
        if (!failure.empty()) {
            motion = before;
            memory.outputs_are_current = false;
            return failure;
        }
        keep_last_step(before, step_size);
        if (memory.has_derivatives) {
            std::memset(memory.derivatives, 0, sizeof memory.derivatives);
            memory.has_derivatives = false;
        }
        return failure;
    }

    // Write the outputs of the present instant into the values; false where one overflows.
    bool measure() {
        put(kernel::outputs()(parameters_, state_, now_));
        memory.outputs_are_current = true;
        double total = 0;
        for (int i = first_output; i < first_parameter; ++i) total += memory.values[i];
        return std::isfinite(total) && motion.is_finite();
    }

    // The first parameter that breaks its own range, or the first rule between them that is broken.
    Text broken_declaration() {
        for (int i = first_parameter; i < variable_count; ++i) {
            const Variable &variable = variables[i];
            const double value = memory.values[i];
            const char *rule = broken_range(variable, value);
            if (!rule) continue;
            Text text(variable.name);
            text << "=";
            if (variable.kind == Kind::integer) text << int(value);
            else text << value;
            text << variable.unit_shown << " must be ";
            return text << (variable.literal_count ? "one of: " : "") << rule;
        }
        const auto rule = kernel::broken_rule()(declared_);
        return Text().fill(rule_texts[std::get<0>(rule)], std::get<1>(rule), std::get<2>(rule));
    }

    // What is wrong with the samples of a motion that came from outside, at its instant.
    Text broken_samples(Motion from_outside, double time) {
        complete();
        from_outside.now[records::present_time] = time;
        const auto broken = kernel::broken_samples()(
            parameters_, rows(&from_outside.samples[0][0], records::samples_count, limits::sample_length),
            row(from_outside.now, records::present_count));
        if (std::get<0>(broken) == limits::samples_not_past)
            return Text("the snapshot holds a sample at ")
                   << std::get<1>(broken) << " s; it must be < " << std::get<2>(broken)
                   << " s, the instant that follows on it";
        return std::get<0>(broken) == limits::ok ? Text() : Text("it does not hold the samples of these parameters");
    }

  private:
    static constexpr const char *overflow_text =
        "an output overflows; the inputs or the parameters are too large for binary64";

    Motion &motion = memory.motion;
    double parameters_memory_[records::parameters_count] = {};
    double work_memory_[records::work_count][limits::row_length] = {};
    double backup_memory_[records::samples_count][limits::sample_length] = {};
    double sample_memory_[limits::sample_length] = {};

    static Row row(double *place, long count) {
        return Row(place, pythonic::types::pshape<long>(count), pythonic::types::ownership::external);
    }
    static Rows rows(double *place, long count, long length) {
        return Rows(place, pythonic::types::pshape<long, long>(count, length),
                    pythonic::types::ownership::external);
    }

    // The kernel's views of the memory above, made once: they count their references.
    Row declared_ = row(memory.values + first_parameter, parameter_count);
    Row parameters_ = row(parameters_memory_, records::parameters_count);
    Row state_ = row(motion.state, records::state_count);
    Row now_ = row(motion.now, records::present_count);
    Row sample_ = row(sample_memory_, limits::sample_length);
    Rows samples_ = rows(&motion.samples[0][0], records::samples_count, limits::sample_length);
    Rows backup_ = rows(&backup_memory_[0][0], records::samples_count, limits::sample_length);
    Rows predictions_ = rows(&motion.predictions[0][0], records::predictions_count, records::errors_count);
    Rows work_ = rows(&work_memory_[0][0], records::work_count, limits::row_length);

    void keep_last_step(const Motion &before, double step_size) {
        LastStep &last = memory.last_step;
        last.before = before;
        last.time = memory.time;
        last.size = step_size;
        std::memcpy(last.inputs, memory.values, sizeof last.inputs);
        std::memcpy(last.derivatives, memory.derivatives, sizeof last.derivatives);
        last.has_derivatives = memory.has_derivatives;
    }

    void complete() {
        std::memcpy(parameters_memory_, memory.values + first_parameter, parameter_count * sizeof(double));
        kernel::complete_parameters()(parameters_);
    }

    void keep_failure(const Text &reason) {
        std::memset(memory.failure, 0, sizeof memory.failure);
        if (reason.empty()) return;
        Text text("initialisation failed: ");
        std::strncpy(memory.failure, (text << reason).data(), sizeof memory.failure - 1);
    }

    static const char *broken_range(const Variable &variable, double value) {
        if (variable.literal_count)
            return value >= 0 && value < variable.literal_count ? nullptr : variable.literals;
        if (!std::isfinite(value)) return "finite";
        const bool too_low = variable.lower_is_open ? !(value > variable.lower) : value < variable.lower;
        if (*variable.lower_text && too_low) return variable.lower_text;
        return variable.has_upper && value > variable.upper ? variable.upper_text : nullptr;
    }

    Text infinite_input() const {
        double total = 0;
        for (int i = 0; i < input_count; ++i) total += memory.values[i];
        for (int i = 0; memory.has_derivatives && i < input_count; ++i)
            for (double derivative : memory.derivatives[i]) total += derivative;
        if (total - total == 0) return {};
        for (int i = 0; i < input_count; ++i) {
            Text text(variables[i].name);
            if (!std::isfinite(memory.values[i]))
                return text << "=" << memory.values[i] << variables[i].unit_shown << " must be finite";
            for (int order = 1; order <= longest_order; ++order) {
                const double derivative = memory.derivatives[i][order - 1];
                if (!std::isfinite(derivative))
                    return text << "[" << order << "]=" << derivative << variables[i].unit_shown << "/s^"
                                << order << " must be finite";
            }
        }
        return {}; // all finite; only their sum is not
    }

    Text begin() {
        complete();
        motion = Motion{};
        memory.last_step = LastStep{};
        memory.time = memory.start_time;
        take_sample();
        if (kernel::start()(parameters_, state_, samples_, predictions_, now_, sample_) != limits::ok)
            return Text("start_in_equilibrium=True: a net normal force of ")
                   << motion.now[records::present_normal_forcing]
                   << " N away from the plane must be held by a normal spring or an upper plane";
        return measure() ? Text() : Text(overflow_text);
    }

    void take_sample() {
        sample_memory_[limits::time] = memory.time;
        std::memcpy(sample_memory_ + 1, memory.values, input_count * sizeof(double));
    }

    // Taylor's polynomials of the inputs, from their derivatives; one without any is held.
    void take_derivatives() {
        constexpr int rows_of_inputs[] = {
            records::work_base_acceleration, records::work_base_acceleration_normal,
            records::work_tangential_load, records::work_normal_load};
        constexpr int counts_of_inputs[] = {
            records::counts_base_acceleration, records::counts_base_acceleration_normal,
            records::counts_tangential_load, records::counts_normal_load};
        for (int i = 0; i < input_count; ++i) {
            double *const coefficients = work_memory_[rows_of_inputs[i]];
            double &count = work_memory_[records::work_counts][counts_of_inputs[i]];
            double factorial = 1;
            coefficients[0] = memory.values[i];
            count = 1;
            for (int order = 1; order <= longest_order; ++order) {
                factorial *= order;
                coefficients[order] = memory.derivatives[i][order - 1] / factorial;
                if (coefficients[order] != 0) count = order + 1;
            }
        }
    }

    Text advance(double step_size) {
        const double time = memory.time, end = time + step_size;
        if (!(time < end && end < INFINITY))
            return Text("step_size=") << step_size
                                      << " s must be > 0, finite, and large enough to advance time="
                                      << time << " s";
        motion.now[records::present_time] = time;
        long code;
        // Those that were set before input_timing became end have no effect.
        if (memory.has_derivatives && parameters_memory_[records::parameters_input_timing] != limits::input_at_end) {
            take_derivatives();
            code = kernel::step_along()(parameters_, state_, samples_, now_, step_size, work_);
        } else {
            take_sample();
            code = kernel::step()(parameters_, state_, samples_, backup_, predictions_, now_, sample_,
                                  step_size, work_);
        }
        if (code == limits::ok) return {};
        return Text("step of ") << step_size << " s at time=" << time
                                << " s failed: " << failure_texts[code];
    }

    template <class Tuple> void put(const Tuple &outputs) {
        static_assert(std::tuple_size<Tuple>::value == output_count, "outputs are missing");
        put_from(outputs, std::make_index_sequence<output_count>());
    }
    template <class Tuple, std::size_t... index>
    void put_from(const Tuple &outputs, std::index_sequence<index...>) {
        ((memory.values[first_output + index] = std::get<index>(outputs)), ...);
    }
};
