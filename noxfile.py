"""Run the tests on every installed Python, and with the lowest versions in pyproject.toml.

nox                   the sessions tests and lowest
nox -s tests          the tests that need only Python, on each release found
nox -s lowest         the same on one release, with the lowest versions of the requirements
nox -s distributions  the tests of wearmodel and fmu_src with the installed wheel and sdist
"""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

nox.options.sessions = ["tests", "lowest"]
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = False

LOWEST_PYTHON = "3.11"
PYTHONS = (LOWEST_PYTHON, "3.12", "3.13", "3.14")
TESTED = ("tests", "docs", "examples", "pyproject.toml", "README.md")
EVERY_TEST = ("-m", "not campaign and not hosts")
PYTEST = ("python", "-m", "pytest", "--numprocesses", "auto", *EVERY_TEST)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests with the newest versions."""
    session.install("--editable", ".[native,test]")
    session.run(*PYTEST, *session.posargs)


@nox.session(python=LOWEST_PYTHON, venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest versions of the packages in pyproject.toml."""
    session.install("--resolution", "lowest-direct", "--editable", ".[native,test]")
    session.run(*PYTEST, *session.posargs)


@nox.session(python=PYTHONS)
@nox.parametrize("form", ["wheel", "sdist"])
def distributions(session: nox.Session, form: str) -> None:
    """Run the tests of `wearmodel` and `fmu_src` with an installed distribution."""
    folder = Path(session.create_tmp())
    shutil.rmtree(folder / "dist", ignore_errors=True)
    session.install("build")
    session.run("python", "-m", "build", f"--{form}", "--outdir", str(folder / "dist"), ".")
    (built,) = (folder / "dist").iterdir()
    session.install("--constraint", "constraints.txt", f"{built}[native,test]")
    # The tests read files of the clone. Its packages must not replace the installed ones.
    clone = folder / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    for name in TESTED:
        if Path(name).is_dir():
            shutil.copytree(name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(name, clone / name)
    session.chdir(clone)
    session.run(*PYTEST, "tests/wearmodel", "tests/fmu_src", *session.posargs)
