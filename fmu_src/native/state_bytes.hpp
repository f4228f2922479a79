// A saved state as bytes: its numbers, each text after its length, and a checksum of both.
#pragma once
#include "model.hpp"

inline Text beyond_integer(const char *name, double value) {
    return Text(name) << "=" << value << " must fit a 32-bit Integer";
}

inline std::size_t written_size(const Belongings &state) {
    std::size_t size = state.memory.size() + sizeof(Checksum);
    for (std::size_t i = 0; i < state.strings.size(); ++i) size += sizeof(std::uint64_t) + std::strlen(state.strings[i]);
    return size;
}

inline void write_state(const Belongings &state, char *bytes) {
    char *at = bytes;
    std::memcpy(at, state.memory.bytes(), state.memory.size());
    at += state.memory.size();
    for (std::size_t i = 0; i < state.strings.size(); ++i) {
        const std::uint64_t length = std::strlen(state.strings[i]);
        std::memcpy(at, &length, sizeof length);
        std::memcpy(at + sizeof length, state.strings[i], length);
        at += sizeof length + length;
    }
    const Checksum sum = checksum_of(bytes, std::size_t(at - bytes));
    std::memcpy(at, &sum, sizeof sum);
}

// Whether a state, or its bytes, belong to this FMU. All begin with the guid.
inline bool is_of_this_fmu(const void *state, const Belongings &own) {
    return !std::memcmp(state, own.guid, sizeof own.guid);
}
static constexpr const char *of_another_model = "it was saved by another model or by another version of it";

// Read a state. Returns the reason if its length is wrong, it was altered, or a text is invalid.
inline Text read_state(const char *bytes, std::size_t size, Belongings &state) {
    if (size < sizeof state.guid) return "its size is wrong";
    if (!is_of_this_fmu(bytes, state)) return of_another_model;
    std::vector<Span> texts(state.strings.size());
    std::size_t used = state.memory.size();
    for (std::size_t i = 0; i < texts.size() && used <= size; ++i) {
        std::uint64_t length = 0;
        if (size - used < sizeof length) return "its size is wrong";
        std::memcpy(&length, bytes + used, sizeof length);
        used += sizeof length;
        if (size - used < length) return "its size is wrong";
        texts[i] = {bytes + used, bytes + used + length};
        used += length;
    }
    Checksum sum;
    if (used > size || size - used != sizeof sum) return "its size is wrong";
    std::memcpy(&sum, bytes + used, sizeof sum);
    if (sum != checksum_of(bytes, used)) return "its bytes do not match its checksum: they were altered";
    std::memcpy(state.memory.bytes(), bytes, state.memory.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!is_utf8(texts[i]) || std::memchr(texts[i].begin, 0, texts[i].size()))
            return Text(state.data.variables[std::size_t(state.data.strings[i])].name) << " must be a text in UTF-8";
        state.strings.set(i, texts[i]);
    }
    return {};
}

// A number of events. binary64 counts them exactly.
inline bool is_count(double number) { return number >= 0 && number < 9007199254740992.0 && number == std::trunc(number); }

// The set parameters, the applied parameters and those of the last step may only differ in tunable
// parameters, and only if the state has the corresponding flags.
inline Text broken_parameters(const Belongings &belongings) {
    const InstanceData &data = belongings.data;
    const Memory &state = belongings.memory;
    const double *const set = state.values + data.first_parameter;
    for (int i = 0; i < data.parameter_count; ++i) {
        const bool is_tunable = data.variables[std::size_t(data.first_parameter + i)].is_tunable;
        const bool may_wait = state->phase <= initialising || (is_tunable && state->has_new_values);
        if (set[i] != state.in_force[i] && !may_wait) return "its parameters differ from those of its model";
        if (state.in_force[i] != state.last_step.parameters[i] && !(is_tunable && state->has_changed))
            return "its parameters differ from those of the last step";
    }
    return {};
}

// Reason why a state from outside cannot be used. Its outputs are computed again.
inline Text broken_state(Belongings &belongings) {
    const InstanceData &data = belongings.data;
    Memory &state = belongings.memory;
    const bool has_phase = state->phase != handling_events || data.version == 3;
    if (state->phase < 0 || state->phase >= phase_count || !has_phase) return "its phase is unknown";
    const Memory::Events &events = state.events;
    const double stop = *events.stop;
    const bool is_known =
        stop == not_stopped || (data.has_events() && (stop == stopped_before || stop == stopped_after || stop == moved_on));
    bool is_right = is_known && !std::isnan(*events.quiet_end);
    if (data.has_events()) {
        is_right &= is_count(*events.shown);
        for (const double *watch : {events.watch, events.watch_after})
            is_right &= are_finite(watch, watch_size) && is_count(watch[watched_count]);
    }
    if (!is_right) return "its event data are invalid";
    for (std::int32_t flag : {state->has_model, state->outputs_are_current, state->has_derivatives,
                              state->has_new_values, state->has_changed})
        if (flag != 0 && flag != 1) return "a flag must be 0 or 1";
    if (state.failure[failure_room - 1]) return "its message does not end";
    if (!is_utf8(state.failure)) return "its message must be a text in UTF-8";
    if (std::isnan(state->stop_time)) return "its stop time must be a number";
    for (int i = data.first_parameter; i < data.variable_count; ++i) {
        const Variable &variable = data.variables[std::size_t(i)];
        const double value = state.values[i];
        if (variable.kind == Kind::real || is_integer(value)) continue;
        return Text(variable.name) << "=" << value << " must be a 32-bit Integer";
    }
    double *const outputs = state.values + data.first_output;
    if (!state->has_model) {
        std::fill_n(outputs, data.output_count, 0.0);
        return {};
    }
    const std::unique_ptr<Model> held(new Model(belongings.shared_data));
    Model &probe = *held;
    probe.load(belongings);
    const bool is_in_run = state->phase > initialising;
    const Memory::LastStep &last_step = state.last_step;
    const double *const parameters = state.values + data.first_parameter;
    Text rule = is_in_run ? probe.broken_range_of(parameters) : probe.broken_declaration(parameters, false);
    for (const double *changed : {state.in_force, last_step.parameters})
        if (rule.empty()) rule = probe.broken_declaration(changed, true);
    if (rule.empty()) rule = broken_parameters(belongings);
    if (!rule.empty()) return rule;
    const Text unread = probe.read_points();
    if (!unread.empty()) return unread;
    belongings.recorded = probe.recorded;
    for (const double *saved : {state.saved, last_step.before, events.after}) {
        if (saved == last_step.before && *last_step.size == 0) continue;
        if (saved == events.after && stop != stopped_before) continue;
        if (!are_finite(saved, data.saved_count)) return "the snapshot contains a value that is not finite";
        const bool is_last = saved == last_step.before;
        const Text broken = probe.broken_state(saved, is_last ? last_step.parameters : state.in_force,
                                               is_last ? *last_step.time : state->time);
        if (!broken.empty()) return broken;
    }
    probe.load(state);
    bool is_finite = std::isfinite(state->start_time) && std::isfinite(state->time) && probe.measure();
    if (state->phase == handling_events && state->outputs_are_current) {
        is_finite = is_finite && probe.foresee_event().empty();
        if (data.has_events()) *events.shown = *probe.memory.events.shown;
    }
    if (!is_finite) return "the snapshot contains a value that is not finite";
    copy_numbers(outputs, probe.memory.values + data.first_output, std::size_t(data.output_count));
    for (int i = 0; i < data.output_count; ++i) {
        const Variable &variable = data.variables[std::size_t(data.first_output + i)];
        if (variable.kind != Kind::real && !(outputs[i] >= 0 && fits_integer(outputs[i])))
            return beyond_integer(variable.name, outputs[i]) << ", ≥ 0";
    }
    return {};
}
