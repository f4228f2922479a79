"""Time to a given relative error on SDND104: ours beside what an engineer would otherwise use.

Every method runs at its best setting for that error, found here by a search; rounds of all methods
alternate in one run, and ratios of medians are what counts. `docs/benchmarks.md` explains the
tables. Run with ``pytest tests/benchmarks --benchmark-only``; an ordinary run leaves it out.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from fmu_src.archive.builder import build_fmu
from tests.native_fmus import build_native_fmu

from .references import ours, scipy_events
from .references.classical import classical_methods
from .references.comparison import Comparison, rendered
from .references.method import Choice, Method, best_setting
from .references.shoe import AMPLITUDES, RIGID, SPRING_SLIDER, VELOCITY_DIRECTION
from .references.time_stepping import MOREAU_JEAN_COMPILED, MOREAU_JEAN_INTERPRETED, Siconos
from .references.worker import interpreter_with

ROUNDS = 5

MakeFmu = Callable[..., ours.ThroughTheFmu]


@pytest.fixture(scope="module")
def through_the_fmu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeFmu]:
    """Make an instance of the FMU with the parameters given."""
    path = build_fmu("FrictionalShock", tmp_path_factory.mktemp("fmu"))
    made: list[ours.ThroughTheFmu] = []

    def make(**parameters: Any) -> ours.ThroughTheFmu:
        made.append(ours.ThroughTheFmu(path, tmp_path_factory.mktemp("instance"), **parameters))
        return made[-1]

    yield make
    for one in made:
        one.instance.close()


@pytest.fixture(scope="module")
def siconos() -> Iterator[Siconos | None]:
    """Siconos, where an interpreter with its binding is found."""
    interpreter = interpreter_with("siconos.kernel")
    if interpreter is None:
        yield None
        return
    siconos = Siconos(interpreter)
    yield siconos
    siconos.worker.close()


@pytest.fixture(scope="module")
def rigid_methods(through_the_fmu: MakeFmu) -> list[Method]:
    """Ours under the rigid law, in every form; made once because compiling takes long."""
    return [
        through_the_fmu().method,
        ours.interpreted_samples(),
        ours.interpreted_polynomials(),
        *ours.compiled_methods(),
    ]


@pytest.fixture(scope="module")
def by_derivatives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Method]]:
    """The native FMU under derivatives, where it can be built."""
    if find_spec("pythran") is None or find_spec("ziglang") is None:
        yield []
        return
    path = build_native_fmu("FrictionalShock", tmp_path_factory.mktemp("native"))
    one = ours.ByDerivatives(path, tmp_path_factory.mktemp("instance"))
    yield [one.method]
    one.instance.close()


def peers() -> list[Method]:
    """What others offer and is installed."""
    found = []
    if find_spec("numba") is not None:
        found.append(MOREAU_JEAN_COMPILED)
    for library, module in (("heyoka", "heyoka_events"), ("mujoco", "mujoco_shoe")):
        if find_spec(library) is not None:
            found.append(import_module(f".references.{module}", __package__).METHOD)
    return found


@pytest.fixture(scope="module")
def penalised_methods(through_the_fmu: MakeFmu) -> list[Method]:
    """The same under the penalised law."""
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
    """Time the choices in alternating rounds, print the table and keep it for the JSON."""
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
def test_time_to_one_millionth_with_the_rigid_law(
    benchmark, capsys, rigid_methods, siconos, by_derivatives, amplitude
):
    methods = [*rigid_methods, *by_derivatives, scipy_events.METHOD, MOREAU_JEAN_INTERPRETED]
    methods += peers()
    if siconos is not None:
        methods.append(siconos.method)
        # One search serves both because they take the same steps. 6000 additions, each rounded at
        # 1e-16 of the sum: 1e-12 leaves room.
        coarse = {"theta": 0.5, "steps a period": 500}
        textbook = MOREAU_JEAN_COMPILED.solve(amplitude, coarse)
        assert siconos.power(amplitude, coarse) == pytest.approx(textbook, rel=1e-12)
    choices = [best_setting(method, amplitude, RIGID[amplitude], 1e-6) for method in methods]
    title = "Rigid friction, relative error 1e-6"
    if siconos is None:
        title += " (no interpreter with Siconos found)"
    compare(benchmark, capsys, title, amplitude, choices)


# At 15 m/s2 the time stepping would need more than 1e9 steps: a reversal costs it O(h).
@pytest.mark.parametrize("amplitude", [1.5, 1.01])
def test_time_to_one_billionth_with_the_rigid_law(benchmark, capsys, rigid_methods, amplitude):
    methods = [*rigid_methods, scipy_events.METHOD, MOREAU_JEAN_INTERPRETED]
    if find_spec("numba") is not None:
        methods.append(MOREAU_JEAN_COMPILED)
    choices = [best_setting(method, amplitude, RIGID[amplitude], 1e-9) for method in methods]
    compare(benchmark, capsys, "Rigid friction, relative error 1e-9", amplitude, choices)


@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_time_to_one_millionth_with_penalised_friction(
    benchmark, capsys, penalised_methods, amplitude
):
    # Each against the limit of its own discrete or continuous law: they differ by 3e-7 to 6e-6.
    choices = [
        best_setting(method, amplitude, SPRING_SLIDER[amplitude], 1e-6)
        for method in penalised_methods
    ]
    choices += [
        best_setting(method, amplitude, VELOCITY_DIRECTION[amplitude], 1e-6)
        for method in classical_methods()
    ]
    compare(benchmark, capsys, "Penalised friction, relative error 1e-6", amplitude, choices)
