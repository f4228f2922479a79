"""What a build keeps: made once for one content, and anew where it is damaged or cannot be kept."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from fmu_src.native import build_cache
from fmu_src.native.build_cache import kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("WEARFMU_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    """Counts how often it makes something."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> bytes:
        self.calls += 1
        return b"made"


def test_the_same_content_is_made_once(folder: Path) -> None:
    make = Maker()
    assert [kept("kernel", [b"a", b"b"], make) for _ in range(3)] == [b"made"] * 3
    assert make.calls == 1
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("parts", [[b"a", b"c"], [b"ab"], [b"ab", b""], [b"b", b"a"]], ids=str)
def test_any_other_content_is_made_anew(folder: Path, parts: list[bytes]) -> None:
    make = Maker()
    kept("kernel", [b"a", b"b"], make)
    kept("kernel", parts, make)
    kept("library", [b"a", b"b"], make)
    assert make.calls == 3


@pytest.mark.parametrize("spoilt", [b"", b"made", b"\0" * 40], ids=["empty", "bare", "zeros"])
def test_what_is_damaged_is_made_anew_and_said(
    folder: Path, spoilt: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    make = Maker()
    kept("kernel", [b"a"], make)
    (file,) = folder.iterdir()
    file.write_bytes(spoilt)
    with caplog.at_level(logging.WARNING):
        assert kept("kernel", [b"a"], make) == b"made"
        assert kept("kernel", [b"a"], make) == b"made"
    assert make.calls == 2
    assert [record.message for record in caplog.records] == [
        f"note: {file} is damaged: it is made anew"
    ]


def test_where_nothing_can_be_written_it_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    occupied = tmp_path / "a_file"
    occupied.write_text("")
    monkeypatch.setenv("WEARFMU_CACHE", str(occupied))
    make = Maker()
    assert [kept("kernel", [b"a"], make) for _ in range(2)] == [b"made"] * 2
    assert make.calls == 2


def test_a_failure_goes_through_and_nothing_is_kept(folder: Path) -> None:
    def refuse() -> bytes:
        raise RuntimeError("the compiler refuses")

    with pytest.raises(RuntimeError, match="the compiler refuses"):
        kept("library", [b"a"], refuse)
    assert not folder.exists()


def test_only_what_was_used_last_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_cache, "_LARGEST_COUNT", 3)
    for number in range(5):
        kept("kernel", [b"%d" % number], Maker())
    assert len(list(folder.iterdir())) == 3
