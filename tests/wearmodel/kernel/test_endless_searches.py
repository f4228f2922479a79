"""Searches end with an error if numbers overflow.

Each search runs in a process of its own, which is killed if it exceeds the time limit.
"""

import subprocess
import sys

# A search takes microseconds. The limit allows for compilation on a busy machine.
LIMIT = 120  # s

SEARCHES = """
import itertools, math
from wearmodel.kernel.limits import ROW_LENGTH
from wearmodel.kernel.series.roots import first_exit, largest_value
make = list
bad = (math.nan, math.inf, -math.inf)
for count in (2, 3, 5, 24):
    for values in itertools.product((1.0, -1.0, 1e308, -1e308), repeat=2):
        for index in range(count):
            for worse in bad:
                series = [values[0]] + [values[1]] * (count - 1) + [0.0] * (ROW_LENGTH - count)
                series[index] = worse
                row = make(series)
                slope, local = make([0.0] * ROW_LENGTH), make([0.0] * ROW_LENGTH)
                exit = first_exit(row, count, local)
                assert exit in (-1.0, 0.0, 2.0) or 0.0 < exit <= 1.0, (series, exit)
                largest_value(row, count, 1.0, slope, local)
# Finite coefficients whose shift overflows.
first_exit(make([1.0, -1e308, 1.7e308] * 10 + [0.0] * 26), 30, make([0.0] * ROW_LENGTH))
print("ended")
"""
DECAYED_CONTACT = """
from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw
from wearmodel.kernel.series.roots import touch_lift
# The shares of these numbers are 0.
assert touch_lift([1e-310, -4.1e-310, 4.1e-310], 3, [0.0] * 3, 0.0, 1e-10) == 0.0
# Each bounce keeps 60 % of the speed until the force is not a normal number.
model = FrictionalShock(FrictionalShockParameters(
    normal_law=NormalLaw.penalty, mass=0.2, gravity=0.0, normal_stiffness=30.0, normal_damping=0.1,
    contact_stiffness=2.8e6, contact_damping=1500.0, initial_normal_velocity=-0.3))
model.step(200.0)
assert model.outputs()["shock_count"] > 300.0, model.outputs()
print("ended")
"""
LONG_STEPS = """
import math
from wearmodel import FrictionalShock, FrictionalShockParameters, NormalLaw, TangentialLaw
from wearmodel.models.frictional_shock import StepError
from wearmodel.kernel.shoe import stepper
stepper.MAXIMUM_PIECES = 1000  # the full bound takes seconds to reach
stepper.MAXIMUM_EVENTS = 100
failed = 0
for normal in NormalLaw:
    for tangential in TangentialLaw:
        for stiffness in (0.0, 1.0):
            model = FrictionalShock(FrictionalShockParameters(
                normal_law=normal, tangential_law=tangential, stiffness=stiffness))
            for step_size in (1e184, 1e185, 1e200, 1e290):
                for terms in ((1.5, -1.0), (1.5, -1.0, 1.0), (1.5, 0.0, 0.0, -1e-300)):
                    before = model.snapshot()
                    try:
                        model.step_polynomial(step_size, base_acceleration=terms)
                    except StepError:
                        failed += 1
                        assert model.snapshot() == before
                    assert all(map(math.isfinite, model.output_values())), (normal, tangential)
                    model.restore(before)
assert failed > 100, failed
print("ended")
"""


def ended(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=False
    )


def test_a_search_in_a_series_that_is_not_finite_ends():
    done = ended(SEARCHES)
    assert done.stdout == "ended\n", done.stderr


def test_the_search_for_a_touch_ends_when_the_force_has_decayed():
    done = ended(DECAYED_CONTACT)
    assert done.stdout == "ended\n", done.stderr


def test_steps_that_overflow_end_with_an_error():
    done = ended(LONG_STEPS)
    assert done.stdout == "ended\n", done.stderr
