"""Balls and their contact DisChoc in separate FMUs, under masters without iterations.

The ball is `examples/ball.py`. FMPy runs the loop of `examples/ball_on_floor.py`. A container of
fmucontainer exchanges values at the end of its steps (parallel) or after each FMU (serial). Two
balls collide in DisChoc with the file of contacts `examples/balls.toml`.
"""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wearmodel
from fmu_src.archive.builder import build_fmu
from fmu_src.models import definition_of
from wearmodel.structure import read_contacts

EXAMPLES = Path(__file__).parents[2] / "examples"
STIFFNESS = 1e6
SERIAL, PARALLEL = 0, 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Build DisChoc.fmu and Ball.fmu and return their folder."""
    from pythonfmu.builder import FmuBuilder

    folder = tmp_path_factory.mktemp("ball")
    build_fmu("DisChoc", folder)
    FmuBuilder.build_FMU(EXAMPLES / "ball.py", dest=folder)
    return folder


@pytest.fixture(scope="module")
def example():
    """Import the example as a module."""
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
    # The impulse is exact except for rounding of differences of positions.
    assert example.restitution(floor, ball, steps, **values) == pytest.approx(restitution, abs=1e-7)


def test_fmpy_without_the_mass_doubles_the_speed(example, folder):
    ball, floor = folder / "Ball.fmu", folder / "DisChoc.fmu"
    values = {"lag": PARALLEL, "contact_damping": 0.0, "effective_mass": 0.0}
    assert example.restitution(floor, ball, 10, **values) > 1.9


def contained(folder, step_size, lag, values, links, watched):
    """Build a container of FMUs. Contacts come first, so that balls receive the new force.

    `values` are start values by FMU. `watched` are the outputs (FMU, output), which keep their
    names.
    """
    lines = ["rule;from_fmu;from_port;to_fmu;to_port", *(f"FMU;{name}.fmu;;;" for name in values)]
    for name, starts in values.items():
        lines += [f"START;{name}.fmu;{key};{value!r};" for key, value in starts.items()]
    lines += [f"LINK;{one}.fmu;{out};{other}.fmu;{entry}" for one, out, other, entry in links]
    lines += [f"OUTPUT;{name}.fmu;{output};;{name}" for name, output in watched]
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


def last_of_container(path, step_size, steps, names):
    """Return the outputs of a container at the end of a run by FMPy."""
    from fmpy import simulate_fmu

    result = simulate_fmu(
        str(path), stop_time=steps * step_size, output_interval=step_size, output=names
    )
    return [float(result[name][-1]) for name in names]


def last_of_master(master, models, links, step_size, steps, watched):
    """Return the outputs at the end of a run by another master in a separate process."""
    system = {
        "models": {name: str(path) for name, path in models.items()},
        "links": links,
        "step_size": step_size,
        "steps": steps,
        "watched": watched,
    }
    command = [sys.executable, "-m", "tests.masters.ball_masters", master, json.dumps(system)]
    done = subprocess.run(
        command, cwd=EXAMPLES.parent, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


ON_FLOOR = [
    ("Ball", "position", "DisChoc", "imposed_displacement_x"),
    ("DisChoc", "mean_force_x", "Ball", "force"),
]


@pytest.mark.hosts
@pytest.mark.parametrize("lag", [SERIAL, PARALLEL], ids=["serial", "parallel"])
@pytest.mark.parametrize("steps", [2, 10])
def test_fmucontainer_gets_the_exact_restitution(folder, tmp_path, lag, steps):
    step_size = math.pi / math.sqrt(STIFFNESS) / steps
    for name in ("DisChoc.fmu", "Ball.fmu"):
        shutil.copy(folder / name, tmp_path)
    floor = {
        "drive": 1,
        "contact_stiffness": STIFFNESS,
        "friction_coefficient": 0.0,
        "dist_1": 0.0,
        "effective_mass": 1.0,
        "imposed_displacement_x": 0.01,
        "lag": lag,
    }
    made = contained(
        tmp_path, step_size, lag, {"DisChoc": floor, "Ball": {}}, ON_FLOOR, [("Ball", "velocity")]
    )
    (velocity,) = last_of_container(made, step_size, round(0.03 / step_size), ["Ball"])
    assert velocity == pytest.approx(1.0, abs=1e-7)


OTHER_MASTERS = pytest.mark.parametrize(
    ("master", "lag"), [("ecos", "parallel"), ("libcosim", "parallel"), ("pathsim", "serial")]
)


@pytest.mark.hosts
@OTHER_MASTERS
def test_other_masters_get_the_exact_restitution(folder, tmp_path, master, lag):
    values = {
        "drive": "displacement",
        "contact_stiffness": STIFFNESS,
        "friction_coefficient": 0.0,
        "dist_1": 0.0,
        "effective_mass": 1.0,
        "lag": lag,
    }
    models = {
        "DisChoc": build_fmu("DisChoc", tmp_path, start_values=values),
        "Ball": folder / "Ball.fmu",
    }
    step_size = math.pi / math.sqrt(STIFFNESS) / 10
    steps = round(0.03 / step_size)
    watched = [("Ball", "velocity")]
    (velocity,) = last_of_master(master, models, ON_FLOOR, step_size, steps, watched)
    # Rounding of differences of positions of 1e-2 m is 1e-18/h.
    assert velocity == pytest.approx(1.0, abs=1e-7)


# Two balls of 1 kg and 2 kg. The second moves at −1 m/s and hits the first.
BALLS = {"Left": (1.0, 0.0), "Right": (2.0, -1.0)}
MEETING = [
    *((name, "position", "Balls", f"{name.lower()}.displacement_x") for name in BALLS),
    *(("Balls", f"{name.lower()}.mean_force_x", name, "force") for name in BALLS),
]
VELOCITIES = [(name, "velocity") for name in BALLS]
# From conservation of momentum and energy.
AFTER = [-4.0 / 3.0, -1.0 / 3.0]
# The balls cross the gap of 1 mm in 1 ms, and the shock lasts 2.6 ms.
MEETING_TIME = 0.006


def meeting_step(steps):
    """Return the step size [s] for a number of steps per π √(m/K) of both masses."""
    return math.pi * math.sqrt(2.0 / 3.0 / STIFFNESS) / steps


@pytest.fixture(scope="module")
def balls(tmp_path_factory):
    """Build Left.fmu and Right.fmu, and Balls.fmu in a folder for each lag."""
    from pythonfmu.builder import FmuBuilder

    folder = tmp_path_factory.mktemp("balls")
    ball = (EXAMPLES / "ball.py").read_text(encoding="utf-8")
    for name, (mass, velocity) in BALLS.items():
        text = ball.replace("class Ball", f"class {name}")
        numbers = ",\n            ".join(("1.0", "0.0", "0.01", "-1.0"))
        assert text.count(numbers) == 1
        own = ",\n            ".join((repr(mass), "0.0", "0.0", repr(velocity)))
        script = folder / f"{name.lower()}.py"
        script.write_text(text.replace(numbers, own), encoding="utf-8")
        FmuBuilder.build_FMU(script, dest=folder)
    definition = definition_of("DisChoc", contacts=read_contacts(EXAMPLES / "balls.toml"))
    for lag in ("serial", "parallel"):
        build_fmu(definition, folder / lag, start_values={"lag": lag}, file_stem="Balls")
    return folder


@pytest.mark.parametrize("lag", ["serial", "parallel"])
@pytest.mark.parametrize("steps", [2, 10])
def test_two_balls_in_fmpy_keep_momentum_and_energy(example, balls, lag, steps):
    step_size = meeting_step(steps)
    bodies = {name: example.Fmu(balls / f"{name}.fmu") for name in BALLS}
    contact = example.Fmu(balls / lag / "Balls.fmu")

    def pass_on(links):
        fmus = {**bodies, "Balls": contact}
        for source, output, target, entry in links:
            fmus[target].set(entry, fmus[source].get(output))

    for number in range(round(MEETING_TIME / step_size)):
        pass_on(MEETING)
        contact.slave.doStep(number * step_size, step_size)
        if lag == "serial":
            pass_on(MEETING[2:])
        for body in bodies.values():
            body.slave.doStep(number * step_size, step_size)
    velocities = [body.get("velocity") for body in bodies.values()]
    assert velocities == pytest.approx(AFTER, abs=1e-7)


@pytest.mark.hosts
@pytest.mark.parametrize("lag", ["serial", "parallel"])
@pytest.mark.parametrize("steps", [2, 10])
def test_two_balls_in_fmucontainer_keep_momentum_and_energy(balls, tmp_path, lag, steps):
    step_size = meeting_step(steps)
    for path in (balls / lag / "Balls.fmu", *(balls / f"{name}.fmu" for name in BALLS)):
        shutil.copy(path, tmp_path)
    code = (SERIAL, PARALLEL)[lag == "parallel"]
    values = {"Balls": {}, **{name: {} for name in BALLS}}
    made = contained(tmp_path, step_size, code, values, MEETING, VELOCITIES)
    steps_taken = round(MEETING_TIME / step_size)
    velocities = last_of_container(made, step_size, steps_taken, list(BALLS))
    assert velocities == pytest.approx(AFTER, abs=1e-7)


@pytest.mark.hosts
@OTHER_MASTERS
def test_two_balls_in_other_masters_keep_momentum_and_energy(balls, master, lag):
    step_size = meeting_step(10)
    models = {
        "Balls": balls / lag / "Balls.fmu",
        **{name: balls / f"{name}.fmu" for name in BALLS},
    }
    steps = round(MEETING_TIME / step_size)
    velocities = last_of_master(master, models, MEETING, step_size, steps, VELOCITIES)
    assert velocities == pytest.approx(AFTER, abs=1e-7)
