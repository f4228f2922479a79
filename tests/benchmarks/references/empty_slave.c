/* A co-simulation slave in C without computation, to measure the cost of FMI calls. */
#include "fmi2Functions.h"
#include <stdlib.h>

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Component fmi2Instantiate(fmi2String n, fmi2Type t, fmi2String g, fmi2String r,
                              const fmi2CallbackFunctions *f, fmi2Boolean v, fmi2Boolean l) {
    return calloc(1000, sizeof(double));
}
void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
    for (size_t i = 0; i < n; ++i) ((double *)c)[r[i]] = v[i];
    return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    for (size_t i = 0; i < n; ++i) v[i] = ((double *)c)[r[i]];
    return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean p) { return fmi2OK; }

#define NOTHING(name, ...) \
    fmi2Status name(fmi2Component c, ##__VA_ARGS__) { return fmi2OK; }
#define REFERENCES const fmi2ValueReference r[], size_t n
NOTHING(fmi2SetDebugLogging, fmi2Boolean on, size_t n, const fmi2String s[])
NOTHING(fmi2SetupExperiment, fmi2Boolean a, fmi2Real b, fmi2Real d, fmi2Boolean e, fmi2Real f)
NOTHING(fmi2EnterInitializationMode)
NOTHING(fmi2ExitInitializationMode)
NOTHING(fmi2Terminate)
NOTHING(fmi2Reset)
NOTHING(fmi2CancelStep)
NOTHING(fmi2SetInteger, REFERENCES, const fmi2Integer v[])
NOTHING(fmi2GetInteger, REFERENCES, fmi2Integer v[])
NOTHING(fmi2SetBoolean, REFERENCES, const fmi2Boolean v[])
NOTHING(fmi2GetBoolean, REFERENCES, fmi2Boolean v[])
NOTHING(fmi2SetString, REFERENCES, const fmi2String v[])
NOTHING(fmi2GetString, REFERENCES, fmi2String v[])
NOTHING(fmi2GetFMUstate, fmi2FMUstate *s)
NOTHING(fmi2SetFMUstate, fmi2FMUstate s)
NOTHING(fmi2FreeFMUstate, fmi2FMUstate *s)
NOTHING(fmi2SerializedFMUstateSize, fmi2FMUstate s, size_t *n)
NOTHING(fmi2SerializeFMUstate, fmi2FMUstate s, fmi2Byte b[], size_t n)
NOTHING(fmi2DeSerializeFMUstate, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
NOTHING(fmi2GetDirectionalDerivative, REFERENCES, const fmi2ValueReference k[], size_t m,
        const fmi2Real d[], fmi2Real e[])
NOTHING(fmi2SetRealInputDerivatives, REFERENCES, const fmi2Integer o[], const fmi2Real v[])
NOTHING(fmi2GetRealOutputDerivatives, REFERENCES, const fmi2Integer o[], fmi2Real v[])
NOTHING(fmi2GetStatus, const fmi2StatusKind k, fmi2Status *v)
NOTHING(fmi2GetRealStatus, const fmi2StatusKind k, fmi2Real *v)
NOTHING(fmi2GetIntegerStatus, const fmi2StatusKind k, fmi2Integer *v)
NOTHING(fmi2GetBooleanStatus, const fmi2StatusKind k, fmi2Boolean *v)
NOTHING(fmi2GetStringStatus, const fmi2StatusKind k, fmi2String *v)
