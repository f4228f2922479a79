/* A C host with threads: threads_host FOLDER GUID WEAR_WORK own|handed|churn COUNT
   WEAR_WORK is a value reference.

     own     COUNT threads at the same time, each with its own instance for all calls
     handed  each instance is created in the main thread, stepped in another and freed in a third
     churn   COUNT threads one after the other, each with one step of the same instance

   Prints the wear work of each instance (own, handed), or the resident memory in kB after a tenth
   of the threads and after all of them (churn). */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, STEPS = 1500 };

typedef struct {
    void *logger, *(*allocate)(size_t, size_t), (*release)(void *), *step_finished, *environment;
} Callbacks;

static const Callbacks callbacks = {NULL, calloc, free, NULL, NULL};
static void *library;
static const char *guid;
static char uri[4096];
static unsigned wear_work;

static void *symbol(const char *name) {
    void *found = dlsym(library, name);
    if (!found) exit(2);
    return found;
}

static void check(int status) {
    if (status) exit(3);
}

static void *make(void) {
    void *(*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int,
                         int) = symbol("fmi2Instantiate");
    int (*set_up)(void *, int, double, double, int, double) = symbol("fmi2SetupExperiment");
    int (*enter)(void *) = symbol("fmi2EnterInitializationMode");
    int (*leave)(void *) = symbol("fmi2ExitInitializationMode");
    void *instance = instantiate("shoe", 1, guid, uri, &callbacks, 0, 0);
    if (!instance) exit(4);
    check(set_up(instance, 0, 0.0, 0.0, 0, 0.0));
    check(enter(instance));
    check(leave(instance));
    return instance;
}

static void run(void *instance, int first, int last) {
    int (*set_real)(void *, const unsigned *, size_t, const double *) = symbol("fmi2SetReal");
    int (*do_step)(void *, double, double, int) = symbol("fmi2DoStep");
    const unsigned input = 0;
    for (int step = first; step < last; ++step) {
        double value = 15.0 * sin(2.0 * M_PI * step * 1e-3);
        check(set_real(instance, &input, 1, &value));
        check(do_step(instance, step * 1e-3, 1e-3, 1));
    }
}

static double worn(void *instance) {
    int (*get_real)(void *, const unsigned *, size_t, double *) = symbol("fmi2GetReal");
    double value;
    check(get_real(instance, &wear_work, 1, &value));
    return value;
}

static void destroy(void *instance) {
    int (*terminate)(void *) = symbol("fmi2Terminate");
    void (*release)(void *) = symbol("fmi2FreeInstance");
    check(terminate(instance));
    release(instance);
}

static double results[MOST];
static void *instances[MOST];

static void *own(void *number) {
    void *instance = make();
    run(instance, 0, STEPS);
    results[(size_t)number] = worn(instance);
    destroy(instance);
    return NULL;
}

static void *handed(void *number) {
    run(instances[(size_t)number], 0, STEPS);
    return NULL;
}

static void *freed(void *number) {
    results[(size_t)number] = worn(instances[(size_t)number]);
    destroy(instances[(size_t)number]);
    return NULL;
}

static void *brief(void *number) {
    int step = (int)(size_t)number;
    run(instances[0], step, step + 1);
    return NULL;
}

static void all_at_once(void *(*work)(void *), int count) {
    pthread_t threads[MOST];
    for (int i = 0; i < count; ++i)
        if (pthread_create(&threads[i], NULL, work, (void *)(size_t)i)) exit(5);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

static long resident_kilobytes(void) {
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2) exit(6);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int count, char **arguments) {
    char path[4096];
    if (count != 6) return 2;
    snprintf(path, sizeof path, "%s/binaries/linux64/FrictionalShock.so", arguments[1]);
    snprintf(uri, sizeof uri, "file://%s/resources", arguments[1]);
    guid = arguments[2];
    wear_work = (unsigned)atoi(arguments[3]);
    const char *what = arguments[4];
    int number = atoi(arguments[5]);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    if (!strcmp(what, "churn")) {
        instances[0] = make();
        for (int i = 0; i < number; ++i) {
            pthread_t thread;
            if (pthread_create(&thread, NULL, brief, (void *)(size_t)i)) exit(5);
            pthread_join(thread, NULL);
            if (i == number / 10 || i == number - 1) printf("%ld\n", resident_kilobytes());
        }
        destroy(instances[0]);
        return 0;
    }
    if (!strcmp(what, "handed")) {
        for (int i = 0; i < number; ++i) instances[i] = make();
        all_at_once(handed, number);
        all_at_once(freed, number);
    } else {
        all_at_once(own, number);
    }
    for (int i = 0; i < number; ++i) printf("%.17g\n", results[i]);
    return 0;
}
