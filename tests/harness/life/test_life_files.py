"""Life files, output files of service lives, and invalid entries."""

from __future__ import annotations

import csv
import errno
import math
import os
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from harness.command_line import main
from harness.errors import RunError
from harness.life import LifeResult, load_life, run_life, write_life_csv
from harness.life.life_run import ContactLife, LifeState
from harness.life.life_text import answers
from harness.life.worn_sectors import WornSectors
from harness.report.life_page import timed, write_life_report
from harness.report.panel_table import LIFE as LIFE_ROW
from wearmodel.statistics.cycle_jump import Crossing
from wearmodel.statistics.wear_laws import SECONDS_PER_YEAR

from .pads import ARCHARD, LIFE, exact_depth, kept_life, life_file


def test_a_law_that_runs_in_takes_no_scatter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law = '{ kind = "EDF_MZ", coefficient = { median = 1e-13, factor = 3.0 } }'
    assert main(["life", str(life_file(tmp_path, LIFE.replace(ARCHARD, law)))]) == 2
    assert "life.law.coefficient" in capsys.readouterr().err


def test_a_contact_of_a_model_that_has_one_only_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path, LIFE.replace("[life]", '[life]\ncontact = "floor"'))
    assert main(["life", str(file)]) == 2
    assert "life.contact = 'floor': FrictionalShock has one contact" in capsys.readouterr().err


def test_a_misspelt_input_of_a_service_is_told_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = (
        '[[life.service]]\nname = "a"\nfraction = 1.0\n'
        "inputs = { base_aceleration = { amplitude = 3.0 } }\n"
    )
    assert main(["life", str(life_file(tmp_path, f"{LIFE}\n{service}"))]) == 2
    error = capsys.readouterr().err
    assert (
        "inputs.base_aceleration is not an input of the case: a new input needs its kind" in error
    )
    assert "did you mean 'base_acceleration'?" in error


@pytest.mark.parametrize("draws", [False, True], ids=["one life", "draws"])
def test_a_life_whose_file_cannot_be_written_is_not_computed_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    draws: bool,
) -> None:
    scatter = '{ kind = "ARCHARD", coefficient = { median = 1e-16, factor = 3.0 } }'
    design = '\n[life.design]\nkind = "random"\ncount = 2\n'
    text = f"{LIFE.replace(ARCHARD, scatter)}{design}" if draws else LIFE
    file, numbers = life_file(tmp_path, text), tmp_path / "life.json"
    command = ["life", str(file), "--json", str(numbers)]
    with monkeypatch.context() as full:

        def fail(*arguments: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(numbers))

        full.setattr(
            "harness.sweep.write_spreads" if draws else "harness.life.write_life_json", fail
        )
        assert main(command) == 2
    assert "No space left on device" in capsys.readouterr().err
    journal = file.with_name("pad.toml.journal")
    assert journal.exists()
    with monkeypatch.context() as idle:
        idle.setattr("harness.life.motion_runs.MotionRuns.rates", None)  # must not be called
        assert main(command) == 0
    assert numbers.exists()
    assert not journal.exists()


def test_an_interrupted_life_goes_on_where_it_stopped(
    tmp_path: Path, closed_before_removal: None
) -> None:
    file = life_file(tmp_path)
    whole = kept_life(load_life(file))

    class StoppedError(Exception):
        pass

    def stop(done: float) -> None:
        if done > 0.3:
            raise StoppedError

    with pytest.raises(StoppedError):
        kept_life(load_life(file), progress=stop)
    resumed = kept_life(load_life(file))
    assert resumed.states == whole.states
    assert 0 < resumed.resumed < resumed.runs == whole.runs
    assert list(tmp_path.iterdir()) == [file]


def test_a_journal_of_another_life_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = life_file(tmp_path)

    class StoppedError(Exception):
        pass

    def stop(done: float) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        kept_life(load_life(file), progress=stop)
    assert main(["life", str(file), "--years", "30"]) == 2
    journal = load_life(file).journal
    told = capsys.readouterr().err
    assert f"wearfmu: {journal.name} was written before a change of the life file" in told
    assert told.endswith(f"or delete the file {journal.name} to start again\n")
    assert journal.exists()


def test_the_csv_holds_all_states_in_si(tmp_path: Path) -> None:
    file = life_file(tmp_path)
    table, page = tmp_path / "pad.csv", tmp_path / "pad.html"
    assert main(["life", str(file), "--csv", str(table), "--report", str(page)]) == 0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert float(rows[-1]["time"]) == 40.0 * SECONDS_PER_YEAR
    assert float(rows[-1]["depth"]) == pytest.approx(exact_depth(40.0), rel=0.02)
    text = page.read_text(encoding="utf-8")
    # The picture is before the table, which can have a hundred rows.
    assert text.index("Depth, volume and wear power") < text.index("<summary>All states")
    # The name of an axis is the quantity, not an end of its error bar.
    assert "volume [mm" in text
    assert "volume lower" not in text
    assert "depth [µm]" in text
    assert "depth_chance_bar" not in text
    # The inputs are the law and the excitation.
    inputs = text[text.index('id="inputs"') :]
    assert "kind = ARCHARD, coefficient = 1e-16" in inputs
    assert "base_<wbr>acceleration" in inputs
    assert not re.search(r"\d um\b", text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("years = 40.0\n", "", "life.years is missing"),
        ("years = 40.0", "years = -1.0", "life.years = -1.0: must be greater than 0"),
        ("years = 40.0", "years = 1e300", "life.years = 1e+300: must be at most"),
        ("coefficient = 1e-16", "coefficient = 1e300", "1e+300: must be at most 1"),
        ("coefficient = 1e-16", "coefficient = 0", "coefficient = 0: must be greater than 0"),
        ("coefficient = 1e-16", 'coefficient = "k"',
         "life.law.coefficient = 'k': must be a number"),
        ("coefficient = 1e-16", "coefficient = { median = true, factor = 3.0 }",
         "life.law.coefficient.median = True: must be a number"),
        ("coefficient = 1e-16", "coefficient = { median = 1e-16, factor = 0.3 }",
         "life.law.coefficient.factor = 0.3: must be at least 1"),
        ("coefficient = 1e-16", "coefficient = { median = 1e-16 }",
         "life.law.coefficient.factor is missing"),
        ("coefficient = 1e-16", "coefficient = { median = 1e-16, factr = 3.0 }",
         "life.law.coefficient.factr is not a known key; did you mean 'factor'?"),
        ('kind = "ARCHARD"', 'kind = "ARCHARDS"', "life.law.kind = 'ARCHARDS': must be one of"),
        ('kind = "FLAT"', 'kind = "CUBE"', "kind = 'CUBE': must be one of FLAT, BALL, TUBE_"),
        ("wear_area = 1e-4", "wear_aera = 1e-4", "did you mean 'wear_area'?"),
        ("wear_area = 1e-4", "wear_area = -1e-4", "life.shape: wear_area=-0.0001 m2 must be > 0"),
        ("[life]", '[life]\nservice = [{ name = "a", fraction = 0.4 }]', "fractions add up to 0.4"),
        (
            "[life]",
            '[life]\nservice = [{ name = "a", fraction = 1.0, inputs = { base_acceleration = '
            '{ rms = 1.0 } } }]',
            "life.service[1] (a).inputs.base_acceleration.rms is not a known key",
        ),
        (
            "[life]",
            '[life]\nservice = [{ name = "a", fraction = 1.0, parameters = { masss = 1.0 } }]',
            "did you mean 'mass'?",
        ),
        ('kind = "sine"\namplitude = 2.0\nfrequency = 5.0',
         'kind = "table"\ntime = [0.0, 9.0]\nvalue = [0.0, 1.0]', "is a table, which ends"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_key_value_and_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    assert main(["life", str(life_file(tmp_path, LIFE, (old, new)))]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "remedy"),
    [
        (ARCHARD, '{ kind = "ARCHARD", k = 1e-14 }', "life.law.k is not a known key; known are"),
        (ARCHARD, '{ kind = "ARCHARD", years = 3.0 }', "; it belongs to the section above"),
        (
            "[life]",
            "[life]\nlimit = 1e-4",
            "life.limit is not a known key; it belongs to criterion",
        ),
        (
            "[life]",
            '[life]\ncriterion = { variable = "depth", value = 1e-4 }',
            "life.criterion.value is not a known key; did you mean 'limit'?",
        ),
        ("[life]", "[life]\ncoefficient = 1e-14", "; it belongs to law"),
        ("[life]", "[life]\nfraction = 0.5", "; it belongs to service"),
        (ARCHARD, '"ARCHARD"', "life.law = 'ARCHARD': must be a section (a table of keys)"),
    ],
    ids=["symbol", "above", "below", "value", "in a union", "in a list", "value for a section"],
)
def test_a_key_that_belongs_to_another_section_is_named_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, remedy: str
) -> None:
    assert main(["life", str(life_file(tmp_path, LIFE, (old, new)))]) == 2
    assert remedy in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shape", "questioned"),
    [
        ({"tube_radius": 9.5, "width": 0.03}, ["tube_radius=9.5 m"]),
        ({"tube_radius": 9.5, "width": 30.0}, ["tube_radius=9.5 m", "width=30.0 m"]),
        ({"tube_radius": 9.5e-3, "width": 0.03}, []),
    ],
)
def test_a_length_of_metres_is_questioned(
    tmp_path: Path, shape: dict[str, float], questioned: list[str]
) -> None:
    keys = "".join(f", {name} = {value}" for name, value in shape.items())
    tube = f'shape = {{ kind = "TUBE_BAV"{keys} }}'
    flat = 'shape = { kind = "FLAT", wear_area = 1e-4 }'
    notes = load_life(life_file(tmp_path, LIFE, (flat, tube))).notes
    asked = [note for note in notes if "is it in mm?" in note]
    assert [note.split(": ")[1].split(" is ")[0] for note in asked] == questioned


def test_an_area_of_square_metres_is_questioned(tmp_path: Path) -> None:
    area = ("wear_area = 1e-4", "wear_area = 100.0")
    (note,) = load_life(life_file(tmp_path, LIFE, area)).notes
    assert note == "life.shape: wear_area=100.0 m2 is implausibly large: is it in mm2?"


@pytest.mark.parametrize(
    ("coefficient", "is_questioned"), [(1e-5, True), (1e-20, True), (1e-15, False)]
)
def test_a_coefficient_far_from_measured_ones_is_questioned(
    tmp_path: Path, coefficient: float, is_questioned: bool
) -> None:
    law = f'{{ kind = "ARCHARD", coefficient = {coefficient} }}'
    notes = load_life(life_file(tmp_path, LIFE.replace(ARCHARD, law))).notes
    question = f"life.law: coefficient={coefficient} m2/N is implausible: measured coefficients are"
    assert any(note.startswith(question) for note in notes) == is_questioned


def test_a_wall_in_mm_is_named_where_its_limit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shape = 'shape = { kind = "TUBE_BAV", tube_radius = 9.5e-3, width = 0.03 }'
    criterion = 'wall = 1.27\ncriterion = { variable = "depth", share_of_wall = 0.25 }'
    flat = 'shape = { kind = "FLAT", wear_area = 1e-4 }'
    assert main(["life", str(life_file(tmp_path, LIFE, (flat, f"{shape}\n{criterion}")))]) == 2
    words = "wall=1.27 m is larger than the radius of the tube, 0.0095 m: is it in mm?"
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "question"),
    [
        ('criterion = { variable = "depth", limit = 1 }', "limit=1.0 m is implausibly large: mm"),
        (
            'criterion = { variable = "depth", limit = 0.318 }',
            "limit=0.318 m is implausibly large: mm",
        ),
        (
            'wall = 1.27e-3\ncriterion = { variable = "depth", limit = 0.05 }',
            "limit=0.05 m is larger than the wall, 0.00127 m: mm",
        ),
        (
            'criterion = { variable = "volume", limit = 5 }',
            "limit=5.0 m3 is implausibly large: mm3",
        ),
        ('criterion = { variable = "depth", limit = 5e-5 }', ""),
        ('criterion = { variable = "volume", limit = 5e-9 }', ""),
    ],
)
def test_an_implausible_limit_is_questioned(tmp_path: Path, more: str, question: str) -> None:
    notes = [
        note for note in load_life(life_file(tmp_path, f"{LIFE}{more}\n")).notes if "limit" in note
    ]
    start, _, unit = question.rpartition(" ")
    assert notes == ([f"life.criterion: {start} is it in {unit}?"] if question else [])


@pytest.mark.parametrize(("slowest", "number"), [("3600", "3600"), ("0.5", "0.5"), ('"20"', "20")])
def test_a_time_scale_without_a_unit_names_the_value_with_its_unit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], slowest: str, number: str
) -> None:
    assert main(["life", str(life_file(tmp_path, f"{LIFE}slowest = {slowest}\n"))]) == 2
    error = capsys.readouterr().err
    rule = f"must be a number and a unit, such as '1 h': for seconds write '{number} s'"
    shown = slowest.replace('"', "'")
    assert error.partition("life.slowest = ")[2].replace(":", "", 1).startswith(f"{shown} must be")
    assert rule in error


def test_years_of_the_option_obey_the_rule_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["life", str(life_file(tmp_path)), "--years", "1e300"]) == 2
    error = capsys.readouterr().err
    assert "life.years = 1e+300: must be at most 1000000000" in error
    assert error.count("\n") == 1


def test_a_case_without_the_section_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["life", str(life_file(tmp_path, ""))]) == 2
    assert (
        "has no section [life] with the law and the shape of the wear: add this section"
        in capsys.readouterr().err
    )


def test_inputs_that_are_all_zero_are_refused_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.life.run_life", lambda *_, **__: pytest.fail("a run began"))
    for rms, refused in ((0.0, True), (1.0, False)):
        noise = (
            f'kind = "noise"\nrms = {rms}\nlow = 1.0\nhigh = 5.0\nsample_interval = 0.01\nseed = 1'
        )
        file = life_file(tmp_path, LIFE, ('kind = "sine"\namplitude = 2.0\nfrequency = 5.0', noise))
        if refused:
            assert main(["life", str(file)]) == 2
            assert "inputs.base_acceleration is always 0" in capsys.readouterr().err
        else:
            load_life(file)


def test_inputs_of_zero_in_one_of_two_operating_conditions_are_accepted(tmp_path: Path) -> None:
    service = "".join(
        f'[[life.service]]\nname = "{name}"\nfraction = 0.5\n'
        f"inputs = {{ base_acceleration = {{ amplitude = {amplitude} }} }}\n"
        for name, amplitude in (("standstill", 0.0), ("operation", 2.0))
    )
    assert len(load_life(life_file(tmp_path, f"{LIFE}\n{service}")).motions) == 2


def test_a_note_before_the_first_run_announces_the_forecast(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise RunError("the first run")

    monkeypatch.setattr("harness.life.run_life", failing)
    assert main(["life", str(life_file(tmp_path))]) == 1
    *_, announced, failed = capsys.readouterr().err.splitlines()
    assert failed.endswith("the first run")
    assert announced == "note: the remaining time is printed after the first runs"


def test_a_case_with_the_section_runs_as_before(tmp_path: Path) -> None:
    life = load_life(life_file(tmp_path))
    assert life.motions[0].case.parameters == life.case.parameters


@pytest.mark.parametrize(
    ("variable", "limit", "said"),
    [
        (
            "depth",
            "0.3",
            "depth=0.3 m must be between 0 and 0.0222 m, where the tube is worn through",
        ),
        ("volume", "1.0", "volume=1 m3 must be ≤"),
    ],
)
def test_a_limit_that_the_worn_shape_cannot_have_is_refused_before_any_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], variable: str, limit: str, said: str
) -> None:
    file = life_file(tmp_path)
    shape = '{ kind = "TUBE_BAV", tube_radius = 0.0111, width = 0.02 }'
    criterion = f'{{ variable = "{variable}", limit = {limit} }}'
    text = re.sub(r"(?m)^(shape|criterion) = .*\n", "", file.read_text(encoding="utf-8"))
    file.write_text(f"{text}\nshape = {shape}\ncriterion = {criterion}\n", encoding="utf-8")
    assert main(["life", str(file)]) == 2
    error = capsys.readouterr().err
    assert f"life.criterion.limit: {said}" in error
    assert error.count("\n") == 1


def test_a_limit_that_the_upper_bar_alone_may_miss_is_told_without_a_last_year(
    tmp_path: Path,
) -> None:
    file = life_file(tmp_path)
    text = re.sub(r"(?m)^criterion = .*\n", "", file.read_text(encoding="utf-8"))
    file.write_text(
        f'{text}\ncriterion = {{ variable = "depth", limit = 1e-9 }}\n', encoding="utf-8"
    )
    result = run_life(load_life(file))
    year = SECONDS_PER_YEAR
    for latest, told in (
        (9.0 * year, "after 7 years (95 % interval: 5 to 9 years)"),
        (math.inf, f"after 7 years (95 % interval: 5 to more than {result.life.years:g} years)"),
    ):
        contact = replace(result.first, crossing=Crossing(7.0 * year, 5.0 * year, latest))
        assert any(told in line for line in answers(replace(result, contacts=(contact,))))


@pytest.mark.parametrize(
    ("old", "new", "remedy"),
    [
        ('"ARCHARD"', '"archard"', "; did you mean 'ARCHARD'?"),
        ("relative_error = 0.02", "relative_error = 50", "; 50 % is 0.5"),
        ("relative_error = 0.02", "relative_error = -1", "must be greater than 0\n"),
    ],
)
def test_the_message_on_a_misspelt_law_or_a_percentage_names_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, remedy: str
) -> None:
    assert main(["life", str(life_file(tmp_path, LIFE, (old, new)))]) == 2
    assert remedy in capsys.readouterr().err


def test_a_picture_over_service_time_is_logarithmic_if_most_wear_is_early(tmp_path: Path) -> None:
    contact = run_life(load_life(life_file(tmp_path))).first
    times = (0.0, 0.02, 1.0)
    for depths, is_early in (((0.0, 8.0, 10.0), True), ((0.0, 0.2, 10.0), False)):
        states = tuple(
            replace(contact.states[0], time=time, depth=depth)
            for time, depth in zip(times, depths, strict=True)
        )
        row = timed(LIFE_ROW, replace(contact, states=states))
        assert all(panel.logarithmic_x == is_early for panel in row.panels)


@pytest.mark.parametrize(("share", "is_drawn"), [(0.5, True), (2.9, True), (3.3, False)])
def test_a_limit_that_would_flatten_the_curve_is_not_drawn(
    tmp_path: Path, share: float, is_drawn: bool
) -> None:
    depth = run_life(load_life(life_file(tmp_path))).states[-1].depth_upper
    criterion = f'criterion = {{ variable = "depth", limit = {share * depth} }}\n'
    result = run_life(load_life(life_file(tmp_path, LIFE + criterion)))
    write_life_report(result, tmp_path / "life.html")
    page = (tmp_path / "life.html").read_text(encoding="utf-8")
    assert ('"text":"limit"' in page) == is_drawn


def test_a_limit_that_may_be_reached_has_an_interval_and_a_probability(tmp_path: Path) -> None:
    limited = LIFE + 'criterion = { variable = "depth", limit = 99e-6 }\n'
    result = run_life(load_life(life_file(tmp_path, limited)))
    contact = result.first
    late = Crossing(math.inf, 36.6 * SECONDS_PER_YEAR, math.inf)
    head = answers(replace(result, contacts=(replace(contact, crossing=late),)))[0]
    assert contact.chances is not None
    assert head == (
        "depth 99 µm is not reached in 40 years (95 % interval: 36.6 to more than 40 years,"
        f" probability of reaching it {100.0 * contact.chances.reached:.2g} %)"
    )


def hand_made(names: list[str], sectors: list[int], tmp_path: Path) -> LifeResult:
    """Return a service life of contacts with these numbers of sectors and two states each."""
    life = load_life(life_file(tmp_path))
    keys = [field.name for field in fields(LifeState)]
    contacts = []
    for number, (name, count) in enumerate(zip(names, sectors, strict=True)):
        states = tuple(
            LifeState(*(100.0 * number + 10.0 * row + place for place in range(len(keys))))
            for row in range(2)
        )
        worn = tuple(
            WornSectors((2.0 + row,) * count, (0.5,) * count, None, None, None) for row in range(2)
        )
        crossing = Crossing(1.0, 1.0, 1.0)
        contacts.append(
            ContactLife(name, states, crossing, None, (), 0.0, sectors=worn if count else ())
        )
    return LifeResult(life, tuple(contacts), 0.0, 1, 0)


@pytest.mark.parametrize("sectors", [[0], [24], [0, 0], [0, 24], [24, 0], [24, 24, 0]], ids=str)
def test_all_rows_of_the_csv_have_a_cell_in_each_column(sectors: list[int], tmp_path: Path) -> None:
    names = [f"support_{number}" for number in range(len(sectors))]
    result = hand_made(names, sectors, tmp_path)
    table = tmp_path / "life.csv"
    write_life_csv(result, table)
    header, *rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    most = max(sectors)
    keys = [field.name for field in fields(LifeState)]
    added = [f"sector_{k + 1}{end}" for end in ("", "_bar") for k in range(most)]
    assert header == [*["contact"][: len(sectors) - 1], *keys, *added]
    assert len(rows) == 2 * len(sectors)
    by_contact = [dict(zip(header, row, strict=True)) for row in rows]
    for number, row in enumerate(by_contact):
        contact, count = result.contacts[number // 2], sectors[number // 2]
        assert row.get("contact", contact.contact) == contact.contact
        state = contact.states[number % 2]
        assert [float(row[key]) for key in keys] == [getattr(state, key) for key in keys]
        filled = {f"sector_{k + 1}": 2.0 + number % 2 for k in range(count)}
        filled |= {f"sector_{k + 1}_bar": 0.5 for k in range(count)}
        assert {key: float(row[key]) for key in added if row[key]} == filled


@pytest.mark.parametrize("sides", [0, 16, 24])
def test_the_least_volume_at_a_limit_of_depth_is_that_of_a_side(sides: int, tmp_path: Path) -> None:
    assert load_life(life_file(tmp_path)).least_limit_volume == math.inf
    for variable, limit in (("depth", 2e-6), ("volume", 3e-12)):
        more = f'criterion = {{ variable = "{variable}", limit = {limit} }}\n'
        life = load_life(life_file(tmp_path, LIFE + more))
        life = replace(life, contacts=(replace(life.contacts[0], sides=sides),))
        # The area is 1 cm². Each side has an equal part of it.
        whole = 1e-4 * limit if variable == "depth" else limit
        assert life.limit_volume == pytest.approx(whole, rel=1e-14)
        parts = sides if sides and variable == "depth" else 1
        assert life.least_limit_volume == pytest.approx(whole / parts, rel=1e-14)
