// The tube of tube.py by the classical Runge-Kutta method of order 4 with constant steps: modal
// masses of 1, contacts in circles. An array of a mode's shapes lies as the kernel's own.
#include <algorithm>
#include <cmath>
#include <vector>

struct Law {
    double gap, normal, tangential, damper, friction, offset_1, offset_2;
};

// Rates of q, v and of each contact's stretch under the support's accelerations.
static void rates(int modes, int contacts, const double *stiffness, const double *damping,
                  const double *shapes, const double *drives, const Law *laws, double first,
                  double second, const double *state, double *rate) {
    const double *q = state, *v = q + modes, *stretch = v + modes;
    double *a = rate + modes, *stretching = a + modes;
    for (int i = 0; i < modes; ++i) {
        rate[i] = v[i];
        a[i] = drives[i] * first + drives[modes + i] * second - damping[i] * v[i] - stiffness[i] * q[i];
    }
    for (int c = 0; c < contacts; ++c) {
        const double *s_1 = shapes + 3 * c * modes, *s_2 = s_1 + modes;
        double x_1 = laws[c].offset_1, x_2 = laws[c].offset_2, v_1 = 0, v_2 = 0;
        for (int i = 0; i < modes; ++i) {
            x_1 += s_1[i] * q[i], x_2 += s_2[i] * q[i];
            v_1 += s_1[i] * v[i], v_2 += s_2[i] * v[i];
        }
        const double radius = std::sqrt(x_1 * x_1 + x_2 * x_2);
        stretching[c] = 0;
        if (radius <= laws[c].gap) continue;
        const double force = laws[c].normal * (radius - laws[c].gap), most = laws[c].friction * force;
        const double n_1 = x_1 / radius, n_2 = x_2 / radius, pull = laws[c].tangential * stretch[c];
        const double held = -pull - laws[c].damper * (v_2 * n_1 - v_1 * n_2);
        const double rubbing = std::min(most, std::max(-most, held));
        stretching[c] = -(pull + rubbing) / laws[c].damper;
        const double f_1 = -force * n_1 - rubbing * n_2, f_2 = -force * n_2 + rubbing * n_1;
        for (int i = 0; i < modes; ++i) a[i] += f_1 * s_1[i] + f_2 * s_2[i];
    }
}

// Runs from rest through the samples, linear between them; `state` is q, v and the stretches.
extern "C" void run(int modes, int contacts, const double *stiffness, const double *damping,
                    const double *shapes, const double *drives, const Law *laws,
                    const double *samples, int count, double step, int substeps, double *state) {
    const int size = 2 * modes + contacts;
    std::vector<double> k[4], between(size);
    for (auto &one : k) one.resize(size);
    const double weights[] = {0, 0.5, 0.5, 1};
    for (int number = 0; number + 1 < count; ++number)
        for (int substep = 0; substep < substeps; ++substep) {
            for (int stage = 0; stage < 4; ++stage) {
                const double weight = weights[stage] * step, *before = k[stage ? stage - 1 : 0].data();
                for (int i = 0; i < size; ++i) between[i] = state[i] + weight * before[i];
                const double share = (substep + weights[stage]) / substeps;
                const double *y = samples + number, *z = samples + count + number;
                rates(modes, contacts, stiffness, damping, shapes, drives, laws,
                      y[0] + share * (y[1] - y[0]), z[0] + share * (z[1] - z[0]), between.data(),
                      k[stage].data());
            }
            for (int i = 0; i < size; ++i)
                state[i] += step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
            for (int c = 0; c < contacts; ++c) { // an open contact forgets its stretch
                const double *s_1 = shapes + 3 * c * modes, *s_2 = s_1 + modes;
                double x_1 = laws[c].offset_1, x_2 = laws[c].offset_2;
                for (int i = 0; i < modes; ++i) x_1 += s_1[i] * state[i], x_2 += s_2[i] * state[i];
                if (std::sqrt(x_1 * x_1 + x_2 * x_2) <= laws[c].gap) state[2 * modes + c] = 0;
            }
        }
}
