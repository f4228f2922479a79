"""A file that ends inside its last line never gives a value that was not written."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.command_line import main
from harness.errors import RecordError
from harness.records.table import open_table
from harness.shaking import read_shaking

HEADER = "time [s],acc [m/s2]\n"
STEP = 0.005


def table(seed: int, form: str, count: int, separator: str) -> str:
    """Return a record with numbers in a fixed format or in the shortest form."""
    draw = random.Random(seed)
    values = [draw.uniform(-20.0, 20.0) for _ in range(count)]
    rows = [f"{STEP * row:{form}}{separator}{one:{form}}" for row, one in enumerate(values)]
    return HEADER.replace(",", separator) + "\n".join(rows) + "\n"


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    form=st.sampled_from([".5f", "12.5f", ".7e", "15.7E", ".6g", "", ".17g"]),
    count=st.integers(20, 60),
    separator=st.sampled_from([",", ";", "\t"]),
)
def test_a_cut_file_gives_its_whole_lines_with_a_word_or_is_refused(
    tmp_path_factory, seed, form, count, separator
):
    text = table(seed, form, count, separator)
    file = tmp_path_factory.mktemp("cut") / "quake.csv"
    file.write_text(text, encoding="utf-8")
    whole = read_shaking(file)
    assert not any("last line skipped" in line for line in whole.understood)
    refused_whole = 0
    for size in range(len(text) - min(200, len(text) // 2), len(text)):
        file.write_text(text[:size], encoding="utf-8")
        lines = text[:size].count("\n") - 1
        at_end = text[size] == "\n"  # the line is complete except for its line break
        try:
            cut = read_shaking(file)
        except RecordError:
            # A complete line in a fixed format is read, with or without a line break.
            refused_whole += at_end and form in (".5f", "12.5f", ".7e", "15.7E")
            continue
        read = len(cut.times)
        assert read == lines + at_end or read == lines
        assert np.array_equal(cut.acceleration, whole.acceleration[:read])
        assert np.array_equal(cut.times, whole.times[:read])
        says = any(line.startswith("last line skipped") for line in cut.understood)
        begun = text[:size].rpartition("\n")[2].strip()  # blanks alone are not a row
        assert says == (read == lines and begun != "")
    assert refused_whole == 0


@pytest.mark.parametrize("form", [".5f", ".7e"])
def test_a_number_of_fixed_form_that_is_cut_is_refused(tmp_path, form):
    text = table(1, form, 30, ",").rstrip("\n")
    file = tmp_path / "quake.csv"
    file.write_text(text, encoding="utf-8")
    read_shaking(file)
    for cut in range(1, 10):
        file.write_text(text[:-cut], encoding="utf-8")
        with pytest.raises(RecordError, match="in the middle of its last line"):
            read_shaking(file)


def test_post_refuses_a_cut_record_in_one_line(tmp_path, capsys):
    file = tmp_path / "record.csv"
    rows = "".join(f"{0.01 * row:.2f},{0.125 * row:.4f}\n" for row in range(40))
    file.write_text("time,normal_force\n" + rows[:-3], encoding="utf-8")
    assert main(["post", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"wearfmu: {file} ends in the middle of its last line, '0.39,4.87': copy the "
        "file again, or remove this line\n"
    )


def test_a_cut_at2_file_is_refused(tmp_path):
    head = "PEER\nQuake\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  20, DT=   .0050 SEC\n"
    values = [f"{0.001 * number:15.7E}" for number in range(20)]
    text = head + "\n".join("".join(values[at : at + 5]) for at in range(0, 20, 5))
    file = tmp_path / "quake.at2"
    file.write_text(text, encoding="utf-8")
    assert len(read_shaking(file).times) == 20
    for cut in (1, 2, 3, 6):
        file.write_text(text[:-cut], encoding="utf-8")
        with pytest.raises(RecordError, match="in the middle of its last line"):
            read_shaking(file)


@pytest.mark.parametrize("filled", [1, 2, 3, 20])
def test_a_last_line_without_its_last_cell_is_refused(tmp_path, filled):
    # The last cells are blank at first. The last line is compared with the line before it.
    cells = ["2.5"] * filled
    rows = [f"{0.01 * row:.2f},{0.5 * (row % 3):.1f}," for row in range(30)]
    rows[-filled:] = [row + cell for row, cell in zip(rows[-filled:], cells, strict=True)]
    text = "time,acc,note\n" + "\n".join([*rows, "0.30,1.0,"])
    file = tmp_path / "record.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="in the middle of its last line"):
        open_table(file)


def test_the_end_of_a_long_file_in_utf_16_is_checked(tmp_path):
    rows = "".join(f"{0.01 * row:.2f},{0.125 * row:.4f}\n" for row in range(5000))
    file = tmp_path / "record.csv"
    for cut in (0, 1, 2, 3):
        file.write_text("time,acc\n" + rows[: len(rows) - cut - 1], encoding="utf-16")
        assert file.stat().st_size > 2**16
        if cut:
            with pytest.raises(ValueError, match="in the middle of its last line"):
                open_table(file)
        else:
            open_table(file)
