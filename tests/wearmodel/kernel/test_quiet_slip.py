"""Slip steps with varying friction or wear feedback that are computed at once.

They agree with the same steps computed in pieces, or are declined.
"""

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.kernel import limits
from wearmodel.kernel.contact import friction
from wearmodel.kernel.shoe import varying_slip, wearing_slip
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.quiet import quiet_step
from wearmodel.kernel.shoe.state_objects import State, Work, copy_state
from wearmodel.kernel.shoe.stepper import advance
from wearmodel.kernel.state_objects import values_of

from .quiet_steps import forbid_pieces, laws, step_arguments

# The two computations differ by the rounding of some dozens of sums.
ROUNDING = 1e-13
STEPS = 400
FRICTION: tuple[dict[str, float], ...] = (
    {"friction_coefficient_slow": 0.25, "friction_decay_velocity": 0.1},
    {"friction_coefficient_slow": 0.04, "friction_decay_velocity": 0.05},
    {"viscous_friction": 0.3},
    {"friction_coefficient_slow": 0.3, "friction_decay_velocity": 0.3, "viscous_friction": 0.1},
)
Drawn = tuple[Parameters, State, list[float], list[float], float]


def drawn_slip(
    r: random.Random, normal_law: NormalLaw, tangential_law: TangentialLaw, *, wearing: bool
) -> Drawn:
    """Draw parameters, a slip state, f_t, f_n and a step size, with events near and far."""
    law = r.choice((*FRICTION, {})) if wearing else r.choice(FRICTION)
    tangential_stiffness = 10.0 ** r.uniform(3.0, 7.0)
    contact_stiffness = 10.0 ** r.uniform(3.0, 6.0)
    p = Parameters(
        FrictionalShockParameters(
            mass=r.choice([0.5, 1.0, 20.0]),
            friction_coefficient=0.1,
            stiffness=r.choice([0.0, 0.0, 300.0]),
            damping=r.choice([0.0, 0.0, 2.0]),
            normal_stiffness=r.choice([0.0, 50.0]) if wearing else 0.0,
            normal_law=normal_law,
            tangential_law=tangential_law,
            obstacle=r.choice(["one_plane", "two_planes"]),
            plane_half_spacing=0.01,
            contact_stiffness=contact_stiffness,
            contact_damping=r.choice([0.0, 5.0]),
            tangential_stiffness=tangential_stiffness,
            tangential_damping=r.choice([-1.0, -1.0, 0.0, 5.0]),
            wear_feedback=wearing,
            wear_time_scale=10.0 ** r.uniform(3.0, 6.0) if wearing else 1.0,
            **law,
        )
    )
    s = State()
    plane = 1.0
    if normal_law is not NormalLaw.prescribed and p.plane_distance > 0.0:
        plane = r.choice([1.0, -1.0])
    s.contact = plane
    force = r.choice([2.0, 9.81, 50.0])
    normal = [-plane * force]
    if normal_law is not NormalLaw.prescribed and plane < 0.0:
        s.normal_displacement = p.plane_distance
    if normal_law is NormalLaw.penalty:
        s.normal_displacement -= plane * force / contact_stiffness
    if wearing:
        deviation = r.choice([0.0, 1e-6, 0.1, 3.0])
        s.normal_displacement += min(deviation, 0.5) * r.uniform(-1, 1) * force / contact_stiffness
        s.normal_velocity = deviation * force / math.sqrt(p.mass * contact_stiffness)
        s.normal_velocity *= r.uniform(-1, 1)
        normal += [r.uniform(-1, 1) * force] * r.choice([0, 1])
        s.wear_work = r.choice([0.0, 1e-3])
    sliding = r.choice([-1.0, 1.0])
    s.sliding = s.last_sliding = sliding
    s.velocity = sliding * 10.0 ** r.uniform(-3.5, 1.0)
    s.displacement = r.choice([0.0, 1e-3])
    s.peak_force = r.choice([0.0, 2.0 * force])
    size = 10.0 ** r.uniform(-4.0, -2.5)
    shaking = r.choice([1.0, 15.0]) * p.mass
    tangential = [r.uniform(-1, 1) * shaking * (6.0 * j) ** j for j in range(1, 5)]
    if tangential_law is TangentialLaw.penalty:
        bound = friction.sliding_friction(p, s.velocity) * force
        off = r.choice([0.0, 1e-8, 1e-3, -1e-2, -0.3])
        if p.tangential_damping == 0.0:
            off = r.choice([0.0, 1e-14])
        s.stretch = sliding * bound / tangential_stiffness * (1.0 + off)
    return p, s, tangential, normal, size


def check(drawn: Drawn) -> bool:
    """Compare a step computed at once with its pieces. Return whether it was computed at once."""
    p, before, tangential, normal, size = drawn
    got, want = State(), State()
    copy_state(before, got)
    copy_state(before, want)
    if not quiet_step(p, got, *step_arguments(tangential, normal, size)):
        assert values_of(got) == values_of(before)
        return False
    arguments = step_arguments(tangential, normal, size)
    assert advance(p, want, *arguments) == limits.OK
    work = arguments[-1]
    assert work.counts.events == 0.0
    speed = max(abs(before.velocity), abs(want.velocity))
    # The anchor travel equals the displacement minus the change of the stretch. Once the stretch no
    # longer depends on its start, the pieces omit some dozens of its rounding errors.
    way = abs(want.sliding_distance) + abs(want.displacement - before.displacement)
    way += 10.0 * (abs(before.stretch) + abs(want.stretch))
    force = want.peak_force
    turnover = p.mass * speed**2 + force * way + p.tangential_stiffness * before.stretch**2
    turnover += way * sum(abs(f) * size**j for j, f in enumerate(tangential))
    depth = abs(before.normal_displacement) + force / p.contact_stiffness
    impedance = math.sqrt(p.mass * p.contact_stiffness)
    scales = {
        "velocity": speed + size / p.mass * sum(abs(f) for f in tangential[:1]),
        "displacement": way + abs(want.displacement),
        # The error of the contact force follows from the rounding of the gap.
        "stretch": abs(before.stretch) * (1.0 + p.contact_stiffness * depth / force) + 1e-2 * way,
        "normal_displacement": depth,
        "normal_velocity": (force + p.contact_stiffness * depth) / impedance,
        "wear_work": want.wear_work + p.contact_stiffness * depth * way,
        "friction_work": turnover,
        "damping_work": turnover,
        "sliding_distance": way,
        "peak_force": force + p.contact_stiffness * depth,
    }
    scales["wear_work_upper"] = scales["wear_work"]
    for name, now, then, first in zip(
        State.__slots__, values_of(got), values_of(want), values_of(before), strict=True
    ):
        if name in scales:
            assert now == pytest.approx(then, rel=0.0, abs=ROUNDING * scales[name]), name
        else:
            assert now == then, name
            assert name.startswith("last") or now == first, name
    return True


@laws
def test_a_quiet_slip_whose_friction_varies_is_what_the_pieces_give(normal_law, tangential_law):
    r = random.Random(f"{normal_law.name} {tangential_law.name}")
    taken = sum(
        check(drawn_slip(r, normal_law, tangential_law, wearing=False)) for _ in range(STEPS)
    )
    assert taken > STEPS / 4


@pytest.mark.parametrize("tangential_law", TangentialLaw, ids=lambda law: law.name)
def test_a_quiet_slip_whose_wear_opens_the_gap_is_what_the_pieces_give(tangential_law):
    r = random.Random(f"wearing {tangential_law.name}")
    drawn = [drawn_slip(r, NormalLaw.penalty, tangential_law, wearing=True) for _ in range(STEPS)]
    taken = sum(map(check, drawn))
    assert taken > STEPS / 8


SHAKEN: dict[str, dict[str, Any]] = {
    "viscous": {"viscous_friction": 0.01},
    "weakening": FRICTION[0],
    "weakening, penalised": {**FRICTION[0], "tangential_law": "penalty"},
    "wear acts back": {
        "normal_law": "penalty",
        "contact_stiffness": 1e4,
        "initial_gap": -1e-3,
        "wear_feedback": True,
        "wear_time_scale": 1e3,
    },
}
SHAKEN["wear acts back, penalised"] = {**SHAKEN["wear acts back"], "tangential_law": "penalty"}


@pytest.mark.parametrize("parameters", SHAKEN.values(), ids=SHAKEN)
def test_slip_far_from_its_reversal_takes_no_pieces(parameters, monkeypatch):
    model = FrictionalShock(FrictionalShockParameters(initial_velocity=2.0, **parameters))
    for step in range(60):  # until the friction spring is stretched
        model.step(1e-3, 15.0 * math.sin(2.0 * math.pi * step * 1e-3))
    forbid_pieces(model, monkeypatch)
    for step in range(60, 160):
        model.step(1e-3, 15.0 * math.sin(2.0 * math.pi * step * 1e-3))
    assert model.outputs()["contact_mode"] == limits.SLIP


# Below the rounding of the sum, except for F_T, whose integral alone affects the velocity.
LEFT_OUT = {"velocity": 1e-16, "friction": 2e-15, "force": 1e-16}


def left_out(module: Any, run: Callable[[], tuple[Work, bool]]) -> dict[str, float] | None:
    """Return the truncation errors of the series of u̇, F_T and F_N, relative to their sizes."""
    work, ends = run()
    if not ends:
        return None
    counts = (int(work.counts.motion), int(work.counts.friction), int(work.counts.force))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LAST_TERM", 0.0)
        longer, _ = run()
    tails = {}
    for name, count in zip(LEFT_OUT, counts, strict=True):
        row = getattr(longer, name)
        tails[name] = sum(map(abs, row[count:])) / max(map(abs, row))
    return tails


@pytest.mark.parametrize("wearing", [False, True], ids=["friction varies", "wear acts back"])
def test_a_slips_series_leaves_out_less_than_rounding(wearing):
    r = random.Random(5)
    module = wearing_slip if wearing else varying_slip
    judged = 0
    while judged < 2000:
        law = NormalLaw.penalty if wearing else NormalLaw.prescribed
        p, s, tangential, normal, size = drawn_slip(r, law, TangentialLaw.rigid, wearing=wearing)
        if p.rate_normal_contact * size > limits.RATE_LIMIT or p.rate_free * size > 1.0:
            continue

        def run(
            p: Parameters = p,
            s: State = s,
            forcings: tuple[list[float], list[float]] = (tangential, normal),
            size: float = size,
        ) -> tuple[Work, bool]:
            work = Work()
            counts = [len(forcing) for forcing in forcings]
            for row, forcing in zip(
                (work.tangential_forcing, work.normal_forcing), forcings, strict=True
            ):
                row[: len(forcing)] = [term * size**j for j, term in enumerate(forcing)]
            if wearing:
                left = wearing_slip.fill_wearing_slip(p, s, *counts, size, work)
            else:
                work.force[0] = 9.81
                work.counts.force = 1.0
                left = varying_slip.fill_slip_motion(p, s, counts[0], size, work)
            return work, left == 0.0

        tails = left_out(module, run)
        if tails is None:
            continue
        judged += 1
        for name, tail in tails.items():
            assert tail <= LEFT_OUT[name], name
