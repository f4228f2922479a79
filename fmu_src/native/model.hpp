// The model as an instance holds it: one flat block, and the calls to the kernel's functions.
//
// No formula here and no word of any model: counts, indices and texts come from tables.hpp, and the
// kernel's memory from entry.hpp. What a Python model does around the
// kernel is done again: a step that fails leaves nothing behind, and the messages are the same.
#pragma once
#include "kernel_calls.hpp"
#include "points.hpp"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

enum class Kind { real, integer, boolean, string };

struct Variable {
    const char *name, *unit_shown, *unit;
    Kind kind;
    double start;
    const char *start_text; // of a string
    const char *literals; // of an enumeration parameter
    int literal_count;
    const char *lower_text; // empty: no lower bound
    bool lower_is_open;
    double lower;
    bool has_upper;
    double upper;
    const char *upper_text;
};

// What a failure's text shows, and why the kernel could not start or step.
enum class Of { nothing, saved, variable, step_size, time };
struct Shown {
    Of of;
    int index;
};
struct Failure {
    long code;
    const char *text;
    Shown shown[Text::most_shown];
};

#include "tables.hpp"

#include "entry.hpp"

constexpr int first_output = input_count;
constexpr int first_parameter = input_count + output_count;
constexpr int variable_count = first_parameter + parameter_count;
constexpr int input_room = input_count ? input_count : 1;
constexpr int string_room = string_count ? string_count : 1;
static_assert(sizeof variables / sizeof *variables == variable_count, "the table has a hole");

// What the kernel's functions work on, and the calls to them.
class Kernel {
    KernelMemory memory_;
    Rows *const rows_;

  public:
    explicit Kernel(double *saved) : rows_(new_rows(memory_.blocks(saved).data())) {}
    Kernel(const Kernel &) = delete;
    ~Kernel() { delete_rows(rows_); }

    double &parameter(int index) { return *memory_.parameters[index]; }
    double *sample() { return memory_.sample; }
    double *derivatives() { return memory_.given_derivatives; }
    void take_points(Points &points) {
        kernel_take_points(*rows_, points.times.data(), points.values.data(), long(points.times.size()));
    }
    void complete() { kernel_complete(*rows_); }
    BrokenRule broken_rule() { return kernel_broken_rule(*rows_); }
    BrokenRule broken_state() { return kernel_broken_state(*rows_); }
    long start() { return kernel_start(*rows_); }
    long step(double step_size) { return kernel_step(*rows_, step_size); }
    long step_with_derivatives(double step_size) { return kernel_step_with_derivatives(*rows_, step_size); }
    double coefficient(double velocity) { return kernel_coefficient(*rows_, velocity); }
    void outputs(double *values) { kernel_outputs(*rows_, values); }
};

enum Phase : std::int32_t { instantiated, initialising, stepping, terminated, phase_count };

// The saved state of the kernel; a step that fails puts it back.
struct Saved {
    double numbers[saved_count];

    bool is_finite() const {
        // A sum is finite only where all its terms are; four sums need not wait for each other.
        double totals[4] = {};
        int i = 0;
        for (; i + 3 < saved_count; i += 4)
            for (int j = 0; j < 4; ++j) totals[j] += numbers[i + j];
        for (; i < saved_count; ++i) totals[0] += numbers[i];
        return std::isfinite(totals[0] + totals[1] + totals[2] + totals[3]);
    }
    void set_time(double time) {
        if (saved_time >= 0) numbers[saved_time] = time;
    }
};

// What the last step was taken from; of size 0 before the first.
struct LastStep {
    Saved before;
    double time, size;
    double inputs[input_room];
    double derivatives[input_room][derivative_orders];
    std::int64_t has_derivatives;
};

// All that a saved state holds. Numbers only and no pointers: it is copied and stored as it is.
struct Memory {
    char guid[40];
    std::int32_t phase, has_model, outputs_are_current, has_derivatives;
    double start_time, stop_time, time; // without a stop time: infinite
    double values[variable_count]; // inputs, outputs, parameters by value reference
    double start_inputs[input_room];
    double derivatives[input_room][derivative_orders]; // of order 1 and up, for the next step
    Saved saved;
    LastStep last_step;
    char failure[480]; // why there is no model although there should be one
};

// The values of string parameters, in the order of the table.
class Strings {
  public:
    Strings() {
        for (int i = 0; i < string_count; ++i) set(i, variables[string_references[i]].start_text);
    }
    Strings(const Strings &other) { *this = other; }
    ~Strings() {
        for (char *one : texts_) std::free(one);
    }
    Strings &operator=(const Strings &other) {
        for (int i = 0; i < string_count && this != &other; ++i) set(i, other[i]);
        return *this;
    }
    const char *operator[](int index) const { return texts_[index] ? texts_[index] : ""; }
    void set(int index, const Span &text) {
        char *const copy = static_cast<char *>(std::malloc(text.size() + 1));
        if (!copy) std::abort();
        std::memcpy(copy, text.begin, text.size());
        copy[text.size()] = 0;
        std::free(texts_[index]);
        texts_[index] = copy;
    }
    static int index_of(unsigned reference) {
        int index = 0;
        while (string_references[index] != int(reference)) ++index;
        return index;
    }

  private:
    char *texts_[string_room] = {};
};

// Recorded points, which an instance and the states saved of it share: they never change.
class Recorded {
  public:
    Recorded() = default;
    explicit Recorded(Points *points) : shared_(new Shared{{1}, points}) {}
    Recorded(const Recorded &other) : shared_(other.shared_) { use(1); }
    ~Recorded() { use(-1); }
    Recorded &operator=(const Recorded &other) {
        Shared *const before = shared_;
        shared_ = other.shared_;
        use(1);
        if (before && --before->users == 0) before->end();
        return *this;
    }
    Points *operator->() const { return shared_->points; }
    explicit operator bool() const { return shared_; }

  private:
    struct Shared {
        std::atomic<int> users;
        Points *points;
        void end() {
            delete points;
            delete this;
        }
    };
    Shared *shared_ = nullptr;
    void use(int change) {
        if (shared_ && (shared_->users += change) == 0) shared_->end();
    }
};

// What belongs to an instance and to its saved states alike.
struct Belongings {
    Memory memory{};
    Strings strings;
    Recorded recorded;
};

class Model : public Belongings {
  public:
    bool keeps_points = false; // those that are there serve each start
    const char *resources = ""; // folder of the FMU's own table

    Model() {
        std::memcpy(memory.guid, model_guid, sizeof model_guid);
        memory.stop_time = INFINITY;
        for (int i = 0; i < variable_count; ++i) memory.values[i] = variables[i].start;
    }
    Model(const Model &) = delete;

    // Copy what belongs to another; the caller has checked it.
    void load(const Belongings &other) {
        strings = other.strings;
        recorded = other.recorded;
        load(other.memory);
    }
    void load(const Memory &other) {
        memory = other;
        complete();
        if (recorded) kernel_.take_points(*recorded.operator->());
    }

    // Read the recorded points that the parameters ask for; the reason where they cannot be read.
    Text read_points() {
        if (points_kind < 0) return {};
        const int kind = int(memory.values[points_kind]);
        recorded = Recorded();
        if (kind != points_text_kind && kind != points_file_kind) return {};
        const Recorded made(new Points);
        PointReader reader(motion_header);
        if (kind == points_text_kind ? !reader.read_text(strings[points_text], *made.operator->())
                                     : !reader.read_path(points_path().data(), strings[points_file],
                                                         int(memory.values[points_column]), *made.operator->()))
            return reader.problem;
        recorded = made;
        kernel_.take_points(*made.operator->());
        return {};
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

    // Whether the last step, which is done, warns of something, and of what.
    bool warns() const { return warning_code_ != 0; }
    Text warning(double step_size) const { return failure_text(warning_code_, step_size); }

    // Take one step from the master's `time`; a reason that is not empty leaves all as it was.
    Text step(double time, double step_size) {
        const Text reason = infinite_input();
        if (!reason.empty()) return reason;
        const Saved before = saved;
        Text failure = advance(time, step_size);
        if (failure.empty() && !measure()) failure << overflow_text;
        if (!failure.empty()) {
            saved = before;
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
        kernel_.outputs(memory.values + first_output);
        memory.outputs_are_current = true;
        double total = 0;
        for (int i = first_output; i < first_parameter; ++i) total += memory.values[i];
        return std::isfinite(total) && saved.is_finite();
    }

    // The first parameter that breaks its own range, or the first rule between them that is broken.
    Text broken_declaration() {
        for (int i = first_parameter; i < variable_count; ++i) {
            const Variable &variable = variables[i];
            if (variable.kind == Kind::string) continue;
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
        take_parameters();
        const BrokenRule rule = kernel_.broken_rule();
        return Text().fill_rule(rule_texts[rule.number], rule.first, rule.second);
    }

    // What is wrong with a saved state that came from outside, at its instant; it is taken.
    Text broken_state(const Saved &from_outside, double time) {
        complete();
        saved = from_outside;
        saved.set_time(time);
        const BrokenRule rule = kernel_.broken_state();
        return Text().fill_rule(state_rule_texts[rule.number], rule.first, rule.second);
    }

    // Take the values of the parameters, and fill in what follows from them.
    void complete() {
        take_parameters();
        kernel_.complete();
    }

    // The coefficient of friction at a velocity; 0 of a model that has none.
    double coefficient(double velocity) { return kernel_.coefficient(velocity); }

  private:
    static constexpr const char *overflow_text =
        "an output overflows; the inputs or the parameters are too large for binary64";

    // Path of the file that the parameter names; the FMU's own table lies in its resources.
    Bytes points_path() const {
        const char *name = strings[points_file];
        Bytes path;
        if (!std::strcmp(name, own_points_file)) {
            path.assign(resources, resources + std::strlen(resources));
            name = std::strchr(name, '/');
        }
        path.insert(path.end(), name, name + std::strlen(name) + 1);
        return path;
    }

    long warning_code_ = 0;
    Saved &saved = memory.saved;
    Kernel kernel_{memory.saved.numbers};

    void keep_last_step(const Saved &before, double step_size) {
        LastStep &last = memory.last_step;
        last.before = before;
        last.time = memory.time;
        last.size = step_size;
        std::memcpy(last.inputs, memory.values, sizeof last.inputs);
        std::memcpy(last.derivatives, memory.derivatives, sizeof last.derivatives);
        last.has_derivatives = memory.has_derivatives;
    }

    // As they are declared, before the kernel replaces what stands for another value.
    void take_parameters() {
        for (int i = 0; i < parameter_count; ++i)
            kernel_.parameter(i) = memory.values[first_parameter + i];
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
            for (int order = 1; order <= derivative_orders; ++order) {
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
        if (!keeps_points) {
            const Text reason = read_points();
            if (!reason.empty()) return reason;
        }
        saved = Saved{};
        memory.last_step = LastStep{};
        memory.time = memory.start_time;
        take_sample(memory.time);
        const long code = kernel_.start();
        if (code) return failure_text(code, 0);
        return measure() ? Text() : Text(overflow_text);
    }

    void take_sample(double time) {
        kernel_.sample()[0] = time;
        std::memcpy(kernel_.sample() + 1, memory.values, input_count * sizeof(double));
    }

    Text advance(double time, double step_size) {
        const double end = time + step_size;
        if (!(time < end && end < INFINITY))
            return Text("step_size=") << step_size
                                      << " s must be > 0, finite, and large enough to advance time="
                                      << time << " s";
        saved.set_time(memory.time);
        // What follows from time alone follows from the master's. A sample of inputs goes on from the
        // instant that was reached, from which the master's differs by rounding.
        take_sample(input_count ? memory.time : time);
        long code;
        if (takes_derivatives && memory.has_derivatives) {
            std::memcpy(kernel_.derivatives(), memory.derivatives, sizeof memory.derivatives);
            code = kernel_.step_with_derivatives(step_size);
        } else code = kernel_.step(step_size);
        warning_code_ = code < 0 ? code : 0;
        return code > 0 ? failure_text(code, step_size) : Text();
    }

    Text failure_text(long code, double step_size) const {
        const auto number = [&](const Shown &shown) {
            switch (shown.of) {
            case Of::saved: return saved.numbers[shown.index];
            case Of::step_size: return step_size;
            case Of::time: return memory.time;
            case Of::variable: return memory.values[shown.index];
            default: return 0.0;
            }
        };
        for (const Failure &failure : failures)
            if (failure.code == code) {
                double values[Text::most_shown];
                std::transform(failure.shown, failure.shown + Text::most_shown, values, number);
                return Text().fill(failure.text, values, recorded ? recorded->source.data() : "");
            }
        return "the kernel failed for a reason that has no text";
    }
};
