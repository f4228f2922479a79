"""Which lines above the numbers name the columns."""

from __future__ import annotations

import pytest

from harness.records.table_head import rows_above

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
def test_the_last_comment_is_a_row_where_it_has_a_word_for_each_column(
    lines: list[str], rows: list[tuple[str, ...]], remark: str
) -> None:
    assert rows_above(lines, ",", CELLS) == (rows, remark, ())
