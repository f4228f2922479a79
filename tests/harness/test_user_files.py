"""Every option rejects foreign files in one line, within a short time and with little memory."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.subcommands import add_subcommands

from .read_every_file import OPTIONS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and devices of Linux")

SPARSE_BYTES = 2 * 10**9
# These commands report a bad file in a line of their results.
IN_RESULTS = {"blocks records": "failed: ", "doctor fmu": "problem "}


def device(folder: Path) -> Path:
    return Path("/dev/zero")


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")  # without a writer, opening the pipe would wait for ever
    return folder / "pipe"


def empty_folder(folder: Path) -> Path:
    (folder / "folder").mkdir()
    return folder / "folder"


def sparse(folder: Path, begin: bytes = b"") -> Path:
    file = folder / "sparse"
    file.write_bytes(begin)
    os.truncate(file, SPARSE_BYTES)
    return file


def table_with_a_hole(folder: Path) -> Path:
    """Return a table that ends in zeros, as a full disk leaves a copy."""
    return sparse(folder, b"time,a\n" + b"".join(b"%d,1\n" % row for row in range(20_000)))


def binary(folder: Path) -> Path:
    file = folder / "binary"
    file.write_bytes(bytes(range(256)) * 5000)
    return file


def binary_without_zeros(folder: Path) -> Path:
    file = folder / "binary"
    file.write_bytes(bytes(range(1, 256)) * 5000)
    return file


@pytest.fixture(
    scope="module",
    params=[
        device, pipe, empty_folder, sparse, table_with_a_hole, binary, binary_without_zeros
    ],
    ids=lambda kind: kind.__name__,
)  # fmt: skip
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[int, str, str]]:
    """Return exit code, output and errors of every option that is given such a path."""
    folder = tmp_path_factory.mktemp("files")
    make: Callable[[Path], Path] = request.param
    (folder / "work").mkdir()
    script = Path(__file__).with_name("read_every_file.py")
    done = subprocess.run(
        [sys.executable, str(script), str(make(folder)), str(folder / "work")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=1800.0,
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {name: (code, out, err) for name, code, out, err in found}


@pytest.mark.long
def test_what_is_no_file_of_ours_is_refused_in_one_line(outcomes):
    assert set(OPTIONS) < set(outcomes)
    for name, (code, out, err) in outcomes.items():
        told = f"{name}: exit code {code}\n{out[:500]}\n{err[:500]}"
        lines = err.splitlines()
        if (begin := IN_RESULTS.get(name)) and not lines:
            lines = [line for line in out.splitlines() if line.startswith(begin)]
            assert code == 1, told
        else:
            assert (code, out) == (2, ""), told
        assert len(lines) == 1, told
        assert len(lines[0]) < 1000, told


def test_every_option_that_takes_a_file_is_among_those_tried():
    commands = add_subcommands(argparse.ArgumentParser())
    taken = {
        f"{name} {action.option_strings[0] if action.option_strings else action.dest}"
        for name, command in commands.items()
        for action in command._actions
        if action.type is Path
    }
    # Options for outputs and folders.
    written = {"--csv", "--fitted", "--json", "--report", "--map", "--junit", "--out", "package"}
    written |= {"--inputs", "--fmpy"}
    assert {option for option in taken if option.split()[1] not in written} <= set(OPTIONS)
