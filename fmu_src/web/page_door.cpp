// Functions for a web page instead of FMI: values by value reference, start, steps.
//
// The page first passes the instance's data, which native FMUs have in their resources. There is one
// model for the run of the page and another one for values outside a run. The page accesses the
// module's memory directly. A call that fails returns 0, or the number of completed steps, and
// writes the reason to `message`. All texts are UTF-8 with a terminating zero.
#include "model.hpp"

#define FOR_THE_PAGE(name) extern "C" __attribute__((export_name(#name)))

static Model *model;
static Model *asked;
static Text said;

FOR_THE_PAGE(take_instance) int take_instance(const char *bytes, unsigned size) {
    const Shared<InstanceData> data(new InstanceData);
    said = data->read(std::vector<char>(bytes, bytes + size));
    if (!said.empty()) return 0;
    model = new Model(data);
    asked = new Model(data);
    return 1;
}

FOR_THE_PAGE(values) double *values() { return model->memory.values; }
FOR_THE_PAGE(message) const char *message() { return said.data(); }
FOR_THE_PAGE(room) void *room(unsigned size) { return std::malloc(size ? size : 1); }
FOR_THE_PAGE(release) void release(void *given) { std::free(given); }

static void write_outputs(double *outputs, long count, long row) {
    const InstanceData &data = model->data;
    for (int i = 0; i < data.output_count; ++i)
        outputs[i * (count + 1) + row] = model->memory.values[data.first_output + i];
}

// Start with the present values and start inputs. Row 0 contains the outputs at the start.
FOR_THE_PAGE(start) int start(double start_time, long count, double *outputs) {
    said = Text();
    model->memory->start_time = start_time;
    if (!model->build()) {
        said << model->memory.failure;
        return 0;
    }
    write_outputs(outputs, count, 0);
    return 1;
}

// Take the steps from `first` to before `last` of `count`. `inputs` has a row of count + 1 values
// for each input, at the communication points. `lead` is 1 if a step takes the values at its end.
// `outputs` has such a row for each output. Times are start_time + i·step_size, as in a master.
FOR_THE_PAGE(run)
long run(double start_time, double step_size, long count, long first, long last, long lead, const double *inputs,
         double *outputs) {
    said = Text();
    for (long i = first; i < last; ++i) {
        for (int k = 0; k < model->data.input_count; ++k) model->memory.values[k] = inputs[k * (count + 1) + i + lead];
        const double time = start_time + double(i) * step_size;
        const Text reason = model->step(time, step_size);
        if (!reason.empty()) {
            said << reason;
            return i;
        }
        model->memory->time = time + step_size;
        write_outputs(outputs, count, i + 1);
    }
    return last;
}

// -- values outside a run ------------------------------------------------------------------------------

// Values of a second model. `ask` takes its parameters from them.
FOR_THE_PAGE(asked_values) double *asked_values() { return asked->memory.values; }
FOR_THE_PAGE(ask) void ask() { asked->complete(); }
FOR_THE_PAGE(coefficient) double coefficient(double velocity) { return asked->coefficient(velocity); }
