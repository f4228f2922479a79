"""Whatever a host or a user hands to a Python FMU, the process lives and the answer is right."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import fmu_names

from .torture_requests import described, play

pytestmark = pytest.mark.campaign

HOST = Path(__file__).with_name("border_host.py")
OK, ERROR = 0, 3
RUNS = 200
TIME_LIMIT = 600.0  # s for all runs, which take 0.2 s each

SIMULATE = """
import json, sys
import fmpy, numpy as np

for line in sys.stdin:
    asked = json.loads(line)
    rows = asked.pop("rows")
    if rows:
        names = [("time", float), (asked.pop("signal"), float)]
        asked["input"] = np.array([tuple(map(float, row)) for row in rows], dtype=names)
    try:
        answer = len(fmpy.simulate_fmu(**asked))
    except fmpy.fmi1.FMICallException as problem:
        answer = [problem.function, problem.status]
    print("answer", json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("fmus")
    return {name: build_fmu(name, folder) for name in fmu_names()}


@pytest.mark.parametrize("seed", range(4))
def test_any_text_of_a_user_is_logged_as_it_was_written(
    fmus: dict[str, Path], tmp_path: Path, seed: int
) -> None:
    fmu = described(fmus["BaseMotion"], tmp_path)
    counts = play(HOST, {"what": "texts", "fmu": fmu, "seed": seed, "count": 500})
    assert counts["texts"] == 500


@pytest.mark.parametrize("name", fmu_names())
def test_any_bytes_for_a_state_are_refused_or_give_finite_outputs(
    fmus: dict[str, Path], tmp_path: Path, name: str
) -> None:
    fmu = described(fmus[name], tmp_path)
    counts = play(HOST, {"what": "states", "fmu": fmu, "seed": 1, "count": 5000})
    assert counts["refused"] > 1000
    assert counts["taken"] > 100


@pytest.mark.parametrize(
    ("form", "lives"),
    [
        ("file://{}", True),
        ("file://{}/", True),
        ("{}", True),
        # Documented in docs/fmu_reference.md: when one of these fails, mend the page.
        ("file:{}", False),
        ("file://localhost{}", False),
        ("FILE://{}", False),
        ("file://{}/none", False),
    ],
)
@pytest.mark.parametrize("folder", ["plain", "with a space"])
def test_a_resource_uri_of_the_right_form_is_understood_and_others_are_as_documented(
    fmus: dict[str, Path], tmp_path: Path, form: str, lives: bool, folder: str
) -> None:
    place = tmp_path / folder
    place.mkdir()
    fmu = described(fmus["FrictionalShock"], place)
    path = str(place / "extracted" / "resources")
    uri = form.format(path.replace(" ", "%20") if "://" in form else path)
    done = subprocess.run(
        [sys.executable, HOST],
        input=json.dumps({"what": "uri", "fmu": fmu, "uri": uri}),
        capture_output=True,
        text=True,
        check=False,
        timeout=60.0,
    )
    if lives:
        assert json.loads(done.stdout) == {"status": OK}
    else:
        assert done.returncode < 0  # a signal


def requests(fmu: Path, rng: random.Random) -> tuple[dict[str, Any], bool]:
    """A run of 0.1 s and whether a step of it has to be refused."""
    asked: dict[str, Any] = {
        "filename": str(fmu),
        "stop_time": 0.1,
        "output_interval": 0.01,
        "rows": [],
    }
    refused = rng.random() < 0.7
    if refused and rng.random() < 0.4:
        asked["start_values"] = rng.choice(
            [{"mass": -1.0}, {"restitution": 2.0}, {"normal_law": 7}, {"initial_gap": 1.0}]
        )
        return asked, refused
    asked["signal"] = rng.choice(["base_acceleration", "normal_load", "tangential_load"])
    bad = rng.choice([math.nan, math.inf, -math.inf])
    at = rng.uniform(0.0, 0.09)
    asked["rows"] = [
        [0.0, "1"],
        [at, str(bad if refused else 2.0)],
        [0.2, str(bad if refused else 3.0)],
    ]
    return asked, refused


def test_every_run_in_fmpy_ends_with_all_its_rows_or_with_an_exception(
    fmus: dict[str, Path],
) -> None:
    rng = random.Random(7)
    asked = [requests(fmus["FrictionalShock"], rng) for _ in range(RUNS)]
    done = subprocess.run(
        [sys.executable, "-c", SIMULATE],
        input="\n".join(json.dumps(one) for one, _ in asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=TIME_LIMIT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stdout.splitlines() if line.startswith("answer ")]
    answers = [json.loads(line.removeprefix("answer ")) for line in lines]
    assert len(answers) == RUNS
    for (one, refused), answer in zip(asked, answers, strict=True):
        if refused:
            assert answer == ["fmi2DoStep", ERROR], one
        else:
            # The start and ten steps; fmpy records an event of the input besides.
            assert isinstance(answer, int), one
            assert answer >= 11, one


def test_the_stop_time_of_fmpy_never_refuses_the_last_step(fmus: dict[str, Path]) -> None:
    # Its instants are start + i·interval: rounding may carry the last one over the stop time.
    for steps in (3, 7, 10, 49, 333):
        for stop_time in (0.1, 0.3, 1.1, 2.7):
            result = fmpy.simulate_fmu(
                str(fmus["BaseMotion"]), stop_time=stop_time, output_interval=stop_time / steps
            )
            assert len(result) == steps + 1
