"""Native FMUs from an installed wheel with libraries do not need Pythran or zig."""

import os
import resource
import shutil
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

import fmpy
import numpy as np
import pytest

import wearmodel
from wearmodel.compiled.platform_libraries import host_platform
from wearmodel.compiled.run_library import KERNELS

ROOT = Path(wearmodel.__file__).parents[1]
PACKAGES = ("wearmodel", "fmu_src", "harness")
TOOLS = ("pythran", "ziglang", "beniget", "gast", "ply")
# CPU time of the command [s].
LONGEST_BUILD = 3.0

Installed = tuple[Path, dict[str, str]]


def pip() -> list[str]:
    """Return the pip command of this environment or of the system."""
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip")
    if found is None:
        pytest.skip("there is no pip")
    return [found]


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(  # type: ignore[call-overload]
        command, capture_output=True, text=True, check=False, **options
    )
    return done  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of these sources with the libraries of this platform."""
    copy = tmp_path_factory.mktemp("sources")
    for name in PACKAGES:
        unwanted = shutil.ignore_patterns("__pycache__", "libraries")
        shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    made = run(sys.executable, "-m", "fmu_src", host_platform(), cwd=copy, env=environment)
    assert made.returncode == 0, made.stderr
    assert len(made.stdout.splitlines()) == 6 + len(KERNELS)  # models, web modules, and runs
    folder = tmp_path_factory.mktemp("wheel")
    made = run(*pip(), "wheel", "--no-deps", "--wheel-dir", folder, copy)
    assert made.returncode == 0, made.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Installed:
    """Create an environment with the wheel and its dependencies, without the tools.

    Return its folder and the environment variables.
    """
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    (site,) = environment.glob("lib/python*/site-packages")
    own = Path(np.__file__).parents[1]
    for entry in own.iterdir():
        is_tool = entry.name.lower().startswith(TOOLS)
        if not is_tool and "wearfmu" not in entry.name and not (site / entry.name).exists():
            (site / entry.name).symlink_to(entry)
    done = run(*pip(), "--python", environment / "bin" / "python", "install", "--no-deps", wheel)
    assert done.returncode == 0, done.stderr
    variables = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    variables["WEARFMU_CACHE"] = str(tmp_path / "cache")
    variables["HOME"] = str(tmp_path)
    return environment, variables


def build(installed: Installed, folder: Path, *arguments: str) -> tuple[Path, float]:
    """Return the path of the FMU that the command builds, and the CPU time [s]."""
    environment, variables = installed
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(
        *(environment / "bin" / "wearfmu", "build", *arguments, "--native", "--out", folder),
        env=variables,
        cwd=folder,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Path(done.stdout.strip()), taken


def test_native_fmus_are_built_without_the_tools_and_run(installed, native_fmu, tmp_path):
    environment, variables = installed
    wanted = "import importlib.util as u; print([u.find_spec(n) for n in ('pythran', 'ziglang')])"
    found = run(environment / "bin" / "python", "-c", wanted, cwd=tmp_path, env=variables)
    assert found.stdout == "[None, None]\n"
    for arguments in (
        ["FrictionalShock"],
        ["FrictionalShock", "--start", "stiffness=40", "normal_law=penalty", "--name", "own"],
        ["DisChoc"],
        ["DisChoc", "--contacts", str(ROOT / "examples" / "balls.toml")],
        ["BaseMotion"],
        ["ModalShock"],
        ["ModalShock", "--structure", str(ROOT / "harness/cases/guided_rod/structure.toml")],
    ):
        fmu, taken = build(installed, tmp_path, *arguments)
        assert taken <= LONGEST_BUILD, arguments
        assert (
            len(fmpy.simulate_fmu(str(fmu), stop_time=0.05, step_size=1e-3, output_interval=1e-3))
            > 40
        )
    built = tmp_path / "native" / "FrictionalShock.fmu"
    # The tools in this environment build the same FMU.
    assert fmpy.read_model_description(built).guid == fmpy.read_model_description(native_fmu).guid
    first, second = (
        fmpy.simulate_fmu(
            str(fmu),
            stop_time=0.5,
            step_size=1e-3,
            output_interval=1e-3,
            start_values={"base_acceleration": 5.0},
        )
        for fmu in (built, native_fmu)
    )
    np.testing.assert_array_equal(first, second)
    assert first["wear_work"][-1] > 0.0


def test_a_structure_runs_by_the_wheels_library(installed, tmp_path):
    environment, variables = installed
    asked = "from wearmodel.compiled import run_library"
    asked += "; print(run_library.runs_of('ModalShock').is_compiled)"
    done = run(environment / "bin" / "python", "-c", asked, cwd=tmp_path, env=variables)
    assert done.stderr == ""
    assert done.stdout == "True\n"


def test_other_sources_take_no_library_of_the_wheel_and_say_so(installed, tmp_path):
    environment, variables = installed
    (kernel,) = environment.glob("lib/python*/site-packages/wearmodel/kernel/spring/steps.py")
    kernel.write_text(kernel.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    command = environment / "bin" / "wearfmu", "build"
    done = run(*command, "DisChoc", "--native", cwd=tmp_path, env=variables)
    assert done.returncode == 2
    note, remedy = done.stderr.splitlines()
    assert "the compiled library of DisChoc in this package is from other sources" in note
    assert remedy.startswith("wearfmu: a native FMU needs pythran and ziglang: pip install ")
    # Models that do not use the edited file still have their library.
    build(installed, tmp_path, "FrictionalShock")


def test_a_platform_without_a_library_names_the_remedy_in_one_line(installed, tmp_path):
    environment, variables = installed
    command = environment / "bin" / "wearfmu", "build", "DisChoc", "--native", "--platform"
    done = run(*command, "win64", cwd=tmp_path, env=variables)
    assert done.returncode == 2
    (remedy,) = done.stderr.splitlines()
    assert remedy.startswith("wearfmu: a native FMU needs pythran and ziglang: pip install ")
    assert not (tmp_path / "build").exists()
