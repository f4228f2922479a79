/* Common code of the C hosts of both FMI versions: the library, its functions, and the clock. */
#ifdef _WIN32
#include <windows.h>
#define dlopen(path, mode) ((void *)LoadLibraryA(path))
#define dlsym(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#define dlerror() "the library or one of its functions was not found"
#else
#include <dlfcn.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *library;

static void *symbol(const char *name) {
    void *found = dlsym(library, name);
    if (found) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
}

static void check(int status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "%s: FMI status %d\n", what, status);
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads the doubles of a text file. Returns NULL without a path. C libraries differ in the last bit
   of sin, so hosts of several platforms read the same input from a file. */
static double *read_samples(const char *path, long count) {
    if (!path) return NULL;
    FILE *file = fopen(path, "r");
    double *samples = malloc((size_t)count * sizeof *samples);
    for (long i = 0; i < count; ++i)
        if (!file || !samples || fscanf(file, "%lf", &samples[i]) != 1) {
            fprintf(stderr, "%s: sample %ld is missing\n", path, i);
            exit(2);
        }
    fclose(file);
    return samples;
}

/* The reference of the input that each step sets. */
static unsigned input_reference(void) {
    const char *chosen = getenv("INPUT");
    return chosen ? (unsigned)atoi(chosen) : 0;
}

static const double omega = 6.283185307179586;
