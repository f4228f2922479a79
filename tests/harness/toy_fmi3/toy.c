/* A slave of FMI 3.0 whose outputs can be computed by hand.

   total = gain·repeat·shape·Σ (rate + offset_rate)·step, and at t = 0.3, 0.6, 0.9 … an event: level
   grows by one. With event mode and early return allowed, a step ends right before each of them, or
   they are announced. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, ERROR = 3 };
typedef void (*Logger)(void *, int, const char *, const char *);

typedef struct {
    bool stops, pending, announces, returns_for_nothing;
    double time, total, rate, gain, asks_to_end_at, returns_anyway_at, stays_at, nan_at;
    float offset_rate;
    int8_t repeat;
    int64_t shape;
    bool enabled;
    int32_t note_length, level;
    uint64_t steps;
    Logger logger;
    void *environment;
} Toy;

static const double INTERVAL = 0.3;

static double next_event(const Toy *toy) { return INTERVAL * (toy->level + 1); }

const char *fmi3GetVersion(void) { return "3.0"; }

void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                  bool visible, bool logs, bool event_mode, bool early_return,
                                  const unsigned *variables, size_t count, void *environment,
                                  Logger logger, void *update) {
    (void)name, (void)resources, (void)visible, (void)logs, (void)variables, (void)count,
        (void)update;
    if (strcmp(token, "toy")) {
        logger(environment, ERROR, "logStatusError", "another instantiationToken");
        return NULL;
    }
    Toy *toy = calloc(1, sizeof *toy);
    toy->stops = event_mode && early_return;
    toy->gain = 1.0, toy->repeat = 1, toy->shape = 1, toy->enabled = true;
    toy->asks_to_end_at = toy->returns_anyway_at = toy->stays_at = toy->nan_at = 1e9;
    toy->logger = logger, toy->environment = environment;
    return toy;
}

void fmi3FreeInstance(void *toy) { free(toy); }

int fmi3EnterInitializationMode(Toy *toy, bool has_tolerance, double tolerance, double start,
                                bool has_stop, double stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    toy->time = start;
    return OK;
}

static double *real_of(Toy *toy, unsigned reference) {
    double *known[] = {&toy->time, &toy->rate, &toy->gain, &toy->total, &toy->asks_to_end_at,
                       &toy->returns_anyway_at, &toy->stays_at, &toy->nan_at};
    return known[reference];
}

enum { OFFSET_RATE = 10, REPEAT = 11, SHAPE = 12, ENABLED = 13, NOTE = 14, NOTE_LENGTH = 15,
       LEVEL = 16, STEPS = 17, PARTS = 18, ENABLED_SEEN = 19, ANNOUNCES = 20,
       RETURNS_FOR_NOTHING = 21 };

int fmi3GetFloat64(Toy *toy, const unsigned *references, size_t count, double *values, size_t n) {
    size_t at = 0;
    for (size_t i = 0; i < count; ++i) {
        if (references[i] == PARTS) {
            values[at++] = 0.25 * toy->total, values[at++] = 0.75 * toy->total;
        } else {
            values[at++] = *real_of(toy, references[i]);
        }
    }
    return at == n ? OK : ERROR;
}

int fmi3SetFloat64(Toy *toy, const unsigned *references, size_t count, const double *values,
                   size_t n) {
    for (size_t i = 0; i < count; ++i) *real_of(toy, references[i]) = values[i];
    return count == n ? OK : ERROR;
}

int fmi3SetFloat32(Toy *toy, const unsigned *references, size_t count, const float *values,
                   size_t n) {
    if (count != 1 || n != 1 || references[0] != OFFSET_RATE) return ERROR;
    toy->offset_rate = values[0];
    return OK;
}

int fmi3SetInt8(Toy *toy, const unsigned *references, size_t count, const int8_t *values, size_t n) {
    if (count != 1 || n != 1 || references[0] != REPEAT) return ERROR;
    toy->repeat = values[0];
    return OK;
}

int fmi3SetInt64(Toy *toy, const unsigned *references, size_t count, const int64_t *values,
                 size_t n) {
    if (count != 1 || n != 1 || references[0] != SHAPE) return ERROR;
    toy->shape = values[0];
    return OK;
}

int fmi3SetBoolean(Toy *toy, const unsigned *references, size_t count, const bool *values,
                   size_t n) {
    if (count != 1 || n != 1) return ERROR;
    if (references[0] == ENABLED) toy->enabled = values[0];
    if (references[0] == ANNOUNCES) toy->announces = values[0];
    if (references[0] == RETURNS_FOR_NOTHING) toy->returns_for_nothing = values[0];
    return OK;
}

int fmi3SetString(Toy *toy, const unsigned *references, size_t count, const char *const *values,
                  size_t n) {
    if (count != 1 || n != 1 || references[0] != NOTE) return ERROR;
    toy->note_length = (int32_t)strlen(values[0]);
    return OK;
}

int fmi3GetInt32(Toy *toy, const unsigned *references, size_t count, int32_t *values, size_t n) {
    for (size_t i = 0; i < count; ++i)
        values[i] = references[i] == LEVEL ? toy->level : toy->note_length;
    return count == n ? OK : ERROR;
}

int fmi3GetUInt64(Toy *toy, const unsigned *references, size_t count, uint64_t *values, size_t n) {
    if (count != 1 || n != 1 || references[0] != STEPS) return ERROR;
    values[0] = toy->steps;
    return OK;
}

int fmi3GetBoolean(Toy *toy, const unsigned *references, size_t count, bool *values, size_t n) {
    if (count != 1 || n != 1 || references[0] != ENABLED_SEEN) return ERROR;
    values[0] = toy->enabled;
    return OK;
}

int fmi3DoStep(Toy *toy, double time, double step_size, bool no_set_state, bool *event,
               bool *terminated, bool *early, double *reached) {
    (void)no_set_state;
    *event = *early = false;
    *terminated = time >= toy->asks_to_end_at;
    double end = time + step_size;
    if (toy->pending || step_size <= 0.0) {
        toy->logger(toy->environment, ERROR, "logStatusError", "an event waits; 100% sure");
        return ERROR;
    }
    if (time >= toy->returns_anyway_at) *early = true;
    if (time >= toy->stays_at) *early = *event = true, end = time;
    /* An early return without an event, once. */
    if (toy->returns_for_nothing && toy->stops) {
        toy->returns_for_nothing = false, *early = true, end = time + 0.5 * step_size;
    }
    while (next_event(toy) <= end && !toy->announces) {
        if (toy->stops) {
            *event = toy->pending = true;
            *early = next_event(toy) < end;
            end = next_event(toy);
            break;
        }
        ++toy->level;
    }
    toy->total += toy->gain * toy->repeat * (double)toy->shape * (toy->rate + toy->offset_rate) *
                  (end - time);
    if (time >= toy->nan_at) toy->total = NAN;
    toy->time = *reached = end;
    ++toy->steps;
    return OK;
}

int fmi3UpdateDiscreteStates(Toy *toy, bool *again, bool *terminated, bool *nominals, bool *values,
                             bool *has_next, double *next) {
    *again = *terminated = *nominals = *values = false;
    if (toy->pending || (toy->announces && next_event(toy) <= toy->time)) ++toy->level;
    toy->pending = false;
    *has_next = toy->announces, *next = next_event(toy);
    return OK;
}

#define DOES_NOTHING(name) int name(void *toy) { (void)toy; return OK; }
DOES_NOTHING(fmi3ExitInitializationMode)
DOES_NOTHING(fmi3EnterEventMode)
DOES_NOTHING(fmi3EnterStepMode)
DOES_NOTHING(fmi3Terminate)

#define REFUSED(name) int name(void) { return ERROR; }
void *fmi3InstantiateModelExchange(void) { return NULL; }
void *fmi3InstantiateScheduledExecution(void) { return NULL; }
REFUSED(fmi3SetDebugLogging) REFUSED(fmi3Reset) REFUSED(fmi3GetFloat32) REFUSED(fmi3GetInt8)
REFUSED(fmi3GetUInt8) REFUSED(fmi3GetInt16) REFUSED(fmi3GetUInt16) REFUSED(fmi3GetUInt32)
REFUSED(fmi3GetInt64) REFUSED(fmi3GetString) REFUSED(fmi3GetBinary) REFUSED(fmi3GetClock)
REFUSED(fmi3SetUInt8) REFUSED(fmi3SetInt16) REFUSED(fmi3SetUInt16) REFUSED(fmi3SetInt32)
REFUSED(fmi3SetUInt32) REFUSED(fmi3SetUInt64) REFUSED(fmi3SetBinary) REFUSED(fmi3SetClock)
REFUSED(fmi3GetNumberOfVariableDependencies) REFUSED(fmi3GetVariableDependencies)
REFUSED(fmi3GetFMUState) REFUSED(fmi3SetFMUState) REFUSED(fmi3FreeFMUState)
REFUSED(fmi3SerializedFMUStateSize) REFUSED(fmi3SerializeFMUState)
REFUSED(fmi3DeserializeFMUState) REFUSED(fmi3GetDirectionalDerivative)
REFUSED(fmi3GetAdjointDerivative) REFUSED(fmi3EnterConfigurationMode)
REFUSED(fmi3ExitConfigurationMode) REFUSED(fmi3GetIntervalDecimal) REFUSED(fmi3GetIntervalFraction)
REFUSED(fmi3GetShiftDecimal) REFUSED(fmi3GetShiftFraction) REFUSED(fmi3SetIntervalDecimal)
REFUSED(fmi3SetIntervalFraction) REFUSED(fmi3SetShiftDecimal) REFUSED(fmi3SetShiftFraction)
REFUSED(fmi3EvaluateDiscreteStates) REFUSED(fmi3EnterContinuousTimeMode)
REFUSED(fmi3CompletedIntegratorStep) REFUSED(fmi3SetTime) REFUSED(fmi3SetContinuousStates)
REFUSED(fmi3GetContinuousStateDerivatives) REFUSED(fmi3GetEventIndicators)
REFUSED(fmi3GetContinuousStates) REFUSED(fmi3GetNominalsOfContinuousStates)
REFUSED(fmi3GetNumberOfEventIndicators) REFUSED(fmi3GetNumberOfContinuousStates)
REFUSED(fmi3GetOutputDerivatives) REFUSED(fmi3ActivateModelPartition)
