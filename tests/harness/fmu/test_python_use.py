"""Use from Python: load an FMU, simulate with inputs of all kinds, and inspect the record."""

import copy
import math
import pickle
import re
import sys

import fmpy
import numpy as np
import pandas
import pytest

from harness import FmuError, LoadedFmu, MissingLibraryError, RunRecord, load_fmu
from wearmodel.installation import install_command

STEP = 1e-3
TIMES = np.arange(2001) * STEP


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> LoadedFmu:
    return load_fmu("FrictionalShock", folder=tmp_path_factory.mktemp("fmus"))


@pytest.fixture(scope="module")
def record(shoe: LoadedFmu) -> RunRecord:
    return shoe.simulate(2.0, STEP, inputs={"base_acceleration": shaking})


def shaking(time: float) -> float:
    return 1.5 * math.sin(2.0 * math.pi * time)


def shaking_table() -> np.ndarray:
    """Return the base acceleration as an input array of FMPy."""
    table = np.empty(len(TIMES), dtype=[("time", np.float64), ("base_acceleration", np.float64)])
    table["time"] = TIMES
    table["base_acceleration"] = [shaking(time) for time in TIMES.tolist()]
    return table


def test_a_run_gives_the_wear_work_of_the_closed_form(record):
    # Stick-slip is periodic from the first slip. Therefore [1, 2] s gives the mean wear power of
    # SDND104 (V5.01.104) at a0 = 1.5 m/s2, from closed-form arcs at 30 digits. The slave
    # extrapolates the input by a parabola. The measured error is 4e-9.
    work = record.wear_work[2000] - record.wear_work[1000]
    assert work == pytest.approx(0.409062451015709, rel=1e-7)


def test_function_array_table_and_frame_are_the_same_input(shoe, record):
    table = shaking_table()
    for inputs in (
        {"base_acceleration": table["base_acceleration"]},
        table,
        pandas.DataFrame(table),
    ):
        again = shoe.simulate(2.0, STEP, inputs=inputs)
        assert np.array_equal(again.structured(), record.structured())


def test_parameters_reach_the_fmu(shoe):
    # At μ = 0.2 the mass never slips: η = μg/a0 = 2/1.5 > 1.
    held = shoe.simulate(
        2.0, STEP, parameters={"friction_coefficient": 0.2}, inputs={"base_acceleration": shaking}
    )
    assert held.wear_work[-1] == 0.0
    assert set(held.contact_mode) == {1.0}


def test_arrays_are_had_by_item_and_by_attribute(record):
    assert record["wear_work"] is record.wear_work
    assert np.array_equal(record.time, TIMES)
    assert "slip_velocity" in dir(record)
    with pytest.raises(AttributeError, match=r"'wear_wrok' was not recorded; did you mean"):
        _ = record.wear_wrok
    with pytest.raises(KeyError, match="did you mean 'wear_work'"):
        record["wear_wrok"]


def test_a_record_can_be_copied_and_pickled(record):
    for twin in (copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert np.array_equal(twin.structured(), record.structured())


def test_structured_array_goes_to_fmpys_file_and_back(record, tmp_path):
    table = record.structured()
    assert table.dtype.names is not None
    assert table.dtype.names[0] == "time"
    fmpy.util.write_csv(tmp_path / "result.csv", table)
    again = fmpy.util.read_csv(tmp_path / "result.csv")
    # FMPy writes all digits of a double.
    assert np.array_equal(again["wear_work"], record.wear_work)


def test_pandas_frame_has_time_as_its_index(record):
    frame = record.to_pandas()
    assert frame.index.name == "time"
    assert frame["wear_work"].iloc[-1] == record.wear_work[-1]


@pytest.mark.parametrize(
    ("library", "call", "extra"),
    [
        ("pandas", lambda record: record.to_pandas(), "parquet"),
        ("plotly.subplots", lambda record: record.plot(), "report"),
    ],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    record, monkeypatch, library, call, extra
):
    monkeypatch.setitem(sys.modules, library, None)
    assert callable(call)
    with pytest.raises(MissingLibraryError, match=re.escape(install_command(extra))):
        call(record)


def test_plot_draws_the_variables_named_with_their_units(record):
    figure = record.plot("slip_velocity", "wear_work")
    assert [trace.name for trace in figure.data] == ["slip_velocity", "wear_work"]
    assert np.array_equal(figure.data[1].y, record.wear_work)
    titles = [axis.title.text for axis in figure.select_yaxes()]
    assert titles == ["slip_velocity [m/s]", "wear_work [J]"]


def test_plot_takes_a_list_too(record):
    figure = record.plot(["slip_velocity", "wear_work"])
    assert [trace.name for trace in figure.data] == ["slip_velocity", "wear_work"]


def test_plot_draws_what_stands_still_where_nothing_changes(record):
    still = RunRecord(record.times, {"gap": record.gap}, 0.0, ())
    assert [trace.name for trace in still.plot().data] == ["gap"]
    with pytest.raises(ValueError, match="requires at least one recorded"):
        RunRecord(record.times, {}, 0.0, ()).plot()


def test_plot_suggests_names_and_lists_them_where_none_is_near(record):
    with pytest.raises(KeyError, match="'wear_wrk' was not recorded; did you mean 'wear_work'"):
        record.plot("slip_velocity", "wear_wrk")
    with pytest.raises(KeyError, match="'nix' was not recorded; recorded are time, normal_force, "):
        record.plot("nix")


def test_plot_without_names_draws_what_changes(record):
    drawn = {trace.name for trace in record.plot().data}
    assert "wear_power" in drawn
    assert "gap" not in drawn  # always 0 with the prescribed normal law


def test_a_notebook_shows_variables_with_units(shoe, record):
    assert "<th scope='row'>wear_work</th><td>J</td>" in record._repr_html_()
    assert "<th scope='row'>friction_coefficient</th><td>parameter</td>" in shoe._repr_html_()
    assert "2000 steps on [0, 2] s" in repr(record)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"base_acceleration": np.zeros(7)}, r"shape \(7,\) must have one value for each of the"),
        ({"base_acceleration": math.nan}, r"base_acceleration\[0\]=nan must be finite"),
        ({"base_aceleration": 1.0}, "did you mean 'base_acceleration'"),
        (np.zeros(3), "must have a column 'time'"),
    ],
)
def test_unusable_inputs_are_refused_in_one_line(shoe, inputs, message):
    with pytest.raises(ValueError, match=message) as caught:
        shoe.simulate(2.0, STEP, inputs=inputs)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_step_that_does_not_divide_the_span_is_refused_in_one_line(shoe):
    with pytest.raises(ValueError, match=r"^step_size=0\.3 s must divide the span") as caught:
        shoe.simulate(1.0, 0.3)
    assert "\n" not in str(caught.value)


def test_numpy_s_numbers_are_numbers(shoe):
    parameters = {
        "mass": np.float32(2.0),
        "input_extrapolation_order": np.int64(0),
        "start_in_equilibrium": np.bool_(False),
    }
    ours = {"mass": 2.0, "input_extrapolation_order": 0, "start_in_equilibrium": False}
    inputs = {"base_acceleration": 3.0}
    theirs = shoe.simulate(1.0, STEP, parameters=parameters, inputs=inputs)
    mine = shoe.simulate(1.0, STEP, parameters=ours, inputs=inputs)
    assert np.array_equal(theirs.structured(), mine.structured())


def test_one_variable_may_be_named_without_a_tuple(shoe):
    assert list(shoe.simulate(1.0, STEP, variables="wear_work").values) == ["wear_work"]


def test_half_a_name_brings_the_whole_one_to_mind(shoe):
    with pytest.raises(ValueError, match="did you mean 'friction_coefficient'"):
        shoe.simulate(2.0, STEP, parameters={"friction": 0.1})


def test_an_unknown_name_is_refused_with_the_names_there_are(tmp_path):
    with pytest.raises(FmuError, match="did you mean 'FrictionalShock'"):
        load_fmu("FrictionlShock", folder=tmp_path)
