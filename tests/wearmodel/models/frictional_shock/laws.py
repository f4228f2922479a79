"""Laws checked on the segments of a trace: equations of motion, cone, unilateral contact.

The laws are in docs/physics.md. Each check returns the worst violation relative to the size of the
compared terms, so that one tolerance applies to all checks. The checks do not call the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.polynomial import polynomial

from wearmodel import FrictionalShockParameters, NormalLaw

from .segment_motion import SegmentMotion, value
from .trace import Segment

_SAMPLES = 33
#: Smallest scale of a comparison, as a share of the largest value in the run.
SCALE_FLOOR = 1e-6


def _total(*series: np.ndarray) -> np.ndarray:
    total = np.zeros(1)
    for term in series:
        total = polynomial.polyadd(total, term)
    return total


def worst_violations(
    parameters: FrictionalShockParameters, segments: Sequence[Segment]
) -> dict[str, float]:
    """Return the worst relative violation of each law over the run. The ideal value is 0."""
    findings = Findings()
    for segment in segments:
        if segment.duration == 0.0:
            continue
        motion = SegmentMotion(parameters, segment)
        x = motion.samples(_SAMPLES)
        _note_equations(parameters, motion, x, findings)
        _note_normal_law(parameters, motion, x, findings)
        if motion.in_contact:
            _note_contact(parameters, motion, x, findings)
    return findings.worst()


class Findings:
    """Violations of each law, with the scale of the compared terms of each segment.

    A segment may be so short, and its forces so small, that it contains only rounding. A scale is
    therefore at least SCALE_FLOOR times the largest scale.
    """

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[float, float]]] = {}

    def note(self, name: str, violation: np.ndarray, scale: np.ndarray) -> None:
        """Record the largest violation on a segment and the largest scale."""
        found = self._found.setdefault(name, [])
        found.append((max(0.0, float(np.max(violation))), float(np.max(np.abs(scale)))))

    def worst(self) -> dict[str, float]:
        """Return the largest relative violation of each law."""
        worst = {}
        for name, found in self._found.items():
            floor = SCALE_FLOOR * max(scale for _, scale in found)
            worst[name] = max(
                violation / max(scale, floor) if violation > 0.0 else 0.0
                for violation, scale in found
            )
        return worst


def _note_equations(
    parameters: FrictionalShockParameters, motion: SegmentMotion, x: np.ndarray, findings: Findings
) -> None:
    """Check m ü + c u̇ + k u − f_t − F_T = 0, and the same in the normal direction."""
    tangential = [
        parameters.mass * motion.rate(motion.u_rate),
        parameters.damping * motion.u_rate,
        parameters.stiffness * motion.u,
        -motion.tangential_forcing,
        -motion.friction_force,
    ]
    normal = [
        parameters.mass * motion.rate(motion.w_rate),
        parameters.normal_damping * motion.w_rate,
        parameters.normal_stiffness * motion.w,
        -motion.normal_forcing,
        -motion.segment.contact * motion.normal_force,
    ]
    equations = {"tangential equation": tangential}
    if parameters.normal_law is not NormalLaw.prescribed:
        equations["normal equation"] = normal
    for name, terms in equations.items():
        scale = sum(np.abs(value(term, x)) for term in terms)
        findings.note(name, np.abs(value(_total(*terms), x)), scale)


def _note_normal_law(
    parameters: FrictionalShockParameters, motion: SegmentMotion, x: np.ndarray, findings: Findings
) -> None:
    """Check that F_N follows the law in contact, and that the law does not push in flight."""
    plane = motion.segment.contact
    if parameters.normal_law is NormalLaw.prescribed:
        wanted = value(-motion.normal_forcing, x)
        scale = value(np.abs(motion.normal_forcing), x)
        if plane:
            findings.note("prescribed force", np.abs(value(motion.normal_force, x) - wanted), scale)
        else:
            findings.note("prescribed flight", wanted, scale)
    for facing in motion.planes:
        gap = motion.gap(facing)
        if parameters.normal_law is NormalLaw.rigid:
            # Absolute, in metres.
            findings.note("rigid gap", -value(gap, x), np.ones(1))
            continue
        damper = value(-parameters.contact_damping * motion.rate(gap), x)
        law = value(-parameters.contact_stiffness * gap, x) + damper
        # The gap is a difference of displacement and plane position, and has their rounding.
        positions = np.abs(motion.w)
        positions[0] += abs(parameters.initial_gap) + 2.0 * parameters.plane_half_spacing
        scale = parameters.contact_stiffness * value(positions, x) + np.abs(damper)
        if plane == facing:
            findings.note("penalty force", np.abs(value(motion.normal_force, x) - law), scale)
        elif plane == 0:
            findings.note("penalty flight", np.where(value(gap, x) < -1e-15, law, 0.0), scale)


def _note_contact(
    parameters: FrictionalShockParameters, motion: SegmentMotion, x: np.ndarray, findings: Findings
) -> None:
    """Check F_N ≥ 0, |F_T| ≤ μ_s F_N in stick, the direction of slip, and the law of the stretch.

    In slip, the equation of motion already contains |F_T| = μ_d F_N against the slip.
    """
    force = value(motion.normal_force, x)
    force_terms = value(np.abs(motion.normal_force), x)
    findings.note("no tension", -force, force_terms)
    if motion.sliding:
        # The velocity of the anchor is a difference of two rates, and has their rounding.
        rates = np.abs(value(motion.u_rate, x)) + np.abs(value(motion.stretch_rate, x))
        slip = polynomial.polysub(motion.u_rate, motion.stretch_rate)
        findings.note("slip direction", -motion.sliding * value(motion.slip, x), rates)
        difference = polynomial.polysub(slip, motion.slip)
        findings.note("slip velocity", np.abs(value(difference, x)), rates)
    else:
        static = parameters.static_coefficient
        friction_terms = value(np.abs(motion.friction_force), x)
        excess = np.abs(value(motion.friction_force, x)) - static * force
        drive = value(np.abs(motion.tangential_forcing), x)
        findings.note("cone", excess, friction_terms + static * force_terms + drive)
    if motion.penalised_friction:
        spring = parameters.tangential_stiffness * motion.stretch
        damper = parameters.in_force().tangential_damping * motion.stretch_rate
        law = _total(motion.friction_force, spring, damper)
        scale = np.abs(value(motion.friction_force, x)) + value(np.abs(spring), x)
        findings.note("friction law", np.abs(value(law, x)), scale)
