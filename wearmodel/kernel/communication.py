"""One communication step: the inputs over it, the motion, and what the outputs at its end need.

Every form of the model takes its steps here: the Python object, the compiled runs over records and
the native FMU. With `input_timing` start an input set before a step is the value at its start and
is extrapolated over it; with end it is the value at its end, reached on a straight line from the
one before. A step that fails leaves everything as it was.

A sample is a row (instant, base_acceleration, base_acceleration_normal, tangential_load,
normal_load).
"""

from __future__ import annotations

from .extrapolation import (
    SHORTEST_ORDINARY,
    bounded_order,
    drop_crowded,
    is_ordinary,
    keep_errors,
    polynomial,
    predicted,
    straight_line,
)
from .limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    INPUT_AT_END,
    NO_EQUILIBRIUM,
    NORMAL_LOAD,
    OK,
    OVERFLOW,
    SAMPLES_NOT_PAST,
    SAMPLES_OF_OTHERS,
    TANGENTIAL_LOAD,
    TIME,
)
from .measures import measure
from .quiet import quiet_step
from .records import (
    Parameters,
    Predictions,
    Present,
    Sample,
    Samples,
    State,
    Work,
    clear_errors,
    clear_state,
    copy_samples,
    copy_state,
    state_sum,
)
from .series import evaluate, evaluate_slope
from .setup import place, set_mode
from .stepper import advance


def start(
    p: Parameters,
    s: State,
    samples: Samples,
    predictions: Predictions,
    now: Present,
    sample: Sample,
) -> int:
    """Begin with a sample of the inputs; OK, or NO_EQUILIBRIUM to start in."""
    clear_state(s)
    _put(sample, samples.first)
    clear_errors(predictions.base_acceleration)
    clear_errors(predictions.base_acceleration_normal)
    clear_errors(predictions.tangential_load)
    clear_errors(predictions.normal_load)
    now.time = sample[TIME]
    now.sample_count = 0.0
    now.steady_count = 0.0
    now.even_step_size = 0.0
    now.tangential_load = sample[TANGENTIAL_LOAD]
    now.tangential_forcing = sample[TANGENTIAL_LOAD] - p.mass * sample[BASE_ACCELERATION]
    now.normal_forcing = p.weight - p.mass * sample[BASE_ACCELERATION_NORMAL] - sample[NORMAL_LOAD]
    now.normal_forcing_rate = 0.0
    if not place(p, s, now.normal_forcing):
        return NO_EQUILIBRIUM
    set_mode(p, s, now.tangential_forcing, now.normal_forcing)
    return OK


def step(
    p: Parameters,
    s: State,
    samples: Samples,
    backup: Samples,
    predictions: Predictions,
    now: Present,
    sample: Sample,
    step_size: float,
    work: Work,
) -> int:
    """Advance by `step_size` [s] > 0 with a sample of the inputs; return OK or what failed.

    `backup` and `work` are scratch.
    """
    spare = samples.dropped
    samples.dropped = samples.fifth
    samples.fifth = samples.fourth
    samples.fourth = samples.third
    samples.third = samples.second
    samples.second = samples.first
    samples.first = spare
    _put(sample, samples.first)
    count = 1.0
    is_uneven = False
    spared = False
    is_automatic = False
    steady_count = 0.0
    if p.input_timing == INPUT_AT_END:
        _join(samples, step_size, work)
    else:
        is_automatic = p.input_extrapolation_order < 0.0
        order = p.longest_order
        count = now.sample_count + 1.0
        # Steps as long as the last ones need no look at the samples' instants.
        if step_size != now.even_step_size:
            order = min(order, count - 1.0)
            if not is_ordinary(samples, order, step_size):
                is_uneven = True
                copy_samples(samples, backup)
                count = drop_crowded(samples, count, step_size)
                order = bounded_order(samples, min(order, count - 1.0), step_size)
        # In most runs nothing but base_acceleration varies: that saves three polynomials.
        if is_steady(sample, samples.second):
            steady_count = now.steady_count + 1.0
        spared = steady_count >= p.steady_after
        counts = work.counts
        if spared:
            normal_acceleration = work.base_acceleration_normal
            tangential_load = work.tangential_load
            normal_load = work.normal_load
            normal_acceleration[0] = sample[BASE_ACCELERATION_NORMAL]
            tangential_load[0] = sample[TANGENTIAL_LOAD]
            normal_load[0] = sample[NORMAL_LOAD]
            counts.base_acceleration_normal = 1
            counts.tangential_load = 1
            counts.normal_load = 1
        if is_automatic:
            _predict(samples, predictions, count, order, spared, work)
        else:
            counts.base_acceleration = polynomial(
                samples, BASE_ACCELERATION, order, work.base_acceleration
            )
            if not spared:
                counts.base_acceleration_normal = polynomial(
                    samples, BASE_ACCELERATION_NORMAL, order, work.base_acceleration_normal
                )
                counts.tangential_load = polynomial(
                    samples, TANGENTIAL_LOAD, order, work.tangential_load
                )
                counts.normal_load = polynomial(samples, NORMAL_LOAD, order, work.normal_load)
    code = cross(p, s, now, step_size, work)
    if code == OK:
        if step_size != now.even_step_size:
            now.even_step_size = 0.0 if is_uneven or count <= p.longest_order else step_size
        # One more than the order needs: a single short step then costs no order.
        now.sample_count = min(count, p.samples_kept)
        now.steady_count = steady_count
        if is_automatic:
            keep_errors(predictions.base_acceleration)
            if not spared:
                keep_errors(predictions.base_acceleration_normal)
                keep_errors(predictions.tangential_load)
                keep_errors(predictions.normal_load)
        return OK
    if is_uneven:
        copy_samples(backup, samples)
    spare = samples.first
    samples.first = samples.second
    samples.second = samples.third
    samples.third = samples.fourth
    samples.fourth = samples.fifth
    samples.fifth = samples.dropped
    samples.dropped = spare
    return code


def step_along(
    p: Parameters, s: State, samples: Samples, now: Present, step_size: float, work: Work
) -> int:
    """Advance under input polynomials that lie in the work rows; earlier samples are forgotten."""
    code = cross(p, s, now, step_size, work)
    if code == OK:
        counts = work.counts
        # With input_timing end the next step leads on from here.
        first = samples.first
        first[TIME] = now.time
        count = int(counts.base_acceleration)
        first[BASE_ACCELERATION] = evaluate(work.base_acceleration, count, step_size)
        count = int(counts.base_acceleration_normal)
        first[BASE_ACCELERATION_NORMAL] = evaluate(work.base_acceleration_normal, count, step_size)
        first[TANGENTIAL_LOAD] = now.tangential_load
        count = int(counts.normal_load)
        first[NORMAL_LOAD] = evaluate(work.normal_load, count, step_size)
        now.sample_count = 0.0
        now.steady_count = 0.0
        now.even_step_size = 0.0
    return code


def is_steady(sample: Sample, before: Sample) -> bool:
    """Whether nothing but base_acceleration has changed from one sample to the next."""
    return (
        sample[NORMAL_LOAD] == before[NORMAL_LOAD]
        and sample[TANGENTIAL_LOAD] == before[TANGENTIAL_LOAD]
        and sample[BASE_ACCELERATION_NORMAL] == before[BASE_ACCELERATION_NORMAL]
    )


def _put(sample: Sample, row: Sample) -> None:
    row[TIME] = sample[TIME]
    row[BASE_ACCELERATION] = sample[BASE_ACCELERATION]
    row[BASE_ACCELERATION_NORMAL] = sample[BASE_ACCELERATION_NORMAL]
    row[TANGENTIAL_LOAD] = sample[TANGENTIAL_LOAD]
    row[NORMAL_LOAD] = sample[NORMAL_LOAD]


def _join(samples: Samples, step_size: float, work: Work) -> None:
    """Lead each input on a straight line from its last value to the new one."""
    counts = work.counts
    counts.base_acceleration = straight_line(
        samples, BASE_ACCELERATION, step_size, work.base_acceleration
    )
    counts.base_acceleration_normal = straight_line(
        samples, BASE_ACCELERATION_NORMAL, step_size, work.base_acceleration_normal
    )
    counts.tangential_load = straight_line(
        samples, TANGENTIAL_LOAD, step_size, work.tangential_load
    )
    counts.normal_load = straight_line(samples, NORMAL_LOAD, step_size, work.normal_load)


def _predict(
    samples: Samples,
    predictions: Predictions,
    count: float,
    order: float,
    spared: bool,
    work: Work,
) -> None:
    """Extrapolate each input, or base_acceleration alone, by the order that has erred least."""
    counts = work.counts
    counts.base_acceleration = predicted(
        samples,
        BASE_ACCELERATION,
        predictions.base_acceleration,
        count,
        order,
        work.base_acceleration,
    )
    if spared:
        return
    counts.base_acceleration_normal = predicted(
        samples,
        BASE_ACCELERATION_NORMAL,
        predictions.base_acceleration_normal,
        count,
        order,
        work.base_acceleration_normal,
    )
    counts.tangential_load = predicted(
        samples, TANGENTIAL_LOAD, predictions.tangential_load, count, order, work.tangential_load
    )
    counts.normal_load = predicted(
        samples, NORMAL_LOAD, predictions.normal_load, count, order, work.normal_load
    )


def cross(p: Parameters, s: State, now: Present, step_size: float, work: Work) -> int:
    """Advance by `step_size` [s] under the polynomials that lie in the work rows.

    Returns OK or the code of what failed; then nothing has changed.
    """
    counts = work.counts
    # f_t = P_t − m A_t and f_n = −m (g + A_n) − preload − P_n.
    mass = p.mass
    acceleration = work.base_acceleration
    load = work.tangential_load
    tangential = work.step_tangential
    tangential[0] = load[0] - mass * acceleration[0]
    tangential_count = 1
    if counts.base_acceleration > 1.0 or counts.tangential_load > 1.0:
        tangential_count = int(max(counts.base_acceleration, counts.tangential_load))
        for j in range(1, tangential_count):
            tangential[j] = -mass * acceleration[j] if j < counts.base_acceleration else 0.0
            if j < counts.tangential_load:
                tangential[j] += load[j]
    normal_acceleration = work.base_acceleration_normal
    normal_load = work.normal_load
    normal = work.step_normal
    normal[0] = p.weight - mass * normal_acceleration[0] - normal_load[0]
    normal_count = 1
    if counts.base_acceleration_normal > 1.0 or counts.normal_load > 1.0:
        normal_count = int(max(counts.base_acceleration_normal, counts.normal_load))
        for j in range(1, normal_count):
            normal[j] = 0.0
            if j < counts.base_acceleration_normal:
                normal[j] = -mass * normal_acceleration[j]
            if j < counts.normal_load:
                normal[j] -= normal_load[j]
    if not quiet_step(p, s, tangential, tangential_count, normal, normal_count, step_size, work):
        copy_state(s, work.before)
        code = advance(p, s, tangential, tangential_count, normal, normal_count, step_size, work)
        # The difference is zero unless the sum, and so one of the numbers, is not finite.
        total = state_sum(s)
        if code == OK and total - total != 0.0:
            code = OVERFLOW
        if code != OK:
            copy_state(work.before, s)
            return code
    now.tangential_forcing = tangential[0]
    # Only rigid stick needs f_t itself, and slip whose friction follows the mass's acceleration.
    if tangential_count > 1 and (s.sliding == 0.0 or p.constant_friction < 0.0):
        now.tangential_forcing = evaluate(tangential, tangential_count, step_size)
    now.tangential_load = load[0]
    if counts.tangential_load > 1.0:
        now.tangential_load = evaluate(load, int(counts.tangential_load), step_size)
    now.normal_forcing = normal[0]
    now.normal_forcing_rate = 0.0
    if normal_count > 1:
        now.normal_forcing = evaluate(normal, normal_count, step_size)
        now.normal_forcing_rate = evaluate_slope(normal, normal_count, step_size)
    now.time += step_size
    return OK


def broken_samples(p: Parameters, samples: Samples, now: Present) -> tuple[int, float, float]:
    """What is wrong with samples that come from outside, and two numbers that its message shows.

    SAMPLES_NOT_PAST comes with the instant of a sample and the one that follows on it [s].
    """
    count = now.sample_count
    steady = now.steady_count
    if not 0.0 <= count <= p.samples_kept or count != int(count) or not steady >= 0.0:
        return SAMPLES_OF_OTHERS, count, steady
    later = now.time
    shortest = SHORTEST_ORDINARY * now.even_step_size
    closest = later - samples.first[TIME]
    if count > 0.0:
        if not samples.first[TIME] < later:
            return SAMPLES_NOT_PAST, samples.first[TIME], later
        later = samples.first[TIME]
    if count > 1.0:
        if not samples.second[TIME] < later:
            return SAMPLES_NOT_PAST, samples.second[TIME], later
        if p.longest_order > 1.0:
            closest = min(closest, later - samples.second[TIME])
        if steady > 0.0 and not is_steady(samples.first, samples.second):
            return SAMPLES_OF_OTHERS, count, steady
        later = samples.second[TIME]
    if count > 2.0:
        if not samples.third[TIME] < later:
            return SAMPLES_NOT_PAST, samples.third[TIME], later
        if p.longest_order > 2.0:
            closest = min(closest, later - samples.third[TIME])
        if steady > 1.0 and not is_steady(samples.second, samples.third):
            return SAMPLES_OF_OTHERS, count, steady
        later = samples.third[TIME]
    if count > 3.0:
        if not samples.fourth[TIME] < later:
            return SAMPLES_NOT_PAST, samples.fourth[TIME], later
        if steady > 2.0 and not is_steady(samples.third, samples.fourth):
            return SAMPLES_OF_OTHERS, count, steady
    if now.even_step_size != 0.0 and (count < p.longest_order or closest < shortest):
        return SAMPLES_OF_OTHERS, count, steady
    return OK, 0.0, 0.0


def outputs(p: Parameters, s: State, now: Present) -> tuple[float, ...]:
    """Outputs at the present instant, in the order of `measures.measure`."""
    return measure(
        p,
        s,
        now.tangential_forcing,
        now.tangential_load,
        now.normal_forcing,
        now.normal_forcing_rate,
    )
