"""State objects of contacts between bodies, in addition to a structure and images."""

from __future__ import annotations

from dataclasses import dataclass

from ..spring.state_objects import EnergyAccount, ImageAxis, ImageState
from ..state_objects import Rows, bundle, state_object


@state_object
class BodiesParameters:
    """Parameters of the element. Contacts and bodies have their own parameters."""

    lag: float


@bundle
@dataclass
class Bodies:
    """Images of the bodies, and energies of the contacts. The modes of a body are x, y, z."""

    masses: list[float]  # kg
    point_bodies: list[float]  # index of each point's body
    contact_points: Rows  # indices of each contact's point and second point, -1 for the ground
    contact_bodies: Rows  # indices of the bodies of these points
    images: list[ImageState]
    axes: list[ImageAxis]  # x, y, z of each body
    accounts: list[EnergyAccount]  # of each contact
    mean_forces: Rows  # N, of each contact along x, y, z on its point
    applied_forces: Rows  # N, the same in the last step of the bodies
