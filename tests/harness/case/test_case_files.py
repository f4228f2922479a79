"""Invalid case files give one line with file, key and rule, and exit code 2."""

import pytest

from harness import load_case
from harness.command_line import main

CONSTANT = 'kind = "constant"\nvalue = 3.0'
TABLE = 'kind = "table"\ntime = {}\nvalue = {}'
WINDOW = 'quantity = "mean"\nvariable = "total"\nwindow = {}'
VALUE = 'quantity = "value"\nvariable = "total"\ntime = 1.0'

# Text in the valid case, its replacement, and the message expected after the file name.
BAD = {
    "unknown key": ("stop_time", "stop_tme", "experiment.stop_tme is not a known key"),
    "suggests the key": ("stop_time", "stop_tme", "did you mean 'stop_time'?"),
    "unknown section": ("[parameters]", "[parameter]", "parameter is not a known key"),
    "missing section": ('[case]\ntitle = "Toy"', '[inputs.case]\ntitle = "Toy"', "case is missing"),
    "missing key": ('title = "Toy"\n', "", "case.title is missing"),
    "empty text": ('title = "Toy"', 'title = ""', "case.title = '': "),
    "section is a value": ("[experiment]", "experiment = 1\n[x]", "is not a known key"),
    "not toml": ("[case]", "[case", "is not a TOML file: "),
    "wrong type": ("stop_time = 1.0", 'stop_time = "1"', "experiment.stop_time = '1': must be"),
    "boolean for number": ("stop_time = 1.0", "stop_time = true", "experiment.stop_time = True: "),
    "nan": ("stop_time = 1.0", "stop_time = nan", "experiment.stop_time = nan: must be a finite"),
    "infinity": ("value = 3.0", "value = inf", "inputs.rate.value = inf: must be a finite"),
    "step not positive": ("= 0.125", "= -0.125", "experiment.step_size = -0.125: must be greater"),
    "step does not divide": ("= 0.125", "= 0.3", "step_size=0.3 s must divide the span"),
    "too many steps": ("= 0.125", "= 1e-300", "must give at most 100000000 steps"),
    "empty span": ("stop_time = 1.0", "stop_time = 0.0", "stop_time=0 s must be > start_time=0 s"),
    "output interval": (
        "step_size = 0.125",
        "step_size = 0.125\noutput_interval = 0.2",
        "output_interval=0.2 s must be a positive multiple of step_size=0.125 s",
    ),
    "output interval beyond the span": (
        "step_size = 0.125",
        "step_size = 0.125\noutput_interval = 1e308",
        "output_interval=1e+308 s must be ≤ the span stop_time − start_time = 1 s",
    ),
    "step beyond the span": ("= 0.125", "= 1e308", "step_size=1e+308 s must divide the span"),
    "input at": (
        "step_size = 0.125",
        'step_size = 0.125\ninput_at = "middle"',
        "experiment.input_at = 'middle': must be 'start' or 'end'",
    ),
    "unknown kind": ('"constant"', '"square"', "inputs.rate.kind = 'square': must be one of"),
    "no kind": ('kind = "constant"\n', "", "inputs.rate.kind is missing"),
    "key of another kind": ("value = 3.0", "amplitude = 3.0", "inputs.rate.amplitude is not a"),
    "key of a table in a constant": (
        "value = 3.0",
        "value = 3.0\ntime = [0.0, 1.0]",
        "inputs.rate.time is not a known key; known are kind, value",
    ),
    "suggests the key of the same kind": (
        CONSTANT,
        'kind = "sine"\namplitude = 1\nfrequenzy = 1',
        "inputs.rate.frequenzy is not a known key; did you mean 'frequency'?",
    ),
    "suggests the key of an expectation": (
        "rtol = 0.0",
        "rtoll = 0.0",
        "expect[1].rtoll is not a known key; did you mean 'rtol'?",
    ),
    "two frequencies": (
        CONSTANT,
        'kind = "sine"\namplitude = 1\nfrequency = 1\nangular_frequency = 2',
        "inputs.rate: exactly one of frequency (Hz) and angular_frequency (rad/s) must",
    ),
    "table too short": (
        CONSTANT,
        TABLE.format([0, 0.5], [1, 2]),
        "inputs.rate: the table spans [0, 0.5] s and must cover t=1 s",
    ),
    "table starts late": (
        CONSTANT,
        TABLE.format([0.5, 1], [1, 2]),
        "inputs.rate: the table spans [0.5, 1] s and must cover t=0 s",
    ),
    "times fall": (
        CONSTANT,
        TABLE.format([0, 2, 1], [1, 2, 3]),
        "inputs.rate: time[3]=1 s must be > time[2]=2 s",
    ),
    "times and values": (
        CONSTANT,
        TABLE.format([0, 1], [1, 2, 3]),
        "inputs.rate: 2 times and 3 values",
    ),
    "nan in a table": (
        CONSTANT,
        TABLE.format([0, 1], "[0.0, nan]"),
        "inputs.rate.value[2] = nan: must be a finite number",
    ),
    "missing data file": (
        CONSTANT,
        'kind = "csv"\nfile = "none.csv"\nvalue_column = "x"',
        "inputs.rate: file = 'none.csv': no such file",
    ),
    "unknown input": ("inputs.rate", "inputs.rat", "inputs: 'rat' is not an input of"),
    "suggests the input": ("inputs.rate", "inputs.rat", "did you mean 'rate'?"),
    "unknown parameter": ("gain = 2.0", "gian = 2.0", "parameters: 'gian' is not a parameter of"),
    "suggests the parameter": ("gain = 2.0", "gian = 2.0", "did you mean 'gain'?"),
    "parameter is an output": ("gain = 2.0", "total = 2.0", "'total' is an output of"),
    "parameter is a list": ("gain = 2.0", "gain = [2.0]", "parameters.gain: [2.0] must be"),
    "parameter is nan": ("gain = 2.0", "gain = nan", "parameters.gain: nan must be finite"),
    "text for real": ("gain = 2.0", 'gain = "2"', "gain='2' must be a number"),
    "real for integer": ("gain = 2.0", "repeat = 2.0", "repeat=2.0 must be a whole number"),
    "integer for boolean": ("gain = 2.0", "enabled = 1", "enabled=1 must be true or false"),
    "number for text": ("gain = 2.0", "note = 1", "note=1 must be a text"),
    "number for literal": ("gain = 2.0", "shape = 7", "shape=7 must be one of round, square"),
    "unknown literal": (
        "gain = 2.0",
        'shape = "rund"',
        "shape='rund' must be one of round, square; did you mean 'round'?",
    ),
    "missing variable": ('"total"', '"totl"', "expect[1].variable: 'totl' is not a variable of"),
    "text variable": ('"total"', '"note"', "variable 'note' is a String and must be a number"),
    "negative tolerance": ("rtol = 0.0", "rtol = -1e-6", "expect[1].rtol = -1e-06: must be"),
    "no tolerance": ("rtol = 0.0\n", "", "expect[1]: rtol or atol must be given"),
    "no reason": ('reason = "sums of eighths are exact"\n', "", "expect[1].reason is missing"),
    "unknown quantity": ('"value"', '"median"', "expect[1].quantity = 'median': must be one of"),
    "statistic of a variable": ('"value"', '"statistic"', "expect[1].variable is not a known key"),
    "expect once": ("[[expect]]", "[expect]", "expect = {"),
    "time off the grid": (
        "\ntime = 1.0",
        "\ntime = 0.51",
        "expect[1] (value total at 0.51 s): time: 0.51 s must be a communication point",
    ),
    "time too late": ("\ntime = 1.0", "\ntime = 1.5", "1.5 s must be inside the experiment"),
    "window off the grid": (
        VALUE,
        WINDOW.format([0.0, 0.9]),
        "window end: 0.9 s must be a communication point 0 + i·0.125 s",
    ),
    "window starts early": (VALUE, WINDOW.format([-0.125, 1.0]), "window start: -0.125 s must be"),
    "empty window": (VALUE, WINDOW.format([0.5, 0.5]), "window end=0.5 s must be > window start"),
    "half a window": (VALUE, WINDOW.format([0.5]), "expect[1].window[2] is missing"),
    "missing fmu": ('fmu = "', 'fmu = "none/./', "no such FMU"),
}


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD.keys())
def test_bad_case_file_gives_one_clear_line_and_exit_code_2(
    tmp_path, good_case, capsys, old, new, message
):
    assert old in good_case
    file = tmp_path / "bad.toml"
    file.write_text(good_case.replace(old, new, 1), encoding="utf-8")
    assert main(["run", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith(f"wearfmu: {tmp_path}")
    assert message in line


def test_a_missing_case_file_gives_one_clear_line_and_exit_code_2(tmp_path, capsys):
    assert main(["run", str(tmp_path / "none.toml")]) == 2
    assert (
        capsys.readouterr().err == f"wearfmu: {tmp_path / 'none.toml'}: No such file or directory\n"
    )


def test_a_file_that_is_no_fmu_is_refused(tmp_path, good_case, toy_fmu, capsys):
    (tmp_path / "text.fmu").write_text("not a zip")
    (tmp_path / "case.toml").write_text(good_case.replace(toy_fmu.as_posix(), "text.fmu"))
    assert main(["run", str(tmp_path / "case.toml")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "text.fmu: cannot be read as an FMU" in line


def test_a_case_is_named_by_its_folder_or_else_by_its_file(tmp_path, good_case):
    (tmp_path / "shoe").mkdir()
    for file, name in ((tmp_path / "shoe" / "case.toml", "shoe"), (tmp_path / "pad.toml", "pad")):
        file.write_text(good_case)
        assert load_case(file).name == name


def test_a_case_holds_what_its_file_says(tmp_path, good_case):
    (tmp_path / "case.toml").write_text(good_case)
    case = load_case(tmp_path / "case.toml")
    assert case.heading.title == "Toy"
    assert case.parameters == {"gain": 2.0}
    assert case.experiment.step_count == 8
    assert case.inputs["rate"].kind == "constant"
    (expectation,) = case.expectations
    assert (expectation.variable, expectation.value, expectation.tolerance) == ("total", 6.0, 0.0)
