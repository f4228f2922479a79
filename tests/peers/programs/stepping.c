// SDND104, the ball and the tube with constant steps: the classical Runge-Kutta method of order 4,
// and the theta method of Moreau and Jean. Events are not located.
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OMEGA = 6.283185307179586, LIMIT = 1.0, WEIGHT = 10.0;

static double sign(double x) { return x < 0 ? -1.0 : 1.0; }

// ---- SDND104: mean wear power [W] on [4, 12] s ----------------------------------------------

double shoe_rk4(double amplitude, int steps) {
    const double h = 1.0 / steps;
    double v = 0, work = 0, direction = 0;
    for (long n = 0; n < 12L * steps; ++n) {
        const double a = amplitude * sin(OMEGA * n * h);
        if (direction == 0 && fabs(a) > LIMIT) direction = -sign(a);
        if (direction == 0) continue;
        // Stages 2 and 3 are equal: the right-hand side of the velocity depends on time only.
        const double k1 = -a - direction * LIMIT;
        const double k2 = -amplitude * sin(OMEGA * (n + 0.5) * h) - direction * LIMIT;
        const double k4 = -amplitude * sin(OMEGA * (n + 1) * h) - direction * LIMIT;
        const double way = h * (v + h / 6 * (k1 + 2 * k2)), after = v + h / 6 * (k1 + 4 * k2 + k4);
        if (n >= 4L * steps) work += WEIGHT * fabs(way);
        v = after;
        if (direction * v <= 0) v = direction = 0;
    }
    return work / 8;
}

double shoe_moreau_jean(double amplitude, int steps, double theta) {
    const double h = 1.0 / steps, most = LIMIT * h;
    double v = 0, work = 0;
    for (long n = 0; n < 12L * steps; ++n) {
        const double unheld = v - h * amplitude * sin(OMEGA * (n + theta) * h);
        const double after = unheld + fmin(fmax(-unheld, -most), most);
        if (n >= 4L * steps) work += WEIGHT * h * (theta * fabs(after) + (1 - theta) * fabs(v));
        v = after;
    }
    return work / 8;
}

// ---- the ball: gaps at given times, impulse of all impacts at the last one --------------------

// `ends` are the numbers of the steps that end at these times. `values` has an entry for each.
void ball(int moreau_jean, double height, double mass, double gravity, double restitution,
          double h, const long *ends, int count, double *values) {
    double y = height, v = 0, impulse = 0;
    long n = 0;
    for (int i = 0; i < count; ++i) {
        for (; n < ends[i]; ++n) {
            if (moreau_jean) {
                const double before = v, free = v - gravity * h;
                // The law acts on velocities if the predicted gap is closed.
                v = y + 0.5 * h * before <= 0 ? fmax(free, -restitution * before) : free;
                // At rest each step has the impulse of the weight, which is not an impact.
                if (v - free > 2 * gravity * h) impulse += mass * (v - free);
                y += 0.5 * h * (before + v);
                continue;
            }
            if (y == 0 && v == 0) continue;
            // Runge-Kutta is exact in flight.
            y += h * v - 0.5 * gravity * h * h;
            v -= gravity * h;
            if (y > 0 || v > 0) continue;
            impulse -= mass * (1 + restitution) * v;
            y = 0;
            v *= -restitution;
            if (v < gravity * h) {
                impulse += mass * (1 + restitution) * v / (1 - restitution);
                v = 0;
            }
        }
        values[i] = y;
    }
    values[count - 1] = impulse;
}

// ---- the tube: modal masses of 1, contacts in round supports ----------------------------------

typedef struct {
    double gap, normal, tangential, damper, friction, offset_1, offset_2;
} Law;

typedef struct {
    int modes, contacts;
    const double *stiffness, *damping, *shapes, *drives;
    const Law *laws;
} Tube;

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// Shapes of the point of a contact along the first or second axis of its section.
static const double *shape(const Tube *t, int contact, int axis) {
    return t->shapes + (3 * contact + axis) * t->modes;
}

// Rates of q, v and of the stretch of each friction spring under both accelerations.
static void rates(const Tube *t, double first, double second, const double *state, double *rate) {
    const int m = t->modes;
    const double *q = state, *v = q + m, *stretch = v + m;
    double *a = rate + m, *stretching = a + m;
    for (int i = 0; i < m; ++i) {
        rate[i] = v[i];
        a[i] = t->drives[i] * first + t->drives[m + i] * second - t->damping[i] * v[i] -
               t->stiffness[i] * q[i];
    }
    for (int c = 0; c < t->contacts; ++c) {
        const Law l = t->laws[c];
        const double *s_1 = shape(t, c, 0), *s_2 = shape(t, c, 1);
        const double x_1 = l.offset_1 + dot(m, s_1, q), x_2 = l.offset_2 + dot(m, s_2, q);
        const double radius = sqrt(x_1 * x_1 + x_2 * x_2);
        stretching[c] = 0;
        if (radius <= l.gap) continue;
        const double force = l.normal * (radius - l.gap), most = l.friction * force;
        const double n_1 = x_1 / radius, n_2 = x_2 / radius, pull = l.tangential * stretch[c];
        const double held = -pull - l.damper * (dot(m, s_2, v) * n_1 - dot(m, s_1, v) * n_2);
        const double rubbing = fmin(most, fmax(-most, held));
        stretching[c] = -(pull + rubbing) / l.damper;
        const double f_1 = -force * n_1 - rubbing * n_2, f_2 = -force * n_2 + rubbing * n_1;
        for (int i = 0; i < m; ++i) a[i] += f_1 * s_1[i] + f_2 * s_2[i];
    }
}

// Reset the stretch of the friction springs of open contacts.
static void forget(const Tube *t, double *state) {
    for (int c = 0; c < t->contacts; ++c) {
        const double x_1 = t->laws[c].offset_1 + dot(t->modes, shape(t, c, 0), state);
        const double x_2 = t->laws[c].offset_2 + dot(t->modes, shape(t, c, 1), state);
        if (sqrt(x_1 * x_1 + x_2 * x_2) <= t->laws[c].gap) state[2 * t->modes + c] = 0;
    }
}

static void tube_rk4(const Tube *t, const double *samples, int count, double h, int substeps,
                     double *state) {
    const int size = 2 * t->modes + t->contacts;
    double *memory = calloc(5 * size, sizeof(double)), *between = memory + 4 * size;
    const double weights[] = {0, 0.5, 0.5, 1};
    for (int n = 0; n + 1 < count; ++n)
        for (int substep = 0; substep < substeps; ++substep) {
            for (int stage = 0; stage < 4; ++stage) {
                const double weight = weights[stage] * h;
                const double *before = memory + (stage ? stage - 1 : 0) * size;
                for (int i = 0; i < size; ++i) between[i] = state[i] + weight * before[i];
                const double share = (substep + weights[stage]) / substeps;
                const double *y = samples + n, *z = samples + count + n;
                rates(t, y[0] + share * (y[1] - y[0]), z[0] + share * (z[1] - z[0]), between,
                      memory + stage * size);
            }
            const double *k = memory;
            for (int i = 0; i < size; ++i)
                state[i] += h / 6 * (k[i] + 2 * k[size + i] + 2 * k[2 * size + i] + k[3 * size + i]);
            forget(t, state);
        }
    free(memory);
}

// Theta = 1/2 for the modes. The contact forces act over the step and satisfy their laws at its end.
// They are solved contact by contact (Gauss-Seidel) with the normals at the start of the step.
static void tube_moreau_jean(const Tube *t, const double *samples, int count, double h,
                             int substeps, double *state) {
    const int m = t->modes, lines = 2 * t->contacts;
    double *q = state, *v = q + m, *stretch = v + m;
    double *memory = calloc(2 * m + lines * (lines + 6), sizeof(double));
    double *inertia = memory, *unheld = inertia + m, *answer = unheld + m;
    double *force = answer + lines * lines, *speed = force + lines, *old = speed + lines;
    double *place = old + lines, *normal = place + lines, *pushed = normal + lines;
    for (int i = 0; i < m; ++i)
        inertia[i] = 1 / (1 + 0.5 * h * t->damping[i] + 0.25 * h * h * t->stiffness[i]);
    // Speed at each contact for a unit force at each contact along each axis.
    for (int r = 0; r < lines; ++r)
        for (int s = 0; s < lines; ++s)
            for (int i = 0; i < m; ++i)
                answer[r * lines + s] += h * inertia[i] * shape(t, r / 2, r % 2)[i] *
                                         shape(t, s / 2, s % 2)[i];
    for (int n = 0; n + 1 < count; ++n)
        for (int substep = 0; substep < substeps; ++substep) {
            const double share = (substep + 0.5) / substeps;
            const double *y = samples + n, *z = samples + count + n;
            const double first = y[0] + share * (y[1] - y[0]), second = z[0] + share * (z[1] - z[0]);
            for (int i = 0; i < m; ++i)
                unheld[i] = inertia[i] *
                            (v[i] * (1 - 0.5 * h * t->damping[i] - 0.25 * h * h * t->stiffness[i]) +
                             h * (t->drives[i] * first + t->drives[m + i] * second -
                                  t->stiffness[i] * q[i]));
            for (int r = 0; r < lines; ++r) {
                const double *s = shape(t, r / 2, r % 2);
                old[r] = dot(m, s, v);
                place[r] = (r % 2 ? t->laws[r / 2].offset_2 : t->laws[r / 2].offset_1) + dot(m, s, q);
                pushed[r] = dot(m, s, unheld);
                speed[r] = pushed[r];
                for (int s_ = 0; s_ < lines; ++s_) speed[r] += answer[r * lines + s_] * force[s_];
            }
            for (int sweep = 0; sweep < 100; ++sweep) {
                double change = 0, scale = 0;
                for (int c = 0; c < t->contacts; ++c) {
                    const Law l = t->laws[c];
                    const double x_1 = place[2 * c], x_2 = place[2 * c + 1];
                    const double radius = sqrt(x_1 * x_1 + x_2 * x_2);
                    const double n_1 = x_1 / radius, n_2 = x_2 / radius;
                    // Without the current force of this contact.
                    const double *w = answer + 2 * c * lines + 2 * c, *w_2 = w + lines;
                    const double f_1 = force[2 * c], f_2 = force[2 * c + 1];
                    const double u_1 = speed[2 * c] - w[0] * f_1 - w[1] * f_2;
                    const double u_2 = speed[2 * c + 1] - w_2[0] * f_1 - w_2[1] * f_2;
                    const double compliance = n_1 * n_1 * w[0] + 2 * n_1 * n_2 * w[1] +
                                              n_2 * n_2 * w_2[1];
                    const double across = n_2 * n_2 * w[0] - 2 * n_1 * n_2 * w[1] +
                                          n_1 * n_1 * w_2[1];
                    // Mean of the penetrations at both ends of the step, of second order.
                    const double depth = radius - l.gap + 0.25 * h * (u_1 * n_1 + u_2 * n_2) +
                                         0.25 * h * (old[2 * c] * n_1 + old[2 * c + 1] * n_2);
                    const double push = fmax(0, l.normal * depth /
                                                    (1 + 0.25 * h * l.normal * compliance));
                    const double slide = u_2 * n_1 - u_1 * n_2;
                    const double slid = old[2 * c + 1] * n_1 - old[2 * c] * n_2;
                    const double most = l.friction * push;
                    const double held =
                        (-l.tangential * (stretch[c] + 0.25 * h * (slide + slid)) -
                         0.5 * l.damper * (slide + slid)) /
                        (1 + across * (0.25 * h * l.tangential + 0.5 * l.damper));
                    const double rubbing = fmin(most, fmax(-most, held));
                    const double g_1 = -push * n_1 - rubbing * n_2, g_2 = -push * n_2 + rubbing * n_1;
                    for (int r = 0; r < lines; ++r)
                        speed[r] += answer[r * lines + 2 * c] * (g_1 - f_1) +
                                    answer[r * lines + 2 * c + 1] * (g_2 - f_2);
                    change = fmax(change, fabs(g_1 - f_1) + fabs(g_2 - f_2));
                    scale = fmax(scale, fabs(g_1) + fabs(g_2));
                    force[2 * c] = g_1;
                    force[2 * c + 1] = g_2;
                    normal[2 * c] = n_1;
                    normal[2 * c + 1] = n_2;
                }
                if (change <= 1e-13 * scale) break;
            }
            for (int c = 0; c < t->contacts; ++c) {
                const Law l = t->laws[c];
                const double rubbing = force[2 * c + 1] * normal[2 * c] -
                                       force[2 * c] * normal[2 * c + 1];
                // Damper and spring transmit friction: C stretching + K_T stretch = −rubbing.
                stretch[c] = ((l.damper / h - 0.5 * l.tangential) * stretch[c] - rubbing) /
                             (l.damper / h + 0.5 * l.tangential);
            }
            for (int i = 0; i < m; ++i) {
                double after = 0;
                for (int r = 0; r < lines; ++r) after += shape(t, r / 2, r % 2)[i] * force[r];
                after = unheld[i] + h * inertia[i] * after;
                q[i] += 0.5 * h * (v[i] + after);
                v[i] = after;
            }
            forget(t, state);
        }
    free(memory);
}

void tube(int moreau_jean, int modes, int contacts, const double *stiffness, const double *damping,
          const double *shapes, const double *drives, const Law *laws, const double *samples,
          int count, double step, int substeps, double *state) {
    const Tube t = {modes, contacts, stiffness, damping, shapes, drives, laws};
    memset(state, 0, (2 * modes + contacts) * sizeof(double));
    (moreau_jean ? tube_moreau_jean : tube_rk4)(&t, samples, count, step / substeps, substeps, state);
}
