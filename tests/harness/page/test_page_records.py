"""A record dropped on the page is read as `wearfmu run --input` reads it, word for word."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import RecordError
from harness.shaking import read_shaking

from .record_files import FILES, made_up

pytestmark = pytest.mark.hosts

READ = """
const [files] = arguments;
const list = (values) => (values ? Array.from(values) : null);
return files.map(([name, content, reading]) => {
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const read = wearfmu.kernel.readRecord(name, bytes, reading);
  return { ...read, times: list(read.times), acceleration: list(read.acceleration),
           normal: list(read.normal) };
});
"""


def read_by_page(page: Any, files: list[tuple[Path, dict[str, Any]]]) -> list[dict[str, Any]]:
    """What the page says of files; how they are read goes by numbers of columns there."""
    given = [
        [str(path), base64.b64encode(path.read_bytes()).decode(), reading]
        for path, reading in files
    ]
    found: list[dict[str, Any]] = page.driver.execute_script(READ, given)
    return found


def in_words(path: Path, reading: dict[str, Any]) -> dict[str, Any]:
    """What the command says of a file, in the form of the page."""
    options = {
        "time": reading.get("time"),
        "acceleration": reading.get("acceleration"),
        "normal_acceleration": reading.get("normal"),
    }
    named = {name: str(number) for name, number in options.items() if number}
    others = {
        key: reading[key] for key in ("unit", "interval", "remove_mean", "scale") if key in reading
    }
    try:
        shaking = read_shaking(path, **named, **others)
    except RecordError as problem:
        return {"problem": str(problem)}
    return {
        "problem": "",
        "times": shaking.times.tolist(),
        "acceleration": shaking.acceleration.tolist(),
        "understood": list(shaking.understood),
        "warnings": list(shaking.warnings),
        "unit": shaking.unit,
    }


def differences(page: Any, files: list[tuple[Path, dict[str, Any]]]) -> dict[str, Any]:
    """Where page and command differ, by the name of the file."""
    found = {}
    for (path, reading), seen in zip(files, read_by_page(page, files), strict=True):
        wanted = in_words(path, reading)
        got = {key: seen.get(key) for key in wanted}
        if got != wanted:
            pairs = {key: (got[key], wanted[key]) for key in wanted if got[key] != wanted[key]}
            found[f"{path.name} {json.dumps(reading)}"] = pairs
    return found


def written(folder: Path, files: dict[str, str], encoding: str = "utf-8") -> list[Path]:
    paths = []
    for name, text in files.items():
        paths.append(folder / f"{name}.csv")
        paths[-1].write_bytes(text.encode(encoding))
    return paths


def test_files_of_all_kinds_are_understood_alike(page: Any, tmp_path: Path) -> None:
    files = [(path, {}) for path in written(tmp_path, FILES)]
    assert differences(page, files) == {}


def test_the_page_names_no_option_of_the_command(page: Any, tmp_path: Path) -> None:
    said = []
    for reading in ({}, {"unit": "g"}, {"interval": 0.01}):
        files = [(path, reading) for path in written(tmp_path, {**FILES, **made_up(100)})]
        for seen in read_by_page(page, files):
            said += [seen["problem"], *seen.get("understood", ()), *seen.get("warnings", ())]
    assert sum("--" in text for text in said) > 50
    words = page.driver.execute_script("return arguments[0].map(wearfmu.inWords)", said)
    assert {text for text in words if "--" in text or "run --input" in text} == set()


def test_files_put_together_at_random_are_understood_alike(page: Any, tmp_path: Path) -> None:
    files = [(path, {}) for path in written(tmp_path, made_up(600))]
    assert differences(page, files) == {}


@pytest.mark.parametrize(
    "reading",
    [
        {"unit": "g"},
        {"unit": "cm/s2"},
        {"interval": 0.01},
        {"scale": -0.3},
        {"scale": 9.81},
        {"scale": 0.01, "unit": "cm/s2"},
        {"time": 1, "acceleration": 2},
        {"time": 2, "acceleration": 1},
        {"time": 1, "acceleration": 1},
    ],
    ids=str,
)
def test_what_is_asked_for_is_read_alike(page: Any, tmp_path: Path, reading: Any) -> None:
    texts = {name: text for name, text in FILES.items() if text.count("\n") > 1 or "column" in name}
    wide = {name: text for name, text in texts.items() if name not in ("one-column-of-times",)}
    files = [(path, reading) for path in written(tmp_path, wide)]
    if "acceleration" in reading:
        # A column that is not there is refused in other words: the page offers no such column.
        files = [
            one for one in files if not one[0].stem.startswith(("one-column", "only", "empty"))
        ]
    assert differences(page, files) == {}


def test_vertical_shaking_and_means_are_read_alike(page: Any) -> None:
    path = Path("harness/cases/synthetic_quake/acceleration.csv")
    [seen] = read_by_page(page, [(path, {"normal": 3, "remove_mean": True, "scale": 0.7})])
    shaking = read_shaking(path, normal_acceleration="3", remove_mean=True, scale=0.7)
    assert seen["understood"] == list(shaking.understood)
    assert seen["warnings"] == list(shaking.warnings)
    # The mean is added up in another order.
    for got, wanted in ((seen["acceleration"], shaking.acceleration),
                        (seen["normal"], shaking.normal_acceleration)):  # fmt: skip
        assert np.abs(np.array(got) - wanted).max() < 1e-15


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
def test_encodings_are_recognised_alike(page: Any, tmp_path: Path, encoding: str) -> None:
    chosen = {name: FILES[name] for name in ("plain", "superscript", "german", "french", "quoted")}
    files = [(path, {}) for path in written(tmp_path, chosen, encoding)]
    assert differences(page, files) == {}


def test_a_file_that_is_no_text_is_refused_alike(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "table.xlsx"
    path.write_bytes(b"PK\x03\x04\x00\x00" * 20)
    assert differences(page, [(path, {})]) == {}


def test_a_long_record_is_warned_of_alike(page: Any, tmp_path: Path) -> None:
    chance = np.random.default_rng(3)
    times = np.arange(5003) * 0.005
    rough = chance.normal(size=times.size)
    smooth = np.convolve(rough, np.hanning(41), mode="same")
    files = []
    for name, signal in (("rough", rough), ("smooth", smooth), ("between", rough + smooth)):
        path = tmp_path / f"{name}.csv"
        np.savetxt(path, np.column_stack([times, signal]), delimiter=",", header="time,acc [m/s2]")
        files.append((path, {}))
    assert differences(page, files) == {}
