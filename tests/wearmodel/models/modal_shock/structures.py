"""Random and simple structures for tests of ModalShock, and the energies of a recorded run."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from wearmodel import FrictionalShockParameters
from wearmodel.kernel import limits
from wearmodel.kernel.contact.friction import sliding_friction
from wearmodel.kernel.contact.obstacle import CIRCLE, TWO_PLANES, open_gap
from wearmodel.kernel.limits import CLOSING_INSIDE
from wearmodel.models.modal_shock import ModalShock
from wearmodel.quantities import with_tables
from wearmodel.structure import Structure, structure_of

from .pieces import record


def mass_problem(seed: int) -> FrictionalShockParameters:
    """Return a mass with penalty laws that hops and slides over one or two planes."""
    r = random.Random(seed)
    mass = 10.0 ** r.uniform(-1.0, 1.0)
    stiffness = r.choice([0.0, 10.0 ** r.uniform(0.0, 4.0)])
    contact_stiffness = 10.0 ** r.uniform(3.0, 6.0)
    friction = r.uniform(0.05, 0.6)
    gap = r.uniform(1e-5, 2e-3)
    return FrictionalShockParameters(
        mass=mass,
        gravity=r.uniform(0.0, 10.0),
        stiffness=stiffness,
        damping=r.choice([0.0, 0.02 * math.sqrt(stiffness * mass)]),
        friction_coefficient=friction,
        friction_coefficient_static=r.choice([-1.0, 1.3 * friction]),
        normal_law="penalty",  # type: ignore[arg-type]
        tangential_law="penalty",  # type: ignore[arg-type]
        obstacle=r.choice(["one_plane", "two_planes"]),  # type: ignore[arg-type]
        initial_gap=gap,
        plane_half_spacing=gap,
        contact_stiffness=contact_stiffness,
        contact_damping=r.choice([0.0, 0.1 * math.sqrt(contact_stiffness * mass)]),
        tangential_stiffness=10.0 ** r.uniform(3.0, 6.0),
        tangential_damping=r.choice([0.0, -1.0]),
        initial_velocity=r.uniform(-1.0, 1.0),
        initial_normal_velocity=r.uniform(-0.5, 0.5),
    )


def with_varying_friction(p: FrictionalShockParameters, seed: int) -> FrictionalShockParameters:
    """Return the problem with friction that depends on the speed, weakening or strengthening."""
    r = random.Random(1000 + seed)
    fast = p.friction_coefficient
    has_decay = r.random() < 0.8
    slow = fast * r.choice([0.4, 0.7, 1.5, 2.5]) if has_decay else -1.0
    return replace(
        p,
        friction_coefficient_slow=slow,
        friction_decay_velocity=10.0 ** r.uniform(-2.0, 0.5) if has_decay else 0.0,
        viscous_friction=r.choice([0.0, 10.0 ** r.uniform(-2.0, 0.0)]) if has_decay else 0.1,
        friction_coefficient_static=r.choice([-1.0, 1.3 * max(slow, fast)]),
    )


def with_pendulum(p: FrictionalShockParameters, seed: int) -> FrictionalShockParameters:
    """Return the problem on a curved surface with a slow or fast pendulum."""
    r = random.Random(4000 + seed)
    return replace(p, pendulum_radius=10.0 ** r.uniform(-2.5, 0.0))


def with_friction_table(p: FrictionalShockParameters, seed: int) -> FrictionalShockParameters:
    """Return the problem with a table of two to six knots, linear or cubic between them."""
    r = random.Random(3000 + seed)
    speeds = sorted(10.0 ** r.uniform(-2.0, 0.5) for _ in range(r.randint(1, 5)))
    level = p.friction_coefficient
    return replace(
        p,
        friction_coefficient=FrictionalShockParameters.friction_coefficient,
        friction_table=[[v, level * r.uniform(0.4, 1.6)] for v in (0.0, *speeds)],
        friction_table_rule=r.choice(["linear", "pchip"]),
        friction_coefficient_static=r.choice([-1.0, 2.0 * level]),
    )


def with_wear(p: FrictionalShockParameters, seed: int) -> FrictionalShockParameters:
    """Return the problem with wear that opens the gaps by a few micrometres to a millimetre."""
    r = random.Random(2000 + seed)
    return replace(
        p,
        archard_coefficient=1e-12,
        wear_area=1e-4,
        wear_feedback=True,
        wear_time_scale=10.0 ** r.uniform(3.0, 6.5),
    )


def has_table(p: FrictionalShockParameters) -> bool:
    return p.friction_table_coefficient_1 >= 0.0


def masses_on_planes(
    masses: Sequence[FrictionalShockParameters],
    normal: Sequence[float] = (0.0, 0.0, 1.0),
    tangent: Sequence[float] = (1.0, 0.0, 0.0),
) -> Structure:
    """Return a structure of these masses, free along `normal` and on springs along `tangent`.

    Each mass has two modes of its own. Loads `t0`, `n0`, … act on each mass as tangential_load and
    normal_load do.
    """
    count = 2 * len(masses)

    def only(place: int, value: float) -> list[float]:
        return [value if i == place else 0.0 for i in range(count)]

    points, contacts, loads = [], [], []
    for number, p in enumerate(masses):
        along, across = 2 * number, 2 * number + 1
        shapes = {
            f"shape_{axis}": [
                tangent[d] if i == along else normal[d] if i == across else 0.0
                for i in range(count)
            ]
            for d, axis in enumerate("xyz")
        }
        points.append({"name": f"p{number}", **shapes})
        damping = p.tangential_damping
        if damping < 0.0:
            damping = 2.0 * math.sqrt(p.mass * (p.stiffness + p.tangential_stiffness))
        contacts.append(
            {
                "name": f"c{number}",
                "point": f"p{number}",
                "obstacle": "two_planes" if p.obstacle else "plane",
                "normal": list(normal),
                "gap": p.initial_gap,
                "contact_stiffness": p.contact_stiffness,
                "contact_damping": p.contact_damping,
                "tangential_stiffness": p.tangential_stiffness,
                "tangential_damping": damping,
                "friction_coefficient": 0.0 if has_table(p) else p.friction_coefficient,
                **({"friction_table": with_tables(p)["friction_table"]} if has_table(p) else {}),
                "friction_table_rule": p.friction_table_rule,
                "friction_coefficient_static": p.friction_coefficient_static,
                "friction_coefficient_slow": p.friction_coefficient_slow,
                "friction_decay_velocity": p.friction_decay_velocity,
                "viscous_friction": p.viscous_friction,
                "archard_coefficient": p.archard_coefficient,
                "wear_area": p.wear_area,
                "wear_feedback": p.wear_feedback,
                "wear_time_scale": p.wear_time_scale,
                "pendulum_radius": p.pendulum_radius,
            }
        )
        loads.append({"name": f"t{number}", "shape": only(along, 1.0)})
        loads.append({"name": f"n{number}", "shape": only(across, -1.0)})
        # The weight of each mass acts along the normal.
        loads.append({"name": f"weight{number}", "shape": only(across, -p.mass * p.gravity)})
    return structure_of(
        {
            "modes": {
                "frequency": [
                    value
                    for p in masses
                    for value in (math.sqrt(p.stiffness / p.mass) / (2.0 * math.pi), 0.0)
                ],
                "modal_damping": [value for p in masses for value in (p.damping, 0.0)],
                "generalised_mass": [p.mass for p in masses for _ in range(2)],
            },
            "point": points,
            "load": loads,
            "contact": contacts,
            "initial": {
                "velocity": [
                    value
                    for p in masses
                    for value in (p.initial_velocity, p.initial_normal_velocity)
                ]
            },
        }
    )


HOLES = ("circle", "polygon")


def random_structure(
    seed: int,
    modes: int = 4,
    contacts: int = 2,
    obstacles: Sequence[str] = ("plane", "two_planes", "circle"),
) -> Structure:
    """Return a structure with random contacts in random directions, with gaps and friction."""
    r = random.Random(seed)
    sections = []
    for number in range(contacts):
        obstacle = r.choice(obstacles)
        friction = r.uniform(0.1, 0.6)
        sections.append(
            {
                "name": f"c{number}",
                "point": f"p{number}",
                "obstacle": obstacle,
                **({"sides": r.choice([3, 4, 5, 8, 24, 96])} if obstacle == "polygon" else {}),
                "axis" if obstacle in HOLES else "normal": [r.gauss(0, 1) for _ in range(3)],
                "gap": r.uniform(1e-4, 1e-3),
                "contact_stiffness": 10.0 ** r.uniform(3.0, 5.0),
                "contact_damping": r.choice([0.0, r.uniform(1.0, 20.0)]),
                "tangential_stiffness": 10.0 ** r.uniform(3.0, 4.0),
                "tangential_damping": r.choice([-1.0, 0.0]),
                "friction_coefficient": friction,
                "friction_coefficient_static": r.choice([-1.0, 1.3 * friction]),
                "offset": [r.uniform(-5e-5, 5e-5) for _ in range(3)],
            }
        )
    free = r.random() < 0.3
    return structure_of(
        {
            "modes": {
                "frequency": [0.0 if free and i == 0 else r.uniform(2, 80) for i in range(modes)],
                "damping_ratio": r.choice([0.0, 0.01]),
                "generalised_mass": [r.uniform(0.3, 2.0) for _ in range(modes)],
            },
            "base": {
                **{f"participation_{a}": [r.uniform(-1, 1) for _ in range(modes)] for a in "xyz"},
                "gravity_z": -r.uniform(0.0, 10.0),
            },
            "point": [
                {
                    "name": f"p{number}",
                    **{f"shape_{a}": [r.gauss(0, 1) for _ in range(modes)] for a in "xyz"},
                }
                for number in range(contacts)
            ],
            "contact": sections,
            "initial": {"velocity": [r.gauss(0.0, 0.1) for _ in range(modes)]},
        }
    )


def with_friction_of_speed(structure: Structure, seed: int) -> Structure:
    """Return the structure with friction that depends on the speed in each contact."""
    r = random.Random(seed)
    contacts = []
    for contact in structure.contacts:
        fast = contact.parameters.friction_coefficient
        slow = fast * r.choice([0.5, 1.5])
        varying = replace(
            contact.parameters,
            friction_coefficient_slow=slow,
            friction_decay_velocity=r.uniform(0.05, 0.5),
            viscous_friction=r.choice([0.0, 0.2]),
            friction_coefficient_static=r.choice([-1.0, 1.2 * max(slow, fast)]),
        )
        contacts.append(replace(contact, parameters=varying))
    return replace(structure, contacts=tuple(contacts))


def with_wear_that_opens(structure: Structure, seed: int) -> Structure:
    """Return the structure with wear that opens the gaps of all contacts by up to a tenth."""
    r = random.Random(seed)
    contacts = []
    for contact in structure.contacts:
        wearing = replace(
            contact.parameters,
            wear_feedback=True,
            wear_time_scale=10.0 ** r.uniform(4.0, 6.0),
            friction_coefficient_static=-1.0,
        )
        contacts.append(replace(contact, parameters=wearing))
    return replace(structure, contacts=tuple(contacts))


def with_friction_tables(structure: Structure, seed: int) -> Structure:
    """Return the structure with friction tables whose knots are crossed."""
    r = random.Random(seed)
    contacts = []
    for contact in structure.contacts:
        speeds = [0.0, *sorted(10.0 ** r.uniform(-3.0, 0.0) for _ in range(3))]
        level = max(0.1, contact.parameters.friction_coefficient)
        parameters = replace(
            contact.parameters,
            friction_coefficient=0.0,
            friction_coefficient_static=-1.0,
            friction_coefficient_slow=-1.0,
            friction_decay_velocity=0.0,
            viscous_friction=0.0,
            tangential_stiffness=contact.parameters.tangential_stiffness or 1e5,
            friction_table=[[speed, level * r.uniform(0.4, 1.6)] for speed in speeds],
            friction_table_rule=r.choice(["linear", "pchip"]),
        )
        contacts.append(replace(contact, parameters=parameters))
    return replace(structure, contacts=tuple(contacts))


def with_curved_planes(structure: Structure, seed: int) -> Structure:
    """Return the structure with a pendulum surface at all planes."""
    r = random.Random(seed)
    contacts = []
    for contact in structure.contacts:
        radius = 0.0 if contact.obstacle.is_curved else 10.0 ** r.uniform(-2.5, 0.0)
        parameters = replace(contact.parameters, pendulum_radius=radius)
        contacts.append(replace(contact, parameters=parameters))
    return replace(structure, contacts=tuple(contacts))


def shaking(seed: int) -> Any:
    """Return a smooth base acceleration [m/s2] along all axes, a function of time by input name."""
    r = random.Random(seed)
    waves = {
        f"base_acceleration_{a}": (r.uniform(5, 30), r.uniform(5, 300), r.uniform(0, 6))
        for a in "xyz"
    }
    return lambda t: {name: a * math.sin(w * t + f) for name, (a, w, f) in waves.items()}


def stored_energy(model: ModalShock) -> float:
    """Return the kinetic and elastic energy [J], including the springs of closed contacts."""
    outputs = model.outputs()
    energy = outputs["kinetic_energy"] + outputs["elastic_energy"]
    for law, s, contact in zip(
        model._body.laws, model._state.contacts, model.structure.contacts, strict=True
    ):
        if s.closed:
            energy += 0.5 * law.stiffness * outputs[f"{contact.name}.clearance"] ** 2
            stretch = s.stretch_1**2 + s.stretch_2**2
            energy += 0.5 * law.tangential_stiffness * stretch
    return energy


def energy_gained(
    model: ModalShock, inputs: Any, step_size: float, steps: int, *, contacts: bool = True
) -> tuple[float, float]:
    """Run a model with `inputs`, a function of time as in `shaking`.

    Returns the gain of stored energy beyond the supplied energy [J], and the larger of the largest
    stored and supplied energies. `contacts` is as in `supplied_energy`.
    """
    pieces = record(model)
    started = stored_energy(model)
    supplied, largest = 0.0, started
    for step in range(steps):
        before, time = len(pieces), model.time
        model.step(step_size, **inputs((step + 1) * step_size))
        supplied += supplied_energy(model, pieces[before:], time, contacts=contacts)
        largest = max(largest, stored_energy(model), abs(supplied))
    return stored_energy(model) - started - supplied, largest


def supplied_energy(
    model: ModalShock, pieces: Sequence[Any], started: float, *, contacts: bool = True
) -> float:
    """Return the work of inputs and gravity minus dissipation [J] in the pieces of the last step.

    Without `contacts`, the dissipation of the contacts is not subtracted.
    """
    counts = int(model._work.counts.inputs)
    inputs = [Polynomial(row[:counts]) for row in model._work.inputs]
    total = 0.0
    for piece in pieces:
        length, end = piece["length"], piece["end"]

        def integral(*factors: Any, length: float = length, end: float = end) -> float:
            product = Polynomial([1.0])
            for factor in factors:
                product = product * Polynomial(np.atleast_1d(np.asarray(factor, dtype=float)))
            return float(length * product.integ()(end))

        velocities = np.array(piece["velocity"]).T
        clock = Polynomial([piece["start"] - started, length])
        for i, velocity in enumerate(velocities):
            total += integral([model._body.drives[-1][i]], velocity)
            total -= model._body.modes.damping[i] * integral(velocity, velocity)
            for one, drive in zip(inputs, model._body.drives, strict=False):
                total += drive[i] * integral(one(clock).coef, velocity)
        if not contacts:
            continue
        for law, s, series in zip(model._body.laws, piece["before"], piece["series"], strict=True):
            if not s.closed:
                continue
            name = "radial_velocity" if law.obstacle == CIRCLE else "velocity_1"
            total -= law.contact_damping * integral(series[name], series[name])
            if s.sliding:
                if law.opening_per_work:
                    # Energy that the contact spring loses because its obstacle moves back.
                    depth = np.array(series["opening"])
                    rate = depth[1:] * np.arange(1, len(depth)) / length
                    facing = 1.0 if law.obstacle == CIRCLE else -s.closed
                    damper = facing * law.contact_damping * np.array(series[name])
                    total -= integral(series["force"] - damper, rate)
                if law.constant_friction < 0.0:
                    total -= integral(series["bound"], series["slip"])
                else:
                    total -= law.friction_coefficient * integral(series["force"], series["slip"])
                rates = [
                    np.array(series[name])[1:] * np.arange(1, len(series[name])) / length
                    for name in ("stretch_1", "stretch_2")
                ]
            else:
                rates = [series["sliding_1"], series["sliding_2"]]
            total -= law.tangential_damping * sum(integral(rate, rate) for rate in rates)
        for index, event in enumerate(piece["events"]):
            total -= _forgotten(model, piece, index, event)
    return total


def _forgotten(model: ModalShock, piece: Any, index: int, event: int) -> float:
    """Return the spring energy [J] that a contact loses, or regains, at an event."""
    law = model._body.laws[index]
    series = piece["series"][index]

    def value(name: str) -> float:
        return float(Polynomial(series[name])(piece["end"]))

    before = piece["before"][index]
    if event in (limits.OPENING, CLOSING_INSIDE):
        lower, upper = (open_gap(law, before, side) for side in (1.0, -1.0))
        if law.opening_per_work and before.closed and before.sliding:
            lower += value("opening") if before.closed > 0.0 else 0.0
            upper += value("opening") if before.closed < 0.0 else 0.0
        gap = lower + value("position_1")
        if law.obstacle == CIRCLE:
            gap = lower - math.hypot(value("position_1"), value("position_2"))
        elif law.obstacle == TWO_PLANES:
            gap = min(gap, upper - value("position_1"))
        pressed = 0.5 * law.stiffness * gap**2
        if event == CLOSING_INSIDE:
            return -pressed
        stretch = value("stretch_1") ** 2 + value("stretch_2") ** 2
        return pressed + 0.5 * law.tangential_stiffness * stretch
    if event == limits.CONE_PLUS and law.tangential_damping == 0.0:
        speed = math.hypot(value("sliding_1"), value("sliding_2"))
        drop = law.friction_coefficient_static**2 - sliding_friction(law, speed) ** 2
        if drop < 0.0:  # Stick has the limit of slip.
            return 0.0
        return 0.5 * drop * value("force") ** 2 / law.tangential_stiffness
    return 0.0
