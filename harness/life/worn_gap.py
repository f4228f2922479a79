"""Where a model keeps the gap that wear opens: which parameters a depth changes, and by how much.

A scar on the moving part opens the gap on its side by the depth. Between two planes a shape of two
scars opens both gaps, one of a single scar the lower one. Where a law knows no gap that changes the
force, wear acts back on nothing: the rigid and the prescribed normal law, and FMUs of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from harness.schema import ParameterValue
from wearmodel import FrictionalShockParameters
from wearmodel.kernel.parameters import NormalLaw, Obstacle
from wearmodel.models.shock_spring import ShockSpringParameters


class WornGap(NamedTuple):
    """A case's parameters with worn depth in them, and the gap [m] that results."""

    parameters: dict[str, ParameterValue]
    gap: float


def no_feedback(model: str, parameters: Mapping[str, ParameterValue]) -> str:
    """Return why wear does not act back on the motion of a model; empty where it does.

    Raises
    ------
    ValueError, TypeError
        For parameters that the model refuses.
    """
    if model == "DisChoc":
        return ""
    if model != "FrictionalShock":
        return f"wear does not act back on {model}: which of its parameters is the gap is not known"
    law = FrictionalShockParameters(**_any(parameters)).normal_law
    if law is NormalLaw.penalty:
        return ""
    return f"wear does not act back on the motion with normal_law = {law.name!r}"


def with_worn_gap(
    model: str, parameters: Mapping[str, ParameterValue], depth: float, scars: int
) -> WornGap | None:
    """Return the parameters after scars of a depth; None where wear does not act back.

    The model's own wear_feedback is off in them.

    Parameters
    ----------
    model : str
        Name of the model.
    parameters : mapping
        Of the case; the others have their defaults.
    depth : float
        Of each scar, ≥ 0 [m].
    scars : int
        How many of them there are.

    Raises
    ------
    ValueError, TypeError
        For parameters that the model refuses.
    """
    if no_feedback(model, parameters):
        return None
    parameters = dict(parameters)
    if "wear_feedback" in parameters:
        # Within a run too it would count twice.
        parameters["wear_feedback"] = False
    if model == "DisChoc":
        spring = ShockSpringParameters(**_any(parameters))
        # With two nodes dist_1 is matter, whose loss opens the gap; with one it is the gap itself.
        worn = spring.dist_1 - depth if spring.length > 0.0 else spring.dist_1 + depth
        return WornGap({**parameters, "dist_1": worn}, replace(spring, dist_1=worn).gap_at_rest)
    shock = FrictionalShockParameters(**_any(parameters))
    gap = shock.initial_gap + depth
    changed: dict[str, ParameterValue] = {**parameters, "initial_gap": gap}
    if shock.obstacle is Obstacle.two_planes:
        # It is half the sum of both gaps.
        changed["plane_half_spacing"] = shock.plane_half_spacing + 0.5 * min(scars, 2) * depth
    return WornGap(changed, gap)


def _any(parameters: Mapping[str, ParameterValue]) -> dict[str, Any]:
    return dict(parameters)
