// Directional derivatives of the present outputs with respect to the inputs of the last step.
//
// The last step, or the start before the first step, is computed again with slightly different
// inputs. Only results with the same discrete outputs (contact mode, shocks, slips) are used.
// Within one sequence of modes the outputs are smooth, nearly always linear or quadratic, and
// differences of fourth order are exact to rounding. Times of events move with the inputs.
#pragma once
#include "model.hpp"

class Derivatives {
  public:
    // The caller's model does not change.
    explicit Derivatives(const Model &model)
        : data_(model.data), present_(model.memory), base_(data_), last_(model.memory.last_step), probe_(model.shared_data),
          direction_(std::size_t(data_.variable_count)), centre_(outputs_), choices_(data_.discrete.size()),
          centre_choices_(data_.discrete.size()), derivatives_(outputs_), least_(outputs_),
          last_slopes_(outputs_), last_doubts_(outputs_), samples_(points * outputs_) {
        const Memory &present = model.memory;
        base_ = present;
        probe_.load(model);
        probe_.keeps_points = true;
        is_start_ = present->phase == initialising || *last_.size == 0;
        const std::size_t inputs = std::size_t(data_.input_count);
        if (present->phase != initialising) {
            // The last step used these parameters. They may have changed since then.
            for (double *parameters : {base_.values + data_.first_parameter, base_.in_force})
                copy_numbers(parameters, last_.parameters, std::size_t(data_.parameter_count));
            base_->has_new_values = base_->has_changed = false;
        }
        if (is_start_) {
            if (present->phase != initialising) copy_numbers(base_.values, base_.start_inputs, inputs);
            return;
        }
        base_->phase = stepping;
        copy_numbers(base_.saved, last_.before, data_.saved_count);
        base_->time = *last_.time;
        copy_numbers(base_.values, last_.inputs, inputs);
        copy_numbers(base_.derivatives, last_.derivatives, inputs * derivative_orders);
        base_->has_derivatives = std::int32_t(*last_.has_derivatives);
        for (int reference : data_.acting_back)
            if (base_.values[reference] != 0) return;
        // Accumulated outputs start from 0 here: the derivative is the same and the rounding is
        // smaller.
        for (int index : data_.accumulated) base_.saved[index] = 0;
    }

    // Whether the outputs can be differentiated with respect to a variable.
    bool knows(unsigned reference) const {
        if (reference < unsigned(data_.input_count)) return true;
        return base_->phase == initialising && reference >= unsigned(data_.first_parameter) &&
               reference < unsigned(data_.variable_count) && probe_.variable(int(reference)).kind == Kind::real;
    }

    // Add a known variable to the direction.
    void add(unsigned reference, double change) {
        direction_[reference] += change;
        // Parameters have a scale of their own. An input may be 0.
        const double size = std::fabs(base_.values[reference]);
        const double scale = reference < unsigned(data_.input_count) ? size + 1 : size > 0 ? size : 1;
        if (change != 0) longest_ = std::fmin(longest_, scale / std::fabs(direction_[reference]));
    }

    // Compute the derivatives of all outputs along the direction. Returns false if the sequence of
    // modes changes with any change of the inputs, on both sides, or if a derivative overflows.
    bool compute() {
        std::fill(derivatives_.begin(), derivatives_.end(), 0.0);
        if (longest_ == INFINITY) return true;
        if (!run(0, centre_.data())) return false;
        centre_choices_ = choices_;
        return compute(central) || compute(forward) || compute(backward);
    }

    double of(unsigned reference) const { return derivatives_[reference - unsigned(data_.first_output)]; }

  private:
    static constexpr int points = 5;
    // Weights at multiples of a distance, for differences of fourth order and of second order.
    struct Stencil {
        double multiples[points], fine[points], rough[points];
    };
    static constexpr Stencil central = {
        {-2, -1, 0, 1, 2}, {1. / 12, -8. / 12, 0, 8. / 12, -1. / 12}, {0, -0.5, 0, 0.5, 0}};
    static constexpr Stencil forward = {
        {0, 1, 2, 3, 4}, {-25. / 12, 48. / 12, -36. / 12, 16. / 12, -3. / 12}, {-1.5, 2, -0.5, 0, 0}};
    static constexpr Stencil backward = {
        {0, -1, -2, -3, -4}, {25. / 12, -48. / 12, 36. / 12, -16. / 12, 3. / 12}, {1.5, -2, 0.5, 0, 0}};
    // Distances: the scale of the known variable (see `add`), then eleven more, each an eighth of the previous.
    static constexpr int distance_count = 12;
    // Relative rounding of an output, because a step is a sum of several terms.
    static constexpr double rounding = 1e-15;
    // Largest relative errors and difference of slopes that agree. Ten times as much is a contradiction.
    static constexpr double agreement = 1e-3;

    const InstanceData &data_;
    const std::size_t outputs_ = std::size_t(data_.output_count);
    const Memory &present_;
    Memory base_;
    const Memory::LastStep &last_;
    bool is_start_;
    Model probe_;
    Numbers direction_;
    double longest_ = INFINITY;
    // Outputs, and the choices of the kernel.
    Numbers centre_, choices_, centre_choices_, derivatives_, least_, last_slopes_, last_doubts_, samples_;

    // Choose the distance with the smallest error estimate for each output: small enough for the
    // curvature, which is the difference between both orders, and large enough for the rounding of
    // the output, which this difference may not contain. Far from the inputs an output can lose its
    // slope within the same modes, such as the friction across a fast slip. It is found again by
    // two smaller distances with equal slopes.
    bool compute(const Stencil &stencil) {
        std::fill(least_.begin(), least_.end(), INFINITY);
        std::fill(last_doubts_.begin(), last_doubts_.end(), INFINITY);
        double distance = longest_;
        for (int trial = 0; trial < distance_count; ++trial, distance /= 8) {
            bool is_smooth = true;
            for (int i = 0; i < points && is_smooth; ++i) {
                double *const outputs = samples_.data() + std::size_t(i) * outputs_;
                is_smooth = run(stencil.multiples[i] * distance, outputs) && same_modes(outputs);
            }
            if (!is_smooth) continue;
            for (std::size_t j = 0; j < outputs_; ++j) {
                double fine = 0, rough = 0;
                for (int i = 0; i < points; ++i) {
                    // Differences from the centre: constant parts cancel before scaling.
                    const double change = samples_[std::size_t(i) * outputs_ + j] - centre_[j];
                    fine += stencil.fine[i] * change;
                    rough += stencil.rough[i] * change;
                }
                const double slope = fine / distance;
                const double doubt = (std::fabs(fine - rough) + rounding * std::fabs(centre_[j])) / distance;
                const double within = agreement * std::fabs(slope);
                if (std::fabs(slope - last_slopes_[j]) + doubt + last_doubts_[j] < within &&
                    std::fabs(slope - derivatives_[j]) > 10 * within)
                    least_[j] = INFINITY;
                last_slopes_[j] = slope;
                last_doubts_[j] = doubt;
                if (doubt < least_[j] && std::isfinite(slope)) {
                    least_[j] = doubt;
                    derivatives_[j] = slope;
                }
            }
        }
        return !outputs_ || *std::max_element(least_.begin(), least_.end()) < INFINITY;
    }

    // Compute outputs with the inputs changed along the direction. Returns false if they cannot be
    // computed.
    bool run(double distance, double *outputs) {
        probe_.load(base_);
        for (int i = 0; i < data_.variable_count; ++i)
            if (direction_[i] != 0) probe_.memory.values[i] += distance * direction_[i];
        bool is_done = is_start_ ? probe_.build() : probe_.step(base_->time, *last_.size).empty();
        if (is_done && present_->has_changed) {
            copy_numbers(probe_.memory.values + data_.first_parameter, present_.in_force,
                         std::size_t(data_.parameter_count));
            probe_.memory->has_new_values = true;
            is_done = probe_.commit().empty();
        }
        for (std::size_t i = 0; i < data_.discrete.size(); ++i)
            choices_[i] = probe_.memory.saved[data_.discrete[i]];
        copy_numbers(outputs, probe_.memory.values + data_.first_output, outputs_);
        return is_done;
    }

    // A choice of the kernel, such as an order of extrapolation, counts as a mode.
    bool same_modes(const double *outputs) const {
        if (choices_ != centre_choices_) return false;
        for (std::size_t j = 0; j < outputs_; ++j)
            if (probe_.variable(data_.first_output + int(j)).kind != Kind::real && outputs[j] != centre_[j]) return false;
        return true;
    }
};
