"""The wheel in an environment of its own contains the commands, the cases and the FMUs."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fmu_src.models import fmu_names

ROOT = Path(__file__).parents[1]
PACKAGES = ("wearmodel", "fmu_src", "harness")
# Folders that are not part of the wheel.
CLONE_FOLDERS = {"tests", "masters", "examples", "docs", "build"}
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

pytestmark = pytest.mark.hosts


def required(name: str) -> dict[str, Requirement]:
    """Return the requirements of a distribution without extras, and their requirements in turn."""
    found: dict[str, Requirement] = {}
    waiting = [Requirement(name)]
    while waiting:
        requirement = waiting.pop()
        key = f"{canonicalize_name(requirement.name)}{sorted(requirement.extras)}"
        if key in found:
            continue
        found[key] = requirement
        for text in distribution(requirement.name).requires or ():
            needed = Requirement(text)
            extras = ("", *requirement.extras)
            if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(needed)
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this clone."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([*command, folder, ROOT], check=True)
    (built,) = folder.glob("*.whl")
    return built


def installed(wheel: Path, requirement: str, folder: Path) -> Path:
    """Return the programs' folder of a new environment with the wheel and its requirements only."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    # Packages that are installed here already are linked, so that they are not downloaded.
    for name in {needed.name for needed in required(requirement).values()} - {"wearfmu"}:
        files = distribution(name).files or ()
        for first in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            link = site_packages / first
            if not link.is_symlink():
                link.symlink_to(Path(str(distribution(name).locate_file(first))))
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    subprocess.run([*command, wheel], check=True)
    return python.parent


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the wheel and no extra."""
    return installed(wheel, "wearfmu", tmp_path_factory.mktemp("environment"))


def printed(environment: Path, folder: Path, program: str, *arguments: str) -> str:
    """Return the output of a program of the environment that is started in a folder."""
    done = subprocess.run(
        [environment / program, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_packages_whole_and_no_test(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    listed = subprocess.run(
        ["git", "ls-files", "--", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert held == set(listed.stdout.splitlines())
    assert [name for name in held if CLONE_FOLDERS & set(Path(name).parts)] == []


def test_the_environment_holds_the_wheel_and_no_test_library(environment, tmp_path):
    where = printed(
        environment, tmp_path, "python", "-c", "import harness; print(harness.__file__)"
    )
    assert Path(where.strip()).is_relative_to(environment.parent)
    found = "import importlib.util as u; print(u.find_spec('pytest'), u.find_spec('tests'))"
    assert printed(environment, tmp_path, "python", "-c", found) == "None None\n"


def test_list_names_every_case(environment, tmp_path):
    listed = printed(environment, tmp_path, "wearfmu", "list")
    cases = [case.parent.name for case in (ROOT / "harness" / "cases").glob("*/case.toml")]
    assert cases
    assert [case for case in cases if case not in listed] == []


@pytest.mark.parametrize("command", ["validate", "run"])
def test_a_shipped_case_passes_by_name(environment, tmp_path, command):
    assert "1 case passed" in printed(environment, tmp_path, "wearfmu", command, "sdnd104_a15")


def test_build_writes_the_fmus_where_it_is_called(environment, tmp_path):
    printed(environment, tmp_path, "wearfmu", "build")
    built = {path.name for path in (tmp_path / "build").glob("*.fmu")}
    assert built == {f"{name}.fmu" for name in fmu_names()}


def test_every_import_in_the_documents_works(wheel, tmp_path):
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    packages = "|".join(PACKAGES)
    statement = rf"\b(from (?:{packages})[\w.]* import \w+(?:, \w+)*|import (?:{packages})[\w.]*)"
    statements = sorted({found for text in texts for found in re.findall(statement, text)})
    assert "from harness import load_fmu" in statements
    script = "".join(f"{statement}\n" for statement in statements)
    environment = installed(wheel, "wearfmu", tmp_path / "environment")
    printed(environment, tmp_path, "python", "-c", script)
