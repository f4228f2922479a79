/* A C host for a native FMU of FMI 2.0. Each step sets an input and reads three outputs.

       host LIBRARY GUID STEP_SIZE STEPS AMPLITUDE DERIVATIVES REFERENCE=VALUE ... : READ ...

   REFERENCE is a Real, REFERENCEi an Integer, REFERENCEb a Boolean. The input with reference 0, or
   with the reference in the environment variable INPUT, is AMPLITUDE sin 2πt. With DERIVATIVES = n > 0, its derivatives up to order n are also set. If the
   environment variable SAMPLES is the path of a file, it contains a number for each step, which
   replaces sin 2πt. With AMPLITUDE 0, no input is set. Prints the outputs READ at the end and the
   CPU seconds of the steps, minus the seconds of the same loop without calls of the FMU. */
#include "host_process.h"

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *step_finished, *environment;
} Callbacks;

static void print_log(void *environment, const char *name, int status, const char *category,
                      const char *message, ...) {
    (void)environment, (void)name, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

/* The input and its derivatives at a given time. */
static void sine(double amplitude, double t, double values[4]) {
    double size = amplitude, phase = omega * t;
    values[0] = size * sin(phase);
    values[1] = (size *= omega) * cos(phase);
    values[2] = -(size *= omega) * sin(phase);
    values[3] = -(size *= omega) * cos(phase);
}

int main(int count, char **arguments) {
    if (count < 7) return 2;
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    static const Callbacks callbacks = {print_log, calloc, free, NULL, NULL};
    void *(*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int, int) =
        symbol("fmi2Instantiate");
    int (*set_up)(void *, int, double, double, int, double) = symbol("fmi2SetupExperiment");
    int (*enter)(void *) = symbol("fmi2EnterInitializationMode");
    int (*leave)(void *) = symbol("fmi2ExitInitializationMode");
    int (*set_real)(void *, const unsigned *, size_t, const double *) = symbol("fmi2SetReal");
    int (*set_integer)(void *, const unsigned *, size_t, const int *) = symbol("fmi2SetInteger");
    int (*set_boolean)(void *, const unsigned *, size_t, const int *) = symbol("fmi2SetBoolean");
    int (*set_derivatives)(void *, const unsigned *, size_t, const int *, const double *) =
        symbol("fmi2SetRealInputDerivatives");
    int (*get_real)(void *, const unsigned *, size_t, double *) = symbol("fmi2GetReal");
    int (*do_step)(void *, double, double, int) = symbol("fmi2DoStep");
    void (*free_instance)(void *) = symbol("fmi2FreeInstance");

    /* A Python FMU is located by its resources folder: LIBRARY is FOLDER/binaries/linux64/x. */
    char resources[4096] = "file://";
    strncat(resources, arguments[1], sizeof resources - 64);
    for (int level = 0; level < 3 && strrchr(resources, '/'); ++level) *strrchr(resources, '/') = 0;
    strcat(resources, "/resources");
    void *slave = instantiate("hosted", 1, arguments[2], resources, &callbacks, 0, 1);
    if (!slave) return 1;
    double step_size = atof(arguments[3]), amplitude = atof(arguments[5]);
    long steps = atol(arguments[4]);
    int order = atoi(arguments[6]), argument = 7, reads = 0;
    int whole;
    unsigned reference, read[64];
    double value, values[64], input[4];
    for (; argument < count && strcmp(arguments[argument], ":") != 0; ++argument) {
        char kind = '=';
        sscanf(arguments[argument], "%u%c", &reference, &kind);
        value = atof(strchr(arguments[argument], '=') + 1);
        whole = (int)value;
        if (kind == 'i') check(set_integer(slave, &reference, 1, &whole), "fmi2SetInteger");
        else if (kind == 'b') check(set_boolean(slave, &reference, 1, &whole), "fmi2SetBoolean");
        else check(set_real(slave, &reference, 1, &value), "fmi2SetReal");
    }
    for (++argument; argument < count && reads < 64; ++argument)
        read[reads++] = (unsigned)atoi(arguments[argument]);

    check(set_up(slave, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment");
    check(enter(slave), "fmi2EnterInitializationMode");
    check(leave(slave), "fmi2ExitInitializationMode");

    const double *samples = read_samples(getenv("SAMPLES"), steps);
    const unsigned fed = input_reference(), feds[3] = {fed, fed, fed};
    const int orders[3] = {1, 2, 3};
    double began = seconds(), sum = 0.0;
    for (long step = 0; step < steps; ++step) {
        sine(amplitude, (double)step * step_size, input);
        sum += input[0] + input[order];
    }
    double without = seconds() - began;
    began = seconds();
    for (long step = 0; step < steps; ++step) {
        double now = (double)step * step_size;
        sine(amplitude, now, input);
        if (samples) input[0] = amplitude * samples[step];
        sum -= input[0] + input[order];
        if (amplitude != 0.0) check(set_real(slave, &fed, 1, input), "fmi2SetReal");
        if (order) check(set_derivatives(slave, feds, (size_t)order, orders, input + 1), "derivatives");
        check(do_step(slave, now, step_size, 1), "fmi2DoStep");
        check(get_real(slave, read, (size_t)reads, values), "fmi2GetReal");
    }
    double with = seconds() - began;
    for (int i = 0; i < reads; ++i) printf("%.17g ", values[i]);
    printf("%.9f\n", with - without + 0.0 * sum);
    free_instance(slave);
    return 0;
}
