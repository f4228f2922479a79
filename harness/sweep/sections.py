"""The sections of a sweep file: [sweep], [design] and [vary.<name>], and the rules within each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from harness.schema import Number, ParameterValue, Text, section

Count = Annotated[int, Field(ge=1, strict=True)]

Engine = Literal["kernel", "fmu", "closed_form"]

SAMPLED_KINDS = ("random", "sobol", "halton", "latin_hypercube")

# Which keys a distribution takes.
_KEYS = {
    "normal": ("mean", "standard_deviation"),
    "lognormal": ("median", "factor"),
    "uniform": ("start", "stop"),
    "triangular": ("start", "mode", "stop"),
}


@section
class SweepSection:
    """The section [sweep].

    Parameters
    ----------
    title : str
        One line.
    case : str
        Name of a shipped case, or path of a case file relative to the sweep file.
    quantities : tuple of dict
        What is computed of each point: `name`, perhaps `unit` for the picture, and the keys of an
        expectation without those of the number wanted.
    output : str
        File of the results, .csv or .parquet, relative to the sweep file.
    engine : {"kernel", "fmu", "closed_form"}
        The kernel in this process, compiled where there is a library; the FMU; or, for the wear
        work of a shoe that rubs on a sine alone, its closed form.

    Raises
    ------
    ValueError
        If the output is of another kind.
    """

    title: Text
    case: Text
    quantities: Annotated[tuple[dict[str, Any], ...], Field(min_length=1)]
    output: Text
    engine: Engine = "kernel"

    def __post_init__(self) -> None:
        if not self.output.endswith((".csv", ".parquet")):
            raise ValueError(f"output = {self.output!r} must end in .csv or .parquet")


@section
class Design:
    """The section [design]: which points of the space of varied quantities are computed.

    Parameters
    ----------
    kind : str
        "grid": all combinations, the first varied quantity slowest. "list": first values
        together, then second values, and so on. "random": independent and uniform. "sobol",
        "halton", "latin_hypercube": the scrambled designs of `scipy.stats.qmc`. "sobol_indices":
        for d varied quantities (d + 2)·count points, which tell whose uncertainty matters.
    count : int, optional
        Number of points of a design that is drawn.
    seed : int, optional
        Of a design that is drawn: the same seed gives the same points; default 0.

    Raises
    ------
    ValueError
        If a design that is drawn has no count, or another has a count or a seed, or the count for
        indices is no power of 2.
    """

    kind: Literal["grid", "list", "random", "sobol", "halton", "latin_hypercube", "sobol_indices"]
    count: Count | None = None
    seed: Annotated[int, Field(ge=0, strict=True)] | None = None

    def __post_init__(self) -> None:
        if self.drawn and self.count is None:
            raise ValueError(f"count is missing: a {self.kind} design draws that many points")
        count = self.count or 0
        if self.kind == "sobol_indices" and (count < 2 or count & (count - 1)):
            raise ValueError(f"count={count} must be a power of 2, ≥ 2, for sobol_indices")
        if not self.drawn and (self.count is not None or self.seed is not None):
            raise ValueError(
                f"count={self.count}, seed={self.seed}: a {self.kind} has the points that "
                "[vary] gives it and takes neither"
            )

    @property
    def drawn(self) -> bool:
        """Whether the points are drawn, by chance or by a sequence like it."""
        return self.kind in (*SAMPLED_KINDS, "sobol_indices")


@section
class Varied:
    """A section [vary.<name>]; the name is the quantity's column in the results.

    Parameters
    ----------
    of : str
        What is varied: "parameters.friction_coefficient", "inputs.base_acceleration.amplitude".
    values : tuple, optional
        The values themselves: numbers, true or false, or texts.
    start, stop : float, optional
        Otherwise the ends of a range.
    count : int, optional
        Number of values in the range, both ends included; not in a design that draws its points.
    scale : {"linear", "log"}
        Whether equal differences or equal ratios are equally likely, or equally spaced.
    unit : str, optional
        Shown in the picture; values are in the unit of what is varied.
    distribution : {"normal", "lognormal", "uniform", "triangular"}, optional
        By which a design draws the values; default evenly, over `values` or the range.
    mean, standard_deviation : float, optional
        Of "normal".
    median, factor : float, optional
        Of "lognormal": factor > 1 is the geometric standard deviation, 68 % of the values lie
        between median/factor and median·factor.
    mode : float, optional
        Of "triangular", between start and stop; "uniform" takes these two too.

    Raises
    ------
    ValueError
        If neither values nor both ends are given, or both are, or the range is empty, or a
        logarithmic one reaches 0; or if a distribution has other keys than its own.
    """

    of: Text
    values: Annotated[tuple[ParameterValue, ...], Field(min_length=1)] | None = None
    start: Number | None = None
    stop: Number | None = None
    count: Count | None = None
    scale: Literal["linear", "log"] = "linear"
    unit: Text | None = None
    distribution: Literal["normal", "lognormal", "uniform", "triangular"] | None = None
    mean: Number | None = None
    standard_deviation: Annotated[Number, Field(gt=0.0)] | None = None
    median: Annotated[Number, Field(gt=0.0)] | None = None
    factor: Annotated[Number, Field(gt=1.0)] | None = None
    mode: Number | None = None

    def __post_init__(self) -> None:
        self._check_distribution()
        if self.distribution in ("normal", "lognormal"):
            return
        if self.values is not None:
            if (self.start, self.stop, self.count) != (None, None, None):
                raise ValueError("values are given: start, stop and count must not be")
            return
        if self.start is None or self.stop is None:
            raise ValueError("either values, or both start and stop must be given")
        if self.stop <= self.start:
            raise ValueError(f"stop={self.stop!r} must be > start={self.start!r}")
        if self.scale == "log" and self.start <= 0.0:
            raise ValueError(f"start={self.start!r} must be > 0 on a log scale")
        if self.count == 1:
            raise ValueError("count=1 must be ≥ 2: both ends belong to the range")

    def _check_distribution(self) -> None:
        """Raise ValueError unless the distribution has its keys and no others."""
        taken = _KEYS.get(self.distribution or "", ("values", "start", "stop", "count"))
        known = {"values", "start", "stop", "count"}.union(*_KEYS.values())
        for key in sorted(known - set(taken)):
            if getattr(self, key) is not None:
                whose = f"distribution = {self.distribution!r} takes {', '.join(taken)}"
                if self.distribution is None:
                    whose = "it belongs to a distribution, which is missing"
                raise ValueError(f"{key} must not be given: {whose}")
        if self.distribution is None:
            return
        for key in taken:
            if getattr(self, key) is None:
                raise ValueError(f"{key} is missing: distribution = {self.distribution!r} needs it")
        if self.scale != "linear":
            raise ValueError(f"scale={self.scale!r} must not be given with a distribution")
        start, mode, stop = self.start, self.mode, self.stop
        if None not in (start, mode, stop) and not start <= mode <= stop:  # type: ignore[operator]
            raise ValueError(f"mode={mode!r} must be between start={start!r} and stop={stop!r}")

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers, so that there is an axis for them."""
        return self.values is None or all(
            isinstance(value, int | float) and not isinstance(value, bool) for value in self.values
        )
