/* A C host for a native FMU of FMI 3.0, as host.c for FMI 2.0. Each step sets an input and reads
   outputs.

       host3 LIBRARY RESOURCES TOKEN STEP_SIZE STEPS AMPLITUDE REFERENCE=VALUE ... : READ ...

   REFERENCE is a Float64, REFERENCEe an Enumeration, REFERENCEb a Boolean. The input with reference
   0, or with the reference in the environment variable INPUT, is AMPLITUDE sin 2πt. With AMPLITUDE 0, no input is set. If the environment variable SAMPLES is
   the path of a file, it contains a number for each step, which replaces sin 2πt. Prints the
   outputs READ at the end and the CPU seconds of the steps, minus the seconds of the same loop
   without calls of the FMU. */
#include <stdbool.h>
#include <stdint.h>
#include "host_process.h"

static void print_log(void *environment, int status, const char *category, const char *message) {
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

int main(int count, char **arguments) {
    if (count < 7) return 2;
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    typedef void Logger(void *, int, const char *, const char *);
    void *(*instantiate)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
                         void *, Logger *, void *) = symbol("fmi3InstantiateCoSimulation");
    int (*enter)(void *, bool, double, double, bool, double) = symbol("fmi3EnterInitializationMode");
    int (*leave)(void *) = symbol("fmi3ExitInitializationMode");
    int (*set_float)(void *, const uint32_t *, size_t, const double *, size_t) = symbol("fmi3SetFloat64");
    int (*set_enumeration)(void *, const uint32_t *, size_t, const int64_t *, size_t) = symbol("fmi3SetInt64");
    int (*set_boolean)(void *, const uint32_t *, size_t, const bool *, size_t) = symbol("fmi3SetBoolean");
    int (*get_float)(void *, const uint32_t *, size_t, double *, size_t) = symbol("fmi3GetFloat64");
    int (*do_step)(void *, double, double, bool, bool *, bool *, bool *, double *) = symbol("fmi3DoStep");
    void (*free_instance)(void *) = symbol("fmi3FreeInstance");

    void *slave = instantiate("hosted", arguments[3], arguments[2], false, true, false, false, NULL, 0, NULL,
                              print_log, NULL);
    if (!slave) return 1;
    double step_size = atof(arguments[4]), amplitude = atof(arguments[6]);
    long steps = atol(arguments[5]);
    int argument = 7;
    size_t reads = 0;
    uint32_t reference, read[64];
    double value, values[64];
    for (; argument < count && strcmp(arguments[argument], ":") != 0; ++argument) {
        char kind = '=';
        sscanf(arguments[argument], "%u%c", &reference, &kind);
        value = atof(strchr(arguments[argument], '=') + 1);
        int64_t number = (int64_t)value;
        bool flag = value != 0.0;
        if (kind == 'e') check(set_enumeration(slave, &reference, 1, &number, 1), "fmi3SetInt64");
        else if (kind == 'b') check(set_boolean(slave, &reference, 1, &flag, 1), "fmi3SetBoolean");
        else check(set_float(slave, &reference, 1, &value, 1), "fmi3SetFloat64");
    }
    for (++argument; argument < count && reads < 64; ++argument) read[reads++] = (uint32_t)atoi(arguments[argument]);

    check(enter(slave, false, 0.0, 0.0, false, 0.0), "fmi3EnterInitializationMode");
    check(leave(slave), "fmi3ExitInitializationMode");

    const double *samples = read_samples(getenv("SAMPLES"), steps);
    const uint32_t fed = input_reference();
    double began = seconds(), sum = 0.0, input, last;
    for (long step = 0; step < steps; ++step) sum += amplitude * sin(omega * ((double)step * step_size));
    double without = seconds() - began;
    began = seconds();
    for (long step = 0; step < steps; ++step) {
        double now = (double)step * step_size;
        bool event, terminate, early;
        input = amplitude * (samples ? samples[step] : sin(omega * now));
        sum -= input;
        if (amplitude != 0.0) check(set_float(slave, &fed, 1, &input, 1), "fmi3SetFloat64");
        check(do_step(slave, now, step_size, true, &event, &terminate, &early, &last), "fmi3DoStep");
        check(get_float(slave, read, reads, values, reads), "fmi3GetFloat64");
    }
    double with = seconds() - began;
    for (size_t i = 0; i < reads; ++i) printf("%.17g ", values[i]);
    printf("%.9f\n", with - without + 0.0 * sum);
    free_instance(slave);
    return 0;
}
