// The door between FMI 2.0 calls and the model: phases, references, log, saved states.
//
// What is refused, a step included, answers fmi2Error, is logged with its reason and changes nothing.
#include "derivatives.hpp"
#include "fmi2Functions.h"
#include "resources.hpp"
#include "state_bytes.hpp"
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <new>

// Nothing here can throw, and the library must not need a C++ runtime for it. Before anything is made
// `has_room` is asked.
void *operator new(std::size_t size) {
    if (void *place = std::malloc(size ? size : 1)) return place;
    std::abort();
}
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }

namespace {

// Indices in log_categories.
enum LogCategory { log_discard, log_error, log_warning, category_count };
static_assert(sizeof log_categories / sizeof *log_categories == category_count, "a log category is missing");
constexpr int longest_name_in_messages = 200; // bytes
constexpr std::size_t room_for_a_path = 1 << 20; // bytes, and for what is small besides

// The host's logger and what it is called with.
struct Log {
    Text name;
    fmi2CallbackFunctions callbacks{}; // a copy: the host's own may go after the instantiation
    bool logged[category_count] = {};

    void log_all(bool on) { std::fill_n(logged, category_count, on); }

    fmi2Status report(fmi2Status status, const Text &message) const {
        const LogCategory category = status == fmi2Discard   ? log_discard
                                     : status == fmi2Warning ? log_warning
                                                             : log_error;
        if (!logged[category] || !callbacks.logger) return status;
        Text text;
        text.append(name.data(), whole_characters(name.data(), name.size(), longest_name_in_messages));
        text << ": " << message;
        callbacks.logger(callbacks.componentEnvironment, name.data(), status, log_categories[category],
                         text.as_format().data());
        return status;
    }

    fmi2Status refuse(const Text &message) const { return report(fmi2Error, message); }
};

struct Instance : Log {
    Model model;
    bool has_warned = false;

    Instance(const Log &log, const Shared<InstanceData> &data) : Log(log), model(data) {}

    const InstanceData &data() const { return model.data; }
    Memory &memory() { return model.memory; }

    fmi2Status not_allowed(const char *function) {
        return refuse(Text(function) << " is not allowed in phase '" << phase_names[memory()->phase] << "'");
    }

    fmi2Status set_debug_logging(bool on, size_t count, const fmi2String categories[]) {
        bool wanted[category_count] = {};
        for (size_t i = 0; i < count; ++i) {
            const char *const asked = categories[i] ? categories[i] : "NULL";
            int index = 0;
            while (index < category_count && std::strcmp(asked, log_categories[index])) ++index;
            if (index == category_count) {
                Text message("fmi2SetDebugLogging: category '");
                message << asked << "' must be one of:";
                for (const char *known : log_categories) message << " " << known;
                return refuse(message);
            }
            wanted[index] = true;
        }
        log_all(on && count == 0);
        for (int index = 0; index < category_count; ++index) logged[index] |= on && wanted[index];
        return fmi2OK;
    }

    fmi2Status set_up(double start_time, const double *stop_time) {
        if (memory()->phase != instantiated) return not_allowed("fmi2SetupExperiment");
        if (stop_time && !(*stop_time >= start_time))
            return refuse(Text("fmi2SetupExperiment: stop_time=")
                          << *stop_time << " s must be ≥ start_time=" << start_time << " s; neither was taken");
        memory()->start_time = memory()->time = start_time;
        memory()->stop_time = stop_time ? *stop_time : INFINITY;
        return fmi2OK;
    }

    fmi2Status set_derivatives(const fmi2ValueReference references[], size_t count,
                               const fmi2Integer orders[], const double values[]) {
        const bool is_barred =
            !takes_derivatives ||
            (data().barring_parameter >= 0 && memory().values[data().barring_parameter] == data().barring_value);
        if (count && is_barred) return refuse(Text("fmi2SetRealInputDerivatives: ") << data().no_derivatives);
        for (size_t i = 0; i < count; ++i) {
            if (references[i] >= unsigned(data().first_output))
                return refuse(Text("valueReference ") << references[i] << " is no input");
            if (orders[i] < 1 || orders[i] > derivative_orders)
                return refuse(Text(variable(references[i]).name)
                              << ": order=" << orders[i] << " of a derivative must be 1 to "
                              << derivative_orders);
        }
        for (size_t i = 0; i < count; ++i)
            memory().derivatives[references[i] * derivative_orders + unsigned(orders[i]) - 1] = values[i];
        if (count) memory()->has_derivatives = true;
        return fmi2OK;
    }

    void build_model() {
        if (!model.build()) refuse(memory().failure);
    }

    // A reason that is not empty: parameters that were set cannot be put in force, and nothing is.
    Text refresh_outputs() {
        if (memory()->outputs_are_current) return {};
        if (memory()->phase == initialising) build_model();
        const Text reason = model.commit();
        if (!reason.empty()) return reason;
        if (memory()->has_model) model.measure();
        memory()->outputs_are_current = true;
        return reason;
    }

    const Variable &variable(fmi2ValueReference reference) const { return model.variable(int(reference)); }

    bool is_known(fmi2ValueReference reference) const { return reference < unsigned(data().variable_count); }

    bool is(fmi2ValueReference reference, Kind kind) const {
        return is_known(reference) && variable(reference).kind == kind;
    }

    // Some masters read every output as a Real: the number of a counter or of a mode is one.
    bool is_read_as(fmi2ValueReference reference, Kind kind) const {
        const bool is_number = is_known(reference) && variable(reference).kind != Kind::string;
        return kind == Kind::real ? is_number : is(reference, kind);
    }

    fmi2Status wrong_reference(fmi2ValueReference reference, Kind kind, const Text &more) const {
        static const char *const names[] = {"Real", "Integer or Enumeration", "Boolean", "String"};
        return refuse(Text("valueReference ") << reference << " is no " << names[int(kind)] << " variable"
                                              << more);
    }

    auto is_output() const {
        return [this](fmi2ValueReference reference) {
            return reference >= unsigned(data().first_output) && reference < unsigned(data().first_parameter);
        };
    }

    template <class Value>
    fmi2Status get(const fmi2ValueReference references[], size_t count, Value values[], Kind kind) {
        if (!memory()->outputs_are_current && std::any_of(references, references + count, is_output())) {
            const Text reason = refresh_outputs();
            if (!reason.empty()) return refuse(reason);
        }
        for (size_t i = 0; i < count; ++i) {
            if (!is_read_as(references[i], kind)) return wrong_reference(references[i], kind, "");
            const double value = memory().values[references[i]];
            if (kind != Kind::real && !fits_integer(value)) return refuse(beyond_integer(variable(references[i]), value));
            values[i] = Value(value);
        }
        return fmi2OK;
    }

    template <class Value>
    fmi2Status set(const fmi2ValueReference references[], size_t count, const Value values[], Kind kind) {
        fmi2Status status = fmi2OK;
        for (size_t i = 0; i < count; ++i) {
            const fmi2Status one = set_one(references[i], values[i], kind);
            if (one != fmi2OK) status = one;
        }
        if (memory()->phase == initialising) memory()->outputs_are_current = false;
        return status;
    }

    template <class Value> fmi2Status set_one(fmi2ValueReference reference, Value value, Kind kind) {
        if (reference < unsigned(data().first_output) && kind == Kind::real) {
            memory().values[reference] = value;
            return fmi2OK;
        }
        Text text;
        if (kind == Kind::boolean) text << (value ? "True" : "False");
        else text << value;
        if (!is(reference, kind))
            return wrong_reference(reference, kind, Text("; the value ") << text << " was not taken");
        const Variable &variable = this->variable(reference);
        if (reference < unsigned(data().first_parameter))
            return refuse(Text(variable.name) << " is an output; the value " << text << " was not taken");
        if (memory()->phase == stepping && variable.is_tunable) {
            const Text reason = model.tune(int(reference), value);
            return reason.empty() ? fmi2OK : refuse(reason);
        }
        if (memory()->phase > initialising)
            return refuse(Text(variable.name) << (variable.is_tunable ? " is a parameter" : " is a fixed parameter")
                                              << "; the value " << text << " " << variable.unit
                                              << " cannot be taken in phase '" << phase_names[memory()->phase] << "'");
        memory().values[reference] = kind == Kind::boolean ? value != 0 : value;
        memory()->outputs_are_current = false;
        return fmi2OK;
    }

    fmi2Status set_text(fmi2ValueReference reference, const char *value) {
        Text text;
        if (value) text << repr(value);
        else text << "NULL";
        if (!is(reference, Kind::string))
            return wrong_reference(reference, Kind::string, Text("; the value ") << text << " was not taken");
        const Variable &variable = this->variable(reference);
        if (memory()->phase > initialising)
            return refuse(Text(variable.name) << " is a fixed parameter; the value " << text << " " << variable.unit
                                              << " cannot be taken in phase '" << phase_names[memory()->phase] << "'");
        if (!value || !is_utf8(value))
            return refuse(Text(variable.name) << "=" << text << " must be a text in UTF-8; it was not taken");
        if (!has_room(2 * std::strlen(value) + 1))
            return refuse(Text(variable.name) << ": " << no_room << "; the text was not taken");
        model.strings.set(model.strings.index_of(reference), value);
        memory()->outputs_are_current = false;
        return fmi2OK;
    }

    fmi2Status do_step(double current_time, double step_size) {
        Memory &now = memory();
        if (now->phase != stepping) return not_allowed("fmi2DoStep");
        if (!now->has_model) return refuse(now.failure);
        if (current_time != now->time && !follows(current_time, step_size, now->time)) {
            if (!(step_size > 0 && step_size < INFINITY))
                return refuse(Text("step_size=") << step_size << " s must be > 0 and finite");
            return refuse(Text("current_time=") << current_time
                                                << " s must follow on the last step, which ended at "
                                                << now->time << " s");
        }
        const double end = current_time + step_size;
        if (end > now->stop_time && !is_near(end, step_size, now->stop_time))
            return refuse(Text("current_time + step_size=")
                          << end << " s must be ≤ stop_time=" << now->stop_time << " s of the experiment");
        const Text reason = model.step(current_time, step_size);
        if (!reason.empty()) return refuse(reason);
        if (model.warns() && !has_warned) {
            report(fmi2Warning, model.warning(step_size)); // the step itself is done, and fmi2OK
            has_warned = true;
        }
        now->time = end; // the master's clock: rounding never adds up
        return fmi2OK;
    }

    // A step as short as the rounding that is allowed must still lead to a later instant.
    static bool follows(double current_time, double step_size, double reached) {
        return is_near(current_time, step_size, reached) && current_time + step_size > reached;
    }

    static bool is_near(double current_time, double step_size, double reached) {
        const double size = std::fabs(reached);
        double slack = time_tolerance * step_size;
        const double rounding = 4 * (std::nextafter(size, INFINITY) - size);
        if (rounding > slack) slack = rounding;
        return std::fabs(current_time - reached) <= slack;
    }

    fmi2Status get_directional_derivative(const fmi2ValueReference unknown[], size_t unknown_count,
                                          const fmi2ValueReference known[], size_t known_count,
                                          const double changes[], double result[]) {
        const char *const function = "fmi2GetDirectionalDerivative";
        if (memory()->phase == instantiated) return not_allowed(function);
        const Text reason = refresh_outputs();
        if (!reason.empty()) return refuse(reason);
        if (!memory()->has_model) return refuse(memory().failure);
        if (!has_room(Derivatives::room(data())))
            return refuse(Text(function) << ": " << no_room);
        const std::unique_ptr<Derivatives> derivatives(new Derivatives(model));
        for (size_t i = 0; i < known_count; ++i) {
            if (!derivatives->knows(known[i]))
                return refuse(Text(function) << ": valueReference " << known[i]
                                             << " is no input, nor a Real parameter in phase '"
                                             << phase_names[initialising] << "'");
            if (!std::isfinite(changes[i]))
                return refuse(Text(function) << ": the change of " << variable(known[i]).name << "="
                                             << changes[i] << " must be finite");
            derivatives->add(known[i], changes[i]);
        }
        for (size_t i = 0; i < unknown_count; ++i)
            if (unknown[i] < unsigned(data().first_output) || unknown[i] >= unsigned(data().first_parameter) ||
                variable(unknown[i]).kind != Kind::real)
                return refuse(Text(function)
                              << ": valueReference " << unknown[i] << " is no Real output");
        if (!derivatives->compute())
            return report(fmi2Discard, Text(function)
                                           << ": there is no derivative: the contact's mode changes for "
                                              "the smallest change of the inputs, or it overflows");
        for (size_t i = 0; i < unknown_count; ++i) result[i] = derivatives->of(unknown[i]);
        return fmi2OK;
    }
};

// An argument that must point to something, where there is anything to point at.
struct Argument {
    const void *place;
    const char *name;
    std::size_t count = 1;
};

// A number of the host's for an enumeration of FMI, which may be none of its values: to look at such
// a one as the enumeration is undefined.
template <class Enumeration> int number_of(const Enumeration &given) {
    int number;
    static_assert(sizeof number == sizeof given, "an enumeration of FMI is an int");
    std::memcpy(&number, &given, sizeof number);
    return number;
}

// What every call passes: an instance or an argument that is NULL is refused, not followed.
template <class Call>
fmi2Status guarded(const char *function, fmi2Component component, std::initializer_list<Argument> arguments,
                   Call call) {
    if (!component) return fmi2Error;
    Instance &instance = *static_cast<Instance *>(component);
    for (const Argument &argument : arguments)
        if (!argument.place && argument.count)
            return instance.refuse(Text(function) << ": " << argument.name << " must not be NULL");
    return call(instance);
}

// What a state passes that a host gives back: it must be of this model, whose memory it has.
template <class Call>
fmi2Status guarded_state(const char *function, fmi2Component component, fmi2FMUstate state,
                         std::initializer_list<Argument> arguments, Call call) {
    return guarded(function, component, arguments, [&](Instance &instance) {
        if (!state) return instance.refuse(Text(function) << ": FMUstate must not be NULL");
        if (!is_of_this_fmu(state, instance.model)) return instance.refuse(Text(function) << ": " << of_another_model);
        return call(instance, *static_cast<Belongings *>(state));
    });
}

// What every status passes: a kind that there is, and a place for the value.
template <class Value, class Call>
fmi2Status guarded_status(const char *function, fmi2Component component, const fmi2StatusKind &kind, Value *value,
                          Call call) {
    return guarded(function, component, {{value, "value"}}, [&](Instance &instance) {
        const int number = number_of(kind);
        if (number < fmi2DoStepStatus || number > fmi2Terminated)
            return instance.refuse(Text(function) << ": kind=" << number << " must be " << int(fmi2DoStepStatus)
                                                  << " to " << int(fmi2Terminated));
        return call(instance, number);
    });
}

} // namespace

extern "C" {

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean, fmi2Boolean logging) {
    Log log;
    if (name) log.name << name;
    if (callbacks) log.callbacks = *callbacks;
    // Why there is no instance is said in any case: it cannot be asked again.
    log.log_all(true);
    const auto none = [&](const Text &reason) -> fmi2Component {
        log.report(fmi2Error, Text("fmi2Instantiate: ") << reason);
        return nullptr;
    };
    if (!name || !*name) return none("the instance must have a name");
    if (number_of(type) != fmi2CoSimulation) return none("the model offers co-simulation only");
    if (!has_room(room_for_a_path)) return none(no_room);
    Bytes path, content;
    Text reason;
    if (!read_instance_file(location, path, content, reason)) return none(reason);
    if (!has_room(sizeof(InstanceData) + room_for_a_path)) return none(no_room);
    const Shared<InstanceData> data(new InstanceData);
    data->folder.assign(path.begin(), path.end() - long(std::strlen(instance_file) + 1));
    const Text problem = data->read(std::move(content));
    if (!problem.empty()) {
        reason << repr(path.data()) << " " << problem;
        return none(reason);
    }
    if (!guid || std::strcmp(guid, data->guid) != 0)
        return none(Text("guid=") << (guid ? guid : "NULL") << " must be " << data->guid);
    if (!has_room(data->room())) return none(no_room);
    log.log_all(logging);
    return new Instance(log, data);
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Instance *>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
    return guarded(__func__, c, {{categories, "categories", count}}, [&](Instance &instance) {
        return instance.set_debug_logging(on, count, categories);
    });
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start_time,
                               fmi2Boolean stop_time_defined, fmi2Real stop_time) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        return instance.set_up(start_time, stop_time_defined ? &stop_time : nullptr);
    });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        Memory &memory = instance.memory();
        if (memory->phase != instantiated) return instance.not_allowed("fmi2EnterInitializationMode");
        memory->phase = initialising;
        memory->outputs_are_current = false;
        return fmi2OK;
    });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        if (instance.memory()->phase != initialising)
            return instance.not_allowed("fmi2ExitInitializationMode");
        instance.build_model();
        instance.memory()->phase = stepping;
        return instance.memory()->has_model ? fmi2OK : fmi2Error;
    });
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        if (instance.memory()->phase != stepping) return instance.not_allowed("fmi2Terminate");
        instance.memory()->phase = terminated;
        return fmi2OK;
    });
}

fmi2Status fmi2Reset(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        if (!has_room(instance.data().room())) return instance.refuse(Text("fmi2Reset: ") << no_room);
        const std::unique_ptr<Model> fresh(new Model(instance.model.shared_data));
        instance.model.load(*fresh);
        instance.has_warned = false;
        return fmi2OK;
    });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.get(r, n, v, Kind::real); });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.get(r, n, v, Kind::integer); });
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.get(r, n, v, Kind::boolean); });
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}}, [&](Instance &instance) {
        for (size_t i = 0; i < n; ++i) {
            if (!instance.is(r[i], Kind::string)) return instance.wrong_reference(r[i], Kind::string, "");
            v[i] = instance.model.strings[instance.model.strings.index_of(r[i])];
        }
        return fmi2OK;
    });
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.set(r, n, v, Kind::real); });
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.set(r, n, v, Kind::integer); });
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}},
                   [&](Instance &instance) { return instance.set(r, n, v, Kind::boolean); });
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2String v[]) {
    return guarded(__func__, c, {{r, "vr", n}, {v, "value", n}}, [&](Instance &instance) {
        fmi2Status status = fmi2OK;
        for (size_t i = 0; i < n; ++i)
            if (instance.set_text(r[i], v[i]) != fmi2OK) status = fmi2Error;
        return status;
    });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                       size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
    return guarded(
        __func__, c, {{references, "vr", count}, {orders, "order", count}, {values, "value", count}},
        [&](Instance &instance) { return instance.set_derivatives(references, count, orders, values); });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t,
                                        const fmi2Integer[], fmi2Real[]) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        return instance.refuse("fmi2GetRealOutputDerivatives: maxOutputDerivativeOrder is 0");
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
                   [&](Instance &instance) {
                       return instance.get_directional_derivative(unknown, unknown_count, known,
                                                                  known_count, changes, derivatives);
                   });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step_size, fmi2Boolean) {
    return guarded(__func__, c, {}, [&](Instance &instance) { return instance.do_step(time, step_size); });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        return instance.refuse("fmi2CancelStep: no step is under way, fmi2DoStep returns when it is done");
    });
}

// A step is never pending, and the time of the last successful one is all there is to ask for.
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    return guarded_status(__func__, c, kind, value, [&](Instance &instance, int asked) {
        if (asked != fmi2LastSuccessfulTime) return fmi2Discard;
        *value = instance.memory()->time;
        return fmi2OK;
    });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    return guarded_status(__func__, c, kind, value, [&](Instance &, int asked) {
        if (asked != fmi2Terminated) return fmi2Discard;
        *value = fmi2False; // never ends a simulation by itself
        return fmi2OK;
    });
}
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
    return guarded_status(__func__, c, kind, value, [](Instance &, int) { return fmi2Discard; });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    return guarded_status(__func__, c, kind, value, [](Instance &, int) { return fmi2Discard; });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    return guarded_status(__func__, c, kind, value, [](Instance &, int) { return fmi2Discard; });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return guarded(__func__, c, {{state, "FMUstate"}}, [&](Instance &instance) {
        if (*state && !is_of_this_fmu(*state, instance.model))
            return instance.refuse(Text("fmi2GetFMUstate: ") << of_another_model);
        if (!has_room(instance.data().room() + written_size(instance.model)))
            return instance.refuse(Text("fmi2GetFMUstate: ") << no_room);
        if (!*state) *state = new Belongings(instance.model.shared_data);
        *static_cast<Belongings *>(*state) = static_cast<const Belongings &>(instance.model);
        return fmi2OK;
    });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return guarded_state(__func__, c, state, {}, [&](Instance &instance, Belongings &belongings) {
        // Its texts alone are copied to places of their own.
        if (belongings.strings.size() && !has_room(written_size(belongings)))
            return instance.refuse(Text("fmi2SetFMUstate: ") << no_room);
        instance.model.load(belongings);
        return fmi2OK;
    });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    if (c && (!state || !*state)) return fmi2OK; // nothing to free, as the standard has it
    return guarded_state(__func__, c, state ? *state : nullptr, {}, [&](Instance &, Belongings &belongings) {
        delete &belongings;
        *state = nullptr;
        return fmi2OK;
    });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    return guarded_state(__func__, c, state, {{size, "size"}}, [&](Instance &, Belongings &belongings) {
        *size = written_size(belongings);
        return fmi2OK;
    });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return guarded_state(__func__, c, state, {{bytes, "serializedState"}},
                         [&](Instance &instance, Belongings &belongings) {
                             if (size < written_size(belongings))
                                 return instance.refuse("fmi2SerializeFMUstate: the buffer is too small");
                             write_state(belongings, bytes);
                             return fmi2OK;
                         });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    return guarded(__func__, c, {{bytes, "serializedState", size}, {state, "FMUstate"}}, [&](Instance &instance) {
        if (!has_room(2 * instance.data().room() + 2 * size))
            return instance.refuse(Text("fmi2DeSerializeFMUstate: ") << no_room);
        std::unique_ptr<Belongings> loaded(new Belongings(instance.model.shared_data));
        Text reason = read_state(bytes, size, *loaded);
        if (reason.empty()) reason = broken_state(*loaded);
        if (!reason.empty())
            return instance.refuse(Text("fmi2DeSerializeFMUstate: the state cannot be restored: ") << reason);
        *state = loaded.release();
        return fmi2OK;
    });
}

} // extern "C"
