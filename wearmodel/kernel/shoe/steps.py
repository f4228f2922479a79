"""One communication step: the inputs over it, the motion, and data for the outputs.

All forms of the model use these functions: the Python object, the compiled runs over records and
the native FMU. With `input_timing` start an input set before a step is the value at its start and
is extrapolated over the step. With end it is the value at its end, and the input is a straight line
from the previous value. A failed step does not change anything.

A sample is a row (instant, base_acceleration, base_acceleration_normal, tangential_load,
normal_load).
"""

from __future__ import annotations

from math import sqrt

from ..inputs.extrapolation import (
    EVEN,
    bounded_order,
    drop_crowded,
    is_ordinary,
    polynomial,
    predicted,
    straight_line,
)
from ..inputs.jumps import are_own, own_count
from ..inputs.state_objects import Errors, Samples, clear_errors, copy_errors, copy_samples
from ..limits import (
    BASE_ACCELERATION,
    BASE_ACCELERATION_NORMAL,
    FAINT,
    INPUT_AT_END,
    JUDGED_FROM,
    LATE_LIMIT,
    MEMORY_STEPS,
    NO_EQUILIBRIUM,
    NORMAL_LOAD,
    OK,
    OVERFLOW,
    SAMPLE_LENGTH,
    TANGENTIAL_LOAD,
    TIME,
)
from ..series.polynomials import evaluate, evaluate_slope
from ..state_objects import Row, Sample
from .measures import measure
from .parameters import Parameters
from .quiet import quiet_step
from .start_mode import place, set_mode
from .state_objects import (
    InputMemory,
    Predictions,
    Present,
    Spacing,
    State,
    Work,
    clear_state,
    copy_state,
    state_sum,
)
from .stepper import advance


def start(
    p: Parameters,
    s: State,
    samples: Samples,
    predictions: Predictions,
    now: Present,
    sample: Sample,
) -> int:
    """Begin with a sample of the inputs. Return OK or NO_EQUILIBRIUM."""
    clear_state(s)
    samples.first[:] = sample
    samples.jumps[0] = 0.0
    _begin(p, predictions.base_acceleration)
    _begin(p, predictions.base_acceleration_normal)
    _begin(p, predictions.tangential_load)
    _begin(p, predictions.normal_load)
    now.time = sample[TIME]
    now.sample_count = 0.0
    now.steady_others = p.steady_after
    now.even_step_size = 0.0
    now.steps = 0.0
    now.tangential_load = sample[TANGENTIAL_LOAD]
    now.tangential_forcing = sample[TANGENTIAL_LOAD] - p.mass * sample[BASE_ACCELERATION]
    now.normal_forcing = p.weight - p.mass * sample[BASE_ACCELERATION_NORMAL] - sample[NORMAL_LOAD]
    now.normal_forcing_rate = 0.0
    if not place(p, s, now.normal_forcing):
        return NO_EQUILIBRIUM
    set_mode(p, s, now.tangential_forcing, now.normal_forcing)
    return OK


def _begin(p: Parameters, errors: Errors) -> None:
    """Initialise an input without history, as constant so far."""
    clear_errors(errors)
    errors.steady = p.steady_after


def step(
    p: Parameters,
    s: State,
    memory: InputMemory,
    now: Present,
    sample: Sample,
    step_size: float,
    work: Work,
) -> int:
    """Advance by `step_size` [s] > 0 with a sample of the inputs. Return OK or an error.

    A code below 0 is a success. Its absolute value is the column of an input that has just become
    late. The row `sample` becomes one of the samples.
    """
    samples = memory.samples
    samples.dropped[:] = samples.fifth
    samples.fifth[:] = samples.fourth
    samples.fourth[:] = samples.third
    samples.third[:] = samples.second
    samples.second[:] = samples.first
    samples.first[:] = sample
    spacing = work.spacing
    spacing.count = EVEN
    spacing.order = p.longest_order
    spacing.is_uneven = 0.0
    spacing.step_size = step_size
    # If all steps are equally long, the instants of the samples are not needed.
    if step_size != now.even_step_size:
        _look_at_spacing(samples, memory.backup, now.sample_count + 1.0, spacing)
    before = samples.second
    steady_after = p.steady_after
    # f_t = P_t − m A_t and f_n = −m (g + A_n) − preload − P_n.
    mass = p.mass
    normal = work.step_normal
    past = memory.predictions.base_acceleration
    newest = memory.tried.base_acceleration
    tangential_count = _course(
        p, samples, BASE_ACCELERATION, past, newest, spacing, -mass, work.step_tangential
    )
    # In most runs only base_acceleration varies. This saves three polynomials.
    load_at_end = sample[TANGENTIAL_LOAD]
    others_vary = not (
        now.steady_others >= steady_after
        and sample[BASE_ACCELERATION_NORMAL] == before[BASE_ACCELERATION_NORMAL]
        and load_at_end == before[TANGENTIAL_LOAD]
        and sample[NORMAL_LOAD] == before[NORMAL_LOAD]
    )
    normal_count = 1
    if others_vary:
        tangential_count, normal_count, load_at_end = _take_others(
            p, memory, spacing, tangential_count, work
        )
    else:
        work.step_tangential[0] += load_at_end
        normal[0] = p.weight - mass * sample[BASE_ACCELERATION_NORMAL] - sample[NORMAL_LOAD]
    code = cross(p, s, now, tangential_count, normal_count, load_at_end, step_size, work)
    if code == OK:
        if spacing.count != EVEN:
            _keep_spacing(p, samples, now, spacing)
        if now.steps < MEMORY_STEPS:
            now.steps += 1.0
        # The tentative inputs are confirmed. An input that has become late is reported once.
        code = _keep(p, past, newest, sample, before, BASE_ACCELERATION)
        if others_vary:
            code = min(code, _keep_others(p, memory, now, sample, before))
        return code
    if spacing.is_uneven != 0.0:
        copy_samples(memory.backup, samples)
    _put_back(samples)
    return code


def _put_back(samples: Samples) -> None:
    """Remove the newest sample."""
    samples.first[:] = samples.second
    samples.second[:] = samples.third
    samples.third[:] = samples.fourth
    samples.fourth[:] = samples.fifth
    samples.fifth[:] = samples.dropped


def _take_others(
    p: Parameters, memory: InputMemory, spacing: Spacing, tangential_count: int, work: Work
) -> tuple[int, int, float]:
    """Add the polynomials of all inputs except base_acceleration over a step to the forcings.

    Returns the numbers of coefficients of f_t and f_n, and the tangential load [N] at the end.
    """
    samples = memory.samples
    past = memory.predictions
    tried = memory.tried
    normal = work.step_normal
    normal_count = _course(
        p,
        samples,
        BASE_ACCELERATION_NORMAL,
        past.base_acceleration_normal,
        tried.base_acceleration_normal,
        spacing,
        -p.mass,
        normal,
    )
    normal[0] += p.weight
    load = work.tangential_load
    load_count = _course(
        p, samples, TANGENTIAL_LOAD, past.tangential_load, tried.tangential_load, spacing, 1.0, load
    )
    tangential_count = _add(load, load_count, 1.0, work.step_tangential, tangential_count)
    counts = work.counts
    counts.tangential_load = load_count
    normal_load = work.normal_load
    normal_load_count = _course(
        p, samples, NORMAL_LOAD, past.normal_load, tried.normal_load, spacing, -1.0, normal_load
    )
    normal_count = _add(normal_load, normal_load_count, 1.0, normal, normal_count)
    return tangential_count, normal_count, evaluate(load, load_count, spacing.step_size)


def _look_at_spacing(samples: Samples, backup: Samples, count: float, spacing: Spacing) -> None:
    """Determine how many of `count` samples are usable. `backup` has all if some are too close."""
    step_size = spacing.step_size
    spacing.count = count
    spacing.order = min(spacing.order, count - 1.0)
    if not is_ordinary(samples, spacing.order, step_size):
        spacing.is_uneven = 1.0
        copy_samples(samples, backup)
        spacing.count = drop_crowded(samples, count, step_size)
        spacing.order = bounded_order(samples, min(spacing.order, spacing.count - 1.0), step_size)


def _keep_spacing(p: Parameters, samples: Samples, now: Present, spacing: Spacing) -> None:
    """Store the number of samples and their spacing after a step of another length."""
    count = spacing.count
    is_known = spacing.is_uneven == 0.0 and count > p.longest_order + p.is_automatic
    if samples.jumps[0] != 0.0:
        is_known = is_known and _outlives_jumps(samples, count)
    now.even_step_size = spacing.step_size if is_known else 0.0
    # One more than the order needs, so that a single short step does not lower the order.
    now.sample_count = min(count, p.samples_kept)


def _outlives_jumps(samples: Samples, count: float) -> bool:
    """Whether all samples are newer than all discontinuities. If so, clear the discontinuities."""
    if not are_own(samples, SAMPLE_LENGTH, count):
        return False
    samples.jumps[0] = 0.0
    return True


def step_along(
    p: Parameters, s: State, samples: Samples, now: Present, step_size: float, work: Work
) -> int:
    """Advance under the input polynomials in the work rows, and clear earlier samples."""
    counts = work.counts
    acceleration_count = int(counts.base_acceleration)
    normal_acceleration = work.base_acceleration_normal
    normal_acceleration_count = int(counts.base_acceleration_normal)
    load_count = int(counts.tangential_load)
    normal_load_count = int(counts.normal_load)
    tangential = work.step_tangential
    tangential_count = _add(work.base_acceleration, acceleration_count, -p.mass, tangential, 0)
    tangential_count = _add(work.tangential_load, load_count, 1.0, tangential, tangential_count)
    normal = work.step_normal
    normal_count = _add(normal_acceleration, normal_acceleration_count, -p.mass, normal, 0)
    normal[0] += p.weight
    normal_count = _add(work.normal_load, normal_load_count, -1.0, normal, normal_count)
    load_at_end = evaluate(work.tangential_load, load_count, step_size)
    code = cross(p, s, now, tangential_count, normal_count, load_at_end, step_size, work)
    if code == OK:
        # With input_timing end the next step interpolates from these values.
        first = samples.first
        first[TIME] = now.time
        first[BASE_ACCELERATION] = evaluate(work.base_acceleration, acceleration_count, step_size)
        first[BASE_ACCELERATION_NORMAL] = evaluate(
            normal_acceleration, normal_acceleration_count, step_size
        )
        first[TANGENTIAL_LOAD] = load_at_end
        first[NORMAL_LOAD] = evaluate(work.normal_load, normal_load_count, step_size)
        now.sample_count = 0.0
        now.even_step_size = 0.0
        if now.steps < MEMORY_STEPS:
            now.steps += 1.0
    return code


def _keep_others(
    p: Parameters, memory: InputMemory, now: Present, sample: Sample, before: Sample
) -> int:
    """Confirm all tentative inputs except base_acceleration. Return the code of `_keep`."""
    predictions = memory.predictions
    tried = memory.tried
    normal = predictions.base_acceleration_normal
    newest_normal = tried.base_acceleration_normal
    code = _keep(p, normal, newest_normal, sample, before, BASE_ACCELERATION_NORMAL)
    load = predictions.tangential_load
    code = min(code, _keep(p, load, tried.tangential_load, sample, before, TANGENTIAL_LOAD))
    normal_load = predictions.normal_load
    code = min(code, _keep(p, normal_load, tried.normal_load, sample, before, NORMAL_LOAD))
    now.steady_others = min(p.steady_after, normal.steady, load.steady, normal_load.steady)
    return code


def _keep(
    p: Parameters, errors: Errors, tried: Errors, sample: Sample, before: Sample, column: int
) -> int:
    """Confirm the tentative values of an input. Return OK, or −column if it has become late."""
    if errors.steady >= p.steady_after and sample[column] == before[column]:
        return OK
    code = OK
    if tried.late >= LATE_LIMIT and errors.late < LATE_LIMIT:
        code = -column
    copy_errors(tried, errors)
    return code


def _course(
    p: Parameters,
    samples: Samples,
    column: int,
    errors: Errors,
    tried: Errors,
    spacing: Spacing,
    factor: float,
    target: Row,
) -> int:
    """Write `factor` times an input's polynomial over a step. Return its number of coefficients.

    `tried` receives the `errors` after the step, unless the input stays constant.
    """
    first = samples.first
    steady = errors.steady
    if steady >= p.steady_after and first[column] == samples.second[column]:
        target[0] = factor * first[column]
        return 1
    own = spacing.count
    own_order = spacing.order
    if own != EVEN and samples.jumps[0] != 0.0:
        own = own_count(samples, column, own)
        own_order = bounded_order(samples, min(own_order, own - 1.0), spacing.step_size)
    is_uneven = spacing.is_uneven != 0.0
    if first[column] != samples.second[column] or (is_uneven and steady < p.steady_after):
        steady = 0.0
    elif steady < p.steady_after:
        steady += 1.0
    terms = 1
    if steady >= p.steady_after:
        copy_errors(errors, tried)
        target[0] = factor * first[column]
    elif p.is_automatic != 0.0:
        terms = predicted(samples, column, errors, tried, own, own_order, factor, target)
    elif p.input_timing == INPUT_AT_END:
        copy_errors(errors, tried)
        terms = straight_line(samples, column, spacing.step_size, factor, target)
    else:
        terms = polynomial(samples, column, errors, tried, own, own_order, factor, target)
    tried.steady = steady
    return terms


def _add(source: Row, count: int, factor: float, target: Row, target_count: int) -> int:
    """Add `factor` times a polynomial to another. Return the sum's number of coefficients."""
    for j in range(count):
        if j < target_count:
            target[j] += factor * source[j]
        else:
            target[j] = factor * source[j]
    return max(count, target_count)


def cross(
    p: Parameters,
    s: State,
    now: Present,
    tangential_count: int,
    normal_count: int,
    tangential_load: float,
    step_size: float,
    work: Work,
) -> int:
    """Advance by `step_size` [s] under the forcings in the work rows.

    `tangential_load` [N] is the load at the step's end. Returns OK, or an error without a change. A
    watched step can end earlier, at `watching.reached`.
    """
    counts = work.counts
    counts.step_tangential = tangential_count
    counts.step_normal = normal_count
    normal = work.step_normal
    reached = step_size
    if not quiet_step(p, s, tangential_count, normal_count, step_size, work):
        copy_state(s, work.before)
        code = advance(p, s, tangential_count, normal_count, step_size, work)
        # The difference is zero unless the sum, and so one of the numbers, is not finite.
        total = state_sum(s)
        if code == OK and total - total != 0.0:
            code = OVERFLOW
        if code != OK:
            copy_state(work.before, s)
            return code
        watching = work.watching
        reached = watching.reached
    now.tangential_forcing = work.step_tangential[0]
    # f_t at the end is needed only in rigid stick, at a stop, and for a stretch that depends on the
    # mass's acceleration.
    if tangential_count > 1 and (
        s.sliding == 0.0 or p.slip_follows_forcing != 0.0 or s.stop != 0.0
    ):
        now.tangential_forcing = evaluate(work.step_tangential, tangential_count, reached)
    now.tangential_load = tangential_load
    now.normal_forcing = normal[0]
    now.normal_forcing_rate = 0.0
    if normal_count > 1:
        now.normal_forcing = evaluate(normal, normal_count, reached)
        now.normal_forcing_rate = evaluate_slope(normal, normal_count, reached)
    now.time += reached
    return OK


def _larger(p: Parameters, errors: Errors, share: float) -> float:
    """The larger of `share` and the relative mean square of an input's prediction errors."""
    missed = errors.missed
    received = errors.received
    if errors.steady < p.steady_after and missed > share * received and received > FAINT * missed:
        return missed / received
    return share


def outputs(p: Parameters, s: State, predictions: Predictions, now: Present) -> tuple[float, ...]:
    """Outputs at the present instant, in the order of `measures.measure`.

    The last is the largest rms of an input's prediction errors, as a share of that input's rms, or
    −1 if it is not known yet. Constant inputs are predicted without error.
    """
    if now.steps < JUDGED_FROM:
        return measure(p, s, now, -1.0)
    share = 0.0
    errors = predictions.base_acceleration
    missed = errors.missed
    received = errors.received
    if missed > 0.0 and errors.steady < p.steady_after and received > FAINT * missed:
        share = missed / received
    if now.steady_others < p.steady_after:
        share = _larger(p, predictions.base_acceleration_normal, share)
        share = _larger(p, predictions.tangential_load, share)
        share = _larger(p, predictions.normal_load, share)
    return measure(p, s, now, sqrt(share))
