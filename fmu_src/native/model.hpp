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
constexpr int most_samples = longest_order + 1;
static_assert(parameter_count == declared::declared_count, "the table and the kernel differ");
static_assert(sizeof variables / sizeof *variables == variable_count, "the table has a hole");

enum Phase : std::int32_t { instantiated, initialising, stepping, terminated, phase_count };

// Coefficients of t^0, t^1, … over a step.
struct Polynomial {
    double coefficients[most_samples];
    std::int64_t count;
};

// What a step changes; one that fails puts it back.
struct Motion {
    double state[layout::state_count];
    // Newest first: instant, f_t, f_n, P_t. One more than is kept, while the next step chooses.
    double samples[most_samples + 1][4];
    std::int64_t sample_count;
    Polynomial tangential, normal, load; // f_t, f_n, P_t over the last step
    double last_step_size;

    bool is_finite() const {
        double total = last_step_size;
        for (double value : state) total += value;
        for (const auto &sample : samples)
            for (double value : sample) total += value;
        for (const Polynomial *one : {&tangential, &normal, &load})
            for (std::int64_t j = 0; j < one->count; ++j) total += one->coefficients[j];
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
        if (memory.has_derivatives) take_derivatives();
        else extrapolate_inputs(step_size);
        motion.last_step_size = step_size;
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
        const double h = motion.last_step_size;
        const double tangential = end_value(tangential_, motion.tangential, h);
        const double load = end_value(load_, motion.load, h);
        const double normal = end_value(normal_, motion.normal, h);
        double rate = 0;
        if (motion.normal.count > 1)
            rate = kernel::evaluate_slope()(normal_, long(motion.normal.count), h);
        put(kernel::measure()(parameters_, state_, tangential, load, normal, rate));
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

    // How many samples the extrapolation uses.
    int most_samples_kept() const {
        return 1 + int(memory.values[first_parameter + declared::declared_order]);
    }

  private:
    static constexpr const char *overflow_text =
        "an output overflows; the inputs or the parameters are too large for binary64";

    Motion &motion = memory.motion;
    double parameters_memory_[layout::parameter_count] = {};
    double work_memory_[layout::row_count][layout::row_length] = {};
    double weight_ = 0;

    static Row row(double *place, long count) {
        return Row(place, pythonic::types::pshape<long>(count), pythonic::types::ownership::external);
    }
    static Rows rows(double *place, long count, long length) {
        return Rows(place, pythonic::types::pshape<long, long>(count, length),
                    pythonic::types::ownership::external);
    }

    // The kernel's views of the memory above, made once: they count their references.
    Row declared_ = row(memory.values + first_parameter, parameter_count);
    Row parameters_ = row(parameters_memory_, layout::parameter_count);
    Row state_ = row(motion.state, layout::state_count);
    Row tangential_ = row(motion.tangential.coefficients, most_samples);
    Row normal_ = row(motion.normal.coefficients, most_samples);
    Row load_ = row(motion.load.coefficients, most_samples);
    Rows work_ = rows(&work_memory_[0][0], layout::row_count, layout::row_length);
    Rows samples_ = rows(&motion.samples[0][0], most_samples + 1, 4);
    Rows used_[most_samples] = {rows(&motion.samples[0][0], 1, 4), rows(&motion.samples[0][0], 2, 4),
                                rows(&motion.samples[0][0], 3, 4), rows(&motion.samples[0][0], 4, 4)};

    void keep_last_step(const Motion &before, double step_size) {
        LastStep &last = memory.last_step;
        last.before = before;
        last.time = memory.time;
        last.size = step_size;
        std::memcpy(last.inputs, memory.values, sizeof last.inputs);
        std::memcpy(last.derivatives, memory.derivatives, sizeof last.derivatives);
        last.has_derivatives = memory.has_derivatives;
    }

    double mass() const { return parameters_memory_[layout::mass]; }

    void complete() {
        kernel::fill_parameters()(declared_, parameters_);
        weight_ = kernel::weight()(declared_);
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
        const double *input = memory.values;
        motion = Motion{};
        memory.last_step = LastStep{};
        motion.tangential.count = motion.normal.count = motion.load.count = 1;
        memory.time = memory.start_time;
        put_forcings(0, weight_, input);
        const double tangential = motion.tangential.coefficients[0];
        const double normal = motion.normal.coefficients[0];
        if (!kernel::place()(declared_, parameters_, state_, normal))
            return Text("start_in_equilibrium=True: a net normal force of ")
                   << normal
                   << " N away from the plane must be held by a normal spring or an upper plane";
        kernel::start()(parameters_, state_, tangential, normal);
        return measure() ? Text() : Text(overflow_text);
    }

    // Forcings of t^order from the inputs' coefficients.
    void put_forcings(int order, double constant, const double *input) {
        const auto both = kernel::forcings()(mass(), constant, input[0], input[1], input[2], input[3]);
        motion.tangential.coefficients[order] = std::get<0>(both);
        motion.normal.coefficients[order] = std::get<1>(both);
        motion.load.coefficients[order] = input[2];
    }

    // Taylor's polynomials of the inputs, from their derivatives; one without any is held. What was
    // remembered of earlier samples is forgotten.
    void take_derivatives() {
        double input[input_count];
        double factorial = 1;
        motion.tangential.count = motion.normal.count = motion.load.count = 1;
        put_forcings(0, weight_, memory.values);
        for (int order = 1; order <= longest_order; ++order) {
            factorial *= order;
            for (int i = 0; i < input_count; ++i)
                input[i] = memory.derivatives[i][order - 1] / factorial;
            put_forcings(order, 0, input);
            for (Polynomial *one : {&motion.tangential, &motion.normal, &motion.load})
                if (one->coefficients[order] != 0) one->count = order + 1;
        }
        motion.sample_count = 0;
    }

    // The inputs as polynomials through those of their last samples that serve a step this long.
    void extrapolate_inputs(double step_size) {
        std::memmove(motion.samples[1], motion.samples[0], motion.sample_count * sizeof *motion.samples);
        const double *input = memory.values;
        const auto both = kernel::forcings()(mass(), weight_, input[0], input[1], input[2], input[3]);
        double *sample = motion.samples[0];
        sample[0] = memory.time;
        sample[1] = std::get<0>(both);
        sample[2] = std::get<1>(both);
        sample[3] = input[2];
        motion.sample_count = kernel::keep_usable()(samples_, long(motion.sample_count + 1), step_size,
                                                    long(most_samples_kept() - 1));
        // What is not used leaves no trace in a saved state.
        std::memset(motion.samples[motion.sample_count], 0,
                    (most_samples + 1 - motion.sample_count) * sizeof *motion.samples);
        const Rows &samples = used_[motion.sample_count - 1];
        put(kernel::extrapolate()(samples, 1L), motion.tangential);
        put(kernel::extrapolate()(samples, 2L), motion.normal);
        put(kernel::extrapolate()(samples, 3L), motion.load);
    }

    template <class List> static void put(const List &coefficients, Polynomial &polynomial) {
        polynomial.count = coefficients.size();
        for (long j = 0; j < polynomial.count; ++j) polynomial.coefficients[j] = coefficients[j];
    }

    Text advance(double step_size) {
        const double time = memory.time, end = time + step_size;
        if (!(time < end && end < INFINITY))
            return Text("step_size=") << step_size
                                      << " s must be > 0, finite, and large enough to advance time="
                                      << time << " s";
        const long tangential_count = motion.tangential.count, normal_count = motion.normal.count;
        if (kernel::quiet_step()(parameters_, state_, tangential_, tangential_count, normal_,
                                 normal_count, step_size))
            return {};
        long code = kernel::advance()(parameters_, state_, tangential_, tangential_count, normal_,
                                      normal_count, step_size, work_);
        double total = 0;
        for (double value : motion.state) total += value;
        if (code == layout::ok && !std::isfinite(total)) code = layout::overflow;
        if (code == layout::ok) return {};
        return Text("step of ") << step_size << " s at time=" << time
                                << " s failed: " << failure_texts[code];
    }

    static double end_value(const Row &row, const Polynomial &polynomial, double step_size) {
        if (polynomial.count == 1) return polynomial.coefficients[0];
        return kernel::evaluate()(row, long(polynomial.count), step_size);
    }

    template <class Tuple> void put(const Tuple &outputs) {
        static_assert(std::tuple_size<Tuple>::value == output_count, "outputs are missing");
        put_from(outputs, std::make_index_sequence<output_count>());
    }
    template <class Tuple, std::size_t... place>
    void put_from(const Tuple &outputs, std::index_sequence<place...>) {
        ((memory.values[first_output + place] = std::get<place>(outputs)), ...);
    }
};
