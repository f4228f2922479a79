"""Rest of a structure: in a static equilibrium, to rounding, a step of any length is one piece.

Otherwise a step at rest would take as many pieces as the stiffest spring has oscillations in it.
"""

from __future__ import annotations

from math import sqrt

from ..contact.friction import has_friction
from ..contact.guards import keeps_sticking
from ..contact.obstacle import gap_now, is_hole
from ..contact.parameters import ContactLaw
from ..contact.state_objects import ContactState, ContactWork
from ..state_objects import Rows
from .state_objects import Body, StructureState, StructureWork

# Share of the forces on a mode up to which its unbalanced force is their rounding.
_ROUNDING = 1e-14
# The same, as a share of the largest contact force. Numbers that have decayed to it become
# subnormal.
_DECAYED = 1e-302


def is_at_rest(body: Body, state: StructureState, work: StructureWork, length: float) -> bool:
    """Whether the structure rests under constant inputs, and all contacts keep their modes.

    The work rows contain the series over the next `length` [s]. A mode rests if m |a|, the sum of
    its forces, and (√(m k) + c) |v|, the force that its velocity causes, are together within the
    rounding of these forces. k and c include the springs and dampers of the contacts. The state is
    then an equilibrium under forces that differ from the given forces by their rounding.
    """
    modes = body.modes
    laws = body.laws
    contacts = state.contacts
    inputs = work.inputs
    works = work.works
    drives = body.drives
    drive_count = len(drives)
    strongest = 0.0
    for index in range(len(laws)):
        pressing = _pressing(laws[index], contacts[index], works[index])
        if pressing < 0.0:
            return False
        strongest = max(strongest, pressing)
    if not has_constant_inputs(work):
        return False
    accelerations = work.velocities[1]
    displacement = state.motion.displacement
    velocity = state.motion.velocity
    inverse_mass = modes.inverse_mass
    for i in range(len(velocity)):
        stiffness = modes.stiffness[i]
        damping = modes.damping[i]
        forces = stiffness * abs(displacement[i]) + damping * abs(velocity[i])
        forces += abs(drives[drive_count - 1][i])
        for k in range(drive_count - 1):
            forces += abs(inputs[k][0] * drives[k][i])
        for index in range(len(laws)):
            force, spring, damper = _on_mode(
                body.shapes, laws[index], contacts[index], works[index], index, i
            )
            forces += force
            stiffness += spring
            damping += damper
        inverse = inverse_mass[i]
        caused = (sqrt(inverse * stiffness) + inverse * damping) * abs(velocity[i])
        rounding = inverse * max(_ROUNDING * forces, _DECAYED * strongest)
        if not abs(accelerations[i]) + length * caused <= length * rounding:
            return False
    return True


def has_constant_inputs(work: StructureWork) -> bool:
    """Whether all inputs are constant over the step."""
    inputs = work.inputs
    counts = work.counts
    for k in range(len(inputs)):
        for j in range(1, int(counts.inputs)):
            if inputs[k][j] != 0.0:
                return False
    return True


def _pressing(law: ContactLaw, s: ContactState, work: ContactWork) -> float:
    """Size of the normal force [N] with the rounding of its gap, −1 if a contact changes its mode.

    The gap is a difference of lengths, so its rounding is a share of the spring's force on them.
    """
    lengths = abs(law.gap) + abs(work.position_1[0])
    if is_hole(law):
        lengths += abs(work.position_2[0])
    if s.closed == 0.0:
        return 0.0 if gap_now(law, s, work) > _ROUNDING * lengths else -1.0
    if not keeps_sticking(law, s, work.force[0], work.friction_1[0], work.friction_2[0]):
        return -1.0
    return work.force[0] + law.stiffness * lengths


def _on_mode(
    shapes: Rows, law: ContactLaw, s: ContactState, work: ContactWork, index: int, i: int
) -> tuple[float, float, float]:
    """Sizes of a contact's force [N], spring [N/m] and damper [N.s/m] that act on mode i."""
    if s.closed == 0.0:
        return 0.0, 0.0, 0.0
    along = shapes[3 * index][i]
    first = shapes[3 * index + 1][i]
    second = shapes[3 * index + 2][i]
    if is_hole(law):
        across = work.radial_1[0] * first - work.radial_2[0] * along
        along = work.radial_1[0] * along + work.radial_2[0] * first
        first = across
    force = _pressing(law, s, work) * abs(along)
    force += abs(work.friction_1[0] * first) + abs(work.friction_2[0] * second)
    spring = law.stiffness * along * along
    damper = law.contact_damping * along * along
    if has_friction(law):
        tangential = first * first + second * second
        spring += law.tangential_stiffness * tangential
        damper += law.tangential_damping * tangential
    return force, spring, damper
