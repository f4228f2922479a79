"""Communication steps that end immediately before an event: `steps.step`, watched.

`kernel.events` defines an event, and `stepper.advance` finds it. A step that ends early has the
same result as a step of this length with the inputs of the whole step.
"""

from __future__ import annotations

from ..events import Watch, begin_watch, count_pending, end_watch
from ..inputs.extrapolation import join_samples
from ..limits import INPUT_AT_END, OK, OVERFLOW, SAMPLE_LENGTH
from ..series.polynomials import evaluate
from ..state_objects import Sample
from .parameters import Parameters
from .state_objects import InputMemory, Present, State, Work, copy_state, state_sum
from .steps import step


def step_to_event(
    p: Parameters,
    s: State,
    memory: InputMemory,
    now: Present,
    sample: Sample,
    step_size: float,
    watch: Watch,
    work: Work,
) -> int:
    """Like `step`, but end immediately before the first event that `watch` waits for.

    The step ends at `watch.reached` [s]. An event at its very start, which a new input may cause,
    is applied there. A pending event is applied by `pass_event` or at the start of the next step.
    The inputs at the end become a sample.
    """
    watching = work.watching
    counts = work.counts
    begin_watch(watch, watching, now.time, step_size)
    counts.tangential_load = 0.0
    code = step(p, s, memory, now, sample, step_size, work)
    reached = watching.reached
    if code <= OK and reached < step_size:
        if counts.tangential_load > 0.0:
            now.tangential_load = evaluate(
                work.tangential_load, int(counts.tangential_load), reached
            )
        now.even_step_size = 0.0
        if p.input_timing == INPUT_AT_END:
            join_samples(memory.samples, SAMPLE_LENGTH, step_size, reached)
    end_watch(watching, watch, code)
    return code


def pass_event(p: Parameters, s: State, now: Present, watch: Watch, work: Work) -> int:
    """Apply all events of the instant at which `step_to_event` ended.

    The work space is unchanged since the step. Returns OK, or OVERFLOW without a change if the new
    state is not finite.
    """
    if watch.pending == 0.0:
        return OK
    total = state_sum(work.after_event)
    # The difference is zero unless the sum, and so one of the numbers, is not finite.
    if total - total != 0.0:
        return OVERFLOW
    copy_state(work.after_event, s)
    # Stick after the event needs f_t, which the step does not compute in slip.
    counts = work.counts
    now.tangential_forcing = evaluate(
        work.step_tangential, int(counts.step_tangential), watch.reached
    )
    count_pending(watch)
    return OK
