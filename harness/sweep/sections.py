"""The sections of a sweep file: [sweep], [design] and [vary.<name>], and the rules within each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from harness.schema import Number, ParameterValue, Text, section
from wearmodel.units import unit_of_text

Count = Annotated[int, Field(ge=1, strict=True)]

Engine = Literal["kernel", "fmu"]

SAMPLED_KINDS = ("random", "sobol", "halton", "latin_hypercube")

# Keys of each distribution.
_KEYS = {
    "normal": ("mean", "standard_deviation"),
    "lognormal": ("median", "factor"),
    "uniform": ("start", "stop"),
    "triangular": ("start", "mode", "stop"),
}


@section
class SweepSection:
    """The section [sweep]."""

    title: Text
    # Name of a shipped case, or path of a case file relative to the sweep file.
    case: Text
    # Computed quantities: `name`, optional `unit` for pictures, and the keys of an expectation
    # without the expected value.
    quantities: Annotated[tuple[dict[str, Any], ...], Field(min_length=1)]
    # File of the results, .csv or .parquet, relative to the sweep file.
    output: Text
    # "kernel" runs without an FMU, "fmu" runs the FMU.
    engine: Engine = "kernel"

    def __post_init__(self) -> None:
        if not self.output.endswith((".csv", ".parquet")):
            raise ValueError(f"output = {self.output!r} must end in .csv or .parquet")


@section
class Design:
    """The section [design]: the computed points in the space of varied quantities."""

    # "grid": all combinations, and the last varied quantity changes first. "list": all first values
    # together, then all second values, and so on. "random": independent and uniform. "sobol",
    # "halton", "latin_hypercube": the scrambled designs of `scipy.stats.qmc`.
    # "sobol_indices": (d + 2)·count points for the Sobol indices of d varied quantities.
    kind: Literal["grid", "list", "random", "sobol", "halton", "latin_hypercube", "sobol_indices"]
    # Number of points of a drawn design, a power of 2 for "sobol_indices".
    count: Count | None = None
    # Seed of a drawn design. The default is 0.
    seed: Annotated[int, Field(ge=0, strict=True)] | None = None

    def __post_init__(self) -> None:
        if self.drawn and self.count is None:
            raise ValueError(f"count is missing: a {self.kind} design draws that many points")
        count = self.count or 0
        if self.kind == "sobol_indices" and (count < 2 or count & (count - 1)):
            raise ValueError(f"count={count} must be a power of 2, ≥ 2, for sobol_indices")
        if not self.drawn and (self.count is not None or self.seed is not None):
            raise ValueError(
                f"count={self.count}, seed={self.seed}: both are not allowed for a {self.kind}, "
                "whose points follow from [vary]"
            )

    @property
    def drawn(self) -> bool:
        """Whether the points are drawn by random numbers or a low-discrepancy sequence."""
        return self.kind in (*SAMPLED_KINDS, "sobol_indices")


def require_si(text: str) -> None:
    """Raise ValueError if the unit of a picture is known but is not an SI unit."""
    unit = unit_of_text(text)
    if unit is not None and unit.factor != 1.0:
        raise ValueError(f"unit = {text!r} must be an SI unit, because values are not converted")


@section
class Varied:
    """A section [vary.<name>]. The name is the column of the quantity in the results."""

    # The varied quantity, such as "parameters.friction_coefficient" or
    # "inputs.base_acceleration.amplitude".
    of: Text
    # Values: numbers, true or false, or texts.
    values: Annotated[tuple[ParameterValue, ...], Field(min_length=1)] | None = None
    # Ends of a range, as an alternative to values.
    start: Number | None = None
    stop: Number | None = None
    # Number of values in the range, including both ends. Not allowed in a drawn design.
    count: Count | None = None
    # Spacing of the values: equal differences or equal ratios.
    scale: Literal["linear", "log"] = "linear"
    # Unit in pictures. Values are in the unit of the varied quantity.
    unit: Text | None = None
    # Distribution of a drawn design. The default is uniform over `values` or the range.
    distribution: Literal["normal", "lognormal", "uniform", "triangular"] | None = None
    # Parameters of "normal".
    mean: Number | None = None
    standard_deviation: Annotated[Number, Field(gt=0.0)] | None = None
    # Parameters of "lognormal". The factor > 1 is the geometric standard deviation: 68 % of the
    # values are between median/factor and median·factor.
    median: Annotated[Number, Field(gt=0.0)] | None = None
    factor: Annotated[Number, Field(gt=1.0)] | None = None
    # Mode of "triangular", between start and stop.
    mode: Number | None = None

    def __post_init__(self) -> None:
        require_si(self.unit or "")
        self._check_distribution()
        if self.distribution in ("normal", "lognormal"):
            return
        if self.values is not None:
            if (self.start, self.stop, self.count) != (None, None, None):
                raise ValueError("start, stop and count are not allowed together with values")
            return
        if self.start is None or self.stop is None:
            raise ValueError("values, or start and stop, must be given")
        if self.stop <= self.start:
            raise ValueError(f"stop={self.stop!r} must be > start={self.start!r}")
        if self.scale == "log" and self.start <= 0.0:
            raise ValueError(f"start={self.start!r} must be > 0 on a log scale")
        if self.count == 1:
            raise ValueError("count=1 must be ≥ 2, because the range includes both ends")

    def _check_distribution(self) -> None:
        """Raise ValueError unless exactly the keys of the distribution are given."""
        taken = _KEYS.get(self.distribution or "", ("values", "start", "stop", "count"))
        known = {"values", "start", "stop", "count"}.union(*_KEYS.values())
        for key in sorted(known - set(taken)):
            if getattr(self, key) is not None:
                rule = f"distribution = {self.distribution!r} has {', '.join(taken)}"
                if self.distribution is None:
                    rule = "it requires a distribution"
                raise ValueError(f"{key} is not allowed: {rule}")
        if self.distribution is None:
            return
        for key in taken:
            if getattr(self, key) is None:
                raise ValueError(
                    f"{key} is missing: distribution = {self.distribution!r} requires it"
                )
        if self.scale != "linear":
            raise ValueError(f"scale={self.scale!r} is not allowed with a distribution")
        start, mode, stop = self.start, self.mode, self.stop
        if None not in (start, mode, stop) and not start <= mode <= stop:  # type: ignore[operator]
            raise ValueError(f"mode={mode!r} must be between start={start!r} and stop={stop!r}")

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return self.values is None or all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in self.values
        )
