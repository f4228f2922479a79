"""The tests on every Python that is here, and with the lowest versions that pyproject.toml allows.

nox                 both
nox -s tests        the tests that need Python alone, on each release found
nox -s lowest       the same on one release, with the lowest versions of what is asked for
"""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = False

LOWEST_PYTHON = "3.11"
PYTHONS = (LOWEST_PYTHON, "3.12", "3.13", "3.14")
PYTEST = ("python", "-m", "pytest", "--numprocesses", "auto")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests with the newest versions."""
    session.install("--editable", ".[native,test]")
    session.run(*PYTEST, *session.posargs)


@nox.session(python=LOWEST_PYTHON, venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest versions of the packages that pyproject.toml names."""
    session.install("--resolution", "lowest-direct", "--editable", ".[native,test]")
    session.run(*PYTEST, *session.posargs)
