// The functions of FMI 3.0, called by the host: co-simulation with early return and event mode.
#include "fmi3_slave.hpp"

namespace {

static_assert(int(Answer::ok) == fmi3OK && int(Answer::warning) == fmi3Warning &&
                  int(Answer::discard) == fmi3Discard && int(Answer::error) == fmi3Error,
              "answers are FMI's numbers");

const char *const no_clocks = "the FMU has no clocks";
const char *const no_binaries = "the FMU has no binary variables";

void send(const Log &log, Answer answer, const char *category, const Text &message) {
    reinterpret_cast<fmi3LogMessageCallback>(log.logger)(log.environment, fmi3Status(answer), category,
                                                         message.data());
}

template <class Call>
fmi3Status guarded(const char *function, fmi3Instance instance, std::initializer_list<Given> arguments, Call call) {
    return fmi3Status(passed<Slave>(function, instance, arguments, call));
}

template <class Call>
fmi3Status guarded_state(const char *function, fmi3Instance instance, fmi3FMUState state, const char *state_name,
                         std::initializer_list<Given> arguments, Call call) {
    return fmi3Status(passed_state<Slave>(function, instance, state, state_name, arguments, call));
}

// Message for functions that the FMU does not support.
fmi3Status refused(const char *function, fmi3Instance instance, const char *reason) {
    return guarded(function, instance, {},
                   [&](Slave &slave) { return slave.refuse(Text(function) << ": " << reason); });
}

template <Type type, class Value>
fmi3Status get_values(const char *function, fmi3Instance instance, const char *type_name,
                      const fmi3ValueReference references[], size_t count, Value values[], size_t value_count) {
    return guarded(function, instance, {{references, "valueReferences", count}, {values, "values", value_count}},
                   [&](Slave &slave) { return slave.get<type>(type_name, references, count, values, value_count); });
}

template <Type type, class Value>
fmi3Status set_values(const char *function, fmi3Instance instance, const char *type_name,
                      const fmi3ValueReference references[], size_t count, const Value values[], size_t value_count) {
    return guarded(
        function, instance, {{references, "valueReferences", count}, {values, "values", value_count}},
        [&](Slave &slave) {
            if constexpr (type == Type::float64)
                if (slave.are_inputs(references, count, value_count)) {
                    // The most frequent case, without checks of each value.
                    for (size_t i = 0; i < count; ++i) slave.memory().values[references[i]] = values[i];
                    return Answer::ok;
                }
            return slave.set_each(type, type_name, references, count, value_count, [&](unsigned reference, std::size_t at) {
                if constexpr (type == Type::string)
                    return slave.set_text(reference, values[at], Slave::shown_text(values[at]));
                else if constexpr (type == Type::boolean) {
                    // A host in another language may pass any byte.
                    const char given = reinterpret_cast<const char *>(values)[at];
                    return slave.set_parameter(reference, given != 0, given ? "True" : "False");
                } else {
                    const double value = double(values[at]);
                    if (slave.is_input(reference)) return slave.set_input(reference, value);
                    Text shown;
                    if (type == Type::float64) shown << value;
                    else shown << (long long)(values[at]);
                    if (type != Type::float64 && !fits_integer(value))
                        return slave.refuse(beyond_integer(slave.variable(reference).name, value) << Slave::not_taken(shown));
                    return slave.set_parameter(reference, value, shown);
                }
            });
        });
}

// Create the instance. If this is not possible, return nothing and log the reason.
fmi3Instance instantiated_by(const char *function, fmi3String name, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback logger, const Text &problem, fmi3String token,
                             fmi3String resources, bool logging, bool event_mode, bool early_return) {
    Log log;
    log.send = send;
    log.logger = reinterpret_cast<void (*)()>(logger);
    log.environment = environment;
    const auto find_path = [&](Bytes &path, Text &reason) { return path_of_folder(resources, path, reason); };
    Slave *const slave = new_instance<Slave>(function, name, log, logging, problem, find_path, 3, token,
                                             "instantiationToken");
    if (!slave) return nullptr;
    slave->uses_event_mode = event_mode;
    slave->may_return_early = early_return;
    return slave;
}

} // namespace

extern "C" {

SHARED_FUNCTIONS(fmi3, FMUState, Deserialize)

// -- instances -------------------------------------------------------------------------------------------

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference[], size_t intermediate_count,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback) {
    Text problem;
    if (intermediate_count)
        problem << "nRequiredIntermediateVariables=" << (long long)(intermediate_count)
                << " must be 0: providesIntermediateUpdate is false";
    return instantiated_by(__func__, name, environment, logger, problem, token, resources, logging, event_mode,
                           early_return);
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger) {
    return instantiated_by(__func__, name, environment, logger, co_simulation_only, token, resources, logging, false,
                           false);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                               fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback logger, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
    return instantiated_by(__func__, name, environment, logger, co_simulation_only, token, resources, logging, false,
                           false);
}

// -- phases ----------------------------------------------------------------------------------------------

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64 start_time,
                                       fmi3Boolean stop_time_defined, fmi3Float64 stop_time) {
    return guarded(__func__, instance, {}, [&](Slave &slave) {
        const Answer answer = slave.set_times(start_time, stop_time_defined ? &stop_time : nullptr);
        return answer == Answer::ok ? slave.enter_initialisation() : answer;
    });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
    return guarded(__func__, instance, {}, [](Slave &slave) { return slave.exit_initialisation(); });
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
    return guarded(__func__, instance, {}, [](Slave &slave) { return slave.enter_event_mode(); });
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
    return guarded(__func__, instance, {}, [](Slave &slave) { return slave.enter_step_mode(); });
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *needs_update, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
                                    fmi3Boolean *next_event_defined, fmi3Float64 *next_event) {
    return guarded(__func__, instance,
                   {{needs_update, "discreteStatesNeedUpdate"},
                    {terminate, "terminateSimulation"},
                    {nominals_changed, "nominalsOfContinuousStatesChanged"},
                    {values_changed, "valuesOfContinuousStatesChanged"},
                    {next_event_defined, "nextEventTimeDefined"},
                    {next_event, "nextEventTime"}},
                   [&](Slave &slave) {
                       // One call handles all events at this time, and later events are not known.
                       for (fmi3Boolean *flag :
                            {needs_update, terminate, nominals_changed, values_changed, next_event_defined})
                           *flag = fmi3False;
                       *next_event = 0;
                       return slave.update_discrete_states();
                   });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
    return guarded(__func__, instance, {}, [](Slave &slave) {
        const std::int32_t phase = slave.memory()->phase;
        if (phase != stepping && phase != handling_events) return slave.not_allowed();
        slave.memory()->phase = terminated;
        if (phase == handling_events && slave.memory()->has_model) slave.model.leave_event_mode();
        return Answer::ok;
    });
}

// -- steps -----------------------------------------------------------------------------------------------

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step_size, fmi3Boolean,
                      fmi3Boolean *event_handling_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_successful_time) {
    return guarded(__func__, instance,
                   {{event_handling_needed, "eventHandlingNeeded"},
                    {terminate, "terminateSimulation"},
                    {early_return, "earlyReturn"},
                    {last_successful_time, "lastSuccessfulTime"}},
                   [&](Slave &slave) {
                       bool is_early = false;
                       const Answer answer = slave.do_step(time, step_size, is_early);
                       *event_handling_needed = answer <= Answer::warning && slave.model.has_pending_event();
                       *terminate = fmi3False; // the FMU never ends a simulation
                       *early_return = is_early;
                       *last_successful_time = slave.memory()->time;
                       return answer;
                   });
}

// -- values ----------------------------------------------------------------------------------------------

// Two functions for each type.
#define VALUES(Name, type)                                                                                           \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference references[], size_t count,             \
                             fmi3##Name values[], size_t value_count) {                                              \
        return get_values<type>(__func__, instance, #Name, references, count, values, value_count);                  \
    }                                                                                                                \
    fmi3Status fmi3Set##Name(fmi3Instance instance, const fmi3ValueReference references[], size_t count,             \
                             const fmi3##Name values[], size_t value_count) {                                        \
        return set_values<type>(__func__, instance, #Name, references, count, values, value_count);                  \
    }
VALUES(Float64, Type::float64)
VALUES(Int32, Type::int32)
VALUES(Int64, Type::int64)
VALUES(Boolean, Type::boolean)
VALUES(String, Type::string)
VALUES(Float32, Type::others)
VALUES(Int8, Type::others)
VALUES(UInt8, Type::others)
VALUES(Int16, Type::others)
VALUES(UInt16, Type::others)
VALUES(UInt32, Type::others)
VALUES(UInt64, Type::others)
#undef VALUES

// -- derivatives -----------------------------------------------------------------------------------------

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[], size_t known_count,
                                        const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count) {
    return guarded(__func__, instance,
                   {{unknowns, "unknowns", unknown_count},
                    {knowns, "knowns", known_count},
                    {seed, "seed", seed_count},
                    {sensitivity, "sensitivity", sensitivity_count}},
                   [&](Slave &slave) {
                       return slave.get_directional_derivative(unknowns, unknown_count, knowns, known_count, seed,
                                                               seed_count, sensitivity, sensitivity_count);
                   });
}

// -- unsupported functions -------------------------------------------------------------------------------

#define REFUSED(name, reason, ...)                                                                                   \
    fmi3Status name(fmi3Instance instance, ##__VA_ARGS__) { return refused(__func__, instance, reason); }
REFUSED(fmi3GetAdjointDerivative, "providesAdjointDerivatives is false", const fmi3ValueReference[], size_t,
        const fmi3ValueReference[], size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t)
REFUSED(fmi3GetOutputDerivatives, "maxOutputDerivativeOrder is 0", const fmi3ValueReference[], size_t,
        const fmi3Int32[], fmi3Float64[], size_t)
REFUSED(fmi3GetNumberOfVariableDependencies, "providesPerElementDependencies is false", fmi3ValueReference, size_t *)
REFUSED(fmi3GetVariableDependencies, "providesPerElementDependencies is false", fmi3ValueReference, size_t[],
        fmi3ValueReference[], size_t[], fmi3DependencyKind[], size_t)
REFUSED(fmi3EnterConfigurationMode, "the FMU has no structural parameters")
REFUSED(fmi3ExitConfigurationMode, "the FMU has no structural parameters")
REFUSED(fmi3EvaluateDiscreteStates, "providesEvaluateDiscreteStates is false")
REFUSED(fmi3GetBinary, no_binaries, const fmi3ValueReference[], size_t, size_t[], fmi3Binary[], size_t)
REFUSED(fmi3SetBinary, no_binaries, const fmi3ValueReference[], size_t, const size_t[], const fmi3Binary[], size_t)
REFUSED(fmi3GetClock, no_clocks, const fmi3ValueReference[], size_t, fmi3Clock[])
REFUSED(fmi3SetClock, no_clocks, const fmi3ValueReference[], size_t, const fmi3Clock[])
REFUSED(fmi3GetIntervalDecimal, no_clocks, const fmi3ValueReference[], size_t, fmi3Float64[], fmi3IntervalQualifier[])
REFUSED(fmi3GetIntervalFraction, no_clocks, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
        fmi3IntervalQualifier[])
REFUSED(fmi3GetShiftDecimal, no_clocks, const fmi3ValueReference[], size_t, fmi3Float64[])
REFUSED(fmi3GetShiftFraction, no_clocks, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[])
REFUSED(fmi3SetIntervalDecimal, no_clocks, const fmi3ValueReference[], size_t, const fmi3Float64[])
REFUSED(fmi3SetIntervalFraction, no_clocks, const fmi3ValueReference[], size_t, const fmi3UInt64[],
        const fmi3UInt64[])
REFUSED(fmi3SetShiftDecimal, no_clocks, const fmi3ValueReference[], size_t, const fmi3Float64[])
REFUSED(fmi3SetShiftFraction, no_clocks, const fmi3ValueReference[], size_t, const fmi3UInt64[], const fmi3UInt64[])
REFUSED(fmi3ActivateModelPartition, co_simulation_only, fmi3ValueReference, fmi3Float64)
REFUSED(fmi3EnterContinuousTimeMode, co_simulation_only)
REFUSED(fmi3CompletedIntegratorStep, co_simulation_only, fmi3Boolean, fmi3Boolean *, fmi3Boolean *)
REFUSED(fmi3SetTime, co_simulation_only, fmi3Float64)
REFUSED(fmi3SetContinuousStates, co_simulation_only, const fmi3Float64[], size_t)
REFUSED(fmi3GetContinuousStateDerivatives, co_simulation_only, fmi3Float64[], size_t)
REFUSED(fmi3GetEventIndicators, co_simulation_only, fmi3Float64[], size_t)
REFUSED(fmi3GetContinuousStates, co_simulation_only, fmi3Float64[], size_t)
REFUSED(fmi3GetNominalsOfContinuousStates, co_simulation_only, fmi3Float64[], size_t)
REFUSED(fmi3GetNumberOfEventIndicators, co_simulation_only, size_t *)
REFUSED(fmi3GetNumberOfContinuousStates, co_simulation_only, size_t *)
#undef REFUSED

} // extern "C"
