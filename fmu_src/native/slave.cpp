// The door between FMI 2.0 calls and the model: phases, references, log, saved states.
//
// What is refused is logged with its reason and changes nothing. A step that cannot be taken is
// discarded (fmi2Discard), as by the Python FMU; an illegal call answers fmi2Error for itself.
#include "derivatives.hpp"
#include "fmi2Functions.h"
#include "model.hpp"
#include <cstdlib>
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

struct Instance {
    Model model;
    Text name;
    const fmi2CallbackFunctions *callbacks = nullptr;
    bool logging = false;

    Memory &memory() { return model.memory; }

    fmi2Status report(fmi2Status status, const Text &message) const {
        if (!logging || !callbacks || !callbacks->logger) return status;
        Text text(name), format;
        text << ": " << message;
        for (const char *c = text.data(); *c; ++c) format.append(*c == '%' ? "%%" : c, *c == '%' ? 2 : 1);
        const char *category = status == fmi2Discard ? "logStatusDiscard" : "logStatusError";
        callbacks->logger(callbacks->componentEnvironment, name.data(), status, category, format.data());
        return status;
    }

    fmi2Status refuse(const Text &message) const { return report(fmi2Error, message); }

    fmi2Status not_allowed(const char *function) {
        return refuse(Text(function) << " is not allowed in phase '" << phase_names[memory().phase] << "'");
    }

    void build_model() {
        if (!model.build()) report(fmi2Discard, memory().failure);
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

    template <class Value>
    fmi2Status get(const fmi2ValueReference references[], size_t count, Value values[], Kind kind) {
        refresh_outputs();
        for (size_t i = 0; i < count; ++i) {
            if (!is(references[i], kind)) return wrong_reference(references[i], kind, "");
            values[i] = Value(memory().values[references[i]]);
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

    fmi2Status do_step(double current_time, double step_size) {
        Memory &now = memory();
        if (now.phase != stepping)
            return report(fmi2Discard, Text("fmi2DoStep is not allowed in phase '")
                                           << phase_names[now.phase] << "'");
        if (!now.has_model) return report(fmi2Discard, now.failure);
        if (current_time != now.time && !follows(current_time, step_size)) {
            if (!(step_size > 0 && step_size < INFINITY))
                return report(fmi2Discard, Text("step_size=") << step_size << " s must be > 0 and finite");
            return report(fmi2Discard, Text("current_time=")
                                           << current_time
                                           << " s must follow on the last step, which ended at "
                                           << now.time << " s");
        }
        const Text reason = model.step(step_size);
        if (!reason.empty()) return report(fmi2Discard, reason);
        now.time = current_time + step_size; // the master's clock: rounding never adds up
        return fmi2OK;
    }

    bool follows(double current_time, double step_size) {
        const double size = std::fabs(memory().time);
        double slack = time_tolerance * step_size;
        const double rounding = 4 * (std::nextafter(size, INFINITY) - size);
        if (rounding > slack) slack = rounding;
        // A step as short as that rounding must still lead to a later instant.
        return std::fabs(current_time - memory().time) <= slack && current_time + step_size > memory().time;
    }

    fmi2Status get_directional_derivative(const fmi2ValueReference unknown[], size_t unknown_count,
                                          const fmi2ValueReference known[], size_t known_count,
                                          const double changes[], double result[]) {
        const char *const function = "fmi2GetDirectionalDerivative";
        if (memory().phase == instantiated) return not_allowed(function);
        refresh_outputs();
        if (!memory().has_model) return refuse(memory().failure);
        Derivatives derivatives(memory());
        for (size_t i = 0; i < known_count; ++i) {
            if (!derivatives.knows(known[i]))
                return refuse(Text(function) << ": valueReference " << known[i]
                                             << " is no input, nor a Real parameter in phase '"
                                             << phase_names[initialising] << "'");
            if (!std::isfinite(changes[i]))
                return refuse(Text(function) << ": the change of " << variables[known[i]].name << "="
                                             << changes[i] << " must be finite");
            derivatives.add(known[i], changes[i]);
        }
        for (size_t i = 0; i < unknown_count; ++i)
            if (unknown[i] < unsigned(first_output) || unknown[i] >= unsigned(first_parameter) ||
                variables[unknown[i]].kind != Kind::real)
                return refuse(Text(function)
                              << ": valueReference " << unknown[i] << " is no Real output");
        if (!derivatives.compute())
            return report(fmi2Discard, Text(function)
                                           << ": there is no derivative: the contact's mode changes for "
                                              "the smallest change of the inputs, or it overflows");
        for (size_t i = 0; i < unknown_count; ++i) result[i] = derivatives.of(unknown[i]);
        return fmi2OK;
    }

    // Why a block that came from outside cannot be used. Its outputs are computed anew.
    static Text broken_state(Memory &state) {
        if (std::memcmp(state.guid, model_guid, sizeof model_guid) != 0)
            return "it was saved by another model";
        if (state.phase < 0 || state.phase >= phase_count) return "its phase is unknown";
        for (std::int32_t flag : {state.has_model, state.outputs_are_current, state.has_derivatives})
            if (flag != 0 && flag != 1) return "a flag is neither 0 nor 1";
        if (state.failure[sizeof state.failure - 1]) return "its message has no end";
        double *const outputs = state.values + first_output;
        if (!state.has_model) {
            std::fill_n(outputs, output_count, 0.0);
            return {};
        }
        Model probe;
        probe.memory = state;
        const Text rule = probe.broken_declaration();
        if (!rule.empty()) return rule;
        for (const Motion *motion : {&state.motion, &state.last_step.before}) {
            if (motion == &state.last_step.before && state.last_step.size == 0) break;
            if (motion->sample_count < 0 || motion->sample_count > probe.most_samples_kept())
                return "it does not hold the samples of these parameters";
            for (const Polynomial *one : {&motion->tangential, &motion->normal, &motion->load})
                if (one->count < 1 || one->count > most_samples) return "its last step is broken";
            if (!motion->is_finite()) return "the snapshot holds a value that is not finite";
            for (int place : {layout::contact, layout::sliding, layout::last_sliding})
                if (std::fabs(motion->state[place]) != 1 && motion->state[place] != 0)
                    return "the snapshot holds a contact mode that does not exist";
            double later = motion == &state.motion ? state.time : state.last_step.time;
            for (std::int64_t i = 0; i < motion->sample_count; ++i) {
                const double instant = motion->samples[i][0];
                if (!(instant < later))
                    return Text("the snapshot holds a sample at ")
                           << instant << " s; it must be < " << later << " s, the instant that follows on it";
                later = instant;
            }
        }
        probe.load(state);
        if (!std::isfinite(state.start_time + state.time) || !probe.measure())
            return "the snapshot holds a value that is not finite";
        std::copy_n(probe.memory.values + first_output, output_count, outputs);
        for (int i = 0; i < output_count; ++i)
            if (variables[first_output + i].kind != Kind::real && !(outputs[i] >= 0 && outputs[i] <= INT32_MAX))
                return Text(variables[first_output + i].name) << "=" << outputs[i]
                                                              << " must fit a 32-bit Integer, ≥ 0";
        return {};
    }
};

Instance &at(fmi2Component component) { return *static_cast<Instance *>(component); }

} // namespace

extern "C" {

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean, fmi2Boolean logging) {
    Instance *instance = new (std::nothrow) Instance;
    if (!instance) return nullptr;
    instance->name << (name ? name : "");
    instance->callbacks = callbacks;
    instance->logging = logging;
    Text reason;
    if (!name || !*name) reason << "the instance must have a name";
    else if (type != fmi2CoSimulation) reason << "the model offers co-simulation only";
    else if (!guid || std::strcmp(guid, model_guid) != 0)
        reason << "guid=" << (guid ? guid : "NULL") << " must be " << model_guid;
    if (reason.empty()) return instance;
    instance->refuse(Text("fmi2Instantiate: ") << reason);
    delete instance;
    return nullptr;
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Instance *>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t, const fmi2String[]) {
    at(c).logging = on;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start_time, fmi2Boolean,
                               fmi2Real) {
    Memory &memory = at(c).memory();
    if (memory.phase != instantiated) return at(c).not_allowed("fmi2SetupExperiment");
    memory.start_time = memory.time = start_time;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    Memory &memory = at(c).memory();
    if (memory.phase != instantiated) return at(c).not_allowed("fmi2EnterInitializationMode");
    memory.phase = initialising;
    memory.outputs_are_current = false;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    Instance &instance = at(c);
    if (instance.memory().phase != initialising)
        return instance.not_allowed("fmi2ExitInitializationMode");
    instance.build_model();
    instance.memory().phase = stepping;
    return instance.memory().has_model ? fmi2OK : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    if (at(c).memory().phase != stepping) return at(c).not_allowed("fmi2Terminate");
    at(c).memory().phase = terminated;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) {
    const Model fresh;
    at(c).model.load(fresh.memory);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    return at(c).get(r, n, v, Kind::real);
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) {
    return at(c).get(r, n, v, Kind::integer);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean v[]) {
    return at(c).get(r, n, v, Kind::boolean);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String[]) {
    return n ? at(c).wrong_reference(r[0], Kind::string, "") : fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
    return at(c).set(r, n, v, Kind::real);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) {
    return at(c).set(r, n, v, Kind::integer);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[]) {
    return at(c).set(r, n, v, Kind::boolean);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2String v[]) {
    if (!n) return fmi2OK;
    return at(c).wrong_reference(r[0], Kind::string,
                                 Text("; the value '") << (v[0] ? v[0] : "") << "' was not taken");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                       size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
    Instance &instance = at(c);
    for (size_t i = 0; i < count; ++i) {
        if (references[i] >= unsigned(first_output))
            return instance.refuse(Text("valueReference ") << references[i] << " is no input");
        if (orders[i] < 1 || orders[i] > longest_order)
            return instance.refuse(Text(variables[references[i]].name)
                                   << ": order=" << orders[i] << " of a derivative must be 1 to "
                                   << longest_order);
    }
    for (size_t i = 0; i < count; ++i)
        instance.memory().derivatives[references[i]][orders[i] - 1] = values[i];
    if (count) instance.memory().has_derivatives = true;
    return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t,
                                        const fmi2Integer[], fmi2Real[]) {
    return at(c).refuse("fmi2GetRealOutputDerivatives: maxOutputDerivativeOrder is 0");
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real changes[],
                                        fmi2Real derivatives[]) {
    return at(c).get_directional_derivative(unknown, unknown_count, known, known_count, changes,
                                            derivatives);
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step_size, fmi2Boolean) {
    return at(c).do_step(time, step_size);
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return at(c).refuse("fmi2CancelStep: no step is under way, fmi2DoStep returns when it is done");
}

// A step is never pending, and the time of the last successful one is all there is to ask for.
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = at(c).memory().time;
    return fmi2OK;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component, const fmi2StatusKind kind, fmi2Boolean *value) {
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = fmi2False; // never ends a simulation by itself
    return fmi2OK;
}
fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status *) { return fmi2Discard; }
fmi2Status fmi2GetIntegerStatus(fmi2Component, const fmi2StatusKind, fmi2Integer *) { return fmi2Discard; }
fmi2Status fmi2GetStringStatus(fmi2Component, const fmi2StatusKind, fmi2String *) { return fmi2Discard; }

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    if (!*state) *state = new (std::nothrow) Memory;
    if (!*state) return at(c).refuse("fmi2GetFMUstate: there is no memory left");
    *static_cast<Memory *>(*state) = at(c).memory();
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    if (!state) return at(c).refuse("fmi2SetFMUstate: there is no state");
    at(c).model.load(*static_cast<Memory *>(state));
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate *state) {
    delete static_cast<Memory *>(*state);
    *state = nullptr;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t *size) {
    *size = sizeof(Memory);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (!state) return at(c).refuse("fmi2SerializeFMUstate: there is no state");
    if (size < sizeof(Memory)) return at(c).refuse("fmi2SerializeFMUstate: the buffer is too small");
    std::memcpy(bytes, state, sizeof(Memory));
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    Memory loaded;
    Text reason("it has another size");
    if (size == sizeof loaded) {
        std::memcpy(&loaded, bytes, sizeof loaded);
        reason = Instance::broken_state(loaded);
    }
    if (!reason.empty())
        return at(c).refuse(Text("fmi2DeSerializeFMUstate: the state cannot be restored: ") << reason);
    *state = new (std::nothrow) Memory(loaded);
    return *state ? fmi2OK : fmi2Fatal;
}

} // extern "C"
