"""The build cache builds each content once, and again if it is damaged or cannot be stored."""

import errno
import logging
import os
import stat
from pathlib import Path

import pytest

from wearmodel.compiled import build_cache
from wearmodel.compiled.build_cache import kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder."""
    monkeypatch.setenv("WEARFMU_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    """Counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> bytes:
        self.calls += 1
        return b"made"


def test_the_same_content_is_made_once(folder):
    make = Maker()
    assert [kept("kernel", [b"a", b"b"], make) for _ in range(3)] == [b"made"] * 3
    assert make.calls == 1
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("parts", [[b"a", b"c"], [b"ab"], [b"ab", b""], [b"b", b"a"]], ids=str)
def test_any_other_content_is_made_anew(folder, parts):
    make = Maker()
    kept("kernel", [b"a", b"b"], make)
    kept("kernel", parts, make)
    kept("library", [b"a", b"b"], make)
    assert make.calls == 3


@pytest.mark.parametrize("spoilt", [b"", b"made", b"\0" * 40], ids=["empty", "bare", "zeros"])
def test_what_is_damaged_is_made_anew_and_said(folder, spoilt, caplog):
    make = Maker()
    kept("kernel", [b"a"], make)
    (file,) = folder.iterdir()
    file.write_bytes(spoilt)
    with caplog.at_level(logging.WARNING):
        assert kept("kernel", [b"a"], make) == b"made"
        assert kept("kernel", [b"a"], make) == b"made"
    assert make.calls == 2
    assert [record.message for record in caplog.records] == [
        f"note: {file} is damaged and is built again"
    ]


needs_owners = pytest.mark.skipif(os.name != "posix", reason="files have owners on POSIX")


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777], ids=oct)
def test_nothing_is_taken_from_a_folder_that_others_can_write(folder, caplog, mode):
    kept("kernel", [b"a"], lambda: b"theirs")
    folder.chmod(mode)
    make = Maker()
    with caplog.at_level(logging.WARNING):
        assert kept("kernel", [b"a"], make) == b"made"
        assert kept("kernel", [b"b"], make) == b"made"
    assert make.calls == 2
    assert len(list(folder.iterdir())) == 1
    assert [record.message for record in caplog.records] == [
        f"note: {folder} can be written by other users: it is not used, and everything is "
        f"compiled again"
    ]


@needs_owners
def test_a_file_that_others_can_write_is_not_taken_but_made_anew(folder, caplog):
    kept("kernel", [b"a"], lambda: b"theirs")
    (file,) = folder.iterdir()
    file.chmod(0o666)
    make = Maker()
    with caplog.at_level(logging.WARNING):
        assert [kept("kernel", [b"a"], make) for _ in range(2)] == [b"made"] * 2
    assert make.calls == 1
    assert [record.message for record in caplog.records] == [
        f"note: {file} can be written by other users: it is not used, and everything is compiled "
        f"again"
    ]


@needs_owners
@pytest.mark.parametrize("of", ["folder", "file"])
def test_nothing_of_another_user_is_taken(folder, monkeypatch, caplog, of):
    kept("kernel", [b"a"], lambda: b"theirs")
    (file,) = folder.iterdir()
    usual = build_cache.distrust
    number = (folder if of == "folder" else file).stat().st_ino

    def as_another_owns_it(status: os.stat_result) -> str | None:
        if status.st_ino != number:
            return usual(status)
        values = list(status)
        values[stat.ST_UID] = os.geteuid() + 1
        return usual(os.stat_result(values))

    monkeypatch.setattr(build_cache, "distrust", as_another_owns_it)
    make = Maker()
    with caplog.at_level(logging.WARNING):
        assert kept("kernel", [b"a"], make) == b"made"
    assert "belongs to another user: it is not used" in caplog.text


@needs_owners
def test_a_link_in_the_cache_is_not_followed(folder, tmp_path):
    kept("kernel", [b"a"], Maker())
    (file,) = folder.iterdir()
    precious = tmp_path / "precious"
    file.rename(precious)
    before = precious.read_bytes()
    file.symlink_to(precious)
    make = Maker()
    assert kept("kernel", [b"a"], make) == b"made"
    assert (make.calls, precious.read_bytes(), file.is_symlink()) == (1, before, False)


@needs_owners
@pytest.mark.parametrize("mask", [0o002, 0o000], ids=oct)
def test_what_is_kept_is_closed_to_others_whatever_the_habit_of_the_user(folder, mask):
    before = os.umask(mask)
    try:
        make = Maker()
        assert [kept("kernel", [b"a"], make) for _ in range(2)] == [b"made"] * 2
    finally:
        os.umask(before)
    assert make.calls == 1
    assert all(not one.stat().st_mode & 0o077 for one in (folder, *folder.iterdir()))


def test_a_file_that_cannot_be_kept_leaves_nothing_behind(folder, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "replace", full)
    assert kept("kernel", [b"a"], Maker()) == b"made"
    assert list(folder.iterdir()) == []


def test_where_nothing_can_be_written_it_is_made_each_time(tmp_path, monkeypatch):
    occupied = tmp_path / "a_file"
    occupied.write_text("")
    monkeypatch.setenv("WEARFMU_CACHE", str(occupied))
    make = Maker()
    assert [kept("kernel", [b"a"], make) for _ in range(2)] == [b"made"] * 2
    assert make.calls == 2


def test_a_failure_goes_through_and_nothing_is_kept(folder):
    def refuse() -> bytes:
        raise RuntimeError("the compiler refuses")

    with pytest.raises(RuntimeError, match="the compiler refuses"):
        kept("library", [b"a"], refuse)
    assert not folder.exists()


def test_only_what_was_used_last_stays(folder, monkeypatch):
    monkeypatch.setattr(build_cache, "_LARGEST_COUNT", 3)
    for number in range(5):
        kept("kernel", [b"%d" % number], Maker())
    assert len(list(folder.iterdir())) == 3
