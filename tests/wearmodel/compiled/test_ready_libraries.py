"""Prebuilt libraries are used only if they were built from the present sources."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from wearmodel.compiled import ready_libraries
from wearmodel.compiled.platform_libraries import PLATFORMS
from wearmodel.compiled.ready_libraries import (
    licence_text,
    put_library,
    ready_library,
    tool_version,
)

LINUX = PLATFORMS["linux64"]
FORM = "wearfmu library form 0123"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty folder for prebuilt libraries, and simulate that the tools are installed."""
    monkeypatch.setattr(ready_libraries, "FOLDER", tmp_path)
    monkeypatch.setattr(ready_libraries, "distribution", Tool)
    ready_libraries._say_other.cache_clear()
    return tmp_path


class Tool:
    """An installed package."""

    version = "1.2"

    def __init__(self, package: str) -> None:
        self.package = package

    def read_text(self, path: str) -> str:
        return f"{self.package}: {path}"


def test_a_library_is_taken_for_its_platform_model_and_sources_alone(folder, caplog):
    content = b"\x7fELF " + FORM.encode() + b" code"
    assert ready_library(LINUX, "Model", FORM) is None
    place = put_library(LINUX, "Model", FORM, content)
    assert place == folder / "linux64" / "Model.so"
    assert ready_library(LINUX, "Model", FORM) == content
    assert ready_library(LINUX, "Other", FORM) is None
    assert ready_library(PLATFORMS["win64"], "Model", FORM) is None
    assert caplog.messages == []
    for _ in range(2):
        assert ready_library(LINUX, "Model", "wearfmu library form 4567") is None
    assert caplog.messages == [
        "note: the compiled library of Model in this package is from other sources and is not used"
    ]


def test_a_library_that_does_not_carry_its_form_is_not_put_there(folder):
    with pytest.raises(ValueError, match="Model for linux64 does not carry its form"):
        put_library(LINUX, "Model", FORM, b"code")
    assert list(folder.iterdir()) == []


def test_licences_of_tools_that_are_not_installed_are_those_of_the_libraries(monkeypatch):
    put_library(LINUX, "Model", FORM, FORM.encode())

    def missing(package: str) -> Any:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(ready_libraries, "distribution", missing)
    assert tool_version("pythran") == "1.2"
    assert licence_text("pythran", "licenses/LICENSE") == "pythran: licenses/LICENSE"
    with pytest.raises(FileNotFoundError):
        licence_text("numpy", "licenses/LICENSE")
