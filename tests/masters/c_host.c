/* A master in C for co-simulation FMUs of FMI 2.0 and 3.0 that are extracted to folders.

       cc -O2 -o c_host c_host.c c_host_fmi2.c c_host_fmi3.c -ldl
       ./c_host STEP_SIZE VERSION NAME FOLDER GUID [VERSION NAME FOLDER GUID]... < orders

   VERSION is 2, 3, or 3e for an FMU of FMI 3.0 that may return early at its events. Each line
   contains an order. i and j are numbers of FMUs from 0, r and s are value references:

       real i r value    integer i r value    enumeration i r value    boolean i r value
       string i r text             start values
       connect i r j s             before each step: real output r of i to real input s of j
       read i r                    print another real in "run"
       run n                       n more steps; prints time, values and duration in seconds

   The first "run" initialises all FMUs. If an FMU stops at an event, all FMUs step to the time of
   the event, where values are exchanged. Two lines contain the values before and after the event:

       event time values

   The FMUs step from the last to the first, and only the last may stop at events.
   Exit codes: 0, 1 an FMI call failed, 2 an FMU could not be loaded. */
#include <time.h>

#include "c_host.h"

enum { MOST = 64 };

typedef struct {
    unsigned from, output, to, input;
} Connection;

static Slave slaves[MOST];
static Connection connections[MOST];
static unsigned readers[MOST], references[MOST];
static unsigned slave_count, connection_count, read_count;

static void pass_on(unsigned only_to) {
    for (unsigned i = 0; i < connection_count; ++i) {
        const Connection *one = &connections[i];
        if (only_to < MOST && one->to != only_to) continue;
        Slave *from = &slaves[one->from], *to = &slaves[one->to];
        to->set_real(to, one->input, from->get_real(from, one->output));
    }
}

static void initialise(void) {
    for (unsigned i = 0; i < slave_count; ++i) {
        slaves[i].enter_initialisation(&slaves[i]);
        pass_on(i); /* the source of an input must come before its target */
        slaves[i].exit_initialisation(&slaves[i]);
    }
}

static void print_values(void) {
    for (unsigned i = 0; i < read_count; ++i) {
        Slave *slave = &slaves[readers[i]];
        printf(" %.17g", slave->get_real(slave, references[i]));
    }
}

static void print_event(double time) {
    printf("event %.17g", time);
    print_values();
    putchar('\n');
}

/* Steps all slaves. Returns whether one stopped at an event, and the time that all have reached. */
static bool step_all(double time, double step_size, double *reached) {
    Slave *stopped = NULL;
    for (unsigned i = slave_count; i-- > 0;) {
        bool has_event;
        double size = stopped ? *reached - time : step_size;
        double came_to = slaves[i].step(&slaves[i], time, size, &has_event);
        if (!has_event) continue;
        if (stopped || i + 1 < slave_count) {
            fprintf(stderr, "an FMU before the last stopped at %.17g s\n", came_to);
            exit(1);
        }
        stopped = &slaves[i], *reached = came_to;
    }
    if (stopped) {
        print_event(*reached);
        stopped->pass_event(stopped);
        print_event(*reached);
    }
    return stopped != NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static Slave load(char **arguments) {
    const char *version = arguments[0], *name = arguments[1], *folder = arguments[2];
    if (version[0] == '3') return load_fmi3(name, folder, arguments[3], version[1] == 'e');
    return load_fmi2(name, folder, arguments[3]);
}

int main(int count, char **arguments) {
    if (count < 6 || (count - 2) % 4) return 2;
    double step_size = atof(arguments[1]);
    for (int i = 2; i < count; i += 4) slaves[slave_count++] = load(arguments + i);
    unsigned i, reference;
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
                double time = step * step_size, size = step_size;
                bool stopped;
                do {
                    pass_on(MOST);
                    stopped = step_all(time, size, &time);
                    size = (step + 1) * step_size - time;
                } while (stopped && size > 0.0);
            }
            double took = seconds() - began;
            printf("%.17g", step * step_size);
            print_values();
            printf(" %.9f\n", took);
        } else if (sscanf(line, "%15s %u %u %n", type, &i, &reference, &place) == 3) {
            slaves[i].set(&slaves[i], type, reference, line + place);
        }
    }
    for (i = 0; i < slave_count; ++i) slaves[i].end(&slaves[i]);
    return 0;
}
