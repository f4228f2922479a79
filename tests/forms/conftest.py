"""Fixtures: instances of a model's FMU in each of its forms."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..fmu_src.conftest import Host, built, unpacked
from ..native.conftest import fmi3_fmus, native_fmus, unpacked3, unpacked_fmu
from ..native.fmi3_host import Host3
from .instance import Instance

Make = Callable[..., Instance]
PYTHON, NATIVE, NATIVE_3 = "Python", "native FMI 2.0", "native FMI 3.0"
_NATIVE_MARKS = (pytest.mark.hosts, pytest.mark.native)


@pytest.fixture(
    params=[PYTHON, *(pytest.param(form, marks=_NATIVE_MARKS) for form in (NATIVE, NATIVE_3))]
)
def form(request: pytest.FixtureRequest) -> str:
    """Return the name of a form."""
    name: str = request.param
    return name


@pytest.fixture
def make(form: str, request: pytest.FixtureRequest) -> Iterator[Make]:
    """Create instances of FMUs of this form that are freed at the end of the test."""
    made: list[Host | Host3] = []

    def folder_of(model: str) -> Path:
        if form == NATIVE:
            fmu = request.getfixturevalue("native_fmus")(model)
            return Path(request.getfixturevalue("unpacked_fmu")(fmu))
        return Path(request.getfixturevalue("unpacked" if form == PYTHON else "unpacked3")(model))

    def of(model: str = "FrictionalShock") -> Instance:
        made.append((Host3 if form == NATIVE_3 else Host)(folder_of(model)))
        return made[-1]

    yield of
    for instance in made:
        instance.free()


__all__ = ["built", "fmi3_fmus", "native_fmus", "unpacked", "unpacked3", "unpacked_fmu"]
