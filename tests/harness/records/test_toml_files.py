"""Messages for TOML files that cannot be read."""

import pytest

from harness.errors import CaseError
from harness.records import toml_content

# The valid lines contain decimal commas too. Only the invalid line may give the remedy.
SOUND = ['title = "0,11"', "gap = [0, 22]", 'note = "0,33"', 'law = "0,44"', "# 0,55", "mass = 1.0"]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("place", range(len(SOUND) + 1))
def test_a_decimal_comma_is_answered_with_the_number_of_its_own_line(tmp_path, place, end):
    lines = [*SOUND[:place], f"friction = 0,{place}7  # 0,99", *SOUND[place:]]
    file = tmp_path / "case.toml"
    file.write_bytes((end.join(lines) + end).encode())
    with pytest.raises(CaseError) as caught:
        toml_content(file, "case")
    message = str(caught.value)
    assert f"at line {place + 1}," in message
    assert message.endswith(f"; use a point: 0.{place}7")
