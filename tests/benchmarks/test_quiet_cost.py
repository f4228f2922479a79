"""Cost of an interpreted step without event, computed at once or in pieces.

Both models are `FrictionalShock` at 0.5 m/s² and 1 Hz with steps of 1 ms. The second is not allowed
to compute steps at once. Rounds alternate in a single process, and the result is the median of CPU
seconds.
"""

import math
import statistics
import time
from typing import Any

import pytest

from wearmodel import FrictionalShock, FrictionalShockParameters
from wearmodel.kernel.shoe import steps as communication
from wearmodel.kernel.shoe.quiet import quiet_step

STEP = 1e-3
STEPS = 1000
ROUNDS = 9

SLIPPING = {"initial_velocity": 1e6}
SPRINGS = {"stiffness": 40.0, "damping": 1.0, "normal_stiffness": 40.0, "normal_damping": 1.0}
NORMAL_LAWS: dict[str, dict[str, Any]] = {
    "prescribed": {"normal_law": "prescribed"},
    "rigid": {"normal_law": "rigid"},
    "penalty": {"normal_law": "penalty", "contact_stiffness": 3e7, "start_in_equilibrium": True},
}
VARIANTS: dict[str, dict[str, Any]] = {
    f"{normal} × {tangential}, {state}": {**parameters, **motion, "tangential_law": tangential}
    for normal, parameters in NORMAL_LAWS.items()
    for tangential in ("rigid", "penalty")
    for state, motion in {"slip": SLIPPING, "stick": {}}.items()
}
VARIANTS["rigid × rigid, slip with springs and dampers"] = {
    **NORMAL_LAWS["rigid"],
    **SPRINGS,
    **SLIPPING,
}
VARIANTS["rigid, flight"] = {"normal_law": "rigid", "initial_gap": 1e6}
VARIANTS["rigid, flight with springs and dampers"] = {**VARIANTS["rigid, flight"], **SPRINGS}


def decline(*_: object) -> bool:
    """Replace `quiet_step` so that all steps are computed in pieces."""
    return False


class Run:
    """A model and the CPU time of its steps."""

    def __init__(self, parameters: FrictionalShockParameters, may_be_quiet: bool) -> None:
        self.model = FrictionalShock(parameters)
        self.may_be_quiet = may_be_quiet
        self.seconds: list[float] = []
        self.run()  # excludes the start
        self.seconds.clear()

    def run(self) -> None:
        """Take the next STEPS steps, one period of the input."""
        wave = [0.5 * math.sin(2.0 * math.pi * step / STEPS) for step in range(STEPS)]
        step = self.model.step
        communication.quiet_step = quiet_step if self.may_be_quiet else decline
        started = time.process_time()
        for acceleration in wave:
            step(STEP, acceleration)
        self.seconds.append(time.process_time() - started)

    @property
    def cost(self) -> float:
        """Microseconds per step."""
        return statistics.median(self.seconds) / STEPS * 1e6


@pytest.mark.parametrize("variant", VARIANTS)
def test_step_at_once_beside_its_pieces(benchmark, variant, capsys):
    parameters = FrictionalShockParameters(**VARIANTS[variant])
    whole, pieces = Run(parameters, True), Run(parameters, False)
    benchmark.pedantic(whole.run, setup=pieces.run, rounds=ROUNDS)
    ratio = pieces.cost / whole.cost
    benchmark.extra_info.update(
        {"µs by pieces": pieces.cost, "µs at once": whole.cost, "ratio": ratio}
    )
    with capsys.disabled():
        print(f"\n{variant}: by pieces {pieces.cost:.2f} µs, at once {whole.cost:.2f}, {ratio:.1f}")
    # The steps were computed at once, because pieces alone cost more than this.
    assert ratio > 1.3
