/* A C host that tests how an FMU responds to any call that FMI permits, and to invalid calls.

       border_host LIBRARY GUID RESOURCES CLAIM

   Each claim runs in a process of its own, so that an FMU that crashes or hangs fails only this
   claim. Exit codes: 0 passed, 1 failed (the reason is on standard error), 2 the library could not
   be loaded. RESOURCES is the path of the unpacked FMU's folder. References belong to
   FrictionalShock: inputs 0 to 3, outputs from 4 on, parameters from 36 on. */
#include "fmi2FunctionTypes.h"
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define FUNCTIONS(F)                                                                                 \
    F(Instantiate) F(FreeInstance) F(SetDebugLogging) F(SetupExperiment) F(EnterInitializationMode)  \
    F(ExitInitializationMode) F(Terminate) F(Reset) F(GetReal) F(GetInteger) F(GetBoolean)           \
    F(GetString) F(SetReal) F(SetInteger) F(SetBoolean) F(SetString) F(GetFMUstate) F(SetFMUstate)   \
    F(FreeFMUstate) F(SerializedFMUstateSize) F(SerializeFMUstate) F(DeSerializeFMUstate)            \
    F(GetDirectionalDerivative) F(SetRealInputDerivatives) F(GetRealOutputDerivatives) F(DoStep)     \
    F(CancelStep) F(GetStatus) F(GetRealStatus) F(GetIntegerStatus) F(GetBooleanStatus)              \
    F(GetStringStatus)
#define DECLARED(name) static fmi2##name##TYPE *name;
FUNCTIONS(DECLARED)

static const char *guid, *folder;
static char location[4096]; /* URI of the folder */
static const double step_size = 1e-3;
static const unsigned first_output = 4, output_count = 32, first_parameter = 36;

/* Text, name, category and status of the last message, and the number of messages. */
static char said[8192], its_name[4096], its_category[64];
static int messages, its_status;

static void stop(const char *reason, ...) {
    va_list arguments;
    va_start(arguments, reason);
    vfprintf(stderr, reason, arguments);
    va_end(arguments);
    fprintf(stderr, "; the last message: %s\n", said);
    exit(1);
}
#define CLAIM(condition) ((condition) ? (void)0 : stop("line %d: not %s", __LINE__, #condition))

/* A logger as in the standard: printf format, with `#` before a value reference, `##` for `#`. */
static void log_it(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                   fmi2String category, fmi2String format, ...) {
    static char printed[8192];
    va_list arguments;
    (void)environment;
    va_start(arguments, format);
    vsnprintf(printed, sizeof printed, format, arguments);
    va_end(arguments);
    char *to = said;
    for (const char *from = printed; *from; ++from) {
        if (*from == '#' && *++from != '#') stop("`#` stands alone in: %s", printed);
        *to++ = *from;
    }
    *to = 0;
    snprintf(its_name, sizeof its_name, "%s", name);
    snprintf(its_category, sizeof its_category, "%s", category);
    its_status = status;
    ++messages;
}

static void must_not_come(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                          fmi2String category, fmi2String format, ...) {
    (void)environment, (void)name, (void)status, (void)category;
    stop("the callbacks were not copied: %s", format);
}

static fmi2CallbackFunctions usual = {log_it, calloc, free, NULL, NULL};

static fmi2Component instance(const char *name, fmi2Boolean logging) {
    fmi2Component made = Instantiate(name, fmi2CoSimulation, guid, location, &usual, fmi2False, logging);
    CLAIM(made);
    return made;
}

static fmi2Component initialised(fmi2Boolean stop_defined, double stop_time) {
    fmi2Component shoe = instance("shoe", fmi2True);
    CLAIM(SetupExperiment(shoe, fmi2False, 0.0, 0.0, stop_defined, stop_time) == fmi2OK);
    CLAIM(EnterInitializationMode(shoe) == fmi2OK);
    CLAIM(ExitInitializationMode(shoe) == fmi2OK);
    return shoe;
}

static fmi2Status step(fmi2Component shoe, int number) {
    const unsigned shaking = 0;
    const double value = 15.0 * sin(6.283185307179586 * number * step_size);
    CLAIM(SetReal(shoe, &shaking, 1, &value) == fmi2OK);
    return DoStep(shoe, number * step_size, step_size, fmi2True);
}

static void steps(fmi2Component shoe, int first, int last) {
    for (int number = first; number < last; ++number) CLAIM(step(shoe, number) == fmi2OK);
}

static double wear_work(fmi2Component shoe) {
    const unsigned reference = 10;
    double value;
    CLAIM(GetReal(shoe, &reference, 1, &value) == fmi2OK);
    return value;
}

/* The callbacks are on a stack frame that is later overwritten. */
static fmi2Component with_passing_callbacks(void) {
    fmi2CallbackFunctions passing = usual;
    fmi2Component shoe = Instantiate("shoe", fmi2CoSimulation, guid, location, &passing, fmi2False, fmi2True);
    const fmi2CallbackFunctions poisoned = {must_not_come, NULL, NULL, NULL, (void *)1};
    memcpy((void *)(volatile void *)&passing, &poisoned, sizeof passing);
    return shoe;
}

static void callbacks_may_go(void) {
    fmi2Component shoe = with_passing_callbacks();
    CLAIM(shoe && CancelStep(shoe) == fmi2Error && messages == 1);
    FreeInstance(shoe);
    /* Without callbacks or a logger, errors are not logged. */
    const fmi2CallbackFunctions silent = {NULL, NULL, NULL, NULL, NULL};
    const fmi2CallbackFunctions *few[] = {NULL, &silent};
    for (int i = 0; i < 2; ++i) {
        shoe = Instantiate("shoe", fmi2CoSimulation, guid, location, few[i], fmi2False, fmi2True);
        CLAIM(shoe && CancelStep(shoe) == fmi2Error && messages == 1);
        FreeInstance(shoe);
    }
}

static void texts_are_no_formats(void) {
    const unsigned reference = 0;
    const char *const text = "5%sine#r0#%n%s%.csv#", *const name = "100% #1 %s%n";
    fmi2Component shoe = instance(name, fmi2True);
    CLAIM(SetString(shoe, &reference, 1, &text) == fmi2Error);
    CLAIM(strstr(said, "100% #1 %s%n: valueReference 0 must refer to a variable of type String") == said);
    CLAIM(strstr(said, "'5%sine#r0#%n%s%.csv#' was rejected"));
    CLAIM(!strcmp(its_name, name)); /* plain text, not a format */
    FreeInstance(shoe);
    /* Long texts are truncated, but not within a pair or a multi-byte character. */
    static char long_text[3000];
    for (int shift = 0; shift < 4; ++shift)
        for (int kind = 0; kind < 3; ++kind) {
            const char *const piece = kind == 0 ? "%" : kind == 1 ? "#" : "\xe2\x89\xa5";
            memset(long_text, 'x', (size_t)shift);
            long_text[shift] = 0;
            while (strlen(long_text) + 4 < sizeof long_text) strcat(long_text, piece);
            shoe = instance(long_text, fmi2True);
            const char *const one = long_text;
            messages = 0;
            CLAIM(SetString(shoe, &reference, 1, &one) == fmi2Error && messages == 1);
            /* A long name does not hide the reason. */
            CLAIM(strstr(said, "valueReference 0 must refer to a variable of type String"));
            const char *end = said + strlen(said) - strlen(piece);
            CLAIM(!strcmp(end, piece));
            FreeInstance(shoe);
        }
}

static void failed_instantiation_says_why(void) {
    struct {
        const char *name, *guid;
        fmi2Type type;
        const char *reason;
    } wrong[] = {
        {NULL, guid, fmi2CoSimulation, "the instance must have a name"},
        {"", guid, fmi2CoSimulation, "the instance must have a name"},
        {"shoe", guid, fmi2ModelExchange, "the model supports co-simulation only"},
        {"shoe", NULL, fmi2CoSimulation, "guid=NULL must be {"},
        {"shoe", "{%s#}", fmi2CoSimulation, "guid={%s#} must be {"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        for (int logging = 0; logging < 2; ++logging) {
            messages = 0;
            CLAIM(!Instantiate(wrong[i].name, wrong[i].type, wrong[i].guid, location, &usual, fmi2False, logging));
            CLAIM(messages == 1 && strstr(said, wrong[i].reason));
            CLAIM(its_status == fmi2Error && !strcmp(its_category, "logStatusError"));
            CLAIM(!Instantiate(wrong[i].name, wrong[i].type, wrong[i].guid, location, NULL, fmi2False, logging));
        }
}

static void log_categories_filter(void) {
    fmi2Component shoe = instance("shoe", fmi2False);
    const char *const discards[] = {"logStatusDiscard"}, *const errors[] = {"logStatusError"};
    const char *const unknown[] = {"logStatusError", "logAnything"}, *const missing[] = {NULL};
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 0);
    CLAIM(SetDebugLogging(shoe, fmi2True, 0, NULL) == fmi2OK);
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 1);
    CLAIM(SetDebugLogging(shoe, fmi2True, 1, discards) == fmi2OK);
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 1);
    CLAIM(SetDebugLogging(shoe, fmi2True, 1, errors) == fmi2OK);
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 2);
    CLAIM(!strcmp(its_category, "logStatusError"));
    CLAIM(SetDebugLogging(shoe, fmi2True, 2, unknown) == fmi2Error && messages == 3);
    CLAIM(strstr(said, "category 'logAnything' must be one of: logStatusDiscard logStatusError"));
    CLAIM(SetDebugLogging(shoe, fmi2True, 1, missing) == fmi2Error);
    CLAIM(SetDebugLogging(shoe, fmi2True, 1, NULL) == fmi2Error && messages == 5);
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 6); /* unchanged */
    CLAIM(SetDebugLogging(shoe, fmi2False, 0, NULL) == fmi2OK);
    CLAIM(CancelStep(shoe) == fmi2Error && messages == 6);
    FreeInstance(shoe);
}

/* Other tests cover the parser of locations. This test covers the message. */
static void a_location_without_the_data_is_refused_with_the_reason(void) {
    struct {
        const char *location, *reason;
    } wrong[] = {
        {NULL, "fmuResourceLocation=NULL must be the URI of the unpacked FMU's folder 'resources'"},
        {"", "must be the URI of"},
        {"file:///there/is/no/such/folder", "/there/is/no/such/folder/instance.data' cannot be read: No such file"},
        {"/there/is/no/such/folder/", "/there/is/no/such/folder/instance.data' cannot be read: No such file"},
        {"file:///dev/%C3%A9%23%25", "cannot be read"},
        {"%s%n#", "cannot be read"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        for (int logging = 0; logging < 2; ++logging) {
            messages = 0;
            CLAIM(!Instantiate("shoe", fmi2CoSimulation, guid, wrong[i].location, &usual, fmi2False, logging));
            CLAIM(messages == 1 && strstr(said, wrong[i].reason));
            CLAIM(its_status == fmi2Error && !strcmp(its_category, "logStatusError"));
            CLAIM(!Instantiate("shoe", fmi2CoSimulation, guid, wrong[i].location, NULL, fmi2False, logging));
        }
    char longest[20000];
    memset(longest, 'a', sizeof longest);
    memcpy(longest, "file:///", 8);
    longest[sizeof longest - 1] = 0;
    CLAIM(!Instantiate("shoe", fmi2CoSimulation, guid, longest, &usual, fmi2False, fmi2False));
}

/* -- damaged instance data -------------------------------------------------------------------- */

static char spoilt_folder[4096];
static char data[1 << 16];

static size_t read_data(void) {
    char path[5000];
    snprintf(path, sizeof path, "%s/instance.data", folder);
    FILE *file = fopen(path, "rb");
    CLAIM(file);
    const size_t size = fread(data, 1, sizeof data, file);
    CLAIM(size > 100 && size < sizeof data && !fclose(file));
    const char *const temporary = getenv("TMPDIR");
    snprintf(spoilt_folder, sizeof spoilt_folder, "%s/spoiltXXXXXX", temporary ? temporary : "/tmp");
    CLAIM(mkdtemp(spoilt_folder));
    return size;
}

static fmi2Component with_data(const char *bytes, size_t size) {
    char path[5000];
    snprintf(path, sizeof path, "%s/instance.data", spoilt_folder);
    FILE *file = fopen(path, "wb");
    CLAIM(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
    return Instantiate("shoe", fmi2CoSimulation, guid, spoilt_folder, &usual, fmi2False, fmi2False);
}

static void forget_data(void) {
    char path[5000];
    snprintf(path, sizeof path, "%s/instance.data", spoilt_folder);
    CLAIM(!remove(path) && !remove(spoilt_folder));
}

static void no_byte_of_the_data_may_change(void) {
    const size_t size = read_data();
    fmi2Component shoe = with_data(data, size);
    CLAIM(shoe);
    FreeInstance(shoe);
    for (size_t at = 0; at < size; ++at) {
        const char kept = data[at];
        data[at] = (char)(kept ^ (1 << at % 8));
        CLAIM(!with_data(data, size) && (strstr(said, "is damaged") || strstr(said, "is not the instance data of an FMU")));
        data[at] = kept;
    }
    for (size_t cut = 0; cut < size; cut += 1 + cut / 50) CLAIM(!with_data(data, cut));
    CLAIM(!with_data(data, size + 1));
    forget_data();
}

static void a_refused_step_is_an_error_and_leaves_the_state(void) {
    fmi2Component shoe = initialised(fmi2False, 0.0), other = initialised(fmi2False, 0.0);
    const double wrong[][2] = {{0.3, 1e-3}, {0.05, 1e-3}, {0.1, 0.0},  {0.1, -1e-3},    {0.1, NAN},
                               {NAN, 1e-3}, {0.1, 1e-20}, {NAN, NAN},  {0.1, INFINITY}, {INFINITY, 1.0},
                               {0.1, 1e308}};
    const unsigned shaking = 0;
    const double large = 1e300, not_a_number = NAN;
    steps(shoe, 0, 100);
    steps(other, 0, 100);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        messages = 0;
        CLAIM(SetReal(shoe, &shaking, 1, &large) == fmi2OK); /* the last row fails in the kernel */
        CLAIM(DoStep(shoe, wrong[i][0], wrong[i][1], fmi2True) == fmi2Error);
        CLAIM(messages == 1 && its_status == fmi2Error && !strcmp(its_category, "logStatusError"));
    }
    CLAIM(SetReal(shoe, &shaking, 1, &not_a_number) == fmi2OK);
    CLAIM(DoStep(shoe, 0.1, step_size, fmi2True) == fmi2Error && strstr(said, "must be finite"));
    double time;
    CLAIM(GetRealStatus(shoe, fmi2LastSuccessfulTime, &time) == fmi2OK && fabs(time - 0.1) < 1e-15);
    steps(shoe, 100, 300);
    steps(other, 100, 300);
    CLAIM(wear_work(shoe) == wear_work(other) && wear_work(shoe) > 0.0);
    FreeInstance(shoe);
    FreeInstance(other);
    /* Steps before and after the permitted phases, and without a model. */
    const unsigned mass = first_parameter;
    const double negative = -1.0;
    shoe = instance("shoe", fmi2True);
    CLAIM(step(shoe, 0) == fmi2Error && SetReal(shoe, &mass, 1, &negative) == fmi2OK);
    CLAIM(EnterInitializationMode(shoe) == fmi2OK && ExitInitializationMode(shoe) == fmi2Error);
    CLAIM(its_status == fmi2Error && strstr(said, "must be > 0"));
    CLAIM(step(shoe, 0) == fmi2Error);
    CLAIM(Terminate(shoe) == fmi2OK && step(shoe, 0) == fmi2Error);
    FreeInstance(shoe);
}

/* All functions that take an instance, called without an instance. */
static void no_instance_is_an_error(void) {
    unsigned reference = 0;
    double real = 0.0;
    int integer = 1;
    size_t size = 0;
    const char *text = "x";
    char bytes[8] = "";
    fmi2Status status;
    fmi2FMUstate state = NULL;
    FreeInstance(NULL);
    const fmi2Status answers[] = {
        SetDebugLogging(NULL, 1, 0, NULL),
        SetupExperiment(NULL, 0, 0, 0, 0, 0),
        EnterInitializationMode(NULL),
        ExitInitializationMode(NULL),
        Terminate(NULL),
        Reset(NULL),
        GetReal(NULL, &reference, 1, &real),
        GetInteger(NULL, &reference, 1, &integer),
        GetBoolean(NULL, &reference, 1, &integer),
        GetString(NULL, &reference, 1, &text),
        SetReal(NULL, &reference, 1, &real),
        SetInteger(NULL, &reference, 1, &integer),
        SetBoolean(NULL, &reference, 1, &integer),
        SetString(NULL, &reference, 1, &text),
        GetFMUstate(NULL, &state),
        SetFMUstate(NULL, state),
        FreeFMUstate(NULL, &state),
        SerializedFMUstateSize(NULL, state, &size),
        SerializeFMUstate(NULL, state, bytes, sizeof bytes),
        DeSerializeFMUstate(NULL, bytes, sizeof bytes, &state),
        GetDirectionalDerivative(NULL, &reference, 1, &reference, 1, &real, &real),
        SetRealInputDerivatives(NULL, &reference, 1, &integer, &real),
        GetRealOutputDerivatives(NULL, &reference, 1, &integer, &real),
        DoStep(NULL, 0.0, step_size, fmi2True),
        CancelStep(NULL),
        GetStatus(NULL, fmi2DoStepStatus, &status),
        GetRealStatus(NULL, fmi2LastSuccessfulTime, &real),
        GetIntegerStatus(NULL, fmi2LastSuccessfulTime, &integer),
        GetBooleanStatus(NULL, fmi2Terminated, &integer),
        GetStringStatus(NULL, fmi2PendingStatus, &text),
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; ++i)
        if (answers[i] != fmi2Error) stop("call %d gave status %d", (int)i, (int)answers[i]);
}

/* All pointer arguments are NULL. */
static void no_array_is_an_error(void) {
    fmi2Component shoe = initialised(fmi2False, 0.0);
    steps(shoe, 0, 10);
    unsigned reference = 0, output = 10;
    double real = 0.0;
    int integer = 1;
    size_t size = 0;
    const char *text = "x", *none = NULL;
    static char bytes[16384];
    fmi2FMUstate state = NULL;
    CLAIM(GetFMUstate(shoe, &state) == fmi2OK);
    messages = 0;
    const fmi2Status answers[] = {
        SetDebugLogging(shoe, 1, 1, NULL),
        GetReal(shoe, NULL, 1, &real),
        GetReal(shoe, &reference, 1, NULL),
        GetInteger(shoe, NULL, 1, &integer),
        GetInteger(shoe, &reference, 1, NULL),
        GetBoolean(shoe, NULL, 1, &integer),
        GetBoolean(shoe, &reference, 1, NULL),
        GetString(shoe, NULL, 1, &text),
        GetString(shoe, &reference, 1, NULL),
        SetReal(shoe, NULL, 1, &real),
        SetReal(shoe, &reference, 1, NULL),
        SetInteger(shoe, NULL, 1, &integer),
        SetInteger(shoe, &reference, 1, NULL),
        SetBoolean(shoe, NULL, 1, &integer),
        SetBoolean(shoe, &reference, 1, NULL),
        SetString(shoe, NULL, 1, &text),
        SetString(shoe, &reference, 1, NULL),
        SetString(shoe, &reference, 1, &none),
        GetFMUstate(shoe, NULL),
        SetFMUstate(shoe, NULL),
        SerializedFMUstateSize(shoe, NULL, &size),
        SerializedFMUstateSize(shoe, state, NULL),
        SerializeFMUstate(shoe, NULL, bytes, sizeof bytes),
        SerializeFMUstate(shoe, state, NULL, sizeof bytes),
        DeSerializeFMUstate(shoe, NULL, sizeof bytes, &state),
        DeSerializeFMUstate(shoe, bytes, sizeof bytes, NULL),
        GetDirectionalDerivative(shoe, NULL, 1, &reference, 1, &real, &real),
        GetDirectionalDerivative(shoe, &output, 1, NULL, 1, &real, &real),
        GetDirectionalDerivative(shoe, &output, 1, &reference, 1, NULL, &real),
        GetDirectionalDerivative(shoe, &output, 1, &reference, 1, &real, NULL),
        SetRealInputDerivatives(shoe, NULL, 1, &integer, &real),
        SetRealInputDerivatives(shoe, &reference, 1, NULL, &real),
        SetRealInputDerivatives(shoe, &reference, 1, &integer, NULL),
        GetRealOutputDerivatives(shoe, NULL, 1, NULL, NULL),
        GetStatus(shoe, fmi2DoStepStatus, NULL),
        GetRealStatus(shoe, fmi2LastSuccessfulTime, NULL),
        GetIntegerStatus(shoe, fmi2LastSuccessfulTime, NULL),
        GetBooleanStatus(shoe, fmi2Terminated, NULL),
        GetStringStatus(shoe, fmi2PendingStatus, NULL),
    };
    const int count = sizeof answers / sizeof *answers;
    for (int i = 0; i < count; ++i)
        if (answers[i] != fmi2Error) stop("call %d gave status %d", i, (int)answers[i]);
    CLAIM(messages == count); /* each with its reason */
    /* A NULL array of length 0 is valid, and freeing NULL has no effect. */
    fmi2FMUstate empty = NULL;
    const fmi2Status harmless[] = {
        GetReal(shoe, NULL, 0, NULL),           GetInteger(shoe, NULL, 0, NULL),
        GetBoolean(shoe, NULL, 0, NULL),        GetString(shoe, NULL, 0, NULL),
        SetReal(shoe, NULL, 0, NULL),           SetInteger(shoe, NULL, 0, NULL),
        SetBoolean(shoe, NULL, 0, NULL),        SetString(shoe, NULL, 0, NULL),
        SetDebugLogging(shoe, 1, 0, NULL),      SetRealInputDerivatives(shoe, NULL, 0, NULL, NULL),
        FreeFMUstate(shoe, NULL),               FreeFMUstate(shoe, &empty),
        FreeFMUstate(shoe, &state),             FreeFMUstate(shoe, &state),
        GetDirectionalDerivative(shoe, NULL, 0, NULL, 0, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; ++i)
        if (harmless[i] != fmi2OK) stop("harmless call %d gave status %d", (int)i, (int)harmless[i]);
    steps(shoe, 10, 20);
    FreeInstance(shoe);
}

/* Calls all functions of an instance in any state. */
static void use(fmi2Component shoe) {
    const double number = 1.0;
    double value, time;
    int whole;
    for (unsigned reference = 0; reference < 64; ++reference) {
        GetReal(shoe, &reference, 1, &value);
        GetInteger(shoe, &reference, 1, &whole);
        GetBoolean(shoe, &reference, 1, &whole);
    }
    for (unsigned output = first_output; output < first_output + output_count; output += 7) {
        const unsigned input = output % 4;
        if (GetDirectionalDerivative(shoe, &output, 1, &input, 1, &number, &value) == fmi2OK)
            CLAIM(isfinite(value));
    }
    if (GetRealStatus(shoe, fmi2LastSuccessfulTime, &time) == fmi2OK) DoStep(shoe, time, 1e-6, fmi2True);
    CLAIM(DoStep(shoe, -step_size, step_size, fmi2True) == fmi2Error);
}

static uint64_t drawn = 88172645463325252u;
static uint64_t draw(void) { /* xorshift: Marsaglia 2003 */
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    return drawn ^= drawn << 17;
}

/* Writes the CRC-32 of ISO 3309, computed bit by bit, to the end of a state. */
static void seal(char *state, size_t size) {
    uint32_t sum = 0xffffffffu;
    for (size_t i = 0; i + sizeof sum < size; ++i) {
        sum ^= (unsigned char)state[i];
        for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    }
    sum = ~sum;
    memcpy(state + size - sizeof sum, &sum, sizeof sum);
}

/* Any change of a byte is detected: each of its bits, or all of them. */
static void an_altered_byte_is_found(void) {
    static char good[16384];
    fmi2Component shoe = initialised(fmi2False, 0.0), other = initialised(fmi2False, 0.0);
    fmi2FMUstate state = NULL;
    size_t size;
    steps(shoe, 0, 50);
    steps(other, 0, 50);
    CLAIM(GetFMUstate(shoe, &state) == fmi2OK && SerializedFMUstateSize(shoe, state, &size) == fmi2OK);
    CLAIM(size <= sizeof good && SerializeFMUstate(shoe, state, good, size) == fmi2OK);
    CLAIM(FreeFMUstate(shoe, &state) == fmi2OK);
    for (size_t at = 0; at < size; ++at)
        for (int bit = 0; bit <= 8; ++bit) {
            const char before = good[at];
            good[at] ^= (char)(bit < 8 ? 1 << bit : 0xff);
            CLAIM(DeSerializeFMUstate(shoe, good, size, &state) == fmi2Error && !state);
            CLAIM(strstr(said, at < strlen(guid) ? "it was saved by another model or by another version of it" : "cannot be restored"));
            good[at] = before;
        }
    CLAIM(DeSerializeFMUstate(shoe, good, size, &state) == fmi2OK);
    CLAIM(SetFMUstate(shoe, state) == fmi2OK && FreeFMUstate(shoe, &state) == fmi2OK);
    steps(shoe, 50, 100);
    steps(other, 50, 100);
    CLAIM(wear_work(shoe) == wear_work(other));
    FreeInstance(shoe);
    FreeInstance(other);
}

/* An invalid value of an FMI enumeration is an error. */
static void enumerations_outside_their_range_are_errors(void) {
    const int wrong[] = {-1, 2, 4, 77, 2147483647, -2147483647 - 1};
    fmi2Component shoe = initialised(fmi2False, 0.0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const int number = wrong[i];
        CLAIM(!Instantiate("shoe", (fmi2Type)number, guid, location, &usual, fmi2False, fmi2False));
        CLAIM(strstr(said, "co-simulation only"));
        const fmi2StatusKind kind = (fmi2StatusKind)number;
        double real;
        int whole;
        const char *text;
        fmi2Status status;
        const int is_kind = number == 2; /* 2 is a valid status */
        messages = 0;
        CLAIM(GetStatus(shoe, kind, &status) == (is_kind ? fmi2Discard : fmi2Error));
        CLAIM(GetRealStatus(shoe, kind, &real) == (is_kind ? fmi2OK : fmi2Error));
        CLAIM(GetIntegerStatus(shoe, kind, &whole) == (is_kind ? fmi2Discard : fmi2Error));
        CLAIM(GetBooleanStatus(shoe, kind, &whole) == (is_kind ? fmi2Discard : fmi2Error));
        CLAIM(GetStringStatus(shoe, kind, &text) == (is_kind ? fmi2Discard : fmi2Error));
        CLAIM(messages == (is_kind ? 0 : 5) && (is_kind || strstr(said, "must be 0 to 3")));
    }
    steps(shoe, 0, 10);
    FreeInstance(shoe);
}

/* If memory is exhausted, calls return errors, and calls that need no memory succeed. */
static void without_memory_calls_are_errors(void) {
    enum { MOST = 4096 };
    static fmi2Component crowd[MOST];
    static char bytes[16384];
    fmi2Component shoe = initialised(fmi2False, 0.0), other = initialised(fmi2False, 0.0);
    const unsigned output = first_output, input = 0;
    const double number = 1.0;
    double value;
    fmi2FMUstate state = NULL, empty = NULL;
    size_t size;
    int count = 0;
    steps(shoe, 0, 10);
    steps(other, 0, 10);
    CLAIM(GetFMUstate(shoe, &state) == fmi2OK && SerializedFMUstateSize(shoe, state, &size) == fmi2OK);
    CLAIM(SerializeFMUstate(shoe, state, bytes, size) == fmi2OK);
    const struct rlimit little = {64 << 20, RLIM_INFINITY};
    CLAIM(!setrlimit(RLIMIT_AS, &little));
    messages = 0;
    for (; count < MOST; ++count)
        if (!(crowd[count] = Instantiate("shoe", fmi2CoSimulation, guid, location, &usual, fmi2False, fmi2True))) break;
    CLAIM(count < MOST && messages == 1 && strstr(said, "there is not enough memory"));
    void *rest[4096];
    int rests = 0;
    for (size_t part = 1 << 16; part > 64; part /= 2) /* also the gaps between large blocks */
        while (rests < 4096 && (rest[rests] = malloc(part))) ++rests;
    CLAIM(rests < 4096);
    CLAIM(GetFMUstate(shoe, &empty) == fmi2Error && !empty && strstr(said, "not enough memory"));
    CLAIM(DeSerializeFMUstate(shoe, bytes, size, &empty) == fmi2Error && !empty);
    CLAIM(strstr(said, "not enough memory"));
    CLAIM(Reset(shoe) == fmi2Error && strstr(said, "not enough memory"));
    CLAIM(GetDirectionalDerivative(shoe, &output, 1, &input, 1, &number, &value) == fmi2Error);
    CLAIM(strstr(said, "not enough memory"));
    CLAIM(SetFMUstate(shoe, state) == fmi2OK);
    steps(shoe, 10, 100); /* a step needs no memory */
    while (rests > 0) free(rest[--rests]);
    while (count > 0) FreeInstance(crowd[--count]);
    CLAIM(DeSerializeFMUstate(shoe, bytes, size, &empty) == fmi2OK && FreeFMUstate(shoe, &empty) == fmi2OK);
    CLAIM(FreeFMUstate(shoe, &state) == fmi2OK);
    steps(other, 10, 100);
    CLAIM(wear_work(shoe) == wear_work(other));
    FreeInstance(shoe);
    FreeInstance(other);
}

/* Outputs of a restored state are finite, and its counts are not negative. */
static void require_sound_outputs(fmi2Component shoe) {
    double value;
    int whole;
    for (unsigned reference = first_output; reference < first_output + output_count; ++reference) {
        if (GetReal(shoe, &reference, 1, &value) == fmi2OK) CLAIM(isfinite(value));
        if (GetInteger(shoe, &reference, 1, &whole) == fmi2OK) CLAIM(whole >= 0);
    }
}

/* Invalid or nearly valid states are refused or are harmless, and are stable when written again. */
static void garbage_states_do_no_harm(void) {
    enum { MOST = 16384 };
    static char good[MOST], spoilt[MOST], once[MOST], twice[MOST];
    static const double numbers[] = {NAN, INFINITY, -INFINITY, -1.0, 0.5, 2147483647.0, 2147483648.0,
                                     1e300, -1e300, 5e-324, 7.0, 0.0};
    const int kinds = sizeof numbers / sizeof *numbers;
    fmi2Component shoes[] = {instance("young", fmi2True), initialised(fmi2False, 0.0)};
    steps(shoes[1], 0, 300);
    int taken = 0, refused = 0;
    for (int age = 0; age < 2; ++age) {
        fmi2Component shoe = shoes[age];
        fmi2FMUstate state = NULL, kept = NULL;
        size_t size;
        CLAIM(GetFMUstate(shoe, &kept) == fmi2OK);
        CLAIM(SerializedFMUstateSize(shoe, kept, &size) == fmi2OK && size <= MOST);
        CLAIM(SerializeFMUstate(shoe, kept, good, size) == fmi2OK);
        /* Each word replaced by each number, then random bytes at random places, then all bytes. */
        for (size_t trial = 0; trial < size / 8 * kinds + 4000; ++trial) {
            memcpy(spoilt, good, size);
            const size_t word = trial / kinds;
            if (word < size / 8) memcpy(spoilt + 8 * word, &numbers[trial % kinds], 8);
            else if (trial % 4)
                for (uint64_t left = 1 + draw() % 4; left > 0; --left) spoilt[draw() % size] = (char)draw();
            else
                for (size_t i = 0; i < size; ++i) spoilt[i] = (char)draw();
            if (trial % 5) seal(spoilt, size);
            if (DeSerializeFMUstate(shoe, spoilt, size, &state) != fmi2OK) {
                CLAIM(!state && strstr(said, "the state cannot be restored"));
                ++refused;
                continue;
            }
            ++taken;
            /* NaN is not valid in guid, phase, flags and times of a running instance. */
            CLAIM(age == 0 || word >= 10 || !isnan(numbers[trial % kinds]));
            CLAIM(SerializeFMUstate(shoe, state, once, size) == fmi2OK);
            CLAIM(SetFMUstate(shoe, state) == fmi2OK);
            require_sound_outputs(shoe);
            use(shoe);
            require_sound_outputs(shoe);
            CLAIM(FreeFMUstate(shoe, &state) == fmi2OK && !state);
            CLAIM(DeSerializeFMUstate(shoe, once, size, &state) == fmi2OK);
            CLAIM(SerializeFMUstate(shoe, state, twice, size) == fmi2OK);
            CLAIM(!memcmp(once, twice, size));
            CLAIM(FreeFMUstate(shoe, &state) == fmi2OK);
            CLAIM(SetFMUstate(shoe, kept) == fmi2OK);
        }
        CLAIM(FreeFMUstate(shoe, &kept) == fmi2OK);
    }
    CLAIM(taken > 1000 && refused > 1000);
    steps(shoes[1], 300, 400);
    FreeInstance(shoes[0]);
    FreeInstance(shoes[1]);
}

/* Invalid instance data is refused. Data with a valid checksum may be accepted if harmless. */
static void garbage_data_does_no_harm(void) {
    static char spoilt[sizeof data];
    const size_t size = read_data(), trials = getenv("WEARFMU_CAMPAIGN") ? 10000 : 1000;
    const size_t marks = 17 + 22 + 64; /* keeps mark and form, so that more is read */
    int taken = 0, refused = 0;
    for (size_t trial = 0; trial < trials; ++trial) {
        size_t length = size;
        memcpy(spoilt, data, size);
        if (trial % 4 == 0) {
            length = draw() % size;
            for (size_t i = trial % 8 ? marks : 0; i < length; ++i) spoilt[i] = (char)draw();
        } else
            for (uint64_t left = 1 + draw() % 3; left > 0; --left) {
                static const int32_t counts[] = {-1, 0, 1, 2, 3, 7, 255, 65536, 16777215, 2147483647};
                const size_t at = marks + draw() % (size - marks - 8);
                if (draw() % 2) memcpy(spoilt + at, &counts[draw() % 10], 4);
                else spoilt[at] = (char)draw();
            }
        if (trial % 5 && length > 8) seal(spoilt, length);
        fmi2Component shoe = with_data(spoilt, length);
        if (!shoe) {
            ++refused;
            continue;
        }
        ++taken;
        use(shoe);
        fmi2FMUstate state = NULL;
        if (SetupExperiment(shoe, fmi2False, 0.0, 0.0, fmi2False, 0.0) == fmi2OK &&
            EnterInitializationMode(shoe) == fmi2OK && ExitInitializationMode(shoe) == fmi2OK) {
            for (int number = 0; number < 3; ++number) DoStep(shoe, number * step_size, step_size, fmi2True);
            if (GetFMUstate(shoe, &state) == fmi2OK) FreeFMUstate(shoe, &state);
        }
        use(shoe);
        FreeInstance(shoe);
    }
    forget_data();
    CLAIM(taken > (int)trials / 100 && refused > (int)trials / 10);
}

/* Non-integer enumerations, integers and booleans are refused, with or without a model. */
static void integers_from_bytes_are_integers(void) {
    static char good[16384], spoilt[16384];
    const double numbers[] = {NAN, INFINITY, 0.5, 2147483648.0, -2147483649.0};
    for (int age = 0; age < 2; ++age) {
        fmi2Component shoe = age ? initialised(fmi2False, 0.0) : instance("young", fmi2True);
        fmi2FMUstate state = NULL;
        size_t size;
        CLAIM(GetFMUstate(shoe, &state) == fmi2OK && SerializedFMUstateSize(shoe, state, &size) == fmi2OK);
        CLAIM(SerializeFMUstate(shoe, state, good, size) == fmi2OK && FreeFMUstate(shoe, &state) == fmi2OK);
        int parameters = 0;
        for (unsigned reference = first_parameter; reference < 64; ++reference) {
            int value, changed, is_boolean;
            is_boolean = GetBoolean(shoe, &reference, 1, &value) == fmi2OK;
            if (!is_boolean && GetInteger(shoe, &reference, 1, &value) != fmi2OK) continue;
            ++parameters;
            /* Position in the bytes: values are stored in the order of their references. */
            const size_t values = 40 + 24 + 24, at = values + 8 * reference;
            double there;
            memcpy(&there, good + at, sizeof there);
            CLAIM(there == (double)value);
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
                memcpy(spoilt, good, size);
                memcpy(spoilt + at, &numbers[i], sizeof numbers[i]);
                seal(spoilt, size);
                CLAIM(DeSerializeFMUstate(shoe, spoilt, size, &state) == fmi2Error && !state);
                CLAIM(strstr(said, "must be a 32-bit Integer"));
            }
            CLAIM(is_boolean ? GetBoolean(shoe, &reference, 1, &changed) == fmi2OK
                             : GetInteger(shoe, &reference, 1, &changed) == fmi2OK);
            CLAIM(changed == value);
        }
        CLAIM(parameters >= 5); /* three enumerations, an order, a boolean */
        FreeInstance(shoe);
    }
}

static const struct {
    const char *name;
    void (*check)(void);
} claims[] = {
    {"callbacks_may_go", callbacks_may_go},
    {"texts_are_no_formats", texts_are_no_formats},
    {"failed_instantiation_says_why", failed_instantiation_says_why},
    {"log_categories_filter", log_categories_filter},
    {"a_location_without_the_data_is_refused_with_the_reason", a_location_without_the_data_is_refused_with_the_reason},
    {"no_byte_of_the_data_may_change", no_byte_of_the_data_may_change},
    {"garbage_data_does_no_harm", garbage_data_does_no_harm},
    {"a_refused_step_is_an_error_and_leaves_the_state", a_refused_step_is_an_error_and_leaves_the_state},
    {"no_instance_is_an_error", no_instance_is_an_error},
    {"no_array_is_an_error", no_array_is_an_error},
    {"an_altered_byte_is_found", an_altered_byte_is_found},
    {"enumerations_outside_their_range_are_errors", enumerations_outside_their_range_are_errors},
    {"without_memory_calls_are_errors", without_memory_calls_are_errors},
    {"garbage_states_do_no_harm", garbage_states_do_no_harm},
    {"integers_from_bytes_are_integers", integers_from_bytes_are_integers},
};

int main(int count, char **arguments) {
    if (count != 5) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
#define FOUND(name)                                                                                  \
    if (!(*(void **)&name = dlsym(library, "fmi2" #name))) return 2;
    FUNCTIONS(FOUND)
    guid = arguments[2];
    folder = arguments[3];
    snprintf(location, sizeof location, "file://%s", folder);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; ++i)
        if (!strcmp(claims[i].name, arguments[4])) {
            claims[i].check();
            return 0;
        }
    fprintf(stderr, "there is no claim %s\n", arguments[4]);
    return 2;
}
