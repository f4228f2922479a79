// The model of an instance: effects of a step, a change of parameters and an event on its data.
//
// This file contains no formula and no name of a model. Counts, indices and texts come from the
// instance's data. It repeats the code of a Python model around the kernel: a failed step changes
// nothing, and the messages are equal.
#pragma once
#include "belongings.hpp"
#include <algorithm>
#include <memory>

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
            places_[i] = (place.is_saved ? saved : numbers_.data()) + place.start;
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

class Model : public Belongings {
  public:
    bool keeps_points = false; // recorded points that exist are used for each start

    explicit Model(const Shared<InstanceData> &given) : Belongings(given) {
        memory->stop_time = INFINITY;
        for (int i = 0; i < data.variable_count; ++i) memory.values[i] = variable(i).start;
    }

    const Variable &variable(int reference) const { return data.variables[std::size_t(reference)]; }

    // Copy the data of another model. The caller has checked them.
    void load(const Belongings &other) {
        strings = other.strings;
        recorded = other.recorded;
        load(other.memory);
    }
    void load(const Memory &other) {
        memory = other;
        copy_numbers(last_.data(), memory.last_step.before, data.saved_count);
        if (memory->has_model) complete(memory.in_force);
        if (takes_points && recorded) kernel_.take_points(*recorded);
    }

    // The data with the state before the last step, which a step does not copy into the block.
    const Belongings &settled() {
        copy_numbers(memory.last_step.before, last_.data(), data.saved_count);
        return *this;
    }

    // Read the recorded points selected by the parameters. Returns the reason if they cannot be
    // read.
    Text read_points() {
        // Known at compile time: a library without recorded points does not read files.
        if constexpr (!takes_points) return {};
        else {
            const auto &of = data.points;
            if (of.kind < 0) return {};
            const int kind = int(memory.values[of.kind]);
            recorded = Shared<Points>();
            for (const bool is_file : {false, true}) {
                const std::size_t index = std::size_t(is_file ? of.file : of.text);
                const char *const text = strings[index];
                if (kind == (is_file ? of.file_kind : of.text_kind) || !*text || !std::strcmp(text, own_points_file)) continue;
                return Text(variable(data.strings[index]).name) << "=" << repr(text) << unread_rules[is_file];
            }
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

    // Create the model from parameters and start inputs. Returns false and sets `failure`.
    bool build() {
        copy_numbers(memory.start_inputs, memory.values, std::size_t(data.input_count));
        Text reason = broken_declaration(memory.values + data.first_parameter, false);
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

    // Whether the last step has a warning, and its text.
    bool warns() const { return warning_code_ != 0; }
    Text warning(double step_size) const { return failure_text(warning_code_, step_size); }

    // Set a parameter during a run, applied by `commit`. If a reason is returned, its value has not
    // changed.
    Text tune(int reference, double value) {
        if (!memory->has_model) return memory.failure;
        const Text reason = out_of_range(variable(reference), value);
        if (!reason.empty()) return reason;
        memory.values[reference] = value;
        memory->has_new_values = true;
        memory->outputs_are_current = false;
        return {};
    }

    // Apply the parameters that were set during the run, as one change at this time. If a reason is
    // returned, the state and the applied parameters have not changed, and the values can be corrected.
    // A pending event is handled first.
    Text commit() {
        if (!memory->has_new_values || has_pending_event()) return {};
        const double *const wanted = memory.values + data.first_parameter;
        if (!std::memcmp(wanted, memory.in_force, std::size_t(data.parameter_count) * sizeof(double))) {
            memory->has_new_values = false;
            return {};
        }
        keep_discrete_outputs();
        kernel_.keep_parameters();
        kernel_.take_parameters(wanted);
        Text reason = filled(data.rule_texts, kernel_broken_standing_rule(kernel_));
        if (reason.empty()) {
            copy_numbers(before_.data(), memory.saved, data.saved_count);
            kernel_complete(kernel_);
            reason = filled(data.change_rule_texts, kernel_change_parameters(kernel_));
            if (reason.empty() && !measure()) reason << overflow_text;
            if (!reason.empty()) copy_numbers(memory.saved, before_.data(), data.saved_count);
        }
        if (!reason.empty()) {
            kernel_.put_back_parameters();
            memory->outputs_are_current = false;
            return reason;
        }
        keep_values(memory.in_force);
        memory->has_new_values = false;
        memory->has_changed = true;
        count_event();
        return {};
    }

    // Take a step from the master's `time`. If a reason is returned, nothing has changed.
    Text step(double time, double step_size) {
        const Text reason = begin_step();
        if (!reason.empty()) return reason;
        Text failure = advance(time, step_size, false);
        if (failure.empty() && !measure()) failure << overflow_text;
        end_step(step_size, failure.empty());
        return failure;
    }

    // Events that may end a step: none, all events selected by the user, or only events at its end.
    enum Returns { nowhere, anywhere, at_end };

    // Like `step`, but it ends immediately before the first event that may end it. `end` is set to its
    // end. The event is pending until `pass_event`.
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

    // The host enters Event Mode: inputs set from now on may be discontinuous.
    void enter_event_mode() {
        if (!data.has_events()) return;
        copy_numbers(memory.events.inputs, memory.values, std::size_t(data.input_count));
        *memory.events.shown = memory.events.watch[watched_count];
        if (has_pending_event()) memory->outputs_are_current = false;
    }
    // Values set after the last `handle_event` belong to the next step.
    void leave_event_mode() {
        if (*memory.events.stop == stopped_after) *memory.events.stop = moved_on;
        const bool has_foreseen = memory->has_new_values || has_event_inputs() || has_pending_event();
        if (memory->outputs_are_current && !has_foreseen) return;
        measure();
        memory->outputs_are_current = !memory->has_new_values;
    }

    // Handle the present event: pass the pending event, apply parameters, take inputs. If a reason
    // is returned, nothing has changed.
    Text handle_event() {
        const std::unique_ptr<Memory> kept(new Memory(data));
        *kept = settled().memory;
        pass_event();
        Text reason = commit();
        if (reason.empty()) reason = take_event_inputs();
        if (!reason.empty()) {
            load(*kept);
            memory->outputs_are_current = false;
            return reason;
        }
        if (data.has_events()) *memory.events.shown = memory.events.watch[watched_count];
        if (!memory->outputs_are_current) measure();
        return {};
    }

    // Compute the outputs as `handle_event` would leave them. Other data do not change.
    Text foresee_event() {
        const std::unique_ptr<Memory> kept(new Memory(data));
        *kept = settled().memory;
        const Text reason = handle_event();
        if (reason.empty()) {
            copy_numbers(kept->values + data.first_output, memory.values + data.first_output,
                         std::size_t(data.output_count));
            if (data.has_events()) *kept->events.shown = *memory.events.shown;
        }
        (*kept)->outputs_are_current = reason.empty();
        load(*kept);
        return reason;
    }

    // Whether the outputs differ from those at the end of the last step.
    bool is_at_event() const {
        return *memory.events.stop != not_stopped ||
               (memory->phase == handling_events && (memory->has_new_values || has_event_inputs()));
    }

    bool has_pending_event() const { return *memory.events.stop == stopped_before; }

    // Make the state after a pending event the present state.
    void pass_event() {
        if (!has_pending_event()) return;
        copy_numbers(memory.saved, memory.events.after, data.saved_count);
        copy_numbers(memory.events.watch, memory.events.watch_after, watch_size);
        *memory.events.stop = stopped_after;
        measure();
        memory->outputs_are_current = !memory->has_new_values;
    }

    // Write the outputs of the present time into the values. Returns false if one overflows.
    bool measure() {
        double *const outputs = memory.values + data.first_output;
        kernel_outputs(kernel_, outputs);
        memory->outputs_are_current = true;
        return are_finite(outputs, std::size_t(data.output_count)) && are_finite(memory.saved, data.saved_count);
    }

    // The first parameter outside its range, or the first broken rule between parameters. During a
    // run they need not be valid for its start.
    Text broken_declaration(const double *parameters, bool is_in_run) {
        const Text reason = broken_range_of(parameters);
        if (!reason.empty()) return reason;
        kernel_.take_parameters(parameters);
        return filled(data.rule_texts, is_in_run ? kernel_broken_standing_rule(kernel_) : kernel_broken_rule(kernel_));
    }

    // The first of these parameters outside its range.
    Text broken_range_of(const double *parameters) const {
        for (int i = 0; i < data.parameter_count; ++i) {
            const Text reason = out_of_range(variable(data.first_parameter + i), parameters[i]);
            if (!reason.empty()) return reason;
        }
        return {};
    }

    // Take a saved state from outside. Returns the reason if it is invalid at its time.
    Text broken_state(const double *from_outside, const double *parameters, double time) {
        complete(parameters);
        copy_numbers(memory.saved, from_outside, data.saved_count);
        memory.set_time(time);
        return filled(data.state_rule_texts, kernel_broken_state(kernel_));
    }

    // Take the values of the parameters, and compute the derived values.
    void complete() { complete(memory.values + data.first_parameter); }
    void complete(const double *parameters) {
        kernel_.take_parameters(parameters);
        kernel_complete(kernel_);
    }

    // Largest difference of equal times.
    static double rounding_at(double time) {
        const double size = std::fabs(time);
        return 4 * (std::nextafter(size, INFINITY) - size);
    }

    // Coefficient of friction at a velocity, or 0 if the model has none.
    double coefficient(double velocity) { return kernel_coefficient(kernel_, velocity); }

  private:
    static constexpr const char *overflow_text =
        "an output overflows: the inputs or the parameters are too large for binary64";

    // Path of the file that the parameter contains. The table of the FMU itself is in its
    // resources.
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

    long warning_code_ = 0;
    Kernel kernel_{data, memory.saved};
    Numbers discrete_ = Numbers(std::size_t(data.output_count)), before_ = Numbers(data.saved_count);
    Numbers last_ = Numbers(data.saved_count); // state before the last step
    Numbers at_event_ = Numbers(data.saved_count), watch_at_event_ = Numbers(watch_size);

    // Share of a step before its end in which an event counts as an event at the end.
    static constexpr double end_share = 1e-13;

    Text begin_step() {
        if (memory->has_new_values) {
            const Text refusal = commit();
            if (!refusal.empty()) return refusal;
        }
        const Text reason = infinite_input();
        if (reason.empty()) copy_numbers(before_.data(), memory.saved, data.saved_count);
        return reason;
    }

    bool has_event_inputs() const {
        const std::size_t size = std::size_t(data.input_count) * sizeof(double);
        return data.has_events() && std::memcmp(memory.values, memory.events.inputs, size) != 0;
    }

    // Take the inputs set by the host in Event Mode. If a reason is returned, the state is
    // incomplete.
    Text take_event_inputs() {
        if (!has_event_inputs()) return {};
        const Text reason = infinite_input();
        if (!reason.empty()) return reason;
        const Memory::Events &events = memory.events;
        keep_discrete_outputs();
        memory.set_time(memory->time);
        take_sample(memory->time);
        copy_numbers(kernel_.entered() + 1, events.inputs, std::size_t(data.input_count));
        const long code = kernel_take_event_inputs(kernel_, *events.stop == stopped_before || *events.stop == stopped_after);
        if (code) return failure_text(code, 0);
        if (!measure()) return overflow_text;
        count_event();
        if (*events.stop == not_stopped) *events.stop = moved_on;
        copy_numbers(events.inputs, memory.values, std::size_t(data.input_count));
        return {};
    }

    // The outputs that are modes or counts. `count_event` counts an event if they have changed
    // since.
    void keep_discrete_outputs() {
        measure();
        copy_numbers(discrete_.data(), memory.values + data.first_output, std::size_t(data.output_count));
    }
    void count_event() {
        if (!data.has_events()) return;
        for (int i = 0; i < data.output_count; ++i) {
            const int reference = data.first_output + i;
            if (variable(reference).kind == Kind::real || memory.values[reference] == discrete_[i]) continue;
            double *const watch = memory.events.watch;
            if (watch[watched_count] == 0 || -watch[watched_last] > watch[watched_resolution]) ++watch[watched_count];
            watch[watched_last] = 0;
            return;
        }
    }

    // Compute the state after an event that is pending, immediately after the step and in the same work
    // space, because the next step overwrites it.
    Text look_behind_event(double step_size, double instant) {
        const Memory::Events &events = memory.events;
        double *const watch = kernel_.watch();
        copy_numbers(at_event_.data(), memory.saved, data.saved_count);
        copy_numbers(watch_at_event_.data(), watch, watch_size);
        const long code = kernel_pass_event(kernel_);
        if (code > 0) return failure_text(code, step_size);
        if (!measure()) return overflow_text;
        copy_numbers(events.after, memory.saved, data.saved_count);
        copy_numbers(events.watch_after, watch, watch_size);
        *events.quiet_end = instant + memory.values[data.interval_parameter];
        copy_numbers(memory.saved, at_event_.data(), data.saved_count);
        copy_numbers(watch, watch_at_event_.data(), watch_size);
        measure();
        return {};
    }

    // Keep the result of a step of this length, or restore the state before it.
    void end_step(double step_size, bool is_done) {
        if (!is_done) {
            copy_numbers(memory.saved, before_.data(), data.saved_count);
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
        std::swap(last_, before_);
        *last.time = memory->time;
        *last.size = step_size;
        copy_numbers(last.inputs, memory.values, std::size_t(data.input_count));
        // Most steps, and the steps before them, do not have derivatives of inputs.
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
        return {}; // all are finite, although their sum is not
    }

    Text begin() {
        complete();
        if (!keeps_points) {
            const Text reason = read_points();
            if (!reason.empty()) return reason;
        }
        std::fill_n(memory.saved, data.saved_count, 0.0);
        memory.forget_last_step();
        std::fill(last_.begin(), last_.end(), 0.0);
        memory->time = memory->start_time;
        *memory.events.quiet_end = memory->start_time;
        take_sample(memory->time);
        long code = kernel_start(kernel_);
        if (code) return failure_text(code, 0);
        keep_discrete_outputs();
        code = kernel_settle(kernel_);
        if (code) return failure_text(code, 0);
        if (!measure()) return overflow_text;
        count_event();
        return {};
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
        // Values that depend on time only use the master's clock. Samples of inputs continue from the
        // time reached, which differs from the master's time by rounding.
        take_sample(data.input_count ? memory->time : time);
        long code;
        if (takes_derivatives && memory->has_derivatives) {
            copy_numbers(kernel_.derivatives(), memory.derivatives, derivative_count());
            code = kernel_step_with_derivatives(kernel_, step_size);
        } else code = to_event ? kernel_step_to_event(kernel_, step_size) : kernel_step(kernel_, step_size);
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
