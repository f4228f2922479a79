"""Contents of an FMU other than code: documentation, icon, reference results and licences."""

import csv
import io
import os
import re
import struct
import subprocess
import sys
import sysconfig
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import fmpy
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from fmu_src.archive.archive_file import damage_of, write_archive
from fmu_src.archive.builder import build_fmu
from fmu_src.models import fmu_names
from harness.fmu.instance import open_slave
from harness.fmu.interface import read_interface

REFERENCES = "extra/org.fmi-standard.fmi-ls-ref"
LAYERED_STANDARD = "{http://fmi-standard.org/fmi-ls-manifest}"


def member(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode("utf-8")


class Page(HTMLParser):
    """The first cells of the tables of a page, and the resources that it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.loaded: list[str] = []
        self.headings: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name == "src"]
        if tag in ("script", "link"):
            self.loaded.append(tag)
        if tag not in ("meta", "rect", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "td":
            self.cells.append(data)
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


@pytest.mark.parametrize("name", fmu_names())
def test_the_page_names_every_variable_and_loads_nothing(built, name):
    page = Page(member(built(name), "documentation/index.html"))
    description = fmpy.read_model_description(built(name))
    assert page.open == []  # all elements are closed
    assert page.loaded == []
    single = [v for v in description.modelVariables if "[" not in v.name]
    columns = {v.name.partition("[")[0] for v in description.modelVariables} - {
        v.name for v in single
    }
    assert {v.name for v in single} <= set(page.cells)
    assert {f"{name}[1…32]" for name in columns} <= set(page.cells)
    assert {v.description for v in single if not v.declaredType} <= set(page.cells)
    for heading in ("Use", "Outputs", "Parameters", "Equations", "Limits", "References"):
        assert heading in page.headings


def test_the_page_shows_equations_units_and_ranges(built):
    text = member(built("FrictionalShock"), "documentation/index.html")
    assert "m ü = −m A_t − c u̇ − k u + P_t + F_T" in text
    assert "<td>mass</td><td>m</td><td>kg</td><td>1.0</td><td>&gt; 0.0 kg</td>" in text
    assert "<td>restitution</td><td>ε</td><td>1</td><td>0.0</td><td>≥ 0.0, ≤ 1.0</td>" in text
    assert "(0 prescribed, 1 penalty, 2 rigid)" in text


def test_the_rules_of_the_page_do_not_exclude_tunable_parameters(built):
    path = built("FrictionalShock")
    rule = "a parameter that is not tunable, has no effect and returns fmi2Error"
    assert rule in member(path, "documentation/index.html")
    interface = read_interface(path)
    with open_slave(interface, []) as slave:
        slave.enter_initialization(0.0)
        slave.exit_initialization()
        slave.set_value(interface.variables["friction_coefficient"], 0.2)
        for name in ("mass", "wear_work"):
            with pytest.raises(FMICallException, match="status 3"):
                slave.set_value(interface.variables[name], 2.0)


@pytest.mark.parametrize("name", fmu_names())
def test_the_icon_is_a_png_of_a_hundred_pixels(built, name):
    with zipfile.ZipFile(built(name)) as archive:
        data = archive.read("model.png")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (100, 100)


@pytest.mark.parametrize("name", fmu_names())
def test_the_licences_of_all_parts_are_there(built, name):
    own = member(built(name), "documentation/licenses/license.txt")
    assert "MIT License" in own
    assert "Mozilla Public License" in own  # covers parts of pythonfmu's binaries
    assert "NTNU" in member(built(name), "documentation/licenses/pythonfmu.txt")


@pytest.mark.parametrize("name", fmu_names())
def test_the_manifest_names_files_that_are_there(built, name):
    # The rules are from the manifest schema of FMI-LS-REF. Type and suffix of an experiment are
    # from MA-HS-Experiments.
    root = ElementTree.fromstring(member(built(name), f"{REFERENCES}/fmi-ls-manifest.xml"))
    assert root.tag == "fmiReferences"
    assert root.get(f"{LAYERED_STANDARD}fmi-ls-name") == "org.fmi-standard.fmi-ls-ref"
    assert root.get(f"{LAYERED_STANDARD}fmi-ls-version")
    with zipfile.ZipFile(built(name)) as archive:
        members = set(archive.namelist())
    related = root.findall("Related")
    assert {one.get("role") for one in related} == {"experiment/smoke-test", "result", "document"}
    (experiment,) = (one for one in related if one.get("role") == "experiment/smoke-test")
    assert experiment.get("type") == "application/x-ma-hs-experiments"
    assert (experiment.get("source") or "").endswith(".exp")
    for one in related:
        source = one.get("source") or ""
        place = "documentation/" + source.rsplit("/", 1)[-1] if "../" in source else ""
        assert (place or f"{REFERENCES}/{source}") in members


@pytest.mark.parametrize("name", fmu_names())
def test_fmpy_reproduces_the_reference_results(built, name):
    experiments = ElementTree.fromstring(member(built(name), f"{REFERENCES}/smoke-test.exp"))
    experiment = experiments.find("Experiment")
    assert experiment is not None
    references = table(built(name), experiment, "References")
    stimuli = experiment.find("Stimuli")
    step_size = float(experiment.attrib["stepSize"])
    stride = round(float(references["time"][1] - references["time"][0]) / step_size)
    result = fmpy.simulate_fmu(
        str(built(name)),
        start_time=float(experiment.attrib["startTime"]),
        stop_time=float(experiment.attrib["stopTime"]),
        output_interval=step_size,  # communication step of fmpy
        input=None if stimuli is None else table(built(name), experiment, "Stimuli"),
        output=list(references.dtype.names or ())[1:],
    )
    for column in references.dtype.names or ():
        got, want = result[column][::stride], references[column]
        assert got.shape == want.shape
        # The files have nine decimals. fmpy accumulates steps and interpolates the stimuli at times
        # with rounding errors of 1e-12 s, multiplied by rates of up to 1e4 per second.
        assert np.max(np.abs(got - want)) <= 2e-8, column


def table(fmu: Path, experiment: ElementTree.Element, kind: str) -> np.ndarray:
    element = experiment.find(kind)
    assert element is not None
    text = member(fmu, f"{REFERENCES}/{element.attrib['source']}")
    assert text.startswith('"time"')
    rows = list(csv.reader(io.StringIO(text)))
    return np.array(
        [tuple(map(float, row)) for row in rows[1:]], dtype=[(name, float) for name in rows[0]]
    )


@pytest.mark.parametrize("name", fmu_names())
def test_fmutool_finds_nothing(built, name):
    tool = Path(sysconfig.get_path("scripts")) / "fmutool"
    done = subprocess.run(
        [tool, "-input", built(name), "-check"], capture_output=True, text=True, check=True
    )
    lines = (done.stdout + done.stderr).splitlines()
    assert any("seems to be compliant with FMI-2.0" in line for line in lines)
    assert any("No semantic error" in line for line in lines)
    assert [line for line in lines if re.match(r"\W*(WARNING|ERROR|CRITICAL)", line)] == []


def test_an_fmu_with_start_values_of_its_own_shows_and_uses_them(tmp_path):
    path = build_fmu("DisChoc", tmp_path, file_stem="long", start_values={"length": 2.0})
    assert path.name == "long.fmu"
    description = fmpy.read_model_description(path)
    starts = {v.name: v.start for v in description.modelVariables}
    assert starts["length"] == "2.0"
    assert "<td>length</td><td>L</td><td>m</td><td>2.0</td>" in member(
        path, "documentation/index.html"
    )
    result = fmpy.simulate_fmu(str(path), stop_time=0.1, step_size=0.05, output=["force_x"])
    # gap at rest = length − dist_1 − dist_2 = 1.5 m: no contact
    assert np.all(result["force_x"] == 0.0)
    with pytest.raises(ValueError, match="DisChoc does not have a parameter 'width'"):
        build_fmu("DisChoc", tmp_path, start_values={"width": 1.0})


def test_an_archive_is_not_written_through_a_link_that_somebody_put_there(tmp_path):
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    target = tmp_path / "shared" / "FrictionalShock.fmu"
    target.parent.mkdir()
    # The second link has a predictable name: file name, process id and a suffix used earlier.
    for planted in (target, target.with_name(f"{target.name}.{os.getpid()}.partial")):
        planted.symlink_to(precious)
    write_archive(target, {"a": b"content"})
    assert precious.read_bytes() == b"precious"
    assert not target.is_symlink()
    assert damage_of(target) is None


def test_a_full_disk_leaves_nothing_of_an_archive_and_the_old_one_stands(tmp_path):
    target = tmp_path / "FrictionalShock.fmu"
    write_archive(target, {"a": b"old"})
    before = target.read_bytes()
    # A file size limit of 512 bytes simulates a full disk.
    program = (
        "import os, resource, signal, sys\n"
        "from pathlib import Path\n"
        "from fmu_src.archive.archive_file import write_archive\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))\n"
        "try:\n"
        "    write_archive(Path(sys.argv[1]), {'a': os.urandom(20_000)})\n"
        "except OSError as problem:\n"
        "    print(problem.filename, problem.strerror)\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, str(target)],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{target} File too large\n", "")
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == before
