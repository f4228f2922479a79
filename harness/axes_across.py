"""Axes across a round hole, for pictures of orbits and for wear by sectors."""

from __future__ import annotations

import numpy as np

from wearmodel.arrays import Floats
from wearmodel.models.structure_buffers import contact_frame
from wearmodel.structure import Contact


def axes_across(contact: Contact) -> tuple[Floats, Floats]:
    """Return unit vectors across the axis of a contact's hole: to the right, and up.

    The largest component of each is positive. The vector nearest to x points to the right, or the
    vector nearest to y if both are perpendicular to x.
    """
    first, second, _ = (readable_axis(np.array(axis)) for axis in contact_frame(contact))
    right, up = sorted((first, second), key=lambda axis: -abs(axis[0]) - 1e-3 * abs(axis[1]))
    return right, up


def readable_axis(axis: Floats) -> Floats:
    """Return the axis with the sign that makes its largest component positive, without −0."""
    turned = -axis if axis[np.argmax(np.abs(axis))] < 0.0 else axis
    return np.asarray(turned + 0.0)


def axis_name(axis: Floats) -> str:
    """Return the name of a coordinate axis, or the components of another direction."""
    for sign, prefix in ((1.0, ""), (-1.0, "−")):
        for name, unit in zip("xyz", np.eye(3), strict=True):
            if np.allclose(axis, sign * unit, atol=1e-12):
                return prefix + name
    return f"({', '.join(f'{component:.2g}' for component in axis)})"
