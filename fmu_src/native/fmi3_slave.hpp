// An instance of FMI 3.0: variables by type, arrays, steps and events.
//
// Events that the user selects end a step if the host allows it:
//   eventModeUsed, earlyReturnAllowed   the step ends before the event; fmi3UpdateDiscreteStates handles it
//   earlyReturnAllowed only             the step ends after the event, which is handled
//   eventModeUsed only                  only if the event is at the end of the step, to rounding
//   neither                             never
#pragma once
#include "fmi3Functions.h"
#include "shared_functions.hpp"

// FMI's types of variables. Types after the strings are not used.
enum class Type { float64, int32, int64, boolean, string, others };

inline Type type_of(const Variable &variable) {
    switch (variable.kind) {
    case Kind::real: return Type::float64;
    case Kind::integer: return variable.literal_count ? Type::int64 : Type::int32; // enumerations have type Int64
    case Kind::boolean: return Type::boolean;
    default: return Type::string;
    }
}

struct Slave : Instance {
    bool uses_event_mode = false, may_return_early = false;
    using Instance::Instance;

    // -- variables ---------------------------------------------------------------------------------------

    Type type_of_added(const Added &more) const {
        switch (more.role) {
        case Role::time: return Type::float64;
        case Role::event_count: return Type::int64;
        case Role::texts: return Type::string;
        default: return type_of(variable(unsigned(more.elements[0])));
        }
    }

    bool is_of(unsigned reference, Type type) const {
        if (is_known(reference)) return type_of(variable(reference)) == type;
        const Added *const more = added(reference);
        return more && type_of_added(*more) == type;
    }

    // Compute outputs if some of the variables are outputs.
    Answer make_outputs_ready() {
        if (memory()->phase == instantiated) return not_allowed();
        const Answer answer = refresh_outputs();
        if (answer != Answer::ok) return answer;
        return memory()->has_model ? Answer::ok : refuse(memory().failure);
    }
    bool follows_from_model(unsigned reference) const { return !is_input(reference) && !is_parameter(reference); }

    template <Type type, class Value>
    Answer get(const char *type_name, const fmi3ValueReference references[], size_t count, Value values[],
               size_t value_count) {
        bool are_ready = memory()->phase != instantiated && memory()->outputs_are_current && memory()->has_model;
        std::size_t at = 0;
        for (size_t i = 0; i < count; ++i) {
            const unsigned reference = references[i];
            if (!is_of(reference, type)) return wrong_reference(reference, type_name);
            if (size_of(reference) > value_count - at) return check_size(references, count, value_count, "nValues");
            const Added *const more = is_known(reference) ? nullptr : added(reference);
            const bool is_array = more && more->role == Role::elements;
            if (type != Type::string && !are_ready &&
                follows_from_model(is_array ? unsigned(more->elements[0]) : reference)) {
                const Answer answer = make_outputs_ready();
                if (answer != Answer::ok) return answer;
                are_ready = true;
            }
            if (more) {
                const Answer answer = get_added<type>(*more, values + at);
                if (answer != Answer::ok) return answer;
                at += size_of(reference);
            } else if constexpr (type == Type::string) values[at++] = text(reference);
            else {
                const double value = memory().values[reference];
                if (type == Type::int32 && !fits_integer(value)) return refuse(beyond_integer(variable(reference).name, value));
                values[at++] = Value(value);
            }
        }
        return at == value_count ? Answer::ok : check_size(references, count, value_count, "nValues");
    }

    template <Type type, class Value> Answer get_added(const Added &more, Value values[]) {
        if constexpr (type == Type::string) std::copy(more.texts.begin(), more.texts.end(), values);
        else if (more.role == Role::time) *values = Value(memory()->time);
        else if (more.role == Role::event_count) 
            *values = Value(memory()->phase == handling_events ? *memory().events.shown
                                                               : memory().events.watch[watched_count]);
        else
            for (int element : more.elements) {
                const double value = memory().values[element];
                if (type == Type::int32 && !fits_integer(value)) return refuse(beyond_integer(more.name, value));
                *values++ = Value(value);
            }
        return Answer::ok;
    }

    // Set the values that may be set. `set_value` receives the reference and the address of its value.
    template <class Call>
    Answer set_each(Type type, const char *type_name, const fmi3ValueReference references[], size_t count,
                    size_t value_count, Call set_value) {
        Answer answer = check_size(references, count, value_count, "nValues");
        if (answer != Answer::ok) return answer;
        std::size_t at = 0;
        for (size_t i = 0; i < count; ++i) {
            const unsigned reference = references[i];
            const Added *const more = is_known(reference) ? nullptr : added(reference);
            Answer set = Answer::ok;
            if (!is_of(reference, type)) set = wrong_reference(reference, type_name, ": its value was rejected");
            else if (more && more->role == Role::elements && is_parameter(unsigned(more->elements[0])))
                for (std::size_t k = 0; k < more->elements.size(); ++k) {
                    const Answer one = set_value(unsigned(more->elements[k]), at + k);
                    if (one != Answer::ok) set = one;
                }
            else if (more) set = refuse(Text(more->name) << " " << role_texts[int(more->role)] << ": its value was rejected");
            else set = set_value(reference, at);
            if (set != Answer::ok) answer = set;
            at += size_of(reference);
        }
        if (memory()->phase == initialising || memory()->phase == handling_events)
            memory()->outputs_are_current = false;
        return answer;
    }

    // Whether these are inputs only, with the correct number of values, in a phase in which the next
    // step uses them.
    bool are_inputs(const fmi3ValueReference references[], size_t count, size_t value_count) {
        return count == value_count && memory()->phase == stepping &&
               std::all_of(references, references + count, [&](unsigned reference) { return is_input(reference); });
    }

    Answer set_input(unsigned reference, double value) {
        if (memory()->phase == terminated)
            return refuse(Text(variable(reference).name) << not_taken(Text() << value) << " in phase '"
                                                         << phase_names[terminated] << "'");
        memory().values[reference] = value;
        return Answer::ok;
    }

    // -- steps and events --------------------------------------------------------------------------------

    Answer exit_initialisation() {
        const bool is_allowed = memory()->phase == initialising;
        const Answer answer = Instance::exit_initialisation(uses_event_mode ? handling_events : stepping);
        if (is_allowed && uses_event_mode) model.enter_event_mode();
        return answer;
    }

    Answer enter_event_mode() {
        if (!uses_event_mode) return refuse(Text(called) << ": the instance was created with eventModeUsed=false");
        if (memory()->phase != stepping) return not_allowed();
        memory()->phase = handling_events;
        model.enter_event_mode();
        return Answer::ok;
    }

    Answer update_discrete_states() {
        if (memory()->phase != handling_events) return not_allowed();
        if (!memory()->has_model) return refuse(memory().failure);
        const Text reason = model.handle_event();
        return reason.empty() ? Answer::ok : refuse(reason);
    }

    Answer enter_step_mode() {
        if (memory()->phase != handling_events) return not_allowed();
        if (model.has_pending_event()) return refuse_pending();
        memory()->phase = stepping;
        if (memory()->has_model) model.leave_event_mode();
        return Answer::ok;
    }

    Answer refuse_pending() const {
        return refuse(Text(called) << ": the event at time=" << model.memory->time
                                   << " s must be handled first: call fmi3EnterEventMode and fmi3UpdateDiscreteStates");
    }

    // `is_early` is true if the step ended before its end.
    Answer do_step(double current_time, double step_size, bool &is_early) {
        is_early = false;
        const Answer answer = check_step(current_time, step_size);
        if (answer != Answer::ok) return answer;
        if (model.has_pending_event()) return refuse_pending();
        const Model::Returns returns = may_return_early ? Model::anywhere : uses_event_mode ? Model::at_end : Model::nowhere;
        double end = current_time + step_size;
        const Text reason = model.step_to_event(current_time, step_size, returns, end);
        if (!reason.empty()) return refuse(reason);
        is_early = end < current_time + step_size;
        // Without event mode the host does not handle it.
        if (!uses_event_mode) model.pass_event();
        return close_step(step_size, end);
    }

    // -- saved states ------------------------------------------------------------------------------------

    Answer restore_state(const Belongings &belongings) {
        const bool needs_event_mode =
            belongings.memory->phase == handling_events || *belongings.memory.events.stop == stopped_before;
        if (needs_event_mode && !uses_event_mode)
            return refuse(Text(called) << ": it was saved at an event, and this instance was created with "
                                          "eventModeUsed=false");
        return Instance::restore_state(belongings);
    }
};
