"""Random kernel steps, computed in one piece (`quiet_step`) and in pieces (`advance`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import mpmath
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, Obstacle, TangentialLaw
from wearmodel.kernel import limits
from wearmodel.kernel.shoe import steps as communication
from wearmodel.kernel.shoe.parameters import Parameters
from wearmodel.kernel.shoe.quiet import quiet_step
from wearmodel.kernel.shoe.state_objects import State, Work, copy_state
from wearmodel.kernel.shoe.stepper import advance
from wearmodel.kernel.state_objects import values_of

# State variables that do not change in a step without an event.
_MODES = ("contact", "sliding", "last_sliding")
_COUNTS = ("shock_count", "slip_count", "impulse")
_WORKS = ("wear_work", "friction_work", "sliding_distance")
# Fractions of a bound: far inside, just inside, just outside and beyond.
SHARES = (0.0, 0.1, 0.4, 0.9, 1.0 - 1e-6, 1.0 + 1e-6, 1.5, 10.0)

laws = pytest.mark.parametrize(
    ("normal_law", "tangential_law"),
    [
        pytest.param(normal, tangential, id=f"{normal.name}-{tangential.name}")
        for normal, tangential in product(NormalLaw, TangentialLaw)
    ],
)
many = settings(max_examples=150, deadline=None, derandomize=True)


def step_arguments(
    tangential: list[float], normal: list[float], size: float
) -> tuple[int, int, float, Work]:
    """Return the arguments of a kernel step. The forcings are copied to its work rows."""
    work = Work()
    work.step_tangential[: len(tangential)] = tangential
    work.step_normal[: len(normal)] = normal
    return len(tangential), len(normal), size, work


@dataclass(frozen=True)
class Step:
    """Parameters, state and forcings of one step.

    In contact, `force` is the contact force [N] and `noise` is its rounding error [N].
    """

    parameters: Parameters
    state: State
    tangential: list[float]
    normal: list[float]
    size: float
    force: float = 0.0
    noise: float = 0.0

    def quiet(self) -> State | None:
        """Return the state after the whole step, or None if `quiet_step` declines it."""
        state = State()
        copy_state(self.state, state)
        if quiet_step(
            self.parameters, state, *step_arguments(self.tangential, self.normal, self.size)
        ):
            return state
        assert values_of(state) == values_of(self.state)
        return None

    def pieces(self) -> State:
        """Return the state after the same step computed in pieces."""
        state = State()
        copy_state(self.state, state)
        code = advance(
            self.parameters, state, *step_arguments(self.tangential, self.normal, self.size)
        )
        assert code == limits.OK
        return state

    def check(self) -> None:
        """Compare the step computed at once with the same step computed in pieces."""
        got = self.quiet()
        if got is None:
            return
        want = self.pieces()
        mass, size = self.parameters.mass, self.size
        friction = self.parameters.friction_coefficient_static
        for entry in (*_MODES, *_COUNTS):
            now, then = getattr(got, entry), getattr(self.state, entry)
            assert now == getattr(want, entry) == then, entry
        # Rounding of the sums, and the effect of the noise of the contact force on the velocity.
        relative = 1e-13
        velocity = relative * (
            abs(want.velocity)
            + abs(self.state.velocity)
            + size / mass * (friction * self.force + abs(self.tangential[0]))
        )
        velocity += friction * self.noise * size / mass
        position = velocity * size + relative * abs(want.displacement)
        rate = self.parameters.rate_stick
        if (
            self.parameters.tangential_law == limits.PENALISED_FRICTION
            and rate * size > limits.RATE_LIMIT
        ):
            # In stick, the closed form subtracts two positions of this size.
            held = friction * self.force / self.parameters.tangential_stiffness
            position += 1e-15 * held
            velocity += 1e-15 * held * rate
        assert got.velocity == pytest.approx(want.velocity, rel=0.0, abs=velocity)
        assert got.displacement == pytest.approx(want.displacement, rel=0.0, abs=position)
        stretch = friction * self.noise / self.parameters.tangential_stiffness
        assert got.stretch == pytest.approx(want.stretch, rel=relative, abs=position + stretch)
        distance = abs(want.sliding_distance)
        # The anchor travel equals the displacement minus the change of the stretch. The initial
        # anchor may be off by rounding, which the computation in pieces corrects.
        travel = position
        if self.parameters.tangential_law == limits.PENALISED_FRICTION:
            travel += stretch + relative * abs(want.stretch)
        works = (
            self.noise * distance + self.force * travel,
            friction * (self.noise * distance + self.force * travel),
            travel,
        )
        for entry, work in zip(_WORKS, works, strict=True):
            assert getattr(got, entry) == pytest.approx(
                getattr(want, entry), rel=relative, abs=work
            ), entry
        # The heat of a step is the work of its forces minus the energy of mass and springs.
        speed = max(abs(self.state.velocity), abs(want.velocity))
        way = abs(want.displacement - self.state.displacement)
        stiffness = self.parameters.tangential_stiffness + self.parameters.stiffness
        turnover = mass * speed**2 + stiffness * way**2
        turnover += way * sum(abs(f) * size**j for j, f in enumerate(self.tangential))
        turnover += way * abs(self.parameters.stiffness * self.state.displacement)
        turnover += way * friction * self.force
        heat = relative * turnover + mass * velocity * (speed + way / size)
        # A mass that is at rest within rounding dissipates its kinetic energy in the normal damper.
        normal_speed = abs(self.state.normal_velocity) + abs(want.normal_velocity)
        heat += mass * normal_speed**2
        heat += self.noise**2 / self.parameters.contact_stiffness
        assert got.damping_work == pytest.approx(want.damping_work, rel=relative, abs=heat)
        assert got.peak_force == pytest.approx(want.peak_force, rel=relative, abs=self.noise)
        stiffness = self.parameters.contact_stiffness
        stiffness += self.parameters.normal_stiffness
        scale = abs(want.normal_velocity) * size + self.noise / stiffness
        assert got.normal_displacement == pytest.approx(
            want.normal_displacement, rel=relative, abs=relative * scale
        )
        rate = math.sqrt(stiffness / mass)
        assert got.normal_velocity == pytest.approx(
            want.normal_velocity,
            rel=relative,
            abs=relative * size / mass * abs(self.normal[0]) + rate * self.noise / stiffness,
        )


def logarithmic(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw numbers whose logarithms are uniformly distributed."""
    return st.floats(math.log10(low), math.log10(high)).map(lambda power: 10.0**power)


def signed(shares: tuple[float, ...]) -> st.SearchStrategy[float]:
    """Draw one of the shares with either sign."""
    return st.tuples(st.sampled_from(shares), st.sampled_from([-1.0, 1.0])).map(math.prod)


@st.composite
def law_parameters(
    draw: st.DrawFn, normal_law: NormalLaw, tangential_law: TangentialLaw
) -> list[float]:
    """Draw parameters of the kernel with one or two planes."""
    dynamic = draw(st.sampled_from([0.1, 0.7, 0.0]))
    tangential_stiffness = draw(logarithmic(1e-2, 9e6))
    contact_stiffness = draw(logarithmic(100.0, 1e8))
    declared = FrictionalShockParameters(
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
    )
    return Parameters(declared)


def forbid_pieces(model: FrictionalShock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each later step that is computed in pieces fail."""

    def refuse(*_: object) -> int:
        pytest.fail(f"the step at {model.time} s was taken by pieces")

    monkeypatch.setattr(communication, "advance", refuse)


def moved(
    mass: float, damping: float, stiffness: float, force: float, x: float, time: float
) -> tuple[float, float]:
    """Return x and ẋ of m ẍ + c ẋ + k x = force after `time` from (x, 0), by matrix exponential."""
    with mpmath.workdps(30):
        m = mpmath.mpf(mass)
        matrix = mpmath.matrix([[0, 1, 0], [-stiffness / m, -damping / m, force / m], [0, 0, 0]])
        result = mpmath.expm(matrix * mpmath.mpf(time)) * mpmath.matrix([x, 0, 1])
        return float(result[0]), float(result[1])
