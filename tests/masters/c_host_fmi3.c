/* Slaves of FMI 3.0 for the C host. */
#include <stdint.h>

#include "c_host.h"

typedef int (*Access)(void *, const unsigned *, size_t, void *, size_t);
typedef int (*DoStep)(void *, double, double, bool, bool *, bool *, bool *, double *);

static void print_log(void *environment, int status, const char *category, const char *message) {
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

static void set(Slave *slave, const char *type, unsigned reference, const char *text) {
    double real = atof(text);
    int32_t integer = atoi(text);
    int64_t number = integer;
    bool boolean = integer != 0;
    const char *name = "fmi3SetInt32";
    void *value = &integer;
    if (!strcmp(type, "real")) name = "fmi3SetFloat64", value = &real;
    if (!strcmp(type, "enumeration")) name = "fmi3SetInt64", value = &number;
    if (!strcmp(type, "boolean")) name = "fmi3SetBoolean", value = &boolean;
    if (!strcmp(type, "string")) name = "fmi3SetString", value = &text;
    Access setter = symbol(slave, name);
    check(setter(slave->instance, &reference, 1, value, 1), name);
}

static double get_real(Slave *slave, unsigned reference) {
    double value;
    check(((Access)slave->get_reals)(slave->instance, &reference, 1, &value, 1), "fmi3GetFloat64");
    return value;
}

static void set_real(Slave *slave, unsigned reference, double value) {
    check(((Access)slave->set_reals)(slave->instance, &reference, 1, &value, 1), "fmi3SetFloat64");
}

static void call(Slave *slave, const char *name) {
    int (*function)(void *) = symbol(slave, name);
    check(function(slave->instance), name);
}

static void enter_initialisation(Slave *slave) {
    int (*enter)(void *, bool, double, double, bool, double) =
        symbol(slave, "fmi3EnterInitializationMode");
    check(enter(slave->instance, false, 0.0, 0.0, false, 0.0), "fmi3EnterInitializationMode");
}

/* The slave must be in event mode. */
static void update_discrete_states(Slave *slave) {
    bool again = true, ends, nominals, values, has_next;
    double next;
    int (*update)(void *, bool *, bool *, bool *, bool *, bool *, double *) =
        symbol(slave, "fmi3UpdateDiscreteStates");
    while (again) {
        check(update(slave->instance, &again, &ends, &nominals, &values, &has_next, &next),
              "fmi3UpdateDiscreteStates");
        check(ends ? 3 : 0, "the FMU asks to end the simulation");
    }
    call(slave, "fmi3EnterStepMode");
}

static void exit_initialisation(Slave *slave) {
    call(slave, "fmi3ExitInitializationMode");
    if (slave->pass_event) update_discrete_states(slave);
}

static void pass_event(Slave *slave) {
    call(slave, "fmi3EnterEventMode");
    update_discrete_states(slave);
}

static double step(Slave *slave, double time, double step_size, bool *has_event) {
    bool ends, early;
    double reached;
    int status = ((DoStep)slave->do_step)(slave->instance, time, step_size, true, has_event, &ends,
                                          &early, &reached);
    check(status, "fmi3DoStep");
    check(ends ? 3 : 0, "the FMU asks to end the simulation");
    check(early && !slave->pass_event ? 3 : 0, "fmi3DoStep returned early");
    return early ? reached : time + step_size;
}

static void end(Slave *slave) {
    call(slave, "fmi3Terminate");
    void (*release)(void *) = symbol(slave, "fmi3FreeInstance");
    release(slave->instance);
}

Slave load_fmi3(const char *name, const char *folder, const char *token, bool stops_at_events) {
    Slave slave = {.set = set,
                   .get_real = get_real,
                   .set_real = set_real,
                   .enter_initialisation = enter_initialisation,
                   .exit_initialisation = exit_initialisation,
                   .step = step,
                   .pass_event = stops_at_events ? pass_event : NULL,
                   .end = end};
    char path[4096], resources[4096];
    snprintf(path, sizeof path, "%s/binaries/x86_64-linux/%s.so", folder, name);
    snprintf(resources, sizeof resources, "%s/resources/", folder);
    slave.library = present(dlopen(path, RTLD_NOW | RTLD_LOCAL), path);
    void *(*instantiate)(const char *, const char *, const char *, bool, bool, bool, bool,
                         const unsigned *, size_t, void *,
                         void (*)(void *, int, const char *, const char *), void *) =
        symbol(&slave, "fmi3InstantiateCoSimulation");
    slave.instance = present(instantiate(name, token, resources, false, true, stops_at_events,
                                         stops_at_events, NULL, 0, NULL, print_log, NULL),
                             "fmi3InstantiateCoSimulation failed");
    slave.get_reals = symbol(&slave, "fmi3GetFloat64");
    slave.set_reals = symbol(&slave, "fmi3SetFloat64");
    slave.do_step = symbol(&slave, "fmi3DoStep");
    return slave;
}
