"""A ball in one FMU bounces off DisChoc in another, under masters without iterations.

The ball is `examples/ball.py`. FMPy runs the loop of `examples/ball_on_floor.py`. A container of
fmucontainer exchanges all values at the end of its steps (parallel), or after each FMU (serial).
"""

import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wearmodel
from fmu_src.archive.builder import build_fmu

EXAMPLES = Path(__file__).parents[2] / "examples"
STIFFNESS = 1e6
SERIAL, PARALLEL = 0, 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder with DisChoc.fmu and Ball.fmu."""
    from pythonfmu.builder import FmuBuilder

    folder = tmp_path_factory.mktemp("ball")
    build_fmu("DisChoc", folder)
    FmuBuilder.build_FMU(EXAMPLES / "ball.py", dest=folder)
    return folder


@pytest.fixture(scope="module")
def example():
    """The example as a module."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import ball_on_floor

        yield ball_on_floor
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.mark.parametrize("lag", [SERIAL, PARALLEL], ids=["serial", "parallel"])
@pytest.mark.parametrize("restitution", [1.0, 0.435])
@pytest.mark.parametrize("steps", [2, 10])
def test_fmpy_gets_the_exact_restitution(example, folder, lag, restitution, steps):
    damping = wearmodel.damping_for_restitution(
        stiffness=STIFFNESS, mass=1.0, restitution=restitution
    )
    ball, floor = folder / "Ball.fmu", folder / "DisChoc.fmu"
    values = {"lag": lag, "contact_damping": damping, "effective_mass": 1.0}
    # The impulse is exact to rounding of differences of positions.
    assert example.restitution(floor, ball, steps, **values) == pytest.approx(restitution, abs=1e-7)


def test_fmpy_without_the_mass_doubles_the_speed(example, folder):
    ball, floor = folder / "Ball.fmu", folder / "DisChoc.fmu"
    values = {"lag": PARALLEL, "contact_damping": 0.0, "effective_mass": 0.0}
    assert example.restitution(floor, ball, 10, **values) > 1.9


def contained(folder, step_size, lag):
    """A container of ball and contact; DisChoc is first, so that the ball gets its new force."""
    values = {
        "drive": 1,
        "contact_stiffness": STIFFNESS,
        "friction_coefficient": 0.0,
        "dist_1": 0.0,
        "effective_mass": 1.0,
        "imposed_displacement_x": 0.01,
        "lag": lag,
    }
    lines = ["rule;from_fmu;from_port;to_fmu;to_port", "FMU;DisChoc.fmu;;;", "FMU;Ball.fmu;;;"]
    lines += [f"START;DisChoc.fmu;{name};{value!r};" for name, value in values.items()]
    lines += [
        "LINK;Ball.fmu;position;DisChoc.fmu;imposed_displacement_x",
        "LINK;DisChoc.fmu;mean_force_x;Ball.fmu;force",
        "OUTPUT;Ball.fmu;velocity;;velocity",
    ]
    (folder / "pair.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [str(Path(sys.executable).with_name("fmucontainer")), "-fmu-directory", str(folder)]
    command += ["-container", f"pair.csv:{step_size!r}"]
    done = subprocess.run(
        command + (["-sequential"] if lag == SERIAL else []),
        capture_output=True,
        text=True,
        check=False,
    )
    made = folder / "pair.fmu"
    assert made.exists(), done.stdout + done.stderr
    return made


@pytest.mark.hosts
@pytest.mark.parametrize("lag", [SERIAL, PARALLEL], ids=["serial", "parallel"])
@pytest.mark.parametrize("steps", [2, 10])
def test_fmucontainer_gets_the_exact_restitution(folder, tmp_path, lag, steps):
    from fmpy import simulate_fmu

    step_size = math.pi / math.sqrt(STIFFNESS) / steps
    for name in ("DisChoc.fmu", "Ball.fmu"):
        shutil.copy(folder / name, tmp_path)
    result = simulate_fmu(
        str(contained(tmp_path, step_size, lag)),
        stop_time=round(0.03 / step_size) * step_size,
        output_interval=step_size,
        output=["velocity"],
    )
    assert result["velocity"][-1] == pytest.approx(1.0, abs=1e-7)


@pytest.mark.hosts
@pytest.mark.parametrize(
    ("master", "lag"), [("ecos", "parallel"), ("libcosim", "parallel"), ("pathsim", "serial")]
)
def test_other_masters_get_the_exact_restitution(folder, tmp_path, master, lag):
    values = {
        "drive": "displacement",
        "contact_stiffness": STIFFNESS,
        "friction_coefficient": 0.0,
        "dist_1": 0.0,
        "effective_mass": 1.0,
        "lag": lag,
    }
    floor = build_fmu("DisChoc", tmp_path, start_values=values)
    step_size = math.pi / math.sqrt(STIFFNESS) / 10
    command = [sys.executable, "-m", "tests.masters.ball_masters", master, str(floor)]
    command += [str(folder / "Ball.fmu"), repr(step_size), str(round(0.03 / step_size))]
    done = subprocess.run(
        command, cwd=EXAMPLES.parent, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    # Differences of positions of 1e-2 m have a rounding of 1e-18/h.
    assert float(done.stdout.split()[-1]) == pytest.approx(1.0, abs=1e-7)
