"""The variables file of a native FMU is refused if a part of it is invalid."""

import struct
from collections.abc import Callable
from pathlib import Path

import fmpy
import pytest

from fmu_src.native.instance_data import INSTANCE_FILE

from .conftest import Host, sealed

Start = Callable[[bytes, bytes], Host]


@pytest.fixture
def started_with(native_fmus: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Start]:
    """Instantiate a model with changed bytes in its file and a valid checksum."""

    def of_model(name: str) -> Start:
        folder = Path(fmpy.extract(str(native_fmus(name)), str(tmp_path)))
        file = folder / "resources" / INSTANCE_FILE
        content = file.read_bytes()

        def start(before: bytes, after: bytes) -> Host:
            assert before in content
            file.write_bytes(sealed(content.replace(before, after)))
            return Host(folder)

        return start

    return of_model


def test_a_text_that_is_not_utf_8_is_refused(started_with):
    start = started_with("BaseMotion")
    assert start(b"\0m/s2\0", b"\0m/s3\0").initialise()
    with pytest.raises(Exception, match="Failed to instantiate"):
        start(b"\0m/s2\0", b"\0m/s\xff\0")


@pytest.mark.parametrize("item", range(6))
def test_a_source_of_points_that_does_not_exist_is_refused(started_with, item):
    for model in ("BaseMotion", "FrictionalShock"):
        start = started_with(model)
        source = [-1] * 6
        if model == "BaseMotion":
            references = start(b"kind", b"kind").references
            # The choice of the source, two texts, the column, and the choices that use the texts.
            source = [references["kind"], 0, 1, references["value_column"], 1, 2]
        forged = [*source[:item], -2, *source[item + 1 :]]
        with pytest.raises(Exception, match="Failed to instantiate"):
            start(struct.pack("<6i", *source), struct.pack("<6i", *forged))
