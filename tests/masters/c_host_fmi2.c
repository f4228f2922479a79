/* Slaves of FMI 2.0 for the C host. */
#include "c_host.h"

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *step_finished, *environment;
} Callbacks;

static void print_log(void *environment, const char *name, int status, const char *category,
                      const char *message, ...) {
    va_list arguments;
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s: ", name);
    va_start(arguments, message);
    vfprintf(stderr, message, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static const Callbacks callbacks = {print_log, calloc, free, NULL, NULL};

typedef int (*Access)(void *, const unsigned *, size_t, void *);
typedef int (*DoStep)(void *, double, double, int);

static void set(Slave *slave, const char *type, unsigned reference, const char *text) {
    double real = atof(text);
    int integer = atoi(text);
    const char *name = "fmi2SetInteger";
    void *value = &integer;
    if (!strcmp(type, "real")) name = "fmi2SetReal", value = &real;
    if (!strcmp(type, "boolean")) name = "fmi2SetBoolean";
    if (!strcmp(type, "string")) name = "fmi2SetString", value = &text;
    Access setter = symbol(slave, name);
    check(setter(slave->instance, &reference, 1, value), name);
}

static double get_real(Slave *slave, unsigned reference) {
    double value;
    check(((Access)slave->get_reals)(slave->instance, &reference, 1, &value), "fmi2GetReal");
    return value;
}

static void set_real(Slave *slave, unsigned reference, double value) {
    check(((Access)slave->set_reals)(slave->instance, &reference, 1, &value), "fmi2SetReal");
}

static void call(Slave *slave, const char *name) {
    int (*function)(void *) = symbol(slave, name);
    check(function(slave->instance), name);
}

static void enter_initialisation(Slave *slave) {
    int (*set_up)(void *, int, double, double, int, double) = symbol(slave, "fmi2SetupExperiment");
    check(set_up(slave->instance, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment");
    call(slave, "fmi2EnterInitializationMode");
}

static void exit_initialisation(Slave *slave) { call(slave, "fmi2ExitInitializationMode"); }

static double step(Slave *slave, double time, double step_size, bool *has_event) {
    check(((DoStep)slave->do_step)(slave->instance, time, step_size, 1), "fmi2DoStep");
    *has_event = false;
    return time + step_size;
}

static void end(Slave *slave) {
    call(slave, "fmi2Terminate");
    void (*release)(void *) = symbol(slave, "fmi2FreeInstance");
    release(slave->instance);
}

Slave load_fmi2(const char *name, const char *folder, const char *guid) {
    Slave slave = {.set = set,
                   .get_real = get_real,
                   .set_real = set_real,
                   .enter_initialisation = enter_initialisation,
                   .exit_initialisation = exit_initialisation,
                   .step = step,
                   .end = end};
    char path[4096], uri[4096];
    snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", folder, name);
    snprintf(uri, sizeof uri, "file://%s/resources", folder);
    slave.library = present(dlopen(path, RTLD_NOW | RTLD_LOCAL), path);
    void *(*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int,
                         int) = symbol(&slave, "fmi2Instantiate");
    slave.instance =
        present(instantiate(name, 1, guid, uri, &callbacks, 0, 1), "fmi2Instantiate failed");
    slave.get_reals = symbol(&slave, "fmi2GetReal");
    slave.set_reals = symbol(&slave, "fmi2SetReal");
    slave.do_step = symbol(&slave, "fmi2DoStep");
    return slave;
}
