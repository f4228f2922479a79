"""State objects of the inputs: past samples, and errors of their predictions."""

from __future__ import annotations

from ..state_objects import Sample, clearing, copying, state_object


@state_object
class Samples:
    """Past inputs that the extrapolation uses, newest first."""

    first: Sample
    second: Sample
    third: Sample
    fourth: Sample
    fifth: Sample
    dropped: Sample
    # s, instant of the last discontinuity of each input. The first number is 1 while samples from
    # before any of these instants are kept, otherwise 0. See `jumps`.
    jumps: Sample


@state_object
class Errors:
    """Errors of the predictions of an input. Means are running means over MEMORY_STEPS steps."""

    # Newton's divided differences of order 1, 2 and 3 from the newest sample back.
    slope: float
    bend: float
    twist: float
    # Means of the squared errors that the orders would have made. Automatic order only.
    square_0: float
    square_2: float
    square_3: float
    missed: float  # mean of the squared errors of the order in use
    received: float  # mean of the input's squares
    order: float  # last chosen order, with automatic order only
    # Number of steps with known errors, up to MEMORY_STEPS. With a fixed order: number of steps in
    # which the input has varied.
    known: float
    steady: float  # samples since the input last changed, of a shoe up to `steady_after`
    late: float  # count of late steps, up to LATE_LIMIT, see `extrapolation`


copy_samples = copying(Samples)
clear_errors = clearing(Errors)
copy_errors = copying(Errors)
