// The door between FMI 2.0 calls and the model: phases, references, log, saved states.
//
// What is refused, a step included, answers fmi2Error, is logged with its reason and changes nothing.
#include "derivatives.hpp"
#include "fmi2Functions.h"
#include "model.hpp"
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <new>

// Nothing here can throw, and the library must not need a C++ runtime for it.
void *operator new(std::size_t size) {
    if (void *place = std::malloc(size ? size : 1)) return place;
    std::abort();
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return std::malloc(size); }
void operator delete(void *place) noexcept { std::free(place); }
void operator delete(void *place, std::size_t) noexcept { std::free(place); }

namespace {

// Indices in log_categories.
enum LogCategory { log_discard, log_error, log_warning, category_count };
static_assert(sizeof log_categories / sizeof *log_categories == category_count, "a log category is missing");
constexpr int longest_name_in_messages = 200; // bytes

bool fits_integer(double value) { return value >= INT32_MIN && value <= INT32_MAX; }

struct Instance {
    Model model;
    Text name;
    fmi2CallbackFunctions callbacks{}; // a copy: the host's own may go after the instantiation
    bool logged[category_count] = {};
    bool has_warned = false;

    Memory &memory() { return model.memory; }

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

    fmi2Status not_allowed(const char *function) {
        return refuse(Text(function) << " is not allowed in phase '" << phase_names[memory().phase] << "'");
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
        if (memory().phase != instantiated) return not_allowed("fmi2SetupExperiment");
        if (stop_time && !(*stop_time >= start_time))
            return refuse(Text("fmi2SetupExperiment: stop_time=")
                          << *stop_time << " s must be ≥ start_time=" << start_time << " s; neither was taken");
        memory().start_time = memory().time = start_time;
        memory().stop_time = stop_time ? *stop_time : INFINITY;
        return fmi2OK;
    }

    fmi2Status set_derivatives(const fmi2ValueReference references[], size_t count,
                               const fmi2Integer orders[], const double values[]) {
        const bool is_barred =
            !takes_derivatives || (barring_parameter >= 0 && memory().values[barring_parameter] == barring_value);
        if (count && is_barred) return refuse(Text("fmi2SetRealInputDerivatives: ") << no_derivatives);
        for (size_t i = 0; i < count; ++i) {
            if (references[i] >= unsigned(first_output))
                return refuse(Text("valueReference ") << references[i] << " is no input");
            if (orders[i] < 1 || orders[i] > derivative_orders)
                return refuse(Text(variables[references[i]].name)
                              << ": order=" << orders[i] << " of a derivative must be 1 to "
                              << derivative_orders);
        }
        for (size_t i = 0; i < count; ++i)
            memory().derivatives[references[i]][orders[i] - 1] = values[i];
        if (count) memory().has_derivatives = true;
        return fmi2OK;
    }

    void build_model() {
        if (!model.build()) refuse(memory().failure);
    }

    void refresh_outputs() {
        if (memory().outputs_are_current) return;
        if (memory().phase == initialising) build_model();
        if (memory().has_model) model.measure();
        memory().outputs_are_current = true;
    }

    static bool is(fmi2ValueReference reference, Kind kind) {
        return reference < unsigned(variable_count) && variables[reference].kind == kind;
    }

    fmi2Status wrong_reference(fmi2ValueReference reference, Kind kind, const Text &more) const {
        static const char *const names[] = {"Real", "Integer or Enumeration", "Boolean", "String"};
        return refuse(Text("valueReference ") << reference << " is no " << names[int(kind)] << " variable"
                                              << more);
    }

    static Text beyond_integer(fmi2ValueReference reference, double value) {
        return Text(variables[reference].name) << "=" << value << " must fit a 32-bit Integer";
    }

    template <class Value>
    fmi2Status get(const fmi2ValueReference references[], size_t count, Value values[], Kind kind) {
        refresh_outputs();
        for (size_t i = 0; i < count; ++i) {
            if (!is(references[i], kind)) return wrong_reference(references[i], kind, "");
            const double value = memory().values[references[i]];
            if (kind != Kind::real && !fits_integer(value)) return refuse(beyond_integer(references[i], value));
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
        if (memory().phase == initialising) memory().outputs_are_current = false;
        return status;
    }

    template <class Value> fmi2Status set_one(fmi2ValueReference reference, Value value, Kind kind) {
        if (reference < unsigned(first_output) && kind == Kind::real) {
            memory().values[reference] = value;
            return fmi2OK;
        }
        Text text;
        if (kind == Kind::boolean) text << (value ? "True" : "False");
        else text << value;
        if (!is(reference, kind))
            return wrong_reference(reference, kind, Text("; the value ") << text << " was not taken");
        const Variable &variable = variables[reference];
        if (reference < unsigned(first_parameter))
            return refuse(Text(variable.name) << " is an output; the value " << text << " was not taken");
        if (memory().phase > initialising)
            return refuse(Text(variable.name) << " is a fixed parameter; the value " << text << " "
                                              << variable.unit << " cannot be taken in phase '"
                                              << phase_names[memory().phase] << "'");
        memory().values[reference] = kind == Kind::boolean ? value != 0 : value;
        memory().outputs_are_current = false;
        return fmi2OK;
    }

    fmi2Status set_text(fmi2ValueReference reference, const char *value) {
        Text text;
        if (value) text << repr(value);
        else text << "NULL";
        if (!is(reference, Kind::string))
            return wrong_reference(reference, Kind::string, Text("; the value ") << text << " was not taken");
        const Variable &variable = variables[reference];
        if (memory().phase > initialising)
            return refuse(Text(variable.name) << " is a fixed parameter; the value " << text << " " << variable.unit
                                              << " cannot be taken in phase '" << phase_names[memory().phase] << "'");
        if (!value || !is_utf8(value))
            return refuse(Text(variable.name) << "=" << text << " must be a text in UTF-8; it was not taken");
        model.strings.set(Strings::index_of(reference), value);
        memory().outputs_are_current = false;
        return fmi2OK;
    }

    fmi2Status do_step(double current_time, double step_size) {
        Memory &now = memory();
        if (now.phase != stepping) return not_allowed("fmi2DoStep");
        if (!now.has_model) return refuse(now.failure);
        if (current_time != now.time && !follows(current_time, step_size, now.time)) {
            if (!(step_size > 0 && step_size < INFINITY))
                return refuse(Text("step_size=") << step_size << " s must be > 0 and finite");
            return refuse(Text("current_time=") << current_time
                                                << " s must follow on the last step, which ended at "
                                                << now.time << " s");
        }
        const double end = current_time + step_size;
        if (end > now.stop_time && !is_near(end, step_size, now.stop_time))
            return refuse(Text("current_time + step_size=")
                          << end << " s must be ≤ stop_time=" << now.stop_time << " s of the experiment");
        const Text reason = model.step(step_size);
        if (!reason.empty()) return refuse(reason);
        if (model.warns() && !has_warned) {
            report(fmi2Warning, model.warning(step_size)); // the step itself is done, and fmi2OK
            has_warned = true;
        }
        now.time = end; // the master's clock: rounding never adds up
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
        if (memory().phase == instantiated) return not_allowed(function);
        refresh_outputs();
        if (!memory().has_model) return refuse(memory().failure);
        // Too large for the stack of some hosts' threads.
        const std::unique_ptr<Derivatives> derivatives(new Derivatives(model));
        for (size_t i = 0; i < known_count; ++i) {
            if (!derivatives->knows(known[i]))
                return refuse(Text(function) << ": valueReference " << known[i]
                                             << " is no input, nor a Real parameter in phase '"
                                             << phase_names[initialising] << "'");
            if (!std::isfinite(changes[i]))
                return refuse(Text(function) << ": the change of " << variables[known[i]].name << "="
                                             << changes[i] << " must be finite");
            derivatives->add(known[i], changes[i]);
        }
        for (size_t i = 0; i < unknown_count; ++i)
            if (unknown[i] < unsigned(first_output) || unknown[i] >= unsigned(first_parameter) ||
                variables[unknown[i]].kind != Kind::real)
                return refuse(Text(function)
                              << ": valueReference " << unknown[i] << " is no Real output");
        if (!derivatives->compute())
            return report(fmi2Discard, Text(function)
                                           << ": there is no derivative: the contact's mode changes for "
                                              "the smallest change of the inputs, or it overflows");
        for (size_t i = 0; i < unknown_count; ++i) result[i] = derivatives->of(unknown[i]);
        return fmi2OK;
    }

    // A state in bytes: its numbers, then each text behind its length.
    static std::size_t written_size(const Belongings &state) {
        std::size_t size = sizeof(Memory);
        for (int i = 0; i < string_count; ++i) size += sizeof(std::uint64_t) + std::strlen(state.strings[i]);
        return size;
    }

    static void write(const Belongings &state, char *bytes) {
        std::memcpy(bytes, &state.memory, sizeof(Memory));
        bytes += sizeof(Memory);
        for (int i = 0; i < string_count; ++i) {
            const std::uint64_t length = std::strlen(state.strings[i]);
            std::memcpy(bytes, &length, sizeof length);
            std::memcpy(bytes + sizeof length, state.strings[i], length);
            bytes += sizeof length + length;
        }
    }

    // False where it is not as long as it says, or a text in it is none.
    static bool read(const char *bytes, std::size_t size, Belongings &state) {
        if (size < sizeof(Memory)) return false;
        std::memcpy(&state.memory, bytes, sizeof(Memory));
        bytes += sizeof(Memory);
        size -= sizeof(Memory);
        for (int i = 0; i < string_count; ++i) {
            std::uint64_t length;
            if (size < sizeof length) return false;
            std::memcpy(&length, bytes, sizeof length);
            size -= sizeof length;
            bytes += sizeof length;
            if (length > size) return false;
            const Span text(bytes, bytes + length);
            if (!is_utf8(text) || std::memchr(bytes, 0, length)) return false;
            state.strings.set(i, text);
            bytes += length;
            size -= length;
        }
        return size == 0;
    }

    // Why a block that came from outside cannot be used. Its outputs are computed anew.
    static Text broken_state(Belongings &belongings) {
        Memory &state = belongings.memory;
        if (std::memcmp(state.guid, model_guid, sizeof model_guid) != 0)
            return "it was saved by another model";
        if (state.phase < 0 || state.phase >= phase_count) return "its phase is unknown";
        for (std::int32_t flag : {state.has_model, state.outputs_are_current, state.has_derivatives})
            if (flag != 0 && flag != 1) return "a flag is neither 0 nor 1";
        if (state.failure[sizeof state.failure - 1]) return "its message has no end";
        if (std::isnan(state.stop_time)) return "its stop time is no number";
        for (int i = first_parameter; i < variable_count; ++i) {
            const double value = state.values[i];
            if (variables[i].kind == Kind::real || (fits_integer(value) && value == std::trunc(value)))
                continue;
            return Text(variables[i].name) << "=" << value << " must be a 32-bit Integer";
        }
        double *const outputs = state.values + first_output;
        if (!state.has_model) {
            std::fill_n(outputs, output_count, 0.0);
            return {};
        }
        const std::unique_ptr<Model> held(new Model);
        Model &probe = *held;
        probe.load(belongings);
        const Text rule = probe.broken_declaration();
        if (!rule.empty()) return rule;
        const Text unread = probe.read_points();
        if (!unread.empty()) return unread;
        belongings.recorded = probe.recorded;
        for (const Saved *saved : {&state.saved, &state.last_step.before}) {
            if (saved == &state.last_step.before && state.last_step.size == 0) break;
            if (!saved->is_finite()) return "the snapshot holds a value that is not finite";
            const double time = saved == &state.saved ? state.time : state.last_step.time;
            const Text broken = probe.broken_state(*saved, time);
            if (!broken.empty()) return broken;
        }
        probe.load(state);
        if (!std::isfinite(state.start_time + state.time) || !probe.measure())
            return "the snapshot holds a value that is not finite";
        std::copy_n(probe.memory.values + first_output, output_count, outputs);
        for (int i = 0; i < output_count; ++i)
            if (variables[first_output + i].kind != Kind::real && !(outputs[i] >= 0 && fits_integer(outputs[i])))
                return beyond_integer(first_output + i, outputs[i]) << ", ≥ 0";
        return {};
    }
};

// An argument that must point to something, where there is anything to point at.
struct Argument {
    const void *place;
    const char *name;
    std::size_t count = 1;
};

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

} // namespace

extern "C" {

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean, fmi2Boolean logging) {
    Instance *instance = new (std::nothrow) Instance;
    if (!instance) return nullptr;
    if (name) instance->name << name;
    if (callbacks) instance->callbacks = *callbacks;
    Text reason;
    if (!name || !*name) reason << "the instance must have a name";
    else if (type != fmi2CoSimulation) reason << "the model offers co-simulation only";
    else if (!guid || std::strcmp(guid, model_guid) != 0)
        reason << "guid=" << (guid ? guid : "NULL") << " must be " << model_guid;
    // Why there is no instance is said in any case: it cannot be asked again.
    instance->log_all(logging || !reason.empty());
    if (reason.empty()) return instance;
    instance->refuse(Text("fmi2Instantiate: ") << reason);
    delete instance;
    return nullptr;
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
        if (memory.phase != instantiated) return instance.not_allowed("fmi2EnterInitializationMode");
        memory.phase = initialising;
        memory.outputs_are_current = false;
        return fmi2OK;
    });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        if (instance.memory().phase != initialising)
            return instance.not_allowed("fmi2ExitInitializationMode");
        instance.build_model();
        instance.memory().phase = stepping;
        return instance.memory().has_model ? fmi2OK : fmi2Error;
    });
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        if (instance.memory().phase != stepping) return instance.not_allowed("fmi2Terminate");
        instance.memory().phase = terminated;
        return fmi2OK;
    });
}

fmi2Status fmi2Reset(fmi2Component c) {
    return guarded(__func__, c, {}, [&](Instance &instance) {
        const std::unique_ptr<Model> fresh(new Model);
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
            v[i] = instance.model.strings[Strings::index_of(r[i])];
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
    return guarded(__func__, c, {{value, "value"}}, [&](Instance &instance) {
        if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
        *value = instance.memory().time;
        return fmi2OK;
    });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    return guarded(__func__, c, {{value, "value"}}, [&](Instance &) {
        if (kind != fmi2Terminated) return fmi2Discard;
        *value = fmi2False; // never ends a simulation by itself
        return fmi2OK;
    });
}
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind, fmi2Status *value) {
    return guarded(__func__, c, {{value, "value"}}, [](Instance &) { return fmi2Discard; });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer *value) {
    return guarded(__func__, c, {{value, "value"}}, [](Instance &) { return fmi2Discard; });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String *value) {
    return guarded(__func__, c, {{value, "value"}}, [](Instance &) { return fmi2Discard; });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return guarded(__func__, c, {{state, "FMUstate"}}, [&](Instance &instance) {
        if (!*state) *state = new (std::nothrow) Belongings;
        if (!*state) return instance.refuse("fmi2GetFMUstate: there is no memory left");
        *static_cast<Belongings *>(*state) = instance.model;
        return fmi2OK;
    });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return guarded(__func__, c, {{state, "FMUstate"}}, [&](Instance &instance) {
        instance.model.load(*static_cast<Belongings *>(state));
        return fmi2OK;
    });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return guarded(__func__, c, {}, [&](Instance &) {
        if (!state) return fmi2OK; // nothing to free, as the standard has it
        delete static_cast<Belongings *>(*state);
        *state = nullptr;
        return fmi2OK;
    });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    return guarded(__func__, c, {{state, "FMUstate"}, {size, "size"}}, [&](Instance &) {
        *size = Instance::written_size(*static_cast<Belongings *>(state));
        return fmi2OK;
    });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return guarded(__func__, c, {{state, "FMUstate"}, {bytes, "serializedState"}}, [&](Instance &instance) {
        const Belongings &written = *static_cast<Belongings *>(state);
        if (size < Instance::written_size(written))
            return instance.refuse("fmi2SerializeFMUstate: the buffer is too small");
        Instance::write(written, bytes);
        return fmi2OK;
    });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    return guarded(__func__, c, {{bytes, "serializedState", size}, {state, "FMUstate"}}, [&](Instance &instance) {
        std::unique_ptr<Belongings> loaded(new Belongings);
        Text reason("it has another size");
        if (Instance::read(bytes, size, *loaded)) reason = Instance::broken_state(*loaded);
        if (!reason.empty())
            return instance.refuse(Text("fmi2DeSerializeFMUstate: the state cannot be restored: ") << reason);
        *state = loaded.release();
        return fmi2OK;
    });
}

} // extern "C"
