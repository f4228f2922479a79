"""Detection of the lines above the numbers that name the columns."""

import pytest

from harness.records.formats.delimited import rows_above

CELLS = ("0.0", "1.0")


@pytest.mark.parametrize(
    ("lines", "rows", "remark"),
    [
        (["# time,force"], [("time", "force")], ""),
        (["# 1.5,2.5"], [], "1.5,2.5"),
        (["# time,force,gap"], [], "time,force,gap"),
        (["# force"], [], "force"),
        (["time,force", "# s,N"], [("time", "force"), ("s", "N")], ""),
        (["time,force", "# run,seven"], [("time", "force")], "run,seven"),
        (["time,force", "# 1,2"], [("time", "force")], "1,2"),
        (["time,force", "#"], [("time", "force")], ""),
        ([], [], ""),
    ],
    ids=[
        "names",
        "numbers",
        "a name too many",
        "a name too few",
        "units below names",
        "words below names",
        "numbers below names",
        "nothing below names",
        "nothing",
    ],
)
def test_the_last_comment_is_a_row_where_it_has_a_word_for_each_column(lines, rows, remark):
    assert rows_above(lines, ",", CELLS) == (rows, remark, ())


@pytest.mark.parametrize(
    "lines",
    [
        ["# time [ms],force", ",N"],
        ["1. Versuch", "# time [ms],force", "#,N"],
        ["by hand", "# time [ms],force", ",N"],
    ],
    ids=["text", "comment", "text below other text"],
)
def test_a_comment_directly_above_the_row_of_units_names_the_columns(lines):
    rows, remark, skipped = rows_above(lines, ",", CELLS)
    assert rows == [("time [ms]", "force"), ("", "N")]
    assert (remark, skipped) == ("", tuple(line for line in lines if "," not in line))


@pytest.mark.parametrize("units", ["[s],[N]", "s,-", "-,(kN)"])
def test_a_row_of_units_alone_is_known_below_a_comment_of_names(units):
    rows, remark, skipped = rows_above(["by hand", "# first,second", units], ",", CELLS)
    assert rows == [("first", "second"), tuple(units.split(","))]
    assert (remark, skipped) == ("", ("by hand",))


def test_a_comment_between_names_and_units_is_no_row_of_names():
    rows, _, _ = rows_above(["time,force [kN]", "# by,hand", "s,-"], ",", CELLS)
    assert rows == [("time", "force [kN]"), ("s", "-")]
