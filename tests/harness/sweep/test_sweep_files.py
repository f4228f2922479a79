"""Invalid sweep files give one line that names file, key, value and rule."""

import csv

import pytest

from harness.command_line import main
from harness.errors import CaseError
from harness.sweep import load_sweep

WINDOW = 'quantity = "mean_rate", variable = "wear_work", window = [0.5, 1.0]'
FRICTION = 'of = "parameters.friction_coefficient"\nstart = 0.05\nstop = 0.15\ncount = 25'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'engine = "kernel"',
            'engine = "closed_form"',
            "sweep.engine = 'closed_form': must be 'kernel' or 'fmu'",
        ),
        ("engine =", "enginee =", "sweep.enginee is not a known key; did you mean 'engine'?"),
        ('"shoe.csv"', '"shoe.xls"', "output = 'shoe.xls' must end in .csv or .parquet"),
        (
            '"shoe.toml"',
            '"sdnd104_a16"',
            "sweep.case: 'sdnd104_a16' must be a shipped case or a case file beside the sweep "
            "file; did you mean 'sdnd104_a15'?",
        ),
        (WINDOW, WINDOW[:-11] + "[1.0, 0.5]", "window end=0.5 s must be > window start=1 s"),
        (WINDOW, WINDOW[:-11] + "[0.5, 0.99]", "window end: 0.99 s must be a communication"),
        (WINDOW, WINDOW + ", value = 1.0", "value is not allowed: a sweep does not"),
        ("mean_rate", "average", "quantities[1]: quantity = 'average': must be one of value, "),
        ("wear_work", "wear_wrok", "'wear_wrok' is not an output of FrictionalShock; did you me"),
        ('"wear_power"', '"friction"', "name = 'friction' is the name of another column"),
        ('"wear_power"', '"failure"', "name = 'failure' is the name of another column"),
        ("scale =", 'unit = "mm/s2"\nscale =', "vary.amplitude: unit = 'mm/s2' must be an SI unit"),
        ('"wear_power"', '"p", unit = "mm"', "sweep.quantities[1]: unit = 'mm' must be an SI unit"),
        ('kind = "grid"', 'kind = "gird"', "design.kind = 'gird': must be 'grid', 'list', "),
        ('"grid"', '"grid"\ncount = 4', "count=4, seed=None: both are not allowed for a grid"),
        ('"grid"', '"sobol"', "count is missing: a sobol design draws that many points"),
        ('"grid"', '"sobol"\ncount = 4', "design: vary.amplitude.count=40 is not allowed"),
        ('"grid"', '"list"', "a list requires the same number of values"),
        (
            "parameters.friction_coefficient",
            "parameters.friction_coef",
            "'friction_coef' is not a parameter of FrictionalShock; did you mean 'friction_coeffi",
        ),
        (
            "inputs.base_acceleration.amplitude",
            "inputs.base_acceleration.amplitud",
            "'amplitud' must be one of amplitude, frequency, angular_frequency, phase, offset",
        ),
        ("base_acceleration.amp", "base_accel.amp", "'base_accel' is not an input of the case"),
        (
            "base_acceleration.amplitude",
            "base_acceleration.angular_frequency",
            "angular_frequency is not set in the case: vary a key that is set",
        ),
        ("inputs.base_acceleration.amplitude", "gap", "must be parameters.NAME or inputs.NAME.KEY"),
        (
            "inputs.base_acceleration.amplitude",
            "parameters.friction_coefficient",
            "vary: parameters.friction_coefficient is varied twice",
        ),
        (FRICTION, FRICTION.replace("0.15", "0.05"), "stop=0.05 must be > start=0.05"),
        (FRICTION, FRICTION + "\nvalues = [1.0]", "start, stop and count are not allowed"),
        (FRICTION, FRICTION.replace("count = 25", ""), "vary.friction.count is missing"),
        (FRICTION, FRICTION.replace("start = 0.05", ""), "values, or start and stop, must"),
        ("start = 0.5", "start = 0.0", "start=0.0 must be > 0 on a log scale"),
        ("count = 40", "count = 10_000_001", "must have at most 10000000"),
        ("start = 0.5", "start = nan", "vary.amplitude.start = nan: must be a finite number"),
    ],
)
def test_a_broken_rule_is_one_line(sweep_file, tmp_path, change, old, new, message):
    change(sweep_file, (old, new))
    with pytest.raises(CaseError) as caught:
        load_sweep(sweep_file, fmu_folder=tmp_path)
    text = str(caught.value)
    assert text.startswith(f"{sweep_file}: ")
    assert message in text
    assert "\n" not in text


def test_a_broken_sweep_file_ends_the_command_with_exit_code_2(sweep_file, change, capsys):
    change(sweep_file, ('kind = "grid"', 'kind = "gird"'))
    assert main(["sweep", str(sweep_file)]) == 2
    assert capsys.readouterr().err.startswith(f"wearfmu: {sweep_file}: design.kind = 'gird'")


@pytest.mark.parametrize("case", ["ssnd116_poi1", "bouncing_ball", "sdnd104_a15"])
def test_shipped_cases_are_swept_by_name(sweep_file, tmp_path, case):
    text = sweep_file.read_text(encoding="utf-8")
    head, _, _ = text.partition("quantities")
    sweep_file.write_text(
        head.replace("shoe.toml", case)
        + 'quantities = [{name = "end", quantity = "max", variable = "wear_work", '
        + 'window = [0.0, 1.0]}]\n[design]\nkind = "list"\n[vary.friction]\n'
        + 'of = "parameters.friction_coefficient"\nvalues = [0.1, 0.2]\n',
        encoding="utf-8",
    )
    sweep = load_sweep(sweep_file, fmu_folder=tmp_path)
    assert sweep.points == [(0.1,), (0.2,)]
    assert sweep.columns == ["point", "friction", "end", "failure"]


def test_an_input_at_that_contradicts_the_model_is_refused(sweep_file, tmp_path, change):
    change(sweep_file.with_name("shoe.toml"), ("[experiment]", '[experiment]\ninput_at = "end"'))
    message = "input_at = 'end' must be equal to input_timing = 'start', the default of Frictional"
    with pytest.raises(CaseError, match=message):
        load_sweep(sweep_file, fmu_folder=tmp_path)


def test_every_csv_file_that_a_point_may_name_is_read_first(sweep_file, tmp_path, change):
    for name, stop in (("long.csv", 1.0), ("short.csv", 0.5)):
        with sweep_file.with_name(name).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([("time", "a"), (0.0, 0.0), (stop, 1.0)])
    change(
        sweep_file.with_name("shoe.toml"),
        (
            'kind = "sine"\namplitude = 15.0\nfrequency = 1.0',
            'kind = "csv"\nfile = "long.csv"\nvalue_column = "a"',
        ),
    )
    change(
        sweep_file,
        ("inputs.base_acceleration.amplitude", "inputs.base_acceleration.file"),
        ('start = 0.5\nstop = 20.0\ncount = 40\nscale = "log"', 'values = ["long.csv"]'),
    )
    assert len(load_sweep(sweep_file, fmu_folder=tmp_path).points) == 25
    change(sweep_file, ('values = ["long.csv"]', 'values = ["long.csv", "short.csv"]'))
    with pytest.raises(CaseError, match=r"the table spans \[0, 0.5\] s and must cover t=1 s"):
        load_sweep(sweep_file, fmu_folder=tmp_path)
    change(sweep_file, ('"short.csv"', '"none.csv"'))
    with pytest.raises(CaseError, match=r"file = 'none.csv': no such file"):
        load_sweep(sweep_file, fmu_folder=tmp_path)


@pytest.mark.parametrize("engine", ["kernel", "fmu"])
def test_notes_name_the_first_point_they_are_true_of_whatever_the_engine(
    sweep_file, tmp_path, change, engine
):
    change(sweep_file, ('engine = "kernel"', f'engine = "{engine}"'))
    assert load_sweep(sweep_file, fmu_folder=tmp_path).notes == {}
    laws = 'of = "parameters.normal_law"\nvalues = ["prescribed", "rigid", "penalty"]'
    change(sweep_file, (FRICTION, laws))
    change(sweep_file.with_name("shoe.toml"), ("mass = 1.0", "mass = 1.0\nrestitution = 0.5"))
    notes = load_sweep(sweep_file, fmu_folder=tmp_path).notes
    # The last parameter varies fastest. Points 0, 1, 2 are the laws at the smallest amplitude.
    assert [(note[:60], number) for note, number in notes.items()] == [
        ("restitution has no effect with normal_law=prescribed: it req", 0),
        ("contact_stiffness is the default 20 N/m, which deflects by 0", 2),
        ("the mass starts at zero contact force and drops into the con", 2),
        ("restitution has no effect with normal_law=penalty: it requir", 2),
    ]


def test_a_point_that_fails_has_a_reason_and_no_note(sweep_file, tmp_path, change):
    change(sweep_file, (FRICTION, 'of = "parameters.normal_law"\nvalues = ["rigid", "penalised"]'))
    assert load_sweep(sweep_file, fmu_folder=tmp_path).notes == {}


def test_notes_go_to_stderr(sweep_file, tmp_path, change, capfd):
    change(sweep_file, ("count = 40", "count = 2"))
    change(sweep_file, (FRICTION, 'of = "parameters.restitution"\nvalues = [0.5]'))
    assert main(["sweep", str(sweep_file), "--out", str(tmp_path), "--workers", "1"]) == 0
    output = capfd.readouterr()
    assert "note, as at point 0: restitution has no effect with normal_law=prescribed" in output.err
    assert "restitution" not in output.out
