"""Random calls of FMI 3.0 in a process that must not crash."""

from pathlib import Path
from typing import Any

import fmpy
import pytest

from fmu_src.models import native_fmu_names
from wearmodel import Drive, NormalLaw

from ..campaigns.torture_requests import play
from .fmi3_host import description_in

HOST = Path(__file__).with_name("fmi3_torture_host.py")
# Values with which a contact closes and opens within some steps, independent of other values.
LIVELY = {
    "FrictionalShock": {"normal_law": NormalLaw.penalty, "initial_gap": 1e-4},
    "DisChoc": {"drive": Drive.displacement, "length": 1e-4},
}
each_model = pytest.mark.parametrize("name", native_fmu_names())


def described(folder: Path) -> dict[str, Any]:
    """Return the description of an unpacked FMU for the host."""
    description = description_in(folder)
    variables = sorted(description.modelVariables, key=lambda one: one.valueReference)
    listed = [
        {
            "kind": "Int64" if one.type == "Enumeration" else one.type,
            # The arrays of FMI 3.0 have 32 elements, and the host sets only scalars.
            "causality": "array" if one.dimensions else one.causality,
            "tunable": one.variability == "tunable",
            "start": float(one.start)
            if one.type == "Float64" and one.start and not one.dimensions
            else None,
        }
        for one in variables
    ]
    scalar = [not one.dimensions for one in variables]
    # Random rows of a friction table are nearly always refused.
    chosen = [not one.name.startswith("friction_table") for one in variables]
    name = description.modelName
    return {
        "library": str(folder / "binaries" / fmpy.platform_tuple / f"{name}.so"),
        "token": description.guid,
        "resources": str(folder / "resources"),
        "variables": listed,
        "count": len(listed),
        "inputs": [n for n, one in enumerate(listed) if one["causality"] == "input"],
        "parameters": [
            n for n, one in enumerate(listed) if chosen[n] and one["causality"] == "parameter"
        ],
        "tunable": [n for n, one in enumerate(listed) if chosen[n] and one["tunable"]],
        "outputs": [
            n
            for n, one in enumerate(listed)
            if one["causality"] == "output" and one["kind"] == "Float64" and scalar[n]
        ],
        "lively": [
            (listed[n]["kind"], n, LIVELY[name][one.name])
            for n, one in enumerate(variables)
            if one.name in LIVELY.get(name, {})
        ],
        "return_at": next((n for n, one in enumerate(variables) if one.name == "return_at"), None),
    }


def torture(fmu: dict[str, Any], folder: Path, first: int, last: int) -> dict[str, int]:
    """Return the counts of the host for sequences with these numbers."""
    counts: dict[str, int] = play(
        HOST, {"fmu": fmu, "first": first, "last": last}, folder / "progress"
    )["counts"]
    return counts


@each_model
def test_random_sequences_break_no_rule(unpacked3, tmp_path, name):
    fmu = described(unpacked3(name))
    counts = torture(fmu, tmp_path, 0, 500)
    assert counts["sequences"] == 500
    for event in ("steps", "steps refused", "illegal sets"):
        assert counts[event] > 50, event
    if name != "BaseMotion":
        assert counts["events passed"] > 5
        assert counts["jumps taken"] > 100
        assert counts["outputs read after a jump"] > 100
    assert counts["spoilt states refused"] > 20
    if fmu["tunable"]:
        assert counts["changes taken"] > 50
        assert counts["changes refused"] > 10
        assert counts["changes put right"] > 5
    assert counts["runs repeated cleanly"] > 350


@pytest.mark.campaign
@each_model
def test_twenty_thousand_random_sequences_break_no_rule(unpacked3, tmp_path, name):
    counts = torture(described(unpacked3(name)), tmp_path, 1000, 21_000)
    assert counts["sequences"] == 20_000
    assert counts["spoilt states taken"] > 100
