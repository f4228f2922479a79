"""Archives of `wearfmu ssp` satisfy the schema of the standard, and all readers can run them."""

import math
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from harness.command_line import main
from harness.fmu.interface import read_interface
from tests.structures import X, contact, document, point, toml

SCHEMA = Path(str(files("fmpy"))) / "ssp" / "schema"
NAMES = {
    part.lower(): f"http://ssp-standard.org/SSP1/SystemStructure{part}"
    for part in ("Description", "Common", "ParameterValues")
}


def write(fmu_folder: Path, package: Path, *options: str) -> Path:
    assert main(["ssp", str(package), *options, "--out", str(fmu_folder)]) == 0
    return package


def structure_of(package: Path) -> Any:
    with zipfile.ZipFile(package) as archive:
        return etree.fromstring(archive.read("SystemStructure.ssd"))


def schema(name: str) -> Any:
    return etree.XMLSchema(etree.parse(SCHEMA / f"SystemStructure{name}.xsd"))


def test_the_package_holds_to_the_schema(fmu_folder, tmp_path):
    options = ("--motion", "amplitude=1.5", "--set", "start_in_equilibrium=false")
    root = structure_of(write(fmu_folder, tmp_path / "shoe.ssp", *options))
    schema("Description").assertValid(root)
    for values in root.iterfind(".//parametervalues:ParameterSet", NAMES):
        schema("ParameterValues").assertValid(values)
    assert root.find(".//description:SignalDictionary", NAMES) is None  # it would be unused


@pytest.mark.parametrize("shaken", ["shoe", "structure"])
def test_every_connector_has_the_type_and_the_unit_of_its_variable(fmu_folder, tmp_path, shaken):
    file = tmp_path / "tip.toml"
    file.write_text(STRUCTURE, encoding="utf-8")
    options = ("--structure", str(file)) if shaken == "structure" else ()
    package = write(fmu_folder, tmp_path / "a.ssp", *options)
    root = structure_of(package)
    schema("Description").assertValid(root)
    for component in root.iterfind(".//description:Component", NAMES):
        with zipfile.ZipFile(package) as archive:
            (tmp_path / "component.fmu").write_bytes(archive.read(component.get("source")))
        variables = read_interface(tmp_path / "component.fmu").variables
        ends = component.findall(".//description:Connector", NAMES)
        names = {end.get("name") for end in ends}
        outputs = {one for one, v in variables.items() if v.causality == "output"}
        assert outputs <= names
        for end in ends:
            variable = variables[end.get("name")]
            (kind,) = end
            # An enumeration is exported as an integer.
            wanted = "Integer" if variable.type == "Enumeration" else variable.type
            assert etree.QName(kind).localname == wanted
            assert end.get("description") == variable.description
            if variable.type == "Real":
                assert kind.get("unit") == variable.unit
    units = {unit.get("name"): unit for unit in root.iterfind(".//common:Unit", NAMES)}
    reals = root.findall(".//description:Connector/common:Real", NAMES)
    assert {one.get("unit") for one in reals} == set(units)
    assert dict(units["J"][0].attrib) == {"kg": "1", "m": "2", "s": "-2"}


@pytest.mark.parametrize("reader", ["libcosim", "ecos"])
def test_libcosim_and_ecos_read_a_package_that_offers_counters_and_modes(
    fmu_folder, tmp_path, reader
):
    package = write(fmu_folder, tmp_path / "shoe.ssp")
    done = subprocess.run(
        [sys.executable, "-c", READERS[reader], str(package)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120.0,
    )
    assert done.returncode == 0, done.stderr
    # Slip reverses twice per period, and the first period starts from rest.
    work, slips = done.stdout.split()[-2:]
    assert float(work) > 0.0
    assert int(slips) in (3, 4)


def test_enumerations_become_the_fmus_defaults(fmu_folder, tmp_path):
    package = write(
        fmu_folder, tmp_path / "a.ssp", "--set", "normal_law=penalty", "--set", "mass=2"
    )
    root = structure_of(package)
    parameters = {one.get("name") for one in root.iterfind(".//parametervalues:Parameter", NAMES)}
    assert parameters == {"mass"}
    with zipfile.ZipFile(package) as archive:
        (shoe,) = (one for one in archive.namelist() if "FrictionalShock" in one)
    assert shoe != "resources/FrictionalShock.fmu"


def test_fmpy_reaches_the_closed_form_with_the_written_package(fmu_folder, tmp_path):
    from fmpy.ssp.simulation import simulate_ssp

    # FMPy's reader ignores parameters. The defaults correspond to SDND104 at a0 = 15 m/s2.
    package = write(fmu_folder, tmp_path / "shoe.ssp")
    result = simulate_ssp(package, stop_time=12.0, step_size=1e-3)
    work = result["shoe.wear_work"]
    # Row i contains the values at the end of step i.
    power = (work[11_999] - work[3_999]) / 8.0
    # The input of the first step is 0, which has no effect after 4 s. The remaining error is from
    # the extrapolation of the input at 1 ms.
    assert power == pytest.approx(15.2670995893716, rel=1e-8)


@pytest.mark.parametrize("form", [(), ("--native",)], ids=["Python", "native"])
def test_fmpy_which_ignores_the_parameter_set_uses_the_values_of_the_package(
    fmu_folder, tmp_path, form
):
    from fmpy.ssp.simulation import simulate_ssp

    options = ("--motion", "amplitude=1.5", "--motion", "offset=0.1")
    package = write(fmu_folder, tmp_path / "shoe.ssp", *options, "--set", "mass=2", *form)
    result = simulate_ssp(package, stop_time=1.0, step_size=1e-3)
    assert set(result["shoe.normal_force"]) == {20.0}  # 2 kg at 10 m/s2
    assert max(result["motion.acceleration"]) == pytest.approx(1.6, abs=1e-12)


READERS = {
    "libcosim": """
import sys
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver

log_output_level(CosimLogLevel.ERROR)
execution = CosimExecution.from_ssp_file(sys.argv[1], 1_000_000)
observer = CosimObserver.create_last_value()
execution.add_observer(observer)
shoe = execution.slave_index_from_instance_name("shoe")
of_shoe = {v.name.decode(): v.reference for v in execution.slave_variables(shoe)}
assert execution.step(2000)
print(observer.last_real_values(shoe, [of_shoe["wear_work"]])[0])
print(observer.last_integer_values(shoe, [of_shoe["slip_count"]])[0])
""",
    "ecos": """
import ctypes
import sys
from pathlib import Path

ctypes.CDLL(str(next(Path(sys.prefix, "lib").glob("libtbb.so.*"))), mode=ctypes.RTLD_GLOBAL)
from ecospy import EcosLib, EcosSimulation

EcosLib.set_log_level("warn")
with EcosSimulation(ssp_path=sys.argv[1], step_size=1e-3) as simulation:
    assert simulation.init(parameter_set="start")
    simulation.step(2000)
    print(simulation.get_real("shoe::wear_work"))
    print(simulation.get_integer("shoe::slip_count"))
    simulation.terminate()
""",
}
STRUCTURE = toml(
    document(
        [0.0, 4.0],
        contact("stop", "tip", normal=X, gap=1e-3, contact_stiffness=1e5),
        points=[point("tip", z=[1.0, 0.0], x=[0.0, 1.0])],
        modes={"generalised_mass": [2.0, 1.0]},
        base={"participation_z": [2.0, 0.0]},
        observe=[{"point": "tip"}],
    )
)


@pytest.mark.parametrize("options", [(), ("--native",)], ids=["Python", "native"])
def test_fmpy_reaches_the_closed_form_of_a_structure_in_the_place_of_the_shoe(
    fmu_folder, tmp_path, options
):
    from fmpy.ssp.simulation import simulate_ssp

    file = tmp_path / "tip.toml"
    file.write_text(STRUCTURE, encoding="utf-8")
    package = write(
        fmu_folder, tmp_path / "tip.ssp", "--structure", str(file), "--direction", "z", *options
    )
    root = structure_of(package)
    schema("Description").assertValid(root)
    result = simulate_ssp(package, stop_time=2.0, step_size=1e-3)
    # A free mass on a base with the acceleration 15 sin 2πt m/s2.
    omega = 2.0 * math.pi
    time = 1.5
    wanted = 15.0 / omega**2 * math.sin(omega * time) - 15.0 / omega * time
    # The first samples are too few to select an order and are held constant over steps of h. There
    # are at most four, because the error of order 2 is known from the fourth on. Each changes the
    # velocity by 15 ω h²/2.
    wrong = 4.0 * 15.0 * omega * 1e-6 / 2.0 * time
    assert result["structure.tip.displacement_z"][1499] == pytest.approx(wanted, abs=wrong)


def test_set_gives_a_contact_of_the_structure_its_parameter(fmu_folder, tmp_path):
    file = tmp_path / "tip.toml"
    file.write_text(STRUCTURE, encoding="utf-8")
    options = ("--structure", str(file), "--set", "stop.gap=2e-3", "--set", "input_timing=end")
    package = write(fmu_folder, tmp_path / "tip.ssp", *options)
    root = structure_of(package)
    given = {
        one.get("name"): one.find("parametervalues:Real", NAMES).get("value")
        for one in root.iterfind(".//parametervalues:Parameter", NAMES)
    }
    assert given == {"stop.gap": "0.002"}
    (sink,) = root.iterfind(".//description:Connection", NAMES)
    assert (sink.get("endElement"), sink.get("endConnector")) == (
        "structure",
        "base_acceleration_x",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "mas=1"), "--set 'mas' is not a parameter of FrictionalShock.fmu"),
        (("--direction", "y"), "--direction requires --structure"),
        (("--motion", "amplitud=1"), "--motion 'amplitud' is not a parameter of BaseMotion.fmu"),
    ],
)
def test_a_wrong_name_is_refused_and_nothing_is_written(
    fmu_folder, tmp_path, capsys, options, message
):
    package = tmp_path / "shoe.ssp"
    assert main(["ssp", str(package), *options, "--out", str(fmu_folder)]) == 2
    assert message in capsys.readouterr().err
    assert not package.exists()
