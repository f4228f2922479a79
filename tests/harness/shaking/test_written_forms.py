"""A record is read from all forms of a table."""

import pytest

from harness.shaking import read_shaking

FORMS = {
    "bare": "0,1.5\n0.5,-2\n1,0.25\n",
    "names": "time,acc\n0,1.5\n0.5,-2\n1,0.25\n",
    "decimal commas": "Zeit;Beschl\ns;m/s2\n0,0;1,5\n0,5;-2,0\n1,0;0,25\n",
    "semicolons": "0.0;1.5\n0.5;-2\n1;0.25\n",
    "tabs": "t\ta\n0,0\t1,5\n0,5\t-2\n1\t0,25\n",
    "blanks": "# from the shaking table\n\n0 1.5\n0.5   -2\n\n1 0.25\n",
    "blanks and decimal commas": "0,0 1,5\n0,5 -2,0\n1,0 0,25\n",
    "quotes": '\ufeff"time","acc"\n"0","1.5"\n0.5,-2\n1,0.25\n',
    "sep=;": "sep=;\ntime;acc\n0,0;1,5\n0,5;-2,0\n1,0;0,25\n",
    "sep=tab in quotes": '"sep=\t"\n0.0\t1.5\n0.5\t-2\n1\t0.25\n',
    "sep=|": "SEP=|\r\ntime, s|acc; m/s2\r\n0|1.5\r\n0,5|-2\r\n1|0.25\r\n",
    "text above": "Some quake\nStation 9\ntime,acc\n0,1.5\n0.5,-2\n1,0.25\n",
    "code_aster": "#\n INST;ACCE\n R;R\n0;1.5\n0.5;-2\n1;0.25\n",
    "a comma at the end": "# time,acc [m/s2]\n0,1.5,\n0.5,-2,\n1,0.25,\n",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_record_is_read_however_it_is_written(tmp_path, text):
    file = tmp_path / "record.csv"
    file.write_bytes(text.encode())
    record = read_shaking(file)
    assert record.times.tolist() == [0.0, 0.5, 1.0]
    assert record.acceleration.tolist() == [1.5, -2.0, 0.25]
