"""Whole steps at once: equal to the pieces wherever they are taken, declined before every event."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wearmodel import (
    FrictionalShock,
    FrictionalShockParameters,
    NormalLaw,
    Obstacle,
    StepError,
    TangentialLaw,
)
from wearmodel.kernel import layout, setup
from wearmodel.kernel.quiet import quiet_step
from wearmodel.kernel.stepper import advance
from wearmodel.record_runs import run_records

# Entries of the state that a step without event leaves alone.
_MODES = (layout.CONTACT, layout.SLIDING, layout.LAST_SLIDING)
_COUNTS = (layout.SHOCK_COUNT, layout.SLIP_COUNT, layout.IMPULSE)
_WORKS = (layout.WEAR_WORK, layout.FRICTION_WORK, layout.SLIDING_DISTANCE)
# Shares of what a bound allows: far inside, on either side of it, and beyond.
_SHARES = (0.0, 0.1, 0.4, 0.9, 1.0 - 1e-6, 1.0 + 1e-6, 1.5, 10.0)

laws = pytest.mark.parametrize(
    ("normal_law", "tangential_law"),
    [
        pytest.param(normal, tangential, id=f"{normal.name}-{tangential.name}")
        for normal, tangential in product(NormalLaw, TangentialLaw)
    ],
)
many = settings(max_examples=150, deadline=None, derandomize=True)


@dataclass(frozen=True)
class Step:
    """Parameters, state and forcings of one step; `force` and its `noise` in N where in contact."""

    parameters: list[float]
    state: list[float]
    tangential: list[float]
    normal: list[float]
    size: float
    force: float = 0.0
    noise: float = 0.0

    def quiet(self) -> list[float] | None:
        """The state after the whole step; None where it is declined."""
        state = self.state[:]
        taken = quiet_step(
            self.parameters,
            state,
            self.tangential,
            len(self.tangential),
            self.normal,
            len(self.normal),
            self.size,
        )
        if not taken:
            assert state == self.state
            return None
        return state

    def pieces(self) -> list[float]:
        """The state after the same step taken by pieces."""
        state = self.state[:]
        code = advance(
            self.parameters,
            state,
            self.tangential,
            len(self.tangential),
            self.normal,
            len(self.normal),
            self.size,
            setup.new_work(),
        )
        assert code == layout.OK
        return state

    def check(self) -> None:
        """A step that is taken at once ends as its pieces do, without event."""
        got = self.quiet()
        if got is None:
            return
        want = self.pieces()
        mass, size = self.parameters[layout.MASS], self.size
        friction = self.parameters[layout.FRICTION_STATIC]
        for entry in (*_MODES, *_COUNTS):
            assert got[entry] == want[entry] == self.state[entry], entry
        # Rounding of the sums, and what the noise of the contact force does to the motion.
        relative = 1e-13
        velocity = relative * (
            abs(want[layout.VELOCITY])
            + abs(self.state[layout.VELOCITY])
            + size / mass * (friction * self.force + abs(self.tangential[0]))
        )
        velocity += friction * self.noise * size / mass
        place = velocity * size + relative * abs(want[layout.DISPLACEMENT])
        rate = self.parameters[layout.RATE_STICK]
        if (
            self.parameters[layout.TANGENTIAL_LAW] == layout.PENALISED_FRICTION
            and rate * size > layout.RATE_LIMIT
        ):
            # In stick the closed form is a difference of places of this size, less some roundings.
            held = friction * self.force / self.parameters[layout.TANGENTIAL_STIFFNESS]
            place += 1e-15 * held
            velocity += 1e-15 * held * rate
        assert got[layout.VELOCITY] == pytest.approx(want[layout.VELOCITY], rel=0.0, abs=velocity)
        assert got[layout.DISPLACEMENT] == pytest.approx(
            want[layout.DISPLACEMENT], rel=0.0, abs=place
        )
        stretch = friction * self.noise / self.parameters[layout.TANGENTIAL_STIFFNESS]
        assert got[layout.STRETCH] == pytest.approx(
            want[layout.STRETCH], rel=relative, abs=place + stretch
        )
        distance = abs(want[layout.SLIDING_DISTANCE])
        # The anchor travels as the mass does, less what the stretch changes: it may have been off
        # by rounding, which the pieces mend.
        travel = place
        if self.parameters[layout.TANGENTIAL_LAW] == layout.PENALISED_FRICTION:
            travel += stretch + relative * abs(want[layout.STRETCH])
        works = (
            self.noise * distance + self.force * travel,
            friction * (self.noise * distance + self.force * travel),
            travel,
        )
        for entry, work in zip(_WORKS, works, strict=True):
            assert got[entry] == pytest.approx(want[entry], rel=relative, abs=work), entry
        assert got[layout.PEAK_FORCE] == pytest.approx(
            want[layout.PEAK_FORCE], rel=relative, abs=self.noise
        )
        stiffness = self.parameters[layout.CONTACT_STIFFNESS]
        stiffness += self.parameters[layout.NORMAL_STIFFNESS]
        scale = abs(want[layout.NORMAL_VELOCITY]) * size + self.noise / stiffness
        assert got[layout.NORMAL_DISPLACEMENT] == pytest.approx(
            want[layout.NORMAL_DISPLACEMENT], rel=relative, abs=relative * scale + scale * relative
        )
        rate = math.sqrt(stiffness / mass)
        assert got[layout.NORMAL_VELOCITY] == pytest.approx(
            want[layout.NORMAL_VELOCITY],
            rel=relative,
            abs=relative * size / mass * abs(self.normal[0]) + rate * self.noise / stiffness,
        )


def logarithmic(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers spread evenly over their orders of magnitude."""
    return st.floats(math.log10(low), math.log10(high)).map(lambda power: 10.0**power)


def signed(shares: tuple[float, ...]) -> st.SearchStrategy[float]:
    """One of the shares, on either side."""
    return st.tuples(st.sampled_from(shares), st.sampled_from([-1.0, 1.0])).map(math.prod)


@st.composite
def law_parameters(
    draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw
) -> list[float]:
    """The kernel's parameters with two planes, or with one."""
    dynamic = draw(st.sampled_from([0.1, 0.7, 0.0]))
    tangential_stiffness = draw(logarithmic(1e-2, 9e6))
    contact_stiffness = draw(logarithmic(100.0, 1e8))
    return FrictionalShockParameters(
        mass=draw(st.sampled_from([1.0, 0.2, 5.0, 1e3])),
        friction_coefficient=dynamic,
        friction_coefficient_static=dynamic * draw(st.sampled_from([1.0, 1.3])),
        stiffness=draw(st.just(0.0) | logarithmic(1e-3, 1e4)),
        damping=draw(st.just(0.0) | logarithmic(1e-3, 100.0)),
        normal_stiffness=draw(st.just(0.0) | logarithmic(1.0, 1e5)),
        normal_damping=draw(st.just(0.0) | logarithmic(1e-3, 100.0)),
        initial_gap=draw(st.sampled_from([0.0, 1e-4, 1e-3]))
        if normal_law is not NormalLaw.prescribed
        else 0.0,
        normal_law=normal_law,
        tangential_law=tangential_law,
        obstacle=draw(st.sampled_from(Obstacle)),
        plane_half_spacing=draw(st.sampled_from([1e-3, 0.02])),
        contact_stiffness=contact_stiffness,
        contact_damping=math.sqrt(contact_stiffness) * draw(st.sampled_from([0.0, 0.1, 2.0, 10.0])),
        tangential_stiffness=tangential_stiffness,
        tangential_damping=math.sqrt(tangential_stiffness)
        * draw(st.sampled_from([0.0, 0.1, 2.0, 10.0])),
    ).as_buffer()


@st.composite
def contact_steps(draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw) -> Step:
    """A step from a contact under a constant force, near the bounds of every event."""
    parameters = draw(law_parameters(normal_law, tangential_law))
    size = draw(st.sampled_from([1e-7, 1e-6, 1e-4, 1e-3, 1e-2]))
    force = draw(logarithmic(0.1, 100.0))
    state = setup.new_state()
    plane = 1.0
    if normal_law is not NormalLaw.prescribed and parameters[layout.PLANE_DISTANCE] > 0.0:
        plane = draw(st.sampled_from([1.0, -1.0]))
    state[layout.CONTACT] = plane
    spring = parameters[layout.NORMAL_STIFFNESS]
    place = -parameters[layout.INITIAL_GAP]
    if plane < 0.0:
        place += parameters[layout.PLANE_DISTANCE]
    noise = 0.0
    normal = -plane * force
    if normal_law is NormalLaw.penalty:
        contact = parameters[layout.CONTACT_STIFFNESS]
        place -= plane * force / contact
        # What the model takes for rest, 1e-14 of these forces, and as much again for the pieces.
        noise = 2e-14 * (force + (contact + spring) * (2.0 * abs(place) + force / contact))
        if plane < 0.0:
            noise += 2e-14 * (contact + spring) * parameters[layout.PLANE_DISTANCE]
        state[layout.NORMAL_VELOCITY] = draw(st.sampled_from([0.0, 0.0, 1e-18, -1e-15, 1e-9]))
    if normal_law is not NormalLaw.prescribed:
        normal += spring * place
        shift = draw(st.sampled_from([0, 0, 1, 5, 100])) if normal_law is NormalLaw.penalty else 0
        state[layout.NORMAL_DISPLACEMENT] = place + shift * math.ulp(place)

    dynamic = parameters[layout.FRICTION_DYNAMIC]
    mass = parameters[layout.MASS]
    sliding = draw(st.sampled_from([-1.0, 0.0, 1.0]))
    state[layout.SLIDING] = state[layout.LAST_SLIDING] = sliding
    state[layout.DISPLACEMENT] = draw(st.sampled_from([0.0, 1e-3, -0.05]))
    state[layout.PEAK_FORCE] = draw(st.sampled_from([0.0, 2.0 * force]))
    held = parameters[layout.STIFFNESS] * state[layout.DISPLACEMENT]
    cone = parameters[layout.FRICTION_STATIC] * force
    # No sum of these is 1, where rounding would decide.
    rough = draw(st.lists(signed((0.0, 1.7e-4, 0.37, 3.0)), max_size=3))
    tangential = [term * cone / size ** (order + 1) for order, term in enumerate(rough)]
    if sliding != 0.0:
        tangential.insert(0, held + draw(signed((0.0, 0.5, 3.0))) * cone)
        loss = size / mass * abs(tangential[0] - held - sliding * dynamic * force)
        state[layout.VELOCITY] = sliding * draw(
            st.sampled_from(_SHARES).map(lambda share: share * loss) | logarithmic(1e-3, 1e3)
        )
        if tangential_law is TangentialLaw.penalty:
            off = draw(st.sampled_from([0.0, 0.0, 0.0, 1e-15, 1e-12, 1e-3, -1e-3]))
            stretch = sliding * dynamic * force / parameters[layout.TANGENTIAL_STIFFNESS]
            state[layout.STRETCH] = (1.0 + off) * stretch
    elif tangential_law is TangentialLaw.penalty:
        share = draw(signed(_SHARES))
        state[layout.STRETCH] = share * cone / parameters[layout.TANGENTIAL_STIFFNESS]
        at_rest = held + share * cone
        tangential.insert(0, draw(st.sampled_from([at_rest, 0.999 * at_rest, held])))
    else:
        tangential.insert(0, held + draw(signed(_SHARES)) * cone)
    return Step(parameters, state, tangential, [normal], size, force, noise)


@laws
@many
@given(data=st.data())
def test_a_quiet_step_in_contact_is_what_the_pieces_give(
    data: st.DataObject, normal_law: NormalLaw, tangential_law: TangentialLaw
) -> None:
    data.draw(contact_steps(normal_law, tangential_law)).check()


@st.composite
def flight_steps(draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw) -> Step:
    """A step in flight that the mass may end before, on or behind either plane."""
    parameters = draw(law_parameters(normal_law, tangential_law))
    size = draw(st.sampled_from([1e-4, 1e-3, 1e-2]))
    state = setup.new_state()
    state[layout.DISPLACEMENT] = draw(st.sampled_from([0.0, 1e-3, -0.05]))
    state[layout.VELOCITY] = draw(signed((0.0, 0.1, 10.0)))
    velocity = draw(signed((0.0, 1e-3, 0.3)))
    acting = [draw(signed((0.0, 1.0, 30.0)))]
    acting += [
        term / size ** (order + 1)
        for order, term in enumerate(draw(st.lists(signed((0.0, 1.0, 30.0)), max_size=3)))
    ]
    if normal_law is not NormalLaw.prescribed:
        reach = size * (abs(velocity) + size * abs(acting[0]) / parameters[layout.MASS])
        gap = draw(st.sampled_from(_SHARES)) * reach + draw(st.sampled_from([0.0, 1e-6, 1e-4]))
        place = gap - parameters[layout.INITIAL_GAP]
        distance = parameters[layout.PLANE_DISTANCE]
        if distance > 0.0 and draw(st.booleans()):
            place = distance - parameters[layout.INITIAL_GAP] - gap
        state[layout.NORMAL_DISPLACEMENT] = place
        state[layout.NORMAL_VELOCITY] = velocity
    terms = draw(st.lists(signed((0.0, 1.0, 30.0)), min_size=1, max_size=4))
    tangential = [term / size**order for order, term in enumerate(terms)]
    return Step(parameters, state, tangential, acting, size)


@laws
@many
@given(data=st.data())
def test_a_quiet_step_in_flight_is_what_the_pieces_give(
    data: st.DataObject, normal_law: NormalLaw, tangential_law: TangentialLaw
) -> None:
    step = data.draw(flight_steps(normal_law, tangential_law))
    # Between the planes, or above the only one: the law would have closed what is not.
    place = step.state[layout.NORMAL_DISPLACEMENT] + step.parameters[layout.INITIAL_GAP]
    distance = step.parameters[layout.PLANE_DISTANCE]
    if place >= 0.0 and (distance == 0.0 or place <= distance):
        step.check()


_UPPER = {"gravity": -10.0, "obstacle": "two_planes", "plane_half_spacing": 1e-3}
# Parameters of a mass of 1 kg at rest on a plane, and F_N = plane·(k_n w − f_n) there, f_n = ∓10 N.
_PRESSED: dict[str, tuple[dict[str, object], float]] = {
    "prescribed": ({"normal_law": "prescribed"}, 10.0),
    "rigid, lower plane": ({"normal_law": "rigid", "normal_stiffness": 40.0}, 10.0),
    "rigid, upper plane": (
        {
            **_UPPER,
            "normal_law": "rigid",
            "normal_stiffness": 1e3,
            "initial_normal_displacement": 2e-3,
        },
        10.0 - 1e3 * 2e-3,
    ),
    "penalty, lower plane": (
        {
            "normal_law": "penalty",
            "contact_stiffness": 3e7,
            "normal_stiffness": 40.0,
            "initial_gap": -1e-3,
            "start_in_equilibrium": True,
        },
        # w = (f_n − K_N gap_0)/(k_n + K_N)
        10.0 + 40.0 * (3e4 - 10.0) / (3e7 + 40.0),
    ),
    "penalty, upper plane": (
        {
            **_UPPER,
            "normal_law": "penalty",
            "contact_stiffness": 3e7,
            "contact_damping": 1e4,
            "start_in_equilibrium": True,
        },
        10.0,
    ),
}
pressed = pytest.mark.parametrize(("normal", "force"), _PRESSED.values(), ids=_PRESSED)
friction_laws = pytest.mark.parametrize("tangential_law", TangentialLaw)


def forbid_pieces(model: FrictionalShock, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a step that is not taken at once fails."""

    def refuse(*_: object) -> int:
        pytest.fail(f"the step at {model.time} s was taken by pieces")

    monkeypatch.setattr(model, "_advance_kernel", refuse)


@pressed
@friction_laws
def test_a_mass_at_rest_on_its_plane_slips_at_once_by_the_closed_form(
    normal: dict[str, object],
    force: float,
    tangential_law: TangentialLaw,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It starts on the plane at rest; a penalised anchor follows after some m/K_T.
    model = FrictionalShock(
        FrictionalShockParameters(**normal, tangential_law=tangential_law, initial_velocity=5.0)
    )
    for _ in range(100):
        model.step(1e-3)
    forbid_pieces(model, monkeypatch)
    before = model.outputs()
    steps = 2000
    for _ in range(steps):
        model.step(1e-3)
    after = model.outputs()
    time = steps * 1e-3
    velocity = before["relative_velocity"]
    distance = velocity * time - 0.5 * 0.1 * force * time**2
    # Two thousand roundings.
    assert after["relative_velocity"] == pytest.approx(velocity - 0.1 * force * time, rel=1e-12)
    assert after["sliding_distance"] - before["sliding_distance"] == pytest.approx(
        distance, rel=1e-12
    )
    assert after["wear_work"] - before["wear_work"] == pytest.approx(force * distance, rel=1e-12)
    # The gap to the penalised plane is a difference of places: 3e7 N/m times their rounding.
    assert after["peak_normal_force"] == pytest.approx(force, rel=1e-11)
    assert after["normal_force"] == pytest.approx(force, rel=1e-11)


@pressed
@friction_laws
def test_a_mass_at_rest_on_its_plane_sticks_at_once(
    normal: dict[str, object],
    force: float,
    tangential_law: TangentialLaw,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = FrictionalShock(FrictionalShockParameters(**normal, tangential_law=tangential_law))
    forbid_pieces(model, monkeypatch)
    steps = 200
    for step in range(steps):
        model.step(1e-3, 0.05 * force * math.sin(2.0 * math.pi * step / steps))
    outputs = model.outputs()
    assert outputs["contact_mode"] == 1.0
    assert outputs["wear_work"] == 0.0
    assert outputs["normal_force"] == pytest.approx(force, rel=1e-11)


def moved(
    mass: float, damping: float, stiffness: float, force: float, x: float, time: float
) -> tuple[float, float]:
    """x and ẋ of m ẍ + c ẋ + k x = force after `time` from (x, 0): the matrix exponential."""
    with mpmath.workdps(30):
        m = mpmath.mpf(mass)
        matrix = mpmath.matrix([[0, 1, 0], [-stiffness / m, -damping / m, force / m], [0, 0, 0]])
        result = mpmath.expm(matrix * mpmath.mpf(time)) * mpmath.matrix([x, 0, 1])
        return float(result[0]), float(result[1])


@pytest.mark.parametrize(
    "normal_law", [NormalLaw.penalty, NormalLaw.rigid], ids=lambda law: law.name
)
@pytest.mark.parametrize("springs", [True, False], ids=["springs", "no springs"])
def test_a_mass_between_its_planes_flies_at_once_by_the_closed_form(
    normal_law: NormalLaw, springs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stiffness, damping = (40.0, 1.0) if springs else (0.0, 0.0)
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=2.0,
            gravity=1.0,
            normal_law=normal_law,
            obstacle=Obstacle.two_planes,
            plane_half_spacing=10.0,
            initial_gap=10.0,
            stiffness=stiffness,
            damping=damping,
            normal_stiffness=2.0 * stiffness,
            normal_damping=2.0 * damping,
            initial_displacement=0.3,
            initial_normal_displacement=-0.2,
        )
    )
    forbid_pieces(model, monkeypatch)
    steps = 1000
    for _ in range(steps):
        model.step(1e-3, 0.7)
    outputs = model.outputs()
    u, u_rate = moved(2.0, damping, stiffness, -1.4, 0.3, steps * 1e-3)
    w, w_rate = moved(2.0, 2.0 * damping, 2.0 * stiffness, -2.0, -0.2, steps * 1e-3)
    # A thousand roundings of numbers below 1.
    assert outputs["relative_displacement"] == pytest.approx(u, abs=1e-13)
    assert outputs["relative_velocity"] == pytest.approx(u_rate, abs=1e-13)
    assert outputs["gap"] == pytest.approx(10.0 + w if w < 0.0 else 10.0 - w, abs=1e-12)
    assert abs(outputs["gap_velocity"]) == pytest.approx(abs(w_rate), abs=1e-13)


@pytest.mark.parametrize("step_size", [1e-7, 1e-6, 1e-4, 1e-3])
@pytest.mark.parametrize("damping_share", [0.0, 0.1, 1.0])
@pytest.mark.parametrize(
    ("stiffness", "mass"),
    [(9e6, 1.0), (1e3, 1.0), (1.0, 1.0), (1.0, 1e3), (1e-2, 1e3)],
)
def test_soft_penalised_stick_loses_nothing_in_short_steps(
    stiffness: float,
    mass: float,
    damping_share: float,
    step_size: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damping = damping_share * 2.0 * math.sqrt(mass * stiffness)
    model = FrictionalShock(
        FrictionalShockParameters(
            mass=mass,
            friction_coefficient=0.5,
            tangential_law="penalty",
            tangential_stiffness=stiffness,
            tangential_damping=damping,
        )
    )
    forbid_pieces(model, monkeypatch)
    steps = 100
    for _ in range(steps):
        model.step(step_size, 0.4)
    outputs = model.outputs()
    u, rate = moved(mass, damping, stiffness, -0.4 * mass, 0.0, steps * step_size)
    # A hundred roundings of numbers no larger than these, which √(K/m) h = 3 turns by 300 rad.
    largest_rate = abs(u) * math.sqrt(stiffness / mass)
    assert outputs["relative_displacement"] == pytest.approx(u, rel=1e-13)
    assert outputs["relative_velocity"] == pytest.approx(rate, rel=1e-13, abs=1e-13 * largest_rate)


@pytest.mark.parametrize("contact_damping", [0.0, 1e4])
def test_taking_a_mass_for_resting_changes_nothing_in_thousands_of_steps(
    contact_damping: float,
) -> None:
    # Undamped, its pieces carry the rounding of its place for ever.
    parameters = FrictionalShockParameters(
        **_PRESSED["penalty, lower plane"][0],
        contact_damping=contact_damping,
        stiffness=40.0,
        initial_displacement=0.5,
    )
    whole, by_pieces = FrictionalShock(parameters), FrictionalShock(parameters)
    by_pieces.record()
    for model in (whole, by_pieces):
        for _ in range(4000):
            model.step(1e-3)
    got, want = whole.outputs(), by_pieces.outputs()
    for name, value in want.items():
        # K_N times the rounding of a place of 1e-3 m is 3e-12 of the force.
        assert got[name] == pytest.approx(value, rel=1e-10, abs=1e-14), name


@pytest.mark.parametrize(
    ("share", "rate"), [(1e-9, 0.0), (-1e-9, 0.0), (0.0, 1e-9)], ids=["deep", "high", "moving"]
)
def test_a_penalised_contact_that_does_not_rest_is_left_to_the_pieces(
    share: float, rate: float
) -> None:
    parameters = FrictionalShockParameters(normal_law="penalty", contact_stiffness=1e6).as_buffer()
    depth = 10.0 / 1e6
    state = setup.new_state()
    state[layout.CONTACT] = 1.0
    state[layout.NORMAL_DISPLACEMENT] = -depth
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is not None
    state[layout.NORMAL_DISPLACEMENT] = -depth * (1.0 + share)
    state[layout.NORMAL_VELOCITY] = rate * math.sqrt(1e6) * depth
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    "normal_law", [NormalLaw.penalty, NormalLaw.rigid], ids=lambda law: law.name
)
def test_a_contact_force_that_overflows_is_left_to_the_pieces(normal_law: NormalLaw) -> None:
    parameters = FrictionalShockParameters(normal_law=normal_law, normal_stiffness=1e10).as_buffer()
    state = setup.new_state()
    state[layout.CONTACT] = 1.0
    state[layout.NORMAL_DISPLACEMENT] = 1e300
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    ("entry", "before", "velocity", "forcing", "size"),
    [
        pytest.param(layout.WEAR_WORK, 1.79e308, 1e307, 0.0, 1.0, id="wear_work"),
        pytest.param(layout.FRICTION_WORK, 1.79e308, 1e307, 0.0, 1.0, id="friction_work"),
        pytest.param(layout.SLIDING_DISTANCE, 1.79e308, 1e307, 0.0, 1.0, id="sliding_distance"),
        pytest.param(layout.DISPLACEMENT, 1.79e308, 1e307, 0.0, 1.0, id="displacement"),
        # 1e-3 s of 1e308 N are 1e305 m/s.
        pytest.param(layout.VELOCITY, 1.797e308, 1.797e308, 1e308, 1e-3, id="velocity"),
    ],
)
def test_a_slip_whose_result_overflows_is_left_to_the_pieces(
    entry: int, before: float, velocity: float, forcing: float, size: float
) -> None:
    parameters = FrictionalShockParameters(friction_coefficient=1.0).as_buffer()
    state = setup.new_state()
    state[layout.CONTACT] = state[layout.SLIDING] = state[layout.LAST_SLIDING] = 1.0
    # The step's own travel and work, of 1 N, are finite.
    state[layout.VELOCITY] = 1e307
    assert Step(parameters, state, [0.0], [-1.0], size).quiet() is not None
    state[layout.VELOCITY] = velocity
    state[entry] = before
    assert Step(parameters, state, [forcing], [-1.0], size).quiet() is None


@pytest.mark.parametrize("springs", [{}, {"stiffness": 1e-6}], ids=["no springs", "springs"])
def test_a_wear_work_that_overflows_is_said_by_model_and_record_run(
    springs: dict[str, float],
) -> None:
    # 1e153 N over nearly 1e154 m each second: in the 18th the works, of wear and of friction, which
    # is a tenth, pass 1.8e308 J together.
    parameters = FrictionalShockParameters(initial_velocity=1e154, preload=1e153, **springs)
    model = FrictionalShock(parameters)
    for _ in range(17):
        model.step(1.0)
    with pytest.raises(StepError, match="the state overflowed"):
        model.step(1.0)
    runs = run_records(parameters, 1.0, base_acceleration=[0.0] * 41)
    (failure,) = runs.failures
    assert "the state overflowed" in failure.reason
    assert failure.time == model.time
    assert math.isnan(runs.final["wear_work"])


@pytest.mark.parametrize("entry", [layout.ZEROS_FORCE, layout.ZEROS_GAP])
def test_a_flight_that_begins_at_this_instant_is_left_to_the_pieces(entry: int) -> None:
    parameters = FrictionalShockParameters(normal_law="rigid", initial_gap=1.0).as_buffer()
    state = setup.new_state()
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is not None
    state[entry] = 1.0
    assert Step(parameters, state, [0.0], [-10.0], 1e-3).quiet() is None


@pytest.mark.parametrize(
    "springs",
    [{"stiffness": 1e6}, {"normal_stiffness": 1e6}, {"damping": 1e4}, {"normal_damping": 1e4}],
    ids=lambda springs: next(iter(springs)),
)
def test_a_flight_faster_than_its_series_is_left_to_the_pieces(springs: dict[str, float]) -> None:
    parameters = FrictionalShockParameters(
        normal_law="rigid", initial_gap=1.0, **springs
    ).as_buffer()
    state = setup.new_state()
    assert Step(parameters, state, [0.0], [-10.0], 1e-5).quiet() is not None
    assert Step(parameters, state, [0.0], [-10.0], 1e-2).quiet() is None
