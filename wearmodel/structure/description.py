"""Modal structure with loads and contacts: description and checks.

    m_i q̈_i + c_i q̇_i + m_i ω_i² q_i = − Σ_d L_id (A_d − g_d) + Σ_l s_il P_l(t) + Σ_c φ_i(c)ᵀ F_c
    x_c = Σ_i φ_i(c) q_i

q_i are modal coordinates relative to the support. A is the acceleration of the support, g is
gravity, P_l are loads, and F_c is the force of contact c on its point. x_c is the displacement of
the point of the contact. If the contact has a second point, its displacement is subtracted, and
−F_c acts on it. With dimensionless shapes q is in m, and m_i and L_id are in kg. Other scalings are
allowed: with mass-normalised shapes m_i = 1, and L_id is in kg^½.

Not included: gyroscopic and non-proportional damping.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Tuple  # noqa: UP035, Python 3.9

from ..kernel.contact.obstacle import RULES, gap_rule
from ..kernel.contact.parameters import ContactObstacle, ContactParameters
from ..kernel.limits import NO_RULE
from ..quantities import chosen, require_finite, require_not_negative, require_positive
from .polygon import polygon_sides

Numbers = Tuple[float, ...]  # noqa: UP006, not in an annotation
AXES = ("x", "y", "z")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Names of the inputs of loads begin with `load.`, and FMI reserves `der(` for derivatives.
_RESERVED = ("load", "der")
# Largest magnitude of a number. Masses and frequencies must be at least its inverse. Products and
# quotients of such numbers do not overflow.
_LARGEST = 1e50
# Normals and axes need not be unit vectors, but a direction must be recognisable.
_SHORTEST_DIRECTION = 1e-100


class StructureError(ValueError):
    """A structure is invalid. The message contains the place, the value and the rule."""


@dataclass(frozen=True)
class Modes:
    """Frequencies [Hz] (0: rigid), damping ratios or modal damping [N.s/m], and masses [kg]."""

    frequency: Numbers
    damping_ratio: Numbers = ()
    modal_damping: Numbers = ()
    generalised_mass: Numbers = ()

    def __post_init__(self) -> None:
        count = len(self.frequency)
        if count == 0:
            raise StructureError("modes.frequency is empty: a structure has at least one mode")
        for number, frequency in enumerate(self.frequency, start=1):
            _require(require_not_negative, f"modes.frequency[{number}]", frequency, "Hz")
            if frequency != 0.0:
                _require_between(f"modes.frequency[{number}]", frequency, "Hz, or be 0")
        if any(self.damping_ratio) and any(self.modal_damping):
            raise StructureError("modes has both damping_ratio and modal_damping: give one of them")
        for name, unit, default in (
            ("damping_ratio", "1", 0.0),
            ("modal_damping", "N.s/m", 0.0),
            ("generalised_mass", "kg", 1.0),
        ):
            values = _one_a_mode(f"modes.{name}", getattr(self, name), count, default)
            check = require_positive if name == "generalised_mass" else require_not_negative
            for number, value in enumerate(values, start=1):
                _require(check, f"modes.{name}[{number}]", value, unit)
                if name == "generalised_mass":
                    _require_between(f"modes.{name}[{number}]", value, unit)
                else:
                    _require_size(f"modes.{name}[{number}]", value)
            object.__setattr__(self, name, values)

    @property
    def count(self) -> int:
        """Number of modes."""
        return len(self.frequency)

    @property
    def stiffness(self) -> Numbers:
        """m_i ω_i² [N/m]."""
        return tuple(
            mass * (2.0 * math.pi * frequency) ** 2
            for mass, frequency in zip(self.generalised_mass, self.frequency)
        )

    @property
    def damping(self) -> Numbers:
        """c_i = 2 ξ_i ω_i m_i, or modal_damping [N.s/m]."""
        return tuple(
            damping + 2.0 * ratio * 2.0 * math.pi * frequency * mass
            for damping, ratio, frequency, mass in zip(
                self.modal_damping, self.damping_ratio, self.frequency, self.generalised_mass
            )
        )


@dataclass(frozen=True)
class Base:
    """Participation factors L_id of the modes for base motion, and gravity [m/s2].

    A missing participation remains empty, see `Structure.participation`.
    """

    participation_x: Numbers = ()
    participation_y: Numbers = ()
    participation_z: Numbers = ()
    gravity_x: float = 0.0
    gravity_y: float = 0.0
    gravity_z: float = 0.0

    def __post_init__(self) -> None:
        for axis in AXES:
            gravity = getattr(self, f"gravity_{axis}")
            _require(require_finite, f"base.gravity_{axis}", gravity)
            _require_size(f"base.gravity_{axis}", gravity)

    @property
    def given_axes(self) -> tuple[str, ...]:
        """Axes with a given participation."""
        return tuple(axis for axis in AXES if getattr(self, f"participation_{axis}"))

    @property
    def gravity(self) -> Numbers:
        """Gravity along x, y and z [m/s2]."""
        return (self.gravity_x, self.gravity_y, self.gravity_z)


@dataclass(frozen=True)
class Point:
    """Point of the structure: displacement along x, y and z for each mode at q_i = 1."""

    name: str
    shape_x: Numbers = ()
    shape_y: Numbers = ()
    shape_z: Numbers = ()

    @property
    def shape(self) -> tuple[Numbers, ...]:
        """Values along x, y and z, one number per mode."""
        return (self.shape_x, self.shape_y, self.shape_z)


@dataclass(frozen=True)
class Load:
    """Load: modal forces for 1 N."""

    name: str
    shape: Numbers


@dataclass(frozen=True)
class Contact:
    """Contact of a point with an obstacle or with another point of the structure.

    `direction` is the normal of planes towards the free side (of two planes: towards the upper
    plane), or the axis of a hole. `offset` [m] is the rest position of the point in the obstacle.

    A polygon has `sides`, or the `directions` [degrees] of its sides, and their `gaps` [m], which
    are equal if they are not given (`polygon_sides`). Directions and gaps of all sides are
    filled in. The gap among the parameters is the smallest one. A change of it moves all sides by
    the same distance.
    """

    name: str
    point: str
    obstacle: ContactObstacle
    direction: Numbers
    second_point: str = ""
    offset: Numbers = (0.0, 0.0, 0.0)
    parameters: ContactParameters = field(default_factory=ContactParameters)
    sides: int = 0
    directions: Numbers = ()
    gaps: Numbers = ()

    def __post_init__(self) -> None:
        obstacle = chosen("obstacle", ContactObstacle, self.obstacle)
        object.__setattr__(self, "obstacle", obstacle)
        length = math.hypot(*self.direction)
        if len(self.direction) != len(AXES) or not _SHORTEST_DIRECTION < length < math.inf:
            raise StructureError(
                f"{self.direction_key} = {list(self.direction)} must be three finite "
                "numbers, not all 0"
            )
        unit = tuple(component / length for component in self.direction)
        # A unit vector is kept without rounding.
        if abs(length - 1.0) > 1e-15:
            object.__setattr__(self, "direction", unit)
        if len(self.offset) != len(AXES) or not all(map(math.isfinite, self.offset)):
            raise StructureError(f"offset = {list(self.offset)} m must be three finite numbers")
        for component in self.offset:
            _require_size("offset", component)
        self._fill_sides()
        rule = gap_rule(float(self.obstacle), self.parameters.gap)
        if rule != NO_RULE:
            raise StructureError(RULES[rule].format(self.parameters.gap))

    def _fill_sides(self) -> None:
        if self.obstacle is not ContactObstacle.polygon:
            for key in ("sides", "directions", "gaps"):
                if getattr(self, key):
                    raise StructureError(
                        f"{key} is invalid with obstacle = {self.obstacle.name!r}: only a polygon "
                        f"has sides. Leave out {key}, or use obstacle = 'polygon'"
                    )
            return
        gap = self.parameters.gap
        directions, gaps = polygon_sides(self.sides, self.directions, self.gaps, gap)
        object.__setattr__(self, "sides", len(directions))
        object.__setattr__(self, "directions", directions)
        object.__setattr__(self, "gaps", gaps)
        if gap != min(gaps):
            object.__setattr__(self, "parameters", replace(self.parameters, gap=min(gaps)))

    def with_gaps(self, gaps: Sequence[float]) -> Contact:
        """Return the same polygon with other gaps of its sides [m]."""
        parameters = replace(self.parameters, gap=min(gaps))
        return replace(self, gaps=tuple(gaps), parameters=parameters)

    @property
    def direction_key(self) -> str:
        """Name of the direction in the file: normal or axis."""
        return self.obstacle.direction_key


@dataclass(frozen=True)
class Initial:
    """Initial modal coordinates and velocities, or the equilibrium under gravity and loads."""

    displacement: Numbers = ()
    velocity: Numbers = ()
    equilibrium: bool = False


@dataclass(frozen=True)
class Structure:
    """Modal structure, see the module, or contacts between `bodies` that another program moves.

    `bodies` contains the name of each point's body. The modes are then the displacements x, y, z of
    the bodies in the order of `body_names`, and their generalised mass is the effective mass.

    StructureError if the number of values does not fit the modes, a name is used twice, reserved or
    unknown, or a value is out of range.
    """

    modes: Modes
    title: str = ""
    source: str = ""
    base: Base = field(default_factory=Base)
    points: tuple[Point, ...] = ()
    loads: tuple[Load, ...] = ()
    contacts: tuple[Contact, ...] = ()
    observed: tuple[str, ...] = ()
    initial: Initial = field(default_factory=Initial)
    bodies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require_names("body", self.body_names)
        count = self.modes.count
        given = (f"participation_{axis}" for axis in self.base.given_axes)
        _fit(self.base, "base", tuple(given), count)
        for point in self.points:
            shapes = tuple(f"shape_{axis}" for axis in AXES)
            _fit(point, f"point {point.name}", shapes, count)
        for load in self.loads:
            _fit(load, f"load {load.name}", ("shape",), count)
        _fit(self.initial, "initial", ("displacement", "velocity"), count)
        if self.initial.equilibrium and (
            any(self.initial.displacement) or any(self.initial.velocity)
        ):
            raise StructureError(
                "initial.equilibrium = true sets the start itself: initial.displacement and "
                "initial.velocity must be 0"
            )
        _require_names("load", [known_load.name for known_load in self.loads])
        # The contacts' and the observed points' variables are in the same namespace.
        _require_names("point", [known_point.name for known_point in self.points])
        _require_names("contact", [known_contact.name for known_contact in self.contacts])
        known = [known_point.name for known_point in self.points]
        for contact in self.contacts:
            for key, name in (("point", contact.point), ("second_point", contact.second_point)):
                if name not in known and (key == "point" or name):
                    _unknown_point(f"contact {contact.name}: {key}", name, known)
            if contact.point == contact.second_point:
                raise StructureError(
                    f"contact {contact.name}: second_point = {contact.point!r} must differ from "
                    f"point"
                )
        for name in self.observed:
            if name not in known:
                _unknown_point("observe: point", name, known)
            if name in [known_contact.name for known_contact in self.contacts]:
                raise StructureError(
                    f"observe: point = {name!r} is also the name of a contact: their outputs "
                    "would share names"
                )
        if len(set(self.observed)) != len(self.observed):
            raise StructureError("observe: a point is named twice")

    @property
    def participation(self) -> tuple[Numbers, ...]:
        """Participation of the modes along x, y and z, one number per mode (default: 0)."""
        base, missing = self.base, (0.0,) * self.modes.count
        along = (base.participation_x, base.participation_y, base.participation_z)
        return tuple(numbers or missing for numbers in along)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies without duplicates."""
        return tuple(dict.fromkeys(self.bodies))

    def point(self, name: str) -> Point:
        """Return the point of this name."""
        return next(point for point in self.points if point.name == name)

    def with_parameters(self, values: Mapping[str, Any]) -> Structure:
        """Return the structure with given values of `CONTACT.gap`, `BODY.effective_mass`, ….

        Other names are ignored. If parameters of a contact break a rule, StructureError contains
        the name of the contact.
        """
        contacts = tuple(_with_parameters(contact, values) for contact in self.contacts)
        masses = list(self.modes.generalised_mass)
        for number, body in enumerate(self.body_names):
            for mode in range(3 * number, 3 * number + 3):
                masses[mode] = values.get(f"{body}.effective_mass", masses[mode])
        modes = replace(self.modes, generalised_mass=tuple(masses))
        return replace(self, contacts=contacts, modes=modes)

    def contact_shape(self, contact: Contact) -> tuple[Numbers, ...]:
        """φ_i of x_c along x, y and z: shape of the point minus shape of the second point."""
        shapes = self.point(contact.point).shape
        if not contact.second_point:
            return shapes
        return tuple(
            tuple(a - b for a, b in zip(first, second))
            for first, second in zip(shapes, self.point(contact.second_point).shape)
        )


def _with_parameters(contact: Contact, values: Mapping[str, Any]) -> Contact:
    given = {
        quantity.name: values[name]
        for quantity in fields(ContactParameters)
        if (name := f"{contact.name}.{quantity.name}") in values
    }
    try:
        return replace(contact, parameters=replace(contact.parameters, **given))
    except ValueError as problem:
        raise StructureError(f"{contact.name}: {problem}") from None


def _require(check: Any, name: str, value: float, unit: str = "m/s2") -> None:
    try:
        check(name, value, unit)
    except ValueError as problem:
        raise StructureError(str(problem)) from None


def _require_size(name: str, value: float) -> None:
    if abs(value) > _LARGEST:
        raise StructureError(f"{name} = {value} must be at most {_LARGEST:g} in size")


def _require_between(name: str, value: float, unit: str) -> None:
    if not 1.0 / _LARGEST <= value <= _LARGEST:
        raise StructureError(
            f"{name} = {value} must lie in [{1.0 / _LARGEST:g}, {_LARGEST:g}] {unit}"
        )


def _one_a_mode(name: str, values: Sequence[float], count: int, default: float) -> Numbers:
    """Return the values, or a default for each mode. Raise StructureError for a wrong number."""
    if not values:
        return (default,) * count
    if len(values) != count:
        raise StructureError(
            f"{name} has {len(values)} numbers: there must be one for each of the {count} modes"
        )
    return tuple(values)


def _fit(owner: Any, place: str, names: tuple[str, ...], count: int) -> None:
    """Replace missing values by zeros, and check that there is one finite number per mode."""
    for name in names:
        values = _one_a_mode(f"{place}: {name}", getattr(owner, name), count, 0.0)
        for number, value in enumerate(values, start=1):
            if not math.isfinite(value):
                raise StructureError(f"{place}: {name}[{number}] = {value} must be finite")
            _require_size(f"{place}: {name}[{number}]", value)
        object.__setattr__(owner, name, values)


def _require_names(kind: str, names: Sequence[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise StructureError(
                f"{kind}: name = {name!r} must be letters, digits and _, not begin with a digit, "
                f"and be none of {', '.join(_RESERVED)}"
            )
        if names.count(name) > 1:
            raise StructureError(f"{kind}: name = {name!r} is used twice")


def _unknown_point(place: str, name: str, known: Sequence[str]) -> None:
    raise StructureError(f"{place} = {name!r} is not a point. Points: {', '.join(known) or 'none'}")
