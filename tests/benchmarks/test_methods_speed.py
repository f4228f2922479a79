"""Time to a given relative error on SDND104, for our forms and the classical schemes.

A search finds the best setting of each method for this error. Rounds of all methods alternate in a
single run, and the results are ratios of medians. `docs/benchmarks.md` explains the tables, and
`make peers` compares with other programs. Run with ``pytest tests/benchmarks --benchmark-only``. An
ordinary test run skips these tests.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from fmu_src.archive.builder import build_fmu
from tests.native_fmus import build_native_fmu

from .references import ours
from .references.classical import classical_methods
from .references.comparison import Comparison, rendered
from .references.method import Choice, Method, best_setting
from .references.shoe import AMPLITUDES, RIGID, SPRING_SLIDER, VELOCITY_DIRECTION

ROUNDS = 5

MakeFmu = Callable[..., ours.ThroughTheFmu]


@pytest.fixture(scope="module")
def through_the_fmu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeFmu]:
    """Create an instance of the FMU with given parameters."""
    path = build_fmu("FrictionalShock", tmp_path_factory.mktemp("fmu"))
    made: list[ours.ThroughTheFmu] = []

    def make(**parameters: Any) -> ours.ThroughTheFmu:
        made.append(ours.ThroughTheFmu(path, tmp_path_factory.mktemp("instance"), **parameters))
        return made[-1]

    yield make
    for one in made:
        one.instance.close()


@pytest.fixture(scope="module")
def rigid_methods(through_the_fmu: MakeFmu) -> list[Method]:
    """Return our methods with the rigid law in all forms, compiled once for all tests."""
    return [
        through_the_fmu().method,
        ours.interpreted_samples(),
        ours.interpreted_polynomials(),
        *ours.compiled_methods(),
    ]


@pytest.fixture(scope="module")
def by_derivatives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Method]]:
    """Return the native FMU with derivatives if it can be built."""
    if find_spec("pythran") is None or find_spec("ziglang") is None:
        yield []
        return
    path = build_native_fmu("FrictionalShock", tmp_path_factory.mktemp("native"))
    one = ours.ByDerivatives(path, tmp_path_factory.mktemp("instance"))
    yield [one.method]
    one.instance.close()


@pytest.fixture(scope="module")
def penalised_methods(through_the_fmu: MakeFmu) -> list[Method]:
    """Return our methods with the penalised law in all forms."""
    return [
        through_the_fmu(**ours.PENALISED).method,
        ours.interpreted_samples(**ours.PENALISED),
        ours.interpreted_polynomials(**ours.PENALISED),
        *ours.compiled_methods(**ours.PENALISED),
    ]


def compare(
    benchmark: Any,
    capsys: pytest.CaptureFixture[str],
    title: str,
    amplitude: float,
    choices: Sequence[Choice],
) -> None:
    """Time the choices in alternating rounds, print the table and store it for the JSON."""
    comparison = Comparison(amplitude, choices)
    first = choices[0]
    benchmark.pedantic(
        lambda: comparison.seconds[0].append(first.method.seconds(amplitude, first.setting)),
        setup=comparison.run_others,
        rounds=ROUNDS,
    )
    rows = comparison.rows()
    benchmark.extra_info.update({"title": title, "rows": rows})
    with capsys.disabled():
        print(f"\n\n{title}, a0 = {amplitude:g} m/s²\n{rendered(rows)}")
    missed = [choice.method.name for choice in choices if not choice.reached]
    assert [name for name in missed if name.startswith("ours")] == []


@pytest.mark.parametrize("amplitude", AMPLITUDES)
@pytest.mark.parametrize("goal", [1e-6, 1e-9])
def test_time_to_an_error_with_the_rigid_law(
    benchmark, capsys, rigid_methods, by_derivatives, amplitude, goal
):
    methods = [*rigid_methods, *by_derivatives]
    choices = [best_setting(method, amplitude, RIGID[amplitude], goal) for method in methods]
    compare(benchmark, capsys, f"Rigid friction, relative error {goal:g}", amplitude, choices)


@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_time_to_one_millionth_with_penalised_friction(
    benchmark, capsys, penalised_methods, amplitude
):
    # Each method is compared with the limit of its own discrete or continuous law. These limits
    # differ by 3e-7 to 6e-6.
    choices = [
        best_setting(method, amplitude, SPRING_SLIDER[amplitude], 1e-6)
        for method in penalised_methods
    ]
    choices += [
        best_setting(method, amplitude, VELOCITY_DIRECTION[amplitude], 1e-6)
        for method in classical_methods()
    ]
    compare(benchmark, capsys, "Penalised friction, relative error 1e-6", amplitude, choices)
