/* A master in C for FMI 2.0 co-simulation FMUs that are extracted to folders.

       cc -O2 -o c_host c_host.c -ldl
       ./c_host STEP_SIZE NAME FOLDER GUID [NAME FOLDER GUID]... < orders

   Orders, one a line; i and j count the FMUs from 0, r and s are value references:
       real i r value    integer i r value    boolean i r value    string i r text
                                   start values
       connect i r j s             before each step: real output r of i to real input s of j
       read i r                    one more real that "run" prints
       run n                       n more steps; prints time, values, seconds that they took
   The first "run" initialises all. Exit: 0, 1 an FMI call failed, 2 nothing could be loaded. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *step_finished, *environment;
} Callbacks;

typedef struct {
    void *library, *instance;
    int (*set_real)(void *, const unsigned *, size_t, const double *);
    int (*get_real)(void *, const unsigned *, size_t, double *);
    int (*do_step)(void *, double, double, int);
} Slave;

typedef struct {
    unsigned from, output, to, input;
} Connection;

static Slave slaves[MOST];
static Connection connections[MOST];
static unsigned slave_count, connection_count;

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

static void *found(void *address) {
    if (address) return address;
    const char *reason = dlerror();
    fprintf(stderr, "%s\n", reason ? reason : "fmi2Instantiate failed");
    exit(2);
}

static void *symbol(const Slave *slave, const char *name) {
    return found(dlsym(slave->library, name));
}

static void check(int status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "%s: FMI status %d\n", what, status);
    exit(1);
}

static Slave load(const char *name, const char *folder, const char *guid) {
    Slave slave;
    char path[4096], uri[4096];
    snprintf(path, sizeof path, "%s/binaries/linux64/%s.so", folder, name);
    snprintf(uri, sizeof uri, "file://%s/resources", folder);
    slave.library = found(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    void *(*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int,
                         int) = symbol(&slave, "fmi2Instantiate");
    slave.instance = found(instantiate(name, 1, guid, uri, &callbacks, 0, 1));
    slave.set_real = symbol(&slave, "fmi2SetReal");
    slave.get_real = symbol(&slave, "fmi2GetReal");
    slave.do_step = symbol(&slave, "fmi2DoStep");
    return slave;
}

static void call(const Slave *slave, const char *name) {
    int (*function)(void *) = symbol(slave, name);
    check(function(slave->instance), name);
}

static void set(const Slave *slave, const char *type, unsigned reference, const char *text) {
    double real = atof(text);
    int integer = atoi(text);
    const char *name = "fmi2SetInteger";
    const void *value = &integer;
    if (!strcmp(type, "real")) name = "fmi2SetReal", value = &real;
    if (!strcmp(type, "boolean")) name = "fmi2SetBoolean";
    if (!strcmp(type, "string")) name = "fmi2SetString", value = &text;
    int (*setter)(void *, const unsigned *, size_t, const void *) = symbol(slave, name);
    check(setter(slave->instance, &reference, 1, value), name);
}

static void pass_on(unsigned only_to) {
    for (unsigned i = 0; i < connection_count; ++i) {
        const Connection *one = &connections[i];
        const Slave *from = &slaves[one->from], *to = &slaves[one->to];
        double value;
        if (only_to < MOST && one->to != only_to) continue;
        check(from->get_real(from->instance, &one->output, 1, &value), "fmi2GetReal");
        check(to->set_real(to->instance, &one->input, 1, &value), "fmi2SetReal");
    }
}

static void initialise(void) {
    for (unsigned i = 0; i < slave_count; ++i) {
        int (*set_up)(void *, int, double, double, int, double) =
            symbol(&slaves[i], "fmi2SetupExperiment");
        check(set_up(slaves[i].instance, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment");
        call(&slaves[i], "fmi2EnterInitializationMode");
        pass_on(i); /* what feeds a slave must stand before it */
        call(&slaves[i], "fmi2ExitInitializationMode");
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **arguments) {
    if (count < 5 || (count - 2) % 3) return 2;
    double step_size = atof(arguments[1]), value;
    for (int i = 2; i < count; i += 3)
        slaves[slave_count++] = load(arguments[i], arguments[i + 1], arguments[i + 2]);
    unsigned read_count = 0, readers[MOST], references[MOST], i, reference;
    int step = 0, last, place, initialised = 0;
    char line[65536], type[16];
    Connection one;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "connect %u %u %u %u", &one.from, &one.output, &one.to, &one.input) == 4) {
            connections[connection_count++] = one;
        } else if (sscanf(line, "read %u %u", &i, &reference) == 2) {
            readers[read_count] = i, references[read_count++] = reference;
        } else if (sscanf(line, "run %d", &last) == 1) {
            if (!initialised++) initialise();
            double began = seconds();
            for (last += step; step < last; ++step) {
                pass_on(MOST);
                for (i = 0; i < slave_count; ++i)
                    check(slaves[i].do_step(slaves[i].instance, step * step_size, step_size, 1),
                          "fmi2DoStep");
            }
            double took = seconds() - began;
            printf("%.17g", step * step_size);
            for (i = 0; i < read_count; ++i) {
                Slave *slave = &slaves[readers[i]];
                check(slave->get_real(slave->instance, &references[i], 1, &value), "fmi2GetReal");
                printf(" %.17g", value);
            }
            printf(" %.9f\n", took);
        } else if (sscanf(line, "%15s %u %u %n", type, &i, &reference, &place) == 3) {
            set(&slaves[i], type, reference, line + place);
        }
    }
    for (i = 0; i < slave_count; ++i) {
        call(&slaves[i], "fmi2Terminate");
        void (*release)(void *) = symbol(&slaves[i], "fmi2FreeInstance");
        release(slaves[i].instance);
    }
    return 0;
}
