// The model as an instance holds it: one flat block of numbers, and the calls to the kernel's functions.
//
// No formula here and no word of any model: counts, indices and texts come from the instance's data.
// What a Python model does around the kernel is done again: a step that fails leaves nothing behind,
// and the messages are the same.
#pragma once
#include "instance_data.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// Numbers, zeros at first; the caller has asked whether there is room.
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

// What the kernel's functions work on, and the calls to them.
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
    // Keep what follows from the parameters, for a change of them; and put it back.
    void keep_parameters() {
        for (const int *pair = old_arguments[0]; *pair >= 0; pair += 2) copy_argument(pair[0], pair[1]);
    }
    void put_back_parameters() {
        for (const int *pair = old_arguments[0]; *pair >= 0; pair += 2) copy_argument(pair[1], pair[0]);
    }
    double *sample() { return places_[sample_argument]; }
    double *watch() { return places_[watch_argument < 0 ? sample_argument : watch_argument]; }
    double *derivatives() { return places_[derivatives_argument < 0 ? sample_argument : derivatives_argument]; }
    void take_points(Points &points) {
        kernel_take_points(*rows_, points.times.data(), points.values.data(), long(points.times.size()));
    }
    void complete() { kernel_complete(*rows_); }
    BrokenRule broken_rule() { return kernel_broken_rule(*rows_); }
    BrokenRule broken_standing_rule() { return kernel_broken_standing_rule(*rows_); }
    BrokenRule broken_state() { return kernel_broken_state(*rows_); }
    BrokenRule change_parameters() { return kernel_change_parameters(*rows_); }
    long start() { return kernel_start(*rows_); }
    long step(double step_size) { return kernel_step(*rows_, step_size); }
    long step_with_derivatives(double step_size) { return kernel_step_with_derivatives(*rows_, step_size); }
    long step_to_event(double step_size) { return kernel_step_to_event(*rows_, step_size); }
    long pass_event() { return kernel_pass_event(*rows_); }
    double coefficient(double velocity) { return kernel_coefficient(*rows_, velocity); }
    void outputs(double *values) { kernel_outputs(*rows_, values); }

  private:
    void copy_argument(int target, int source) {
        std::copy_n(places_[source], data_.places[source].size, places_[target]);
    }
};

constexpr bool takes_derivatives = derivatives_argument >= 0;

enum Phase : std::int32_t { instantiated, initialising, stepping, terminated, handling_events, phase_count };
static_assert(sizeof phase_names / sizeof *phase_names == phase_count, "a phase has no name");

// Whether the last step ended at an event that is pending, or has been applied since.
enum Stop { not_stopped, stopped_before, stopped_after };

// A sum that is finite only where all its terms are; some need not wait for each other.
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

// What a saved state begins with.
struct Head {
    char guid[guid_room];
    std::int32_t phase, has_model, outputs_are_current, has_derivatives;
    // Parameters have been set that are not in force yet; and those in force are not the last step's.
    std::int32_t has_new_values, has_changed;
    double start_time, stop_time, time; // without a stop time: infinite
};
constexpr std::size_t failure_room = 480; // bytes

// All that a saved state holds, as one block of numbers without pointers: it is copied and stored as it
// is. Behind the head lie the rows that are named here, in this order.
class Memory {
    const InstanceData &data_;
    Numbers block_;
    double *end_;

    double *take(std::size_t count) { return std::exchange(end_, end_ + count); }
    static std::size_t count_in(const InstanceData &data) {
        const std::size_t inputs = data.input_room(), derivatives = inputs * derivative_orders;
        return (sizeof(Head) + failure_room) / sizeof(double) + std::size_t(data.variable_count) + inputs +
               derivatives + data.saved_count + data.saved_count + 2 + inputs + derivatives + 1 +
               2 * std::size_t(data.parameter_count) + 2 + event_count(data);
    }

    static std::size_t event_count(const InstanceData &data) {
        return data.has_events() ? 2 * watch_size + data.saved_count : 0;
    }

  public:
    static std::size_t size_in(const InstanceData &data) { return count_in(data) * sizeof(double); }

    explicit Memory(const InstanceData &data)
        : data_(data), block_(count_in(data)), end_(block_ + sizeof(Head) / sizeof(double)) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &other) {
        std::memcpy(bytes(), other.bytes(), size());
        return *this;
    }

    char *bytes() { return reinterpret_cast<char *>(static_cast<double *>(block_)); }
    const char *bytes() const { return reinterpret_cast<const char *>(static_cast<const double *>(block_)); }
    std::size_t size() const { return size_in(data_); }
    Head *operator->() { return reinterpret_cast<Head *>(bytes()); }
    const Head *operator->() const { return reinterpret_cast<const Head *>(bytes()); }

    double *const values = take(std::size_t(data_.variable_count)); // inputs, outputs, parameters by reference
    double *const start_inputs = take(data_.input_room());
    // Of each input those of order 1 and up, for the next step.
    double *const derivatives = take(data_.input_room() * derivative_orders);
    double *const in_force = take(std::size_t(data_.parameter_count)); // parameters of the model
    double *const saved = take(data_.saved_count); // the kernel's; a step that fails puts it back
    // What the last step was taken from; of size 0 before the first.
    struct LastStep {
        double *const before, *const time, *const size, *const inputs, *const derivatives;
        std::int64_t *const has_derivatives;
        double *const parameters; // those in force then; before the first step, at the start
    } const last_step = {take(data_.saved_count),
                         take(1),
                         take(1),
                         take(data_.input_room()),
                         take(data_.input_room() * derivative_orders),
                         reinterpret_cast<std::int64_t *>(take(1)),
                         take(std::size_t(data_.parameter_count))};
    // Until when [s] an event ends no step; the kernel's account of events; and of a pending event that
    // account, and the kernel's state, behind it. Of an instance without events the two first are there.
    struct Events {
        double *const stop, *const quiet_end, *const watch, *const watch_after, *const after;
    } const events = {take(1), take(1), take(data_.has_events() ? watch_size : 0),
                      take(data_.has_events() ? watch_size : 0), take(data_.has_events() ? data_.saved_count : 0)};
    char *const failure = reinterpret_cast<char *>(end_); // why there is no model although there should be one

    void set_time(double time) {
        if (data_.saved_time >= 0) saved[data_.saved_time] = time;
    }
    void forget_last_step() {
        char *const begin = reinterpret_cast<char *>(last_step.before);
        std::memset(begin, 0, std::size_t(failure - begin));
    }
};

// The values of string parameters, in the order of the table.
class Strings {
  public:
    explicit Strings(const InstanceData &data) : data_(data), texts_(data.strings.size()) {
        for (std::size_t i = 0; i < texts_.size(); ++i) set(i, data.variables[std::size_t(data.strings[i])].start_text);
    }
    Strings(const Strings &) = delete;
    ~Strings() {
        for (char *text : texts_) std::free(text);
    }
    Strings &operator=(const Strings &other) {
        for (std::size_t i = 0; i < texts_.size() && this != &other; ++i) set(i, other[i]);
        return *this;
    }
    std::size_t size() const { return texts_.size(); }
    const char *operator[](std::size_t index) const { return texts_[index]; }
    void set(std::size_t index, const Span &text) {
        char *const copy = static_cast<char *>(std::malloc(text.size() + 1));
        if (!copy) std::abort();
        std::memcpy(copy, text.begin, text.size());
        copy[text.size()] = 0;
        std::free(texts_[index]);
        texts_[index] = copy;
    }
    std::size_t index_of(unsigned reference) const {
        std::size_t index = 0;
        while (data_.strings[index] != int(reference)) ++index;
        return index;
    }

  private:
    const InstanceData &data_;
    std::vector<char *> texts_;
};

// What belongs to an instance and to its saved states alike. It begins with the guid, for a host may
// give back a state of another FMU: nothing else of it is looked at.
struct Belongings {
    char guid[guid_room] = {};
    Shared<InstanceData> shared_data;
    const InstanceData &data = *shared_data;
    Memory memory{data};
    Strings strings{data};
    Shared<Points> recorded;

    explicit Belongings(const Shared<InstanceData> &given) : shared_data(given) {
        std::strncpy(guid, data.guid, sizeof guid - 1);
        std::memcpy(memory->guid, guid, sizeof guid);
    }
    Belongings(const Belongings &) = delete;
    Belongings &operator=(const Belongings &other) {
        memory = other.memory;
        strings = other.strings;
        recorded = other.recorded;
        return *this;
    }
};

class Model : public Belongings {
  public:
    bool keeps_points = false; // those that are there serve each start

    explicit Model(const Shared<InstanceData> &given) : Belongings(given) {
        memory->stop_time = INFINITY;
        for (int i = 0; i < data.variable_count; ++i) memory.values[i] = variable(i).start;
    }

    const Variable &variable(int reference) const { return data.variables[std::size_t(reference)]; }

    // Copy what belongs to another; the caller has checked it.
    void load(const Belongings &other) {
        strings = other.strings;
        recorded = other.recorded;
        load(other.memory);
    }
    void load(const Memory &other) {
        memory = other;
        complete(memory->has_model ? memory.in_force : memory.values + data.first_parameter);
        if (takes_points && recorded) kernel_.take_points(*recorded);
    }

    // Read the recorded points that the parameters ask for; the reason where they cannot be read.
    Text read_points() {
        // Known when the library is compiled: one without points has no use for files.
        if constexpr (!takes_points) return {};
        else {
            const auto &of = data.points;
            if (of.kind < 0) return {};
            const int kind = int(memory.values[of.kind]);
            recorded = Shared<Points>();
            if (kind != of.text_kind && kind != of.file_kind) return {};
            const Shared<Points> made(new Points);
            PointReader reader(points_header);
            if (kind == of.text_kind ? !reader.read_text(strings[std::size_t(of.text)], *made)
                                     : !reader.read_path(points_path().data(), strings[std::size_t(of.file)],
                                                         int(memory.values[of.column]), *made))
                return reader.problem;
            recorded = made;
            kernel_.take_points(*made);
            return {};
        }
    }

    // Build the model from parameters and start inputs; false leaves the reason in `failure`.
    bool build() {
        copy_numbers(memory.start_inputs, memory.values, std::size_t(data.input_count));
        Text reason = broken_declaration();
        if (reason.empty() && !std::isfinite(memory->start_time))
            reason << "start_time=" << memory->start_time << " s must be finite";
        if (reason.empty()) reason = infinite_input();
        if (reason.empty()) reason = begin();
        memory->has_model = reason.empty();
        memory->has_new_values = memory->has_changed = false;
        for (double *parameters : {memory.in_force, memory.last_step.parameters}) keep_values(parameters);
        memory->outputs_are_current = true;
        if (!memory->has_model) std::fill_n(memory.values + data.first_output, data.output_count, 0.0);
        keep_failure(reason);
        return memory->has_model;
    }

    // Whether the last step, which is done, warns of something, and of what.
    bool warns() const { return warning_code_ != 0; }
    Text warning(double step_size) const { return failure_text(warning_code_, step_size); }

    // Set a parameter in a run, from `commit` on; a reason that is not empty leaves its value as it was.
    Text tune(int reference, double value) {
        if (!memory->has_model) return memory.failure;
        const Text reason = out_of_range(variable(reference), value);
        if (!reason.empty()) return reason;
        memory.values[reference] = value;
        memory->has_new_values = true;
        memory->outputs_are_current = false;
        return {};
    }

    // Put the parameters in force that have been set in the run: one change, at this instant. A reason
    // that is not empty leaves the state, and those in force, as they were; the values can be put right.
    // A pending event comes first.
    Text commit() {
        if (!memory->has_new_values || has_pending_event()) return {};
        const double *const wanted = memory.values + data.first_parameter;
        if (!std::memcmp(wanted, memory.in_force, std::size_t(data.parameter_count) * sizeof(double))) {
            memory->has_new_values = false;
            return {};
        }
        kernel_.keep_parameters();
        kernel_.take_parameters(wanted);
        Text reason = filled(data.rule_texts, kernel_.broken_standing_rule());
        if (reason.empty()) {
            copy_numbers(before_, memory.saved, data.saved_count);
            kernel_.complete();
            reason = filled(data.change_rule_texts, kernel_.change_parameters());
            if (reason.empty() && !measure()) reason << overflow_text;
            if (!reason.empty()) copy_numbers(memory.saved, before_, data.saved_count);
        }
        if (!reason.empty()) {
            kernel_.put_back_parameters();
            memory->outputs_are_current = false;
            return reason;
        }
        keep_values(memory.in_force);
        memory->has_new_values = false;
        memory->has_changed = true;
        return {};
    }

    // Take one step from the master's `time`; a reason that is not empty leaves all as it was.
    Text step(double time, double step_size) {
        const Text reason = begin_step();
        if (!reason.empty()) return reason;
        Text failure = advance(time, step_size, false);
        if (failure.empty() && !measure()) failure << overflow_text;
        end_step(step_size, failure.empty());
        return failure;
    }

    // At which events a step may end: at none, at all that the user wants, or at those at its end alone.
    enum Returns { nowhere, anywhere, at_end };

    // As `step`, but it ends right before the first event that may end it, at `end`, which holds its own
    // end. The event is then pending, until `pass_event`.
    Text step_to_event(double time, double step_size, Returns returns, double &end) {
        if constexpr (watch_argument < 0) return step(time, step_size);
        if (!data.has_events()) return step(time, step_size);
        const Text reason = begin_step();
        if (!reason.empty()) return reason;
        const Memory::Events &events = memory.events;
        double *const watch = kernel_.watch();
        copy_numbers(watch, events.watch, watch_size);
        watch[watched_kinds] = returns == nowhere ? 0 : kinds_of_returns[int(memory.values[data.returns_parameter])];
        const bool may_end = watch[watched_kinds] != 0;
        const double from_end = may_end ? step_size * (1 - end_share) - rounding_at(end) : step_size;
        if (may_end) watch[watched_quiet] = std::fmax(*events.quiet_end - time, returns == at_end ? from_end : 0);
        Text failure = advance(time, step_size, true);
        if (failure.empty() && !measure()) failure << overflow_text;
        double reached = step_size;
        if (failure.empty() && watch[watched_pending] != 0) {
            reached = watch[watched_reached];
            const double instant = reached < from_end ? time + reached : end;
            failure << look_behind_event(step_size, instant);
            if (failure.empty()) end = instant;
        }
        if (failure.empty()) {
            *events.stop = watch[watched_pending] != 0 ? stopped_before : not_stopped;
            copy_numbers(events.watch, watch, watch_size);
        }
        end_step(reached, failure.empty());
        return failure;
    }

    bool has_pending_event() const { return *memory.events.stop == stopped_before; }

    // Make the state behind a pending event the present one.
    void pass_event() {
        if (!has_pending_event()) return;
        copy_numbers(memory.saved, memory.events.after, data.saved_count);
        copy_numbers(memory.events.watch, memory.events.watch_after, watch_size);
        *memory.events.stop = stopped_after;
        measure();
        memory->outputs_are_current = !memory->has_new_values;
    }

    // Write the outputs of the present instant into the values; false where one overflows.
    bool measure() {
        double *const outputs = memory.values + data.first_output;
        kernel_.outputs(outputs);
        memory->outputs_are_current = true;
        return are_finite(outputs, std::size_t(data.output_count)) && are_finite(memory.saved, data.saved_count);
    }

    // The first parameter that breaks its own range, or the first rule between them that is broken.
    Text broken_declaration() {
        const double *const parameters = memory.values + data.first_parameter;
        const Text reason = broken_range_of(parameters);
        if (!reason.empty()) return reason;
        kernel_.take_parameters(parameters);
        return filled(data.rule_texts, kernel_.broken_rule());
    }

    // The same of parameters in a run, which need not suit its start.
    Text broken_in_run(const double *parameters) {
        const Text reason = broken_range_of(parameters);
        if (!reason.empty()) return reason;
        kernel_.take_parameters(parameters);
        return filled(data.rule_texts, kernel_.broken_standing_rule());
    }

    // The first of these parameters that breaks its own range.
    Text broken_range_of(const double *parameters) const {
        for (int i = 0; i < data.parameter_count; ++i) {
            const Text reason = out_of_range(variable(data.first_parameter + i), parameters[i]);
            if (!reason.empty()) return reason;
        }
        return {};
    }

    // What is wrong with a saved state that came from outside, at its instant; it is taken.
    Text broken_state(const double *from_outside, const double *parameters, double time) {
        complete(parameters);
        copy_numbers(memory.saved, from_outside, data.saved_count);
        memory.set_time(time);
        return filled(data.state_rule_texts, kernel_.broken_state());
    }

    // Take the values of the parameters, and fill in what follows from them.
    void complete() { complete(memory.values + data.first_parameter); }
    void complete(const double *parameters) {
        kernel_.take_parameters(parameters);
        kernel_.complete();
    }

    // The coefficient of friction at a velocity; 0 of a model that has none.
    double coefficient(double velocity) { return kernel_.coefficient(velocity); }

  private:
    static constexpr const char *overflow_text =
        "an output overflows; the inputs or the parameters are too large for binary64";

    // Path of the file that the parameter names; the FMU's own table lies in its resources.
    Bytes points_path() const {
        const char *name = strings[std::size_t(data.points.file)];
        Bytes path;
        if (!std::strcmp(name, own_points_file)) {
            path = data.folder;
            name = std::strchr(name, '/') + 1;
        }
        path.insert(path.end(), name, name + std::strlen(name) + 1);
        return path;
    }

    // By the number of the user's choice, the sum of the kinds of events that the kernel watches for:
    // none, shocks, changes of slip, all.
    static constexpr double kinds_of_returns[] = {0, 1, 2, 7};

    long warning_code_ = 0;
    Kernel kernel_{data, memory.saved};
    Numbers before_{data.saved_count}, at_event_{data.saved_count}, watch_at_event_{watch_size};

    // Share of a step before its end where an event still lies at the end.
    static constexpr double end_share = 1e-13;

    // What instants may differ by and be the same one.
    static double rounding_at(double time) {
        const double size = std::fabs(time);
        return 4 * (std::nextafter(size, INFINITY) - size);
    }

    Text begin_step() {
        if (memory->has_new_values) {
            const Text refusal = commit();
            if (!refusal.empty()) return refusal;
        }
        const Text reason = infinite_input();
        if (reason.empty()) copy_numbers(before_, memory.saved, data.saved_count);
        return reason;
    }

    // Fill in what will be behind an event that is pending at an instant, right after the step and in the
    // same work space: what the event needs of the step is gone after the next one.
    Text look_behind_event(double step_size, double instant) {
        const Memory::Events &events = memory.events;
        double *const watch = kernel_.watch();
        copy_numbers(at_event_, memory.saved, data.saved_count);
        copy_numbers(watch_at_event_, watch, watch_size);
        const long code = kernel_.pass_event();
        if (code > 0) return failure_text(code, step_size);
        if (!measure()) return overflow_text;
        copy_numbers(events.after, memory.saved, data.saved_count);
        copy_numbers(events.watch_after, watch, watch_size);
        *events.quiet_end = instant + memory.values[data.interval_parameter];
        copy_numbers(memory.saved, at_event_, data.saved_count);
        copy_numbers(watch, watch_at_event_, watch_size);
        measure();
        return {};
    }

    // Keep what a step of that length gave, or put back what was before it.
    void end_step(double step_size, bool is_done) {
        if (!is_done) {
            copy_numbers(memory.saved, before_, data.saved_count);
            memory->outputs_are_current = false;
            return;
        }
        keep_last_step(step_size);
        if (memory->has_derivatives) {
            std::fill_n(memory.derivatives, derivative_count(), 0.0);
            memory->has_derivatives = false;
        }
    }

    std::size_t derivative_count() const { return data.input_room() * derivative_orders; }

    void keep_last_step(double step_size) {
        const Memory::LastStep &last = memory.last_step;
        copy_numbers(last.before, before_, data.saved_count);
        *last.time = memory->time;
        *last.size = step_size;
        copy_numbers(last.inputs, memory.values, std::size_t(data.input_count));
        // Most steps take no derivatives, and have taken none.
        if (memory->has_derivatives || *last.has_derivatives)
            copy_numbers(last.derivatives, memory.derivatives, derivative_count());
        *last.has_derivatives = memory->has_derivatives;
        if (memory->has_changed) {
            keep_values(last.parameters);
            memory->has_changed = false;
        }
    }

    void keep_values(double *parameters) const {
        copy_numbers(parameters, memory.values + data.first_parameter, std::size_t(data.parameter_count));
    }

    static Text filled(const std::vector<const char *> &texts, const BrokenRule &rule) {
        if (rule.number < 0 || rule.number >= long(texts.size())) return "a rule without a text is broken";
        return Text().fill_rule(texts[std::size_t(rule.number)], rule.first, rule.second);
    }

    void keep_failure(const Text &reason) {
        std::memset(memory.failure, 0, failure_room);
        if (reason.empty()) return;
        Text text("initialisation failed: ");
        std::strncpy(memory.failure, (text << reason).data(), failure_room - 1);
    }

    static Text out_of_range(const Variable &variable, double value) {
        const char *rule = variable.kind == Kind::string ? nullptr : broken_range(variable, value);
        if (!rule) return {};
        Text text(variable.name);
        text << "=";
        if (variable.kind == Kind::integer && is_integer(value)) text << int(value);
        else text << value;
        text << variable.unit_shown << " must be ";
        return text << (variable.literal_count ? "one of: " : "") << rule;
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
        if (are_finite(memory.values, std::size_t(data.input_count)) &&
            !(memory->has_derivatives && !are_finite(memory.derivatives, derivative_count())))
            return {};
        for (int i = 0; i < data.input_count; ++i) {
            Text text(variable(i).name);
            if (!std::isfinite(memory.values[i]))
                return text << "=" << memory.values[i] << variable(i).unit_shown << " must be finite";
            for (int order = 1; order <= derivative_orders; ++order) {
                const double derivative = memory.derivatives[i * derivative_orders + order - 1];
                if (!std::isfinite(derivative))
                    return text << "[" << order << "]=" << derivative << variable(i).unit_shown << "/s^" << order
                                << " must be finite";
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
        std::fill_n(memory.saved, data.saved_count, 0.0);
        memory.forget_last_step();
        memory->time = memory->start_time;
        *memory.events.quiet_end = memory->start_time;
        take_sample(memory->time);
        const long code = kernel_.start();
        if (code) return failure_text(code, 0);
        return measure() ? Text() : Text(overflow_text);
    }

    void take_sample(double time) {
        kernel_.sample()[0] = time;
        copy_numbers(kernel_.sample() + 1, memory.values, std::size_t(data.input_count));
    }

    Text advance(double time, double step_size, bool to_event) {
        const double end = time + step_size;
        if (!(time < end && end < INFINITY))
            return Text("step_size=") << step_size
                                      << " s must be > 0, finite, and large enough to advance time="
                                      << time << " s";
        memory.set_time(memory->time);
        // What follows from time alone follows from the master's. A sample of inputs goes on from the
        // instant that was reached, from which the master's differs by rounding.
        take_sample(data.input_count ? memory->time : time);
        long code;
        if (takes_derivatives && memory->has_derivatives) {
            copy_numbers(kernel_.derivatives(), memory.derivatives, derivative_count());
            code = kernel_.step_with_derivatives(step_size);
        } else code = to_event ? kernel_.step_to_event(step_size) : kernel_.step(step_size);
        warning_code_ = code < 0 ? code : 0;
        return code > 0 ? failure_text(code, step_size) : Text();
    }

    Text failure_text(long code, double step_size) const {
        const auto number = [&](const Shown &shown) {
            switch (shown.of) {
            case Of::saved: return memory.saved[shown.index];
            case Of::step_size: return step_size;
            case Of::time: return memory->time;
            case Of::variable: return memory.values[shown.index];
            default: return 0.0;
            }
        };
        for (const Failure &failure : data.failures)
            if (failure.code == code) {
                double values[Text::most_shown];
                std::transform(failure.shown, failure.shown + Text::most_shown, values, number);
                return Text().fill(failure.text, values, recorded ? recorded->source.data() : "");
            }
        return "the kernel failed for a reason that has no text";
    }
};
