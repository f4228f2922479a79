// The functions of FMI 2.0, called by the host.
#include "fmi2Functions.h"
#include "shared_functions.hpp"

namespace {

static_assert(int(Answer::ok) == fmi2OK && int(Answer::warning) == fmi2Warning &&
                  int(Answer::discard) == fmi2Discard && int(Answer::error) == fmi2Error,
              "answers are FMI's numbers");

void send(const Log &log, Answer answer, const char *category, const Text &message) {
    reinterpret_cast<fmi2CallbackLogger>(log.logger)(log.environment, log.name.data(), fmi2Status(answer), category,
                                                     message.as_format().data());
}

const char *name_of(Kind kind) {
    static const char *const names[] = {"Real", "Integer or Enumeration", "Boolean", "String"};
    return names[int(kind)];
}

struct Slave : Instance {
    using Instance::Instance;

    Answer set_derivatives(const fmi2ValueReference references[], size_t count, const fmi2Integer orders[],
                           const double values[]) {
        const bool is_barred =
            !takes_derivatives ||
            memory().values[data().barring_parameter] == data().barring_value;
        if (count && is_barred) return refuse(Text(called) << ": " << data().no_derivatives);
        for (size_t i = 0; i < count; ++i) {
            if (!is_input(references[i]))
                return refuse(Text("valueReference ") << references[i] << " must be an input");
            if (orders[i] < 1 || orders[i] > derivative_orders)
                return refuse(Text(variable(references[i]).name)
                              << ": order=" << orders[i] << " of a derivative must be 1 to "
                              << derivative_orders);
        }
        for (size_t i = 0; i < count; ++i)
            memory().derivatives[references[i] * derivative_orders + unsigned(orders[i]) - 1] = values[i];
        if (count) memory()->has_derivatives = true;
        return Answer::ok;
    }

    // Some masters read every output as a Real. The value of a counter or a mode is a number, too.
    bool is_read_as(fmi2ValueReference reference, Kind kind) const {
        const bool is_number = is_known(reference) && variable(reference).kind != Kind::string;
        return kind == Kind::real ? is_number : is(reference, kind);
    }

    template <class Value>
    Answer get(const fmi2ValueReference references[], size_t count, Value values[], Kind kind) {
        const auto is_output = [&](fmi2ValueReference reference) {
            return is_known(reference) && !is_input(reference) && !is_parameter(reference);
        };
        if (kind != Kind::string && !memory()->outputs_are_current && std::any_of(references, references + count, is_output)) {
            const Answer answer = refresh_outputs();
            if (answer != Answer::ok) return answer;
        }
        for (size_t i = 0; i < count; ++i) {
            if (!is_read_as(references[i], kind)) return wrong_reference(references[i], name_of(kind));
            if constexpr (std::is_pointer<Value>::value) values[i] = text(references[i]);
            else {
                const double value = memory().values[references[i]];
                if (kind != Kind::real && !fits_integer(value)) return refuse(beyond_integer(variable(references[i]).name, value));
                values[i] = Value(value);
            }
        }
        return Answer::ok;
    }

    template <class Value>
    Answer set(const fmi2ValueReference references[], size_t count, const Value values[], Kind kind) {
        Answer answer = Answer::ok;
        for (size_t i = 0; i < count; ++i)
            if (set_value(references[i], values[i], kind) != Answer::ok) answer = Answer::error;
        if (memory()->phase == initialising) memory()->outputs_are_current = false;
        return answer;
    }

    template <class Value> Answer set_value(fmi2ValueReference reference, Value value, Kind kind) {
        if (kind == Kind::real && is_input(reference)) {
            memory().values[reference] = value;
            return Answer::ok;
        }
        Text shown;
        if (kind == Kind::boolean) shown << (value ? "True" : "False");
        else shown << value;
        if (!is(reference, kind)) return wrong_reference(reference, name_of(kind), not_taken(shown));
        return set_parameter(reference, kind == Kind::boolean ? value != 0 : value, shown);
    }

    Answer set_value(fmi2ValueReference reference, const char *value, Kind kind) {
        const Text shown = shown_text(value);
        if (!is(reference, kind)) return wrong_reference(reference, name_of(kind), not_taken(shown));
        return set_text(reference, value, shown);
    }

    Answer do_step(double current_time, double step_size) {
        const Answer answer = check_step(current_time, step_size);
        if (answer != Answer::ok) return answer;
        const Text reason = model.step(current_time, step_size);
        if (!reason.empty()) return refuse(reason);
        close_step(step_size, current_time + step_size); // the log contains a warning, if any
        return Answer::ok;
    }
};

// A number from the host for an enumeration of FMI. It may be invalid, and converting an invalid
// number is undefined.
template <class Enumeration> int number_of(const Enumeration &given) {
    int number;
    static_assert(sizeof number == sizeof given, "an enumeration of FMI is an int");
    std::memcpy(&number, &given, sizeof number);
    return number;
}

template <class Call>
fmi2Status guarded(const char *function, fmi2Component component, std::initializer_list<Given> arguments, Call call) {
    return fmi2Status(passed<Slave>(function, component, arguments, call));
}

template <class Call>
fmi2Status guarded_state(const char *function, fmi2Component component, fmi2FMUstate state, const char *state_name,
                         std::initializer_list<Given> arguments, Call call) {
    return fmi2Status(passed_state<Slave>(function, component, state, state_name, arguments, call));
}

// Checks of all status functions: the kind exists, and there is a place for the value.
template <class Value, class Call>
fmi2Status guarded_status(const char *function, fmi2Component component, const fmi2StatusKind &kind, Value *value,
                          Call call) {
    return guarded(function, component, {{value, "value"}}, [&](Slave &slave) {
        const int number = number_of(kind);
        if (number < fmi2DoStepStatus || number > fmi2Terminated)
            return slave.refuse(Text(function) << ": kind=" << number << " must be " << int(fmi2DoStepStatus)
                                               << " to " << int(fmi2Terminated));
        return call(slave, number);
    });
}

} // namespace

extern "C" {

SHARED_FUNCTIONS(fmi2, FMUstate, DeSerialize)

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean, fmi2Boolean logging) {
    Log log;
    log.send = send;
    if (callbacks) {
        log.logger = reinterpret_cast<void (*)()>(callbacks->logger);
        log.environment = callbacks->componentEnvironment;
    }
    const auto find_path = [&](Bytes &path, Text &reason) { return path_of_uri(location, has_drives, path, reason); };
    return new_instance<Slave>(__func__, name, log, logging,
                               number_of(type) == fmi2CoSimulation ? "" : co_simulation_only, find_path, 2, guid,
                               "guid");
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start_time,
                               fmi2Boolean stop_time_defined, fmi2Real stop_time) {
    return guarded(__func__, c, {}, [&](Slave &slave) {
        return slave.set_times(start_time, stop_time_defined ? &stop_time : nullptr);
    });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return guarded(__func__, c, {}, [](Slave &slave) { return slave.enter_initialisation(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return guarded(__func__, c, {}, [](Slave &slave) { return slave.exit_initialisation(stepping); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return guarded(__func__, c, {}, [](Slave &slave) {
        if (slave.memory()->phase != stepping) return slave.not_allowed();
        slave.memory()->phase = terminated;
        return Answer::ok;
    });
}

// Two functions for each type.
#define VALUES(Name, kind)                                                                                           \
    fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2##Name v[]) {              \
        return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},                                                 \
                       [&](Slave &slave) { return slave.get(r, n, v, kind); });                                      \
    }                                                                                                                \
    fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2##Name v[]) {        \
        return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},                                                 \
                       [&](Slave &slave) { return slave.set(r, n, v, kind); });                                      \
    }
VALUES(Real, Kind::real)
VALUES(Integer, Kind::integer)
VALUES(Boolean, Kind::boolean)
VALUES(String, Kind::string)
#undef VALUES

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                       size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
    return guarded(
        __func__, c, {{references, "vr", count}, {orders, "order", count}, {values, "value", count}},
        [&](Slave &slave) { return slave.set_derivatives(references, count, orders, values); });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t,
                                        const fmi2Integer[], fmi2Real[]) {
    return guarded(__func__, c, {}, [](Slave &slave) {
        return slave.refuse(Text(slave.called) << ": maxOutputDerivativeOrder is 0");
    });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real changes[],
                                        fmi2Real derivatives[]) {
    return guarded(__func__, c,
                   {{unknown, "vUnknown_ref", unknown_count},
                    {known, "vKnown_ref", known_count},
                    {changes, "dvKnown", known_count},
                    {derivatives, "dvUnknown", unknown_count}},
                   [&](Slave &slave) {
                       return slave.get_directional_derivative(unknown, unknown_count, known, known_count, changes,
                                                               known_count, derivatives, unknown_count);
                   });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step_size, fmi2Boolean) {
    return guarded(__func__, c, {}, [&](Slave &slave) { return slave.do_step(time, step_size); });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return guarded(__func__, c, {}, [](Slave &slave) {
        return slave.refuse(Text(slave.called) << ": there is no step to cancel, because fmi2DoStep returns when its step is complete");
    });
}

// A step is never pending. The only available status is the time of the last successful step.
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    return guarded_status(__func__, c, kind, value, [&](Slave &slave, int asked) {
        if (asked != fmi2LastSuccessfulTime) return Answer::discard;
        *value = slave.memory()->time;
        return Answer::ok;
    });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    return guarded_status(__func__, c, kind, value, [&](Slave &, int asked) {
        if (asked != fmi2Terminated) return Answer::discard;
        *value = fmi2False; // the FMU never ends a simulation
        return Answer::ok;
    });
}
#define DISCARDED(name, Value)                                                                                       \
    fmi2Status name(fmi2Component c, const fmi2StatusKind kind, Value *value) {                                      \
        return guarded_status(__func__, c, kind, value, [](Slave &, int) { return Answer::discard; });               \
    }
DISCARDED(fmi2GetStatus, fmi2Status)
DISCARDED(fmi2GetIntegerStatus, fmi2Integer)
DISCARDED(fmi2GetStringStatus, fmi2String)
#undef DISCARDED

} // extern "C"
