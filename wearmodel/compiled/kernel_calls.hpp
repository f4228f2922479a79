// The calls into the kernel. It is compiled separately, because its compilation takes long and does
// not depend on variables, start values or the structure of an FMU.
#pragma once

// Memory of one argument of the kernel: numbers, rows of numbers, or rows of rows.
struct Block {
    double *place;
    long sizes[3];
};

// Number of a broken rule, or 0, and the two values in its text.
struct BrokenRule {
    long number;
    double first, second;
};

// The arguments in the form of the kernel.
struct Rows;
Rows *new_rows(const Block *blocks);
void delete_rows(Rows *rows);

void kernel_take_points(Rows &rows, double *times, double *values, long count);
void kernel_complete(Rows &rows);
BrokenRule kernel_broken_rule(Rows &rows);
BrokenRule kernel_broken_standing_rule(Rows &rows);
BrokenRule kernel_broken_state(Rows &rows);
BrokenRule kernel_change_parameters(Rows &rows);
long kernel_start(Rows &rows);
long kernel_step(Rows &rows, double step_size);
long kernel_step_with_derivatives(Rows &rows, double step_size);
long kernel_step_to_event(Rows &rows, double step_size);
long kernel_pass_event(Rows &rows);
long kernel_settle(Rows &rows);
long kernel_take_event_inputs(Rows &rows, double is_requested);
double kernel_coefficient(Rows &rows, double velocity);
void kernel_outputs(Rows &rows, double *values);
