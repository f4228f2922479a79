"""Variables in the model description, compared with definitions of units and quantities."""

import re
import zipfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fmu_src.bundled.model_description import model_description
from fmu_src.bundled.slave import SafeSlave
from fmu_src.bundled.variables import Variable
from fmu_src.models import fmu_names
from wearmodel.kernel.limits import NO_STOP
from wearmodel.kernel.shoe.parameters import FrictionalShockParameters
from wearmodel.models.frictional_shock import FrictionalShock

# Definitions of the SI Brochure, 9th edition, tables 2 and 4, as exponents of base units. In FMI,
# the radian is a base unit.
SI = {
    "kg": {"kg": 1},
    "m": {"m": 1},
    "s": {"s": 1},
    "rad": {"rad": 1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Hz": {"s": -1},
    "1": {},
}
# Quantities and their units, so that a quantity with another unit is detected.
QUANTITIES = {
    "Mass": "kg",
    "Length": "m",
    "Area": "m2",
    "Volume": "m3",
    "Velocity": "m/s",
    "Acceleration": "m/s2",
    "Force": "N",
    "Impulse": "N.s",
    "TranslationalSpringConstant": "N/m",
    "TranslationalCompliance": "m/N",
    "TranslationalDampingConstant": "N.s/m",
    "Energy": "J",
    "Power": "W",
    "SpecificWearVolume": "m3/J",
    "InverseVelocity": "s/m",
    "Frequency": "Hz",
    "Angle": "rad",
}


def exponents(unit: str) -> dict[str, int]:
    """Return the exponents of base units of a product of units with at most one division."""
    total: Counter[str] = Counter()
    for sign, part in zip((1, -1), unit.split("/"), strict=False):
        for factor in part.split("."):
            match = re.fullmatch(r"(1|[A-Za-z]+)(\d*)", factor)
            assert match is not None, unit
            for base, power in SI[match[1]].items():
                total[base] += sign * power * int(match[2] or 1)
    return {base: power for base, power in total.items() if power}


def description(fmu: Path) -> ElementTree.Element:
    with zipfile.ZipFile(fmu) as archive:
        return ElementTree.fromstring(archive.read("modelDescription.xml"))


def reals(root: ElementTree.Element) -> dict[str, dict[str, str]]:
    """Return the attributes of the Real element of each Real variable, by name."""
    found = {}
    for variable in root.iter("ScalarVariable"):
        real = variable.find("Real")
        if real is not None:
            found[variable.attrib["name"]] = dict(real.attrib)
    return found


@pytest.mark.parametrize("name", fmu_names())
def test_every_unit_has_the_base_units_of_its_definition(built, name):
    root = description(built(name))
    declared = {
        unit.attrib["name"]: {base: int(power) for base, power in unit[0].attrib.items()}
        for unit in root.iter("Unit")
    }
    assert declared == {unit: exponents(unit) for unit in declared}
    assert set(declared) == {real["unit"] for real in reals(root).values()}


@pytest.mark.parametrize("name", fmu_names())
def test_every_quantity_has_a_unit_of_its_kind(built, name):
    for variable, real in reals(description(built(name))).items():
        if "quantity" in real:
            assert exponents(real["unit"]) == exponents(QUANTITIES[real["quantity"]]), variable


@pytest.mark.parametrize(
    ("rate", "variable"), [("relative_velocity", "relative_displacement"), ("gap_velocity", "gap")]
)
def test_a_velocity_is_declared_the_derivative_that_it_is(built, rate, variable):
    root = description(built("FrictionalShock"))
    names = [one.attrib["name"] for one in root.iter("ScalarVariable")]
    declared = {
        name: real["derivative"] for name, real in reals(root).items() if "derivative" in real
    }
    assert set(declared) == {"relative_velocity", "gap_velocity"}
    assert names[int(declared[rate]) - 1] == variable  # FMI counts from 1
    # In the model: a body that slides and flies, over 2 µs.
    shoe = FrictionalShock(
        FrictionalShockParameters(
            normal_law=2, initial_gap=1.0, initial_velocity=0.7, initial_normal_velocity=0.3
        )
    )
    half = 1e-6
    shoe.step(0.1)
    before = shoe.outputs()[variable]
    shoe.step(half)
    velocity = shoe.outputs()[rate]
    shoe.step(half)
    slope = (shoe.outputs()[variable] - before) / (2.0 * half)
    # Rounding of positions of order 1 m, divided by the interval.
    assert slope == pytest.approx(velocity, abs=4.0 * 2.3e-16 / half)


@pytest.mark.parametrize("name", fmu_names())
def test_nominal_values_are_orders_of_magnitude_of_the_start_values(built, name):
    variables = reals(description(built(name)))
    for variable, real in variables.items():
        start = abs(float(real.get("start", 0.0)))
        nominal = float(real.get("nominal", 1.0))
        assert nominal > 0.0
        # Start values such as 1e-13 or 9e6 need a nominal value of that order. 1e30 m means that
        # the stop does not exist.
        if not 1e-3 < start < 1e3 and start and start < NO_STOP:
            assert 0.1 <= start / nominal <= 10.0, variable
    if name == "FrictionalShock":
        assert {"normal_force", "worn_volume", "wear_depth", "archard_coefficient"} <= {
            variable for variable, real in variables.items() if "nominal" in real
        }


def test_the_nominal_outputs_are_those_of_sdnd104(built):
    # A mass of 1 kg with 10 N. The mean power is 15.267 W over 12 s, so the work is 183 J, the
    # volume 1.8e-11 m3 and the depth 1.8e-7 m.
    variables = reals(description(built("FrictionalShock")))
    truth = {
        "normal_force": 10.0,
        "wear_power": 15.267,
        "wear_work": 183.2,
        "worn_volume": 183.2e-13,
        "wear_depth": 183.2e-13 / 1e-4,
        "peak_normal_force": 10.0,
        "support_force_normal": 10.0,
        "friction_work": 18.32,
    }
    for variable, value in truth.items():
        nominal = float(variables[variable]["nominal"])
        assert 0.3 <= value / nominal <= 3.0, variable


@pytest.mark.parametrize("name", fmu_names())
def test_every_item_of_an_enumeration_says_what_it_means(built, name):
    root = description(built(name))
    used = {one.get("declaredType") for one in root.iter("Enumeration")} - {None}
    types = [one for one in root.iter("SimpleType") if one.find("Enumeration") is not None]
    # A model without enumerations has no enumeration types.
    assert {one.get("name") for one in types} == used
    assert all(list(one.iter("Item")) for one in types)
    meanings = [item.attrib["description"] for one in types for item in one.iter("Item")]
    assert "" not in meanings
    assert len(set(meanings)) == len(meanings)


@pytest.mark.parametrize("name", fmu_names())
def test_author_and_tolerance_are_given(built, name):
    root = description(built(name))
    assert root.attrib["author"] == "The wearfmu authors"
    experiment = root.find("DefaultExperiment")
    assert experiment is not None
    assert 0.0 < float(experiment.attrib["tolerance"]) < 1e-3


def test_a_unit_that_is_in_no_table_is_named_with_its_variable():
    table = [Variable("torque", "input", "Real", "Torque", "N.m", start=0.0)]
    with pytest.raises(ValueError, match=r"torque: unit 'N\.m' must be one of kg, m, .*base units"):
        model_description(type("Shaft", (SafeSlave,), {"title": "Shaft"}), "0", {}, table)
