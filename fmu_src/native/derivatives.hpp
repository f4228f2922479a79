// Directional derivatives: how the present outputs follow the inputs that they were computed from.
//
// The last step, or the start before the first one, is computed again from inputs nearby. Only such
// neighbours count whose discrete outputs (contact mode, shocks, slips) are the same: within one
// sequence of modes the outputs are smooth, nearly always linear or quadratic, so that differences
// of fourth order are exact to rounding; the instants of events move along.
#pragma once
#include "model.hpp"

class Derivatives {
  public:
    // The caller's model stays as it is.
    explicit Derivatives(const Model &model) : base_(model.memory), last_(model.memory.last_step) {
        const Memory &present = model.memory;
        probe_.load(model);
        probe_.keeps_points = true;
        is_start_ = present.phase == initialising || last_.size == 0;
        if (is_start_) {
            if (present.phase != initialising)
                std::memcpy(base_.values, base_.start_inputs, sizeof base_.start_inputs);
            return;
        }
        base_.phase = stepping;
        base_.saved = last_.before;
        base_.time = last_.time;
        std::memcpy(base_.values, last_.inputs, sizeof last_.inputs);
        std::memcpy(base_.derivatives, last_.derivatives, sizeof last_.derivatives);
        base_.has_derivatives = last_.has_derivatives;
        for (const int *reference = acting_back; *reference >= 0; ++reference)
            if (base_.values[*reference] != 0) return;
        // What only adds up is counted from here: its derivative is the same, its rounding smaller.
        for (const int *index = accumulated_indices; *index >= 0; ++index) base_.saved.numbers[*index] = 0;
    }

    // Whether a variable is one that the outputs can be derived by.
    bool knows(unsigned reference) const {
        if (reference < unsigned(input_count)) return true;
        return base_.phase == initialising && reference >= unsigned(first_parameter) &&
               reference < unsigned(variable_count) && variables[reference].kind == Kind::real;
    }

    // Add a known variable to the direction.
    void add(unsigned reference, double change) {
        direction_[reference] += change;
        // Parameters have a size of their own; an input may just pass through 0.
        const double size = std::fabs(base_.values[reference]);
        const double scale = reference < unsigned(input_count) ? size + 1 : size > 0 ? size : 1;
        if (change != 0) longest_ = std::fmin(longest_, scale / std::fabs(direction_[reference]));
    }

    // Fill the derivatives of all outputs along the direction; false where no neighbourhood of the
    // inputs keeps to one sequence of modes, not even on one side, or where one overflows.
    bool compute() {
        std::fill_n(derivatives_, output_count, 0.0);
        if (longest_ == INFINITY) return true;
        if (!run(0, centre_)) return false;
        std::copy_n(choices_, choice_count, centre_choices_);
        return compute(central) || compute(forward) || compute(backward);
    }

    double of(unsigned reference) const { return derivatives_[reference - first_output]; }

  private:
    static constexpr int points = 5;
    // Weights at multiples of a distance: of fourth order, and of second order to judge it by.
    struct Stencil {
        double multiples[points], fine[points], rough[points];
    };
    static constexpr Stencil central = {
        {-2, -1, 0, 1, 2}, {1. / 12, -8. / 12, 0, 8. / 12, -1. / 12}, {0, -0.5, 0, 0.5, 0}};
    static constexpr Stencil forward = {
        {0, 1, 2, 3, 4}, {-25. / 12, 48. / 12, -36. / 12, 16. / 12, -3. / 12}, {-1.5, 2, -0.5, 0, 0}};
    static constexpr Stencil backward = {
        {0, -1, -2, -3, -4}, {25. / 12, -48. / 12, 36. / 12, -16. / 12, 3. / 12}, {1.5, -2, 0.5, 0, 0}};
    // Distances tried: the known variable's scale (see `add`), and eleven times an eighth of the last.
    static constexpr int distance_count = 12;
    // Of an output, relative: a step is a sum of some terms.
    static constexpr double rounding = 1e-15;

    Memory base_;
    const LastStep &last_;
    bool is_start_;
    Model probe_;
    double direction_[variable_count] = {};
    double longest_ = INFINITY;
    double centre_[output_count];
    // Behind the indices of choices stands a mark of their end.
    static constexpr int choice_count = sizeof discrete_indices / sizeof *discrete_indices - 1;
    double choices_[choice_count + 1], centre_choices_[choice_count + 1];
    double derivatives_[output_count];

    // Take for each output the distance that leaves least doubt: near enough for curvature, which
    // the difference between both orders shows, and far enough for the rounding of the output, which
    // it may not show.
    bool compute(const Stencil &stencil) {
        double least[output_count];
        std::fill_n(least, output_count, INFINITY);
        double distance = longest_;
        for (int trial = 0; trial < distance_count; ++trial, distance /= 8) {
            double outputs[points][output_count];
            bool is_smooth = true;
            for (int i = 0; i < points && is_smooth; ++i)
                is_smooth = run(stencil.multiples[i] * distance, outputs[i]) && same_modes(outputs[i]);
            if (!is_smooth) continue;
            for (int j = 0; j < output_count; ++j) {
                double fine = 0, rough = 0;
                for (int i = 0; i < points; ++i) {
                    // Differences from the centre: what does not change cancels before it is scaled.
                    const double change = outputs[i][j] - centre_[j];
                    fine += stencil.fine[i] * change;
                    rough += stencil.rough[i] * change;
                }
                const double doubt = (std::fabs(fine - rough) + rounding * std::fabs(centre_[j])) / distance;
                if (doubt < least[j] && std::isfinite(fine / distance)) {
                    least[j] = doubt;
                    derivatives_[j] = fine / distance;
                }
            }
        }
        return *std::max_element(least, least + output_count) < INFINITY;
    }

    // Outputs with the inputs moved along the direction; false where they cannot be computed.
    bool run(double distance, double outputs[output_count]) {
        probe_.load(base_);
        for (int i = 0; i < variable_count; ++i)
            if (direction_[i] != 0) probe_.memory.values[i] += distance * direction_[i];
        const bool is_done = is_start_ ? probe_.build() : probe_.step(base_.time, last_.size).empty();
        for (int i = 0; i < choice_count; ++i) choices_[i] = probe_.memory.saved.numbers[discrete_indices[i]];
        std::copy_n(probe_.memory.values + first_output, output_count, outputs);
        return is_done;
    }

    // A choice that the kernel makes, as that of an order of extrapolation, is a mode too.
    bool same_modes(const double outputs[output_count]) const {
        if (!std::equal(choices_, choices_ + choice_count, centre_choices_)) return false;
        for (int j = 0; j < output_count; ++j)
            if (variables[first_output + j].kind != Kind::real && outputs[j] != centre_[j]) return false;
        return true;
    }
};
