"""The section [life] of a case file: service, wear law, worn shape, and their rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeAlias

from pydantic import Field

from harness.messages import nearest
from harness.schema import Number, ParameterValue, Text, section
from harness.sweep import SAMPLED_KINDS, Design, Varied
from wearmodel.arrays import Floats
from wearmodel.statistics.wear_laws import MOST_FACTOR, EdfMz, KwuEpri, worn_volume
from wearmodel.statistics.worn_shapes import SHAPES, CrownedPad, FlatPad
from wearmodel.statistics.worn_sides import TubeBySides
from wearmodel.structure import USUAL_RANGES, questions_on
from wearmodel.units import seconds_of_text

Positive = Annotated[Number, Field(gt=0.0)]
# k = K/H is a probability divided by a hardness, which exceeds 1 Pa for all solids. The same limit
# applies to the other laws.
Coefficient = Annotated[Number, Field(gt=0.0, le=1.0)]
# Service time [years]. Larger values overflow in the results.
Years = Annotated[Number, Field(gt=0.0, le=1e9)]

# Kind of the shape with a depth for every side of a hole.
SIDES = "SIDES"
_KINDS: dict[str, type[Any]] = {"FLAT": FlatPad, "BALL": CrownedPad, **SHAPES, SIDES: TubeBySides}
# Units of shapes, walls and limits, and the values above which a note is printed.
_LARGEST = {
    **dict.fromkeys(("radius", "tube_radius", "hole_radius", "width"), ("m", 1.0)),
    **dict.fromkeys(("wall", "depth"), ("m", 0.2)),
    "wear_area": ("m2", USUAL_RANGES["wear_area"][1]),
    "volume": ("m3", 1e-3),
}
# Parameters of a contact that change only its own wear outputs, or are switched off in the runs.
_WITHOUT_EFFECT = ("archard_coefficient", "wear_area", "wear_feedback", "wear_time_scale")


@section
class Scatter:
    """A coefficient with scatter: 95 % of measured values are within a factor of the median."""

    # 0 < k ≤ 1 [m²/N].
    median: Coefficient
    factor: Annotated[Number, Field(ge=1.0, le=MOST_FACTOR)]
    # Whether all contacts of a draw share one coefficient, or each contact has its own.
    draw: Literal["shared", "contact"] = "shared"


class _Proportional:
    """Base of laws whose worn volume depends only on coefficient × time."""

    coefficient: float | Scatter

    @property
    def median(self) -> float:
        """Coefficient [m²/N], or its median if it has scatter."""
        given = self.coefficient
        return given.median if isinstance(given, Scatter) else given

    @property
    def factor(self) -> float:
        """Factor that contains 95 % of the coefficients. It is 1 without scatter."""
        return self.coefficient.factor if isinstance(self.coefficient, Scatter) else 1.0

    @property
    def has_draw_per_contact(self) -> bool:
        """Whether each contact of a draw has its own coefficient."""
        return isinstance(self.coefficient, Scatter) and self.coefficient.draw == "contact"

    @property
    def exponent(self) -> float:
        """Relative error of the rate divided by the relative error of the power."""
        return 1.0

    def rate(self, weighed_power: float, time: float) -> float:
        """Rate [m³/s] at a power [W], which is weighted if the law has weights."""
        return worn_volume(self.median, weighed_power)

    def power(self, rate: float) -> float:
        """Weighed power [W] at which a volume grows at a rate [m³/s]."""
        return rate / self.median


class Shape(Protocol):
    """A worn shape: `wearmodel.statistics.worn_shapes`."""

    @property
    def scars(self) -> int:
        """Number of equal scars."""

    def depth(self, volume: float) -> float:
        """Depth [m] of a volume [m³]."""

    def volume(self, depth: float) -> float:
        """Volume [m³] of a depth [m]."""


@section
class ArchardLaw(_Proportional):
    """V̇ = k P."""

    kind: Literal["ARCHARD"]
    # 0 < k ≤ 1 [m²/N].
    coefficient: Coefficient | Scatter


@section
class EdfMzLaw:
    """EDF's law with running-in. `EdfMz` describes its parameters."""

    kind: Literal["EDF_MZ"]
    coefficient: Coefficient = EdfMz.coefficient
    exponent: Positive = EdfMz.exponent
    decay_rate: Positive = EdfMz.decay_rate
    final_rate: Annotated[Number, Field(ge=0.0)] = EdfMz.final_rate
    # The factor of a coefficient rescales the time, which is not valid for a law with running-in.
    factor: ClassVar[float] = 1.0
    has_draw_per_contact: ClassVar[bool] = False

    def rate(self, wear_power: float, time: float) -> float:
        """Rate [m³/s] at a power [W] after a service time [s].

        Raises ValueError if the power is too small for the law.
        """
        law = EdfMz(self.coefficient, self.exponent, self.decay_rate, self.final_rate)
        return law.wear_rate(wear_power, time)

    def power(self, rate: float) -> float:
        """0, because the power for a rate depends on the time."""
        return 0.0


@section
class KwuEpriLaw(_Proportional):
    """The law with weights for sliding and impacts. `KwuEpri` describes its parameters."""

    kind: Literal["KWU_EPRI"]
    coefficient: Coefficient | Scatter
    impact_factor: Positive = KwuEpri.impact_factor
    sliding_factor: Positive = KwuEpri.sliding_factor
    force_factor: Positive = KwuEpri.force_factor
    force_scale: Positive = KwuEpri.force_scale

    def weighed_work(self, force: Floats, speed: Floats, wear_work: Floats) -> Floats:
        """Weighted wear work [J] from `KwuEpri.weighed_work`.

        Raises ValueError if the law is not valid for the operating condition.
        """
        law = KwuEpri(
            self.median,
            self.impact_factor,
            self.sliding_factor,
            self.force_factor,
            self.force_scale,
        )
        return law.weighed_work(force, speed, wear_work)


Law: TypeAlias = Annotated[ArchardLaw | EdfMzLaw | KwuEpriLaw, Field(discriminator="kind")]


@section
class Criterion:
    """A limit. The time to reach it is computed.

    Raises ValueError unless exactly one of limit and share is given, or if a share limits a
    volume.
    """

    # The limited quantity.
    variable: Literal["depth", "volume"]
    # > 0, m or m³. `LifeSection` computes it from a share of the wall.
    limit: Positive = 0.0
    # Depth limit as a share of the wall, > 0, ≤ 1, instead of `limit`.
    share_of_wall: Annotated[Number, Field(gt=0.0, le=1.0)] | None = None

    def __post_init__(self) -> None:
        if (self.limit == 0.0) == (self.share_of_wall is None):
            raise ValueError("criterion needs either limit or share_of_wall: give one of them")
        if self.share_of_wall is not None and self.variable != "depth":
            raise ValueError(
                f"criterion.share_of_wall = {self.share_of_wall:g} limits a depth and not a"
                f' {self.variable}: use variable = "depth"'
            )

    def with_wall(self, wall: float | None) -> Criterion:
        """Return the criterion with its limit in m, for a wall [m]."""
        if self.share_of_wall is None:
            return self
        if wall is None:
            raise ValueError("wall is missing: share_of_wall requires the wall thickness in m")
        return replace(self, limit=self.share_of_wall * wall, share_of_wall=None)


@section
class ServiceSection:
    """A section [[life.service]]: an operating condition."""

    # One word or more.
    name: Text
    # Fraction of the service time, > 0, ≤ 1.
    fraction: Annotated[Number, Field(gt=0.0, le=1.0)]
    # Parameters that differ from the parameters of the case.
    parameters: dict[str, ParameterValue] = Field(default_factory=dict)
    # Keys that differ, for each input that differs. With `kind`, all keys of the input.
    inputs: dict[str, dict[str, Any]] = Field(default_factory=dict)


@section
class LifeSection:
    """The section [life].

    Raises ValueError if the fractions do not add up to 1, or two operating conditions have the same
    name, or only one of design and uncertain quantities is given, or the design is not random.
    """

    # Wear law, from wear power to volume.
    law: Law
    # Worn shape, from volume to depth: `kind` (FLAT, BALL or a name of `worn_shapes.SHAPES`) and
    # its parameters.
    shape: dict[str, Any]
    # Service time, years of 365.25 days.
    years: Years | None = None
    # A limit. The time to reach it is computed.
    criterion: Criterion | None = None
    # Wall thickness of the tube [m], > 0, if the limit is a share of it.
    wall: Positive | None = None
    # Allowed error of runs and extrapolation together, relative to the worn volume.
    relative_error: Annotated[Number, Field(gt=0.0, lt=1.0)] = 0.05
    # Name of the contact of a structure. By default all contacts with an archard_coefficient, or
    # all contacts if there is no such contact.
    contact: Text | None = None
    # Longest time scale of the service with its unit, such as "1 h". Runs last at least as long.
    slowest: Text | None = None
    # Whether the calculation continues after all limits are decided.
    to_the_end: bool = False
    # Operating conditions. Their fractions add up to 1. The default is the case itself.
    service: tuple[ServiceSection, ...] = ()
    # Design of draws of uncertain quantities.
    design: Design | None = None
    # Uncertain quantities by name, except a wear coefficient with scatter.
    vary: dict[str, Varied] = Field(default_factory=dict)

    def __post_init__(self) -> None:
        self._check_design()
        if self.criterion is not None:
            object.__setattr__(self, "criterion", self.criterion.with_wall(self.wall))
        self.slowest_time  # noqa: B018  (checked here)
        if not self.service:
            return
        names = [motion.name for motion in self.service]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"service.name = {name!r} must not be given twice")
        total = sum(motion.fraction for motion in self.service)
        # Decimal thirds do not add up exactly to 1.
        if abs(total - 1.0) > 1e-6:
            raise ValueError(f"service: the fractions add up to {total:.9g} and must add up to 1")

    @property
    def slowest_time(self) -> float:
        """`slowest` in s, or 0."""
        if self.slowest is None:
            return 0.0
        try:
            return seconds_of_text(self.slowest)
        except ValueError as problem:
            raise ValueError(f"slowest = {self.slowest!r} {problem}") from None

    def _check_design(self) -> None:
        design, law = self.design, self.law
        if design is None:
            if self.vary:
                raise ValueError("design is missing: it contains the number of draws of vary")
            if law.has_draw_per_contact:
                raise ValueError(
                    "law.coefficient.draw = 'contact' needs a design. Without it the error bar of"
                    " each contact is the same as with 'shared'"
                )
            return
        if not design.drawn:
            raise ValueError(
                f"design.kind = {design.kind!r}: must be one of"
                f" {', '.join((*SAMPLED_KINDS, 'sobol_indices'))}"
            )
        if not self.vary and law.factor == 1.0:
            raise ValueError(
                "design has no uncertain quantity: give vary, or law.coefficient with median and"
                " factor"
            )


def questioned_values(section: LifeSection) -> list[str]:
    """Return a note on each implausible size or coefficient, and parameter without effect."""
    law, shape, wall, criterion = section.law, section.shape, section.wall, section.criterion
    # The coefficient of EDF_MZ has a different unit.
    given = {} if isinstance(law, EdfMzLaw) else {"archard_coefficient": law.median}
    notes = [f"life.law: {text.removeprefix('archard_')}" for text in questions_on(given)]
    sizes = [(f"life.shape: {name}", name, shape[name]) for name in _LARGEST if name in shape]
    if wall is not None:
        sizes.append(("life: wall", "wall", wall))
    if criterion is not None:
        sizes.append(("life.criterion: limit", criterion.variable, criterion.limit))
    bounds = {"wall": (shape.get("tube_radius"), "radius of the tube"), "depth": (wall, "wall")}
    for place, name, value in sizes:
        unit, largest = _LARGEST[name]
        bound, of = bounds.get(name, (None, ""))
        if value > (bound or largest):
            reason = f"larger than the {of}, {bound!r} m" if bound else "implausibly large"
            notes.append(f"{place}={value!r} {unit} is {reason}: is it in m{unit}?")
    changed = {f"life.vary.{name}": [varied.of] for name, varied in section.vary.items()}
    changed |= {f"life.service ({by.name})": [*by.parameters] for by in section.service}
    notes += [
        f"{place}: {name} has no effect: the law and the shape of [life] determine the wear"
        for place, names in changed.items()
        for name in names
        if name.rpartition(".")[2] in _WITHOUT_EFFECT
    ]
    return notes


def shape_of(table: Mapping[str, Any]) -> Shape:
    """Return the worn shape that a table describes.

    Raises ValueError if the kind or a key is not known, or a parameter is missing or out of range.
    """
    kind = table.get("kind")
    if kind not in _KINDS:
        raise ValueError(f"kind = {kind!r}: must be one of {', '.join(_KINDS)}")
    parameters = [field for field in fields(_KINDS[kind]) if field.init]
    known = [field.name for field in parameters]
    given = {name: value for name, value in table.items() if name != "kind"}
    for name, value in given.items():
        if name not in known:
            remedy = nearest(name, known) or f"; known are {', '.join(known)}"
            raise ValueError(f"{name} is not a known key{remedy}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name} = {value!r}: must be a number")
    for field in parameters:
        if field.default is MISSING and field.name not in given:
            raise ValueError(f"{field.name} is missing: {kind} needs it")
    made: Shape = _KINDS[kind](**given)
    return made
