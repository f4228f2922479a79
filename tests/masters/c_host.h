/* Interface between the C host and a slave of either version of FMI. */
#pragma once
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Slave Slave;

struct Slave {
    void *library, *instance;
    void *get_reals, *set_reals, *do_step; /* functions of its version, called in each step */
    /* Sets a start value given as text. Type: real, integer, enumeration, boolean, string. */
    void (*set)(Slave *, const char *type, unsigned reference, const char *text);
    double (*get_real)(Slave *, unsigned reference);
    void (*set_real)(Slave *, unsigned reference, double value);
    void (*enter_initialisation)(Slave *);
    void (*exit_initialisation)(Slave *);
    /* Takes a step and returns its end, which an event may move to an earlier time. */
    double (*step)(Slave *, double time, double step_size, bool *has_event);
    /* Handles the event. Null for a slave without events. */
    void (*pass_event)(Slave *);
    void (*end)(Slave *);
};

/* Loads the library of an FMU that is extracted to a folder, and creates an instance. */
Slave load_fmi2(const char *name, const char *folder, const char *guid);
Slave load_fmi3(const char *name, const char *folder, const char *token, bool stops_at_events);

static inline void *present(void *address, const char *what) {
    if (address) return address;
    const char *reason = dlerror();
    fprintf(stderr, "%s\n", reason ? reason : what);
    exit(2);
}

static inline void *symbol(const Slave *slave, const char *name) {
    return present(dlsym(slave->library, name), name);
}

static inline void check(int status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "%s: FMI status %d\n", what, status);
    exit(1);
}
