// What a web page calls in place of FMI: the model's values by value reference, a start, steps.
//
// First of all the page hands over the instance's data, which native FMUs have in their resources.
// There is one model, for a page shows one run, and one for questions that no run answers. The page
// reads and writes the module's memory directly; a call that fails returns 0, or the number of steps
// that were taken, and leaves its reason in `message`. All texts are UTF-8 and end with a zero.
#include "model.hpp"
#include "record_reader.hpp"
#include <new>

// The library's own would print before it aborts, for which it would need the host's files.
void *operator new(std::size_t size) {
    void *const made = std::malloc(size ? size : 1);
    if (!made) std::abort();
    return made;
}
void operator delete(void *given) noexcept { std::free(given); }
void operator delete(void *given, std::size_t) noexcept { std::free(given); }

#define FOR_THE_PAGE(name) extern "C" __attribute__((export_name(#name)))

static Model *model;
static Model *asked;
static RecordReader *reader;
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

// Start with the values as they are, the start inputs among them; the outputs of the start are row 0.
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
// for each input, at the communication points; `lead` is 1 where a step takes those of its end.
// `outputs` has such a row for each output. The clock is that of a master which calls with
// start_time + i·step_size.
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

// -- questions beside a run ----------------------------------------------------------------------------

// The values of a second model; `ask` takes the parameters among them.
FOR_THE_PAGE(asked_values) double *asked_values() { return asked->memory.values; }
FOR_THE_PAGE(ask) void ask() { asked->complete(); }
FOR_THE_PAGE(coefficient) double coefficient(double velocity) { return asked->coefficient(velocity); }

// -- records ------------------------------------------------------------------------------------------

// Read a record; columns are numbers from 1, or 0 for the usual ones and no normal acceleration.
FOR_THE_PAGE(read_record)
int read_record(const char *text, unsigned size, const char *name, const char *encoding, int time_column,
                int acceleration_column, int normal_column, const char *unit, double interval, double scale,
                int remove_mean) {
    said = Text();
    delete reader;
    reader = new RecordReader;
    RecordWishes wishes;
    wishes.time_column = time_column;
    wishes.acceleration_column = acceleration_column;
    wishes.normal_column = normal_column;
    wishes.unit = unit;
    wishes.interval = interval;
    wishes.scale = scale;
    wishes.remove_mean = remove_mean != 0;
    if (reader->read(Span(text, text + size), name, encoding, wishes)) return 1;
    said << reader->problem;
    return 0;
}

FOR_THE_PAGE(record_length) long record_length() { return long(reader->times.size()); }
FOR_THE_PAGE(record_times) double *record_times() { return reader->times.data(); }
FOR_THE_PAGE(record_acceleration) double *record_acceleration() { return reader->acceleration.data(); }
FOR_THE_PAGE(record_normal) double *record_normal() { return reader->normal_acceleration.data(); }
// Lines of text: how the file was understood, what is suspicious in it, and its columns' names.
FOR_THE_PAGE(record_understood) const char *record_understood() { return reader->understood.data(); }
FOR_THE_PAGE(record_warnings) const char *record_warnings() { return reader->warnings.data(); }
FOR_THE_PAGE(record_names) const char *record_names() { return reader->names.data(); }
FOR_THE_PAGE(record_time_column) int record_time_column() { return reader->time_number; }
FOR_THE_PAGE(record_acceleration_column) int record_acceleration_column() { return reader->acceleration_number; }
FOR_THE_PAGE(record_unit) const char *record_unit() { return reader->unit_name.data(); }
