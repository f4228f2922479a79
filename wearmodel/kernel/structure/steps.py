"""Steps of a structure: start, communication step, check of saved states.

The Python object and the native FMU use these functions, as in `shoe.steps`. `measures` computes
the outputs. A sample is a row: the instant, the three accelerations of the support, the loads.
After a failed step the state is incomplete, so the caller restores it or uses a copy.
"""

from __future__ import annotations

from ..contact.state_objects import ContactState, broken_contact
from ..events import Watch, begin_watch, count_pending, end_watch
from ..inputs.extrapolation import join_samples, samples_past
from ..inputs.state_objects import Samples
from ..inputs.taylor import taylor
from ..limits import (
    INPUT_AT_END,
    LONGEST_ORDER,
    MEMORY_STEPS,
    NO_EQUILIBRIUM,
    OK,
    OVERFLOW,
    SAMPLES_OF_OTHERS,
    TIME,
)
from ..series.polynomials import evaluate
from ..state_objects import Rows, Sample
from .equilibrium import find_equilibrium
from .inputs import extrapolated_inputs, joined_inputs
from .measures import modal_forces, start_contacts
from .state_objects import (
    Body,
    EquilibriumWork,
    Motion,
    StructureParameters,
    StructurePresent,
    StructureState,
    StructureWork,
)
from .stepper import advance_structure, copy_contacts


def start_structure(
    body: Body,
    initial: Motion,
    state: StructureState,
    sample: Sample,
    work: StructureWork,
    equilibrium: EquilibriumWork,
) -> int:
    """Begin with a sample of the inputs and a cleared state. Return OK or an error.

    The run starts in the `initial` motion if `equilibrium.matrix` is empty. Otherwise it starts in
    equilibrium, or returns NO_EQUILIBRIUM.
    """
    samples = state.samples
    now = state.now
    present = state.present
    motion = state.motion
    samples.first[:] = sample
    samples.jumps[0] = 0.0
    now.time = sample[TIME]
    now.sample_count = 0.0
    now.steps = 0.0
    now.parameter_change_work = 0.0
    for k in range(len(present)):
        instant = present[k]
        instant[0] = sample[k + 1]
    displacement = motion.displacement
    displacement[:] = initial.displacement
    motion.velocity[:] = initial.velocity
    matrix = equilibrium.matrix
    if len(matrix) > 0:
        modal_forces(body.modes, body.drives, motion, present, work.forces)
        if not find_equilibrium(body, work.forces, displacement, work.works, equilibrium):
            return NO_EQUILIBRIUM
    start_contacts(body, state, work)
    return OK


def step_structure(
    p: StructureParameters,
    body: Body,
    state: StructureState,
    sample: Sample,
    step_size: float,
    work: StructureWork,
) -> int:
    """Advance by `step_size` [s] > 0 with a sample of the inputs. Return OK or an error.

    A code below 0 is a success. Its size is the number of an input that has just become late. The
    row `sample` becomes one of the samples.
    """
    take_sample(p, state, sample, step_size, work)
    code = advance_structure(body, state, work, step_size)
    if code == OK:
        watching = work.watching
        code = finish_step(state, watching.reached, work)
    return code


def step_structure_to_event(
    p: StructureParameters,
    body: Body,
    state: StructureState,
    sample: Sample,
    step_size: float,
    watch: Watch,
    work: StructureWork,
) -> int:
    """As `step_structure`, but end right before the first event that `watch` waits for.

    See also `shoe.steps_to_events.step_to_event`.
    """
    watching = work.watching
    now = state.now
    begin_watch(watch, watching, now.time, step_size)
    code = step_structure(p, body, state, sample, step_size, work)
    reached = watching.reached
    if code <= OK and reached < step_size and p.input_timing == INPUT_AT_END:
        join_samples(state.samples, len(state.present) + 1, step_size, reached)
    end_watch(watching, watch, code)
    return code


def pass_structure_event(state: StructureState, watch: Watch, work: StructureWork) -> int:
    """Apply all events of the instant at which `step_structure_to_event` ended.

    The work space is unchanged since the step. Returns OK, or OVERFLOW without a change if the new
    state is not finite.
    """
    if watch.pending == 0.0:
        return OK
    after = work.contacts_after
    total = state_total(state.motion, after)
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    if total - total != 0.0:
        return OVERFLOW
    copy_contacts(after, state.contacts)
    count_pending(watch)
    return OK


def step_structure_along(
    p: StructureParameters,
    body: Body,
    state: StructureState,
    sample: Sample,
    derivatives: list[float],
    step_size: float,
    work: StructureWork,
) -> int:
    """As `step_structure`, with derivatives of the inputs instead of an extrapolation.

    `derivatives` is as in `taylor`. With input_timing end it has no effect, because inputs are then
    interpolated linearly.
    """
    if p.input_timing == INPUT_AT_END:
        return step_structure(p, body, state, sample, step_size, work)
    inputs = work.inputs
    counts = work.counts
    highest = 1.0
    for k in range(len(inputs)):
        highest = max(highest, taylor(sample, derivatives, k + 1, inputs[k]))
    counts.inputs = highest
    counts.late_input = 0.0
    code = advance_structure(body, state, work, step_size)
    if code == OK:
        # Earlier samples are dropped, because they do not agree with other derivatives.
        now = state.now
        now.sample_count = 0.0
        code = finish_step(state, step_size, work)
    return code


def take_sample(
    p: StructureParameters,
    state: StructureState,
    sample: Sample,
    step_size: float,
    work: StructureWork,
) -> None:
    """Store a sample of the inputs, and write their polynomials over the step."""
    samples = state.samples
    now = state.now
    samples.fifth[:] = samples.fourth
    samples.fourth[:] = samples.third
    samples.third[:] = samples.second
    samples.second[:] = samples.first
    samples.first[:] = sample
    if p.input_timing == INPUT_AT_END:
        joined_inputs(samples, step_size, work.inputs, work.counts)
    else:
        now.sample_count = extrapolated_inputs(
            samples,
            state.predictions,
            now.sample_count + 1.0,
            p.input_extrapolation_order,
            step_size,
            work.inputs,
            work.counts,
        )


def finish_step(state: StructureState, step_size: float, work: StructureWork) -> int:
    """Set the present instant to the end of the step. Return a code as `step_structure`."""
    total = state_total(state.motion, state.contacts)
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    if total - total != 0.0:
        return OVERFLOW
    now = state.now
    present = state.present
    inputs = work.inputs
    counts = work.counts
    count = int(counts.inputs)
    for k in range(len(inputs)):
        instant = present[k]
        instant[0] = evaluate(inputs[k], count, step_size)
    now.time += step_size
    if now.steps < MEMORY_STEPS:
        now.steps += 1.0
    return OK if counts.late_input == 0.0 else -int(counts.late_input)


def state_total(motion: Motion, contacts: list[ContactState]) -> float:
    """Sum of all numbers of the state that can overflow."""
    displacement = motion.displacement
    velocity = motion.velocity
    total = 0.0
    for i in range(len(displacement)):
        total += displacement[i] + velocity[i]
    for index in range(len(contacts)):
        s = contacts[index]
        total += s.stretch_1 + s.stretch_2 + s.direction_1 + s.direction_2
        total += s.wear_work + s.sliding_distance + s.peak_force + s.contact_peak
        total += s.friction_work + s.damping_work + s.pendulum_work
    return total


def broken_structure_state(
    contacts: list[ContactState], side_works: Rows, samples: Samples, now: StructurePresent
) -> tuple[int, float, float]:
    """Check a state of finite numbers. Return OK or an error, and two numbers for its message.

    NO_SUCH_MODE, NO_SUCH_ZEROS with the number, SAMPLES_OF_OTHERS, or SAMPLES_NOT_PAST with the
    times of a sample and of the next one [s].
    """
    for index in range(len(contacts)):
        code, number, other = broken_contact(contacts[index], len(side_works[index]))
        if code != OK:
            return code, number, other
    count = now.sample_count
    if not 0.0 <= count <= LONGEST_ORDER + 1.0 or count != int(count):
        return SAMPLES_OF_OTHERS, count, 0.0
    return samples_past(samples, count, now.time)
