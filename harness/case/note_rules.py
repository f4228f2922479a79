"""Rules of the notes on FrictionalShock and DisChoc: conditions and texts.

Two programs use these rules: the command line (`harness.case.notes`) and the page that computes
(harness/page/notes.js).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields

from wearmodel import FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw
from wearmodel.kernel.shoe.parameters import InputTiming
from wearmodel.structure import USUAL_RANGES

# Parameters that act only for some values of another parameter, by that parameter.
ACTING = {
    "normal_law": {
        "contact_stiffness": (NormalLaw.penalty,),
        "contact_damping": (NormalLaw.penalty,),
        "restitution": (NormalLaw.rigid,),
        "obstacle": (NormalLaw.penalty, NormalLaw.rigid),
        "normal_stiffness": (NormalLaw.penalty, NormalLaw.rigid),
        "normal_damping": (NormalLaw.penalty, NormalLaw.rigid),
        "initial_normal_displacement": (NormalLaw.penalty, NormalLaw.rigid),
        "initial_normal_velocity": (NormalLaw.penalty, NormalLaw.rigid),
    },
    "tangential_law": {
        "tangential_stiffness": (TangentialLaw.penalty,),
        "tangential_damping": (TangentialLaw.penalty,),
    },
    "obstacle": {"plane_half_spacing": (Obstacle.two_planes,)},
    "input_timing": {"input_extrapolation_order": (InputTiming.start,)},
}

FAR = 10.0
"""A gap larger than this multiple of its change was probably given in another unit."""

FAR_GAP = (
    "{gap} starts at {start} m and changes by {range} m at most, so the contact never closes: "
    "is {parameter} in m?"
)
"""For all models: names of the gap and of its parameter, its start and its range."""

# Parameters of the initial state. If any of them is set, the user has considered the start.
_STARTS = (
    "start_in_equilibrium",
    "initial_gap",
    "initial_normal_displacement",
    "initial_normal_velocity",
)
_DEFAULTS = FrictionalShockParameters()
DEFAULTS = {
    quantity.name: float(getattr(_DEFAULTS, quantity.name)) for quantity in fields(_DEFAULTS)
}
"""Defaults of FrictionalShock, enumerations by their code."""

_FORCES = ("peak_normal_force", "impact_impulse")


@dataclass(frozen=True)
class Term:
    """A product of parameters and a constant factor."""

    factor: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class NoteRule:
    """Note with its conditions, all of which must be met."""

    # Text of the note. `{name}` is replaced by the value of the parameter, `{sum}` by the sum of
    # `positive`, and `{start}` and `{range}` by values of the output `far`.
    text: str
    # Values that parameters may have.
    where: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    # Parameters that were not set and have their defaults.
    untouched: tuple[str, ...] = ()
    # Parameters that were set to a value other than the default.
    changed: tuple[str, ...] = ()
    # Terms whose sum must be > 0.
    positive: tuple[Term, ...] = ()
    # Outputs that must all be 0, or not all be 0, at the end of the run.
    zero: tuple[str, ...] = ()
    not_zero: tuple[str, ...] = ()
    # Output that must start at more than `FAR` times its change during the run.
    far: str = ""
    # Output that must be positive and then fall to 0 during the run.
    falls_to_zero: str = ""
    # Whether the note explains zeros, and is therefore omitted in a case with expected values.
    unless_compared: bool = False

    @property
    def outputs(self) -> tuple[str, ...]:
        """Outputs of the conditions. Without outputs the note is known before the run."""
        return (*self.zero, *self.not_zero, *filter(None, (self.far, self.falls_to_zero)))


def _rules() -> Iterator[NoteRule]:
    penalty = {"normal_law": (int(NormalLaw.penalty),)}
    moving = {"normal_law": (int(NormalLaw.penalty), int(NormalLaw.rigid))}
    yield NoteRule(
        "contact_stiffness is the default {contact_stiffness} N/m, which deflects by "
        f"{1.0 / DEFAULTS['contact_stiffness']:g} m per newton: set the stiffness of your contact",
        where=penalty,
        untouched=("contact_stiffness",),
    )
    yield NoteRule(
        "contact_stiffness={contact_stiffness} N/m is below the stiffness of the spring of the "
        "mass, normal_stiffness={normal_stiffness} N/m: the obstacle deflects more than the mass",
        where=penalty,
        changed=("contact_stiffness",),
        positive=(Term(1.0, ("normal_stiffness",)), Term(-1.0, ("contact_stiffness",))),
    )
    yield NoteRule(
        "the mass starts at zero contact force and drops into the contact spring. The force "
        "reaches up to {sum} N, twice its weight and preload: start_in_equilibrium=true starts it "
        "at rest",
        where=penalty,
        untouched=_STARTS,
        positive=(Term(2.0, ("mass", "gravity")), Term(2.0, ("preload",))),
    )
    yield NoteRule(
        "plane_half_spacing is the default {plane_half_spacing} m: set the value of your planes",
        where={**moving, "obstacle": (int(Obstacle.two_planes),)},
        untouched=("plane_half_spacing",),
    )
    yield from _IMPLAUSIBLE
    yield from _without_effect()
    yield NoteRule(
        FAR_GAP.replace("{gap}", "gap").replace("{parameter}", "initial_gap"),
        where=moving,
        zero=_FORCES,
        far="gap",
    )
    yield NoteRule(
        "the normal force falls to 0, but with normal_law=prescribed the mass stays on the plane: "
        "normal_law=rigid lets it lift off",
        where={"normal_law": (int(NormalLaw.prescribed),)},
        not_zero=_FORCES,
        falls_to_zero="normal_force",
        unless_compared=True,
    )
    yield NoteRule(
        "the mass never touches its support, so it does not wear",
        zero=_FORCES,
        unless_compared=True,
    )
    yield NoteRule(
        "the mass never slips, so it does not wear: the excitation remains below the friction "
        "limit, about friction_coefficient · normal_force / mass",
        zero=("wear_work",),
        not_zero=_FORCES,
        unless_compared=True,
    )


_IMPLAUSIBLE = tuple(
    NoteRule(f"{name}={{{name}}} {question}", positive=(Term(1.0, (name,)), Term(-most, ())))
    for name, (_, most, question) in USUAL_RANGES.items()
)


def _without_effect() -> Iterator[NoteRule]:
    """Yield a rule for each parameter and each choice under which it has no effect."""
    for chooser, dependents in ACTING.items():
        for name, laws in dependents.items():
            needed = " or ".join(law.name for law in laws)
            for chosen in type(getattr(_DEFAULTS, chooser)):
                if chosen not in laws:
                    yield NoteRule(
                        f"{name} has no effect with {chooser}={chosen.name}: it requires "
                        f"{chooser}={needed}",
                        where={chooser: (int(chosen),)},
                        changed=(name,),
                    )


_FAR_SPRING = FAR_GAP.replace("{gap}", "clearance").replace("{parameter}", "dist_1")
RULES: dict[str, tuple[NoteRule, ...]] = {
    "FrictionalShock": tuple(_rules()),
    "DisChoc": (*_IMPLAUSIBLE, NoteRule(_FAR_SPRING, zero=("wear_work",), far="clearance")),
}
"""Rules by model."""
