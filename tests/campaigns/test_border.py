"""A Python FMU does not crash and answers correctly for all input of a host or a user."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fmu_src.archive.builder import build_fmu
from fmu_src.models import fmu_names

from .torture_requests import described, play

pytestmark = pytest.mark.campaign

HOST = Path(__file__).with_name("border_host.py")
OK, ERROR = 0, 3


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("fmus")
    return {name: build_fmu(name, folder) for name in fmu_names()}


@pytest.mark.parametrize("seed", range(4))
def test_any_text_of_a_user_is_logged_as_it_was_written(fmus, tmp_path, seed):
    fmu = described(fmus["BaseMotion"], tmp_path)
    counts = play(HOST, {"what": "texts", "fmu": fmu, "seed": seed, "count": 500})
    assert counts["texts"] == 500


@pytest.mark.parametrize("name", fmu_names())
def test_any_bytes_for_a_state_are_refused_or_give_finite_outputs(fmus, tmp_path, name):
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
        # Documented in docs/fmu_reference.md. If one of these fails, correct the page.
        ("file:{}", False),
        ("file://localhost{}", False),
        ("FILE://{}", False),
        ("file://{}/none", False),
    ],
)
@pytest.mark.parametrize("folder", ["plain", "with a space"])
def test_a_resource_uri_of_the_right_form_is_understood_and_others_are_as_documented(
    fmus, tmp_path, form, lives, folder
):
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
        assert done.returncode < 0  # The process ended by a signal.
