"""Properties of a structure at each contact, and warnings about implausible values.

For a contact along b, a structure at rest responds like the mass m_c, 1/m_c = Σ (φ_i·b)²/m_i, until
a wave returns. With the contact stiffness K_eff the highest excited frequency is √(K_eff/m_c)/2π.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wearmodel.arrays import Floats

from ..units import STANDARD_GRAVITY
from .description import AXES, Contact, Structure

# Ratio of contact frequency to highest mode above which the contact determines the cost of a run.
_COSTLY = 20.0
# Smallest plausible highest frequency [Hz]. Exchanged matrices of a stiff structure give 1/ω.
_TOO_SLOW = 1e-3
# Gap [m], and acceleration [m/s2] of a point that crosses it. A wider gap that needs a larger
# acceleration was probably given in mm.
_WIDE_GAP = 5e-3
_MOST_ACCELERATION = 5.0 * STANDARD_GRAVITY
# Share of the largest compliance across the axis of a hole. If the compliance along the axis is
# larger, and the smallest compliance across it is smaller, the axis is probably across the tube.
_AXIAL_SHARE = 0.1
# Relative distance from 2π times a number of few digits, which is a round number of Hz in rad/s.
# By chance, 90 · 1e-4/ln 10 = 0.4 % of all numbers are so near with two digits, 4 % with three.
_ROUNDED = 5e-5
# Damping ratio. Most structures have less than a tenth of it. More is probably in percent.
_MOST_DAMPING = 0.2
# More modes than this with a largest entry of 1 are probably not mass-normalised. A mass of 1 kg
# that moves along x, y and z has three such modes.
_UNIT_MODES = 3
USUAL_RANGES = {
    # Rubber on rough ground and dry metals in air rarely reach the upper limit.
    "friction_coefficient": (
        0.0,
        2.0,
        "is implausible: usual values are 0 to 2. Is it in percent?",
    ),
    # Range of all pairs of materials.
    "archard_coefficient": (
        1e-18,
        1e-11,
        "m2/N is implausible: measured coefficients are between 1e-18 and 1e-11 m2/N. Check "
        "its unit",
    ),
    "wear_area": (0.0, 1.0, "m2 is implausibly large: is it in mm2?"),
}
"""Plausible values of parameters of a contact, and a question about values outside the range."""

# If rigid friction changes suddenly by ΔF, a critically damped spring changes the velocity by at
# most ΔF/(e √(K_T m_c)): 1/e · ω √(m_c/K_T) times ΔF/(m_c ω), the velocity that ΔF causes at ω.
_SPRING_ERROR = math.exp(-1.0)
RIGID = 1e-3  # The error for which `rigid_stiffness` is computed.
# At a distance of this many gaps from the middle of its hole, the penetration of a point equals the
# gap. Parts that are pressed together deform less.
_FAR_OFFSET = 2.0


@dataclass(frozen=True)
class ContactFacts:
    """Properties of a contact."""

    name: str  #: Name of the contact.
    normal_stiffness: float  #: K_eff [N/m], including the flexibility of the omitted modes.
    #: Smallest m_c [kg] along the normal and in the tangent plane. Infinite if the modes do not
    #: move the point.
    normal_mass: float
    tangential_mass: float
    frequency: float  #: Frequency of the closed contact along its normal [Hz].
    #: Approach [m] under gravity without contacts. 0 if rigid modes have no equilibrium.
    static_approach: float
    #: K_T [N/m] whose friction differs from rigid friction by about RIGID, by m_c and the lowest
    #: frequency ω > 0 that moves the point along the friction: K_T = m_c (ω/(e RIGID))². The
    #: difference is in proportion to 1/√K_T. 0 without such a frequency.
    rigid_stiffness: float


def normal_directions(contact: Contact) -> Floats:
    """Return columns that span the possible directions of the normal."""
    direction = np.array(contact.direction)
    if contact.obstacle.is_curved:
        return np.asarray(np.linalg.svd(direction[None, :])[2][1:].T)
    return direction[:, None]


def tangent_directions(contact: Contact) -> Floats:
    """Return columns that span the directions of friction."""
    direction = np.array(contact.direction)
    if contact.obstacle.is_curved:
        return np.eye(3)
    return np.asarray(np.linalg.svd(direction[None, :])[2][1:].T)


def contact_facts(structure: Structure, contact: Contact) -> ContactFacts:
    """Return the properties of a contact of the structure."""
    shape = np.array(structure.contact_shape(contact))
    masses = np.array(structure.modes.generalised_mass)
    mobility = (shape / masses) @ shape.T
    normal = normal_directions(contact)
    normal_inverse = float(np.linalg.eigvalsh(normal.T @ mobility @ normal)[-1])
    tangent = tangent_directions(contact)
    tangent_inverse = float(np.linalg.eigvalsh(tangent.T @ mobility @ tangent)[-1])
    moving = np.any(tangent.T @ shape != 0.0, axis=0)
    rates = 2.0 * math.pi * np.array(structure.modes.frequency)[moving]
    slowest = float(np.min(rates[rates > 0.0], initial=math.inf))
    rigid = (_SPRING_ERROR * slowest / RIGID) ** 2 / tangent_inverse if slowest < math.inf else 0.0
    stiffness = contact.parameters.normal_stiffness
    moved = shape @ static_deflection(structure)
    start = normal.T @ np.array(contact.offset)
    return ContactFacts(
        name=contact.name,
        normal_stiffness=stiffness,
        normal_mass=_inverse(normal_inverse),
        tangential_mass=_inverse(tangent_inverse),
        frequency=math.sqrt(max(0.0, stiffness * normal_inverse)) / (2.0 * math.pi),
        static_approach=contact.obstacle.approach(start.tolist(), (normal.T @ moved).tolist()),
        rigid_stiffness=rigid,
    )


def softest_mode(structure: Structure, contact: Contact) -> float:
    """Return the smallest stiffness [N/m] of a single mode at the contact along its normal.

    It is m_i ω_i²/(φ_i·b)², for a circle with b along the motion of the mode. It is 0 if a rigid
    mode moves the point, and infinite if the modes do not move it.
    """
    shape = normal_directions(contact).T @ np.array(structure.contact_shape(contact))
    moved = np.sum(shape**2, axis=0)
    stiffness = np.array(structure.modes.stiffness)
    return float(np.min(stiffness[moved > 0.0] / moved[moved > 0.0], initial=math.inf))


def crossing_acceleration(structure: Structure, contact: Contact) -> float:
    """Return the acceleration [m/s2] of a point that crosses its gap in its slowest mode.

    It is ω² gap, and 0 for a rigid mode or a contact closed at rest.
    """
    shape = normal_directions(contact).T @ np.array(structure.contact_shape(contact))
    moved = np.sum(shape**2, axis=0) > 0.0
    if not np.any(moved):
        return 0.0
    rate = 2.0 * math.pi * float(np.min(np.array(structure.modes.frequency)[moved]))
    return rate * rate * max(0.0, contact.parameters.gap)


def _lies_across(structure: Structure, contact: Contact) -> bool:
    """Whether the axis of a round hole seems to be across the tube, from the compliances.

    A tube is compliant in one or both transverse directions, and stiff along its axis.
    """
    stiffness = np.array(structure.modes.stiffness)
    elastic = stiffness > 0.0
    shape = np.array(structure.contact_shape(contact))[:, elastic]
    compliance = (shape / stiffness[elastic]) @ shape.T
    axis = np.array(contact.direction)
    across = normal_directions(contact)
    least, most = np.linalg.eigvalsh(across.T @ compliance @ across)
    limit = _AXIAL_SHARE * float(most)
    return bool(axis @ compliance @ axis > limit > float(least))


def _look_angular(frequencies: Sequence[float]) -> bool:
    """Whether frequencies are 2π times round numbers, and are not round numbers.

    This is tested with two digits for the lowest frequency, or with three for all frequencies.
    """

    def are_round(digits: int, values: Sequence[float]) -> bool:
        return all(abs(float(f"{x:.{digits - 1}e}") / x - 1.0) < _ROUNDED for x in values)

    judged = [(2, frequencies[:1]), (3, frequencies)]
    return any(
        are_round(digits, [value / (2.0 * math.pi) for value in values])
        and not are_round(digits, values)
        for digits, values in judged[: len(frequencies)]
    )


def static_deflection(structure: Structure) -> Floats:
    """Return modal coordinates under gravity without contacts, 0 for rigid modes."""
    loads = np.array(structure.base.gravity) @ np.array(structure.participation)
    stiffness = np.array(structure.modes.stiffness)
    held = stiffness > 0.0
    return np.where(held, loads / np.where(held, stiffness, 1.0), 0.0)


def modal_masses(structure: Structure) -> dict[str, float]:
    """Return the mass of the modes, Σ L_id²/m_i [kg], along x, y and z."""
    masses = np.array(structure.modes.generalised_mass)
    return {
        axis: float(np.sum(np.array(participation) ** 2 / masses))
        for axis, participation in zip(AXES, structure.participation, strict=True)
    }


def warnings_of(structure: Structure, *, truncation: bool = True) -> list[str]:
    """Return warnings about implausible values, one line each.

    `truncation` is false if few modes, or modes without damping, are intended. Then there are no
    warnings about them.
    """
    warnings = []
    modes = structure.modes
    highest = max(modes.frequency)
    if 0.0 < highest < _TOO_SLOW:
        warnings.append(
            f"the frequency of the highest mode is {highest:.4g} Hz: are mass and stiffness "
            "exchanged, or in other units than kg and N/m?"
        )
    elastic = sorted(frequency for frequency in modes.frequency if frequency > 0.0)
    if elastic and _look_angular(elastic):
        lowest = elastic[0]
        warnings.append(
            f"the lowest frequency, {lowest:.6g} Hz, is 2π · {lowest / (2.0 * math.pi):.3g}: is it "
            "in rad/s?"
        )
    shapes = np.array([row for point in structure.points for row in point.shape if any(row)])
    if (
        modes.count > _UNIT_MODES
        and shapes.size
        and set(modes.generalised_mass) == {1.0}
        and np.allclose(np.max(np.abs(shapes), axis=0), 1.0)
    ):
        warnings.append(
            "the largest entry of every mode is 1, and the modal mass is 1 kg by default: give the "
            "modal masses in generalised_mass, or mass-normalised shapes"
        )
    if truncation and elastic and not any(modes.damping):
        warnings.append(
            "no mode is damped. If this is not intended, set modes.damping_ratio: 0.01 is 1 %"
        )
    warnings += [
        f"load {load.name}: its shape is 0 in every mode, so it has no effect"
        for load in structure.loads
        if not any(load.shape)
    ]
    damped = {
        number: ratio
        for number, (ratio, frequency) in enumerate(
            zip(modes.damping_ratio, modes.frequency, strict=False), start=1
        )
        if ratio >= _MOST_DAMPING and frequency > 0.0
    }
    if damped:
        # One warning, because a ratio in percent affects all modes.
        number, ratio = next(iter(damped.items()))
        more = len(damped) - 1
        others = (
            f". {more} more mode{'s have' if more > 1 else ' has'} 20 % or more" if more else ""
        )
        warnings.append(
            f"mode {number}: damping_ratio = {ratio:.4g} is {100.0 * ratio:.4g} % of critical"
            f"{others}. For 2 % write 0.02"
        )
    for contact in structure.contacts:
        found = _contact_warnings(structure, contact, truncation)
        warnings += [f"contact {contact.name}: {text}" for text in found]
    return warnings


def _contact_warnings(structure: Structure, contact: Contact, truncation: bool) -> list[str]:
    warnings = []
    highest = max(structure.modes.frequency)
    facts = contact_facts(structure, contact)
    parameters = contact.parameters
    if math.isinf(facts.normal_mass):
        warnings.append(
            "its point does not move along the normal in any mode: it cannot close or open"
        )
        return warnings
    if contact.obstacle.is_curved and _lies_across(structure, contact):
        warnings.append(
            "its point moves as easily along the axis as across it, but hardly in one "
            "direction across it: is axis along the tube?"
        )
    values = {name: getattr(parameters, name) for name in USUAL_RANGES}
    # The largest coefficient of the friction law.
    warnings += questions_on({**values, "friction_coefficient": max(parameters.coefficients)})
    needed = crossing_acceleration(structure, contact)
    if parameters.gap >= _WIDE_GAP and needed > _MOST_ACCELERATION:
        warnings.append(
            f"gap = {parameters.gap:.4g} m is implausible: the lowest mode at its point needs an "
            f"acceleration of {needed / STANDARD_GRAVITY:.3g} g to close it. The unit of gap is m"
        )
    softest = softest_mode(structure, contact)
    if facts.normal_stiffness < softest:
        warnings.append(
            f"its stiffness of {facts.normal_stiffness:.4g} N/m is below the stiffness of every "
            f"mode at its point, {softest:.4g} N/m and more: the obstacle is softer than "
            "the structure. Is contact_stiffness in N/m?"
        )
    truncated = truncation and parameters.residual_flexibility == 0.0
    if truncated and facts.frequency > highest > 0.0:
        warnings.append(
            f"its frequency of {facts.frequency:.4g} Hz is above the highest mode's "
            f"{highest:.4g} Hz: keep more modes, or give residual_flexibility"
        )
    if facts.frequency > _COSTLY * highest > 0.0:
        warnings.append(
            f"its frequency of {facts.frequency:.4g} Hz, with {facts.normal_mass:.4g} kg effective "
            f"mass, is {facts.frequency / highest:.3g} times the highest mode's and decides the "
            "cost of a run. Are stiffness and shapes in SI units?"
        )
    offset = normal_directions(contact).T @ np.array(contact.offset)
    room = parameters.gap - contact.obstacle.narrowing(offset.tolist())
    if contact.obstacle.is_curved and room < 0.0:
        is_far = room < (1.0 - _FAR_OFFSET) * parameters.gap
        warnings.append(
            f"its point rests {parameters.gap - room:.4g} m from the middle of its hole, "
            f"beyond the gap of {parameters.gap:.4g} m: the wall presses with "
            f"{-room * facts.normal_stiffness:.4g} N at rest"
            f"{'. Is offset in m?' if is_far else ''}"
        )
    if 0.0 <= room < facts.static_approach:
        warnings.append(
            f"gravity alone would move its point by {facts.static_approach:.4g} m, further "
            f"than the gap of {room:.4g} m"
        )
    return warnings


def questions_on(values: Mapping[str, float]) -> list[str]:
    """Return a question about each implausible parameter of a contact. 0 means unused."""
    return [
        f"{name}={value:g} {question}"
        for name, value in values.items()
        for least, most, question in [USUAL_RANGES[name]]
        if value != 0.0 and not least <= value <= most
    ]


def _inverse(value: float) -> float:
    return 1.0 / value if value > 0.0 else math.inf
