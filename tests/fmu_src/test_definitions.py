"""A model is defined in a single file, including its documentation."""

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu

import fmu_src
from fmu_src.models import fmu_definition, fmu_definitions, fmu_names
from wearmodel.quantities import variable_name

SOURCES = Path(fmu_src.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"

# The output is the input at the end of the last step. The same file contains the model class.
ECHO = '''\
"""Echo.fmu: the output is the input."""

from dataclasses import dataclass

from wearmodel.quantities import Input, Output, quantity

from ..bundled.definition import Experiment, FmuDefinition, Page
from ..bundled.slave import SafeSlave
from ..bundled.variables import variables_of


@dataclass(frozen=True)
class EchoParameters:
    gain: float = quantity(1.0, description="Output by input")


class Echoed:
    value = 0.0

    def output_values(self):
        return (self.value,)

    def snapshot(self):
        return self.value

    def restore(self, snapshot):
        self.value = snapshot


class Echo(SafeSlave):
    title = "The output is the input"
    table = variables_of(
        [Input("sent", "m", "What is sent")],
        [Output("heard", "m", "What is heard")],
        EchoParameters,
    )

    def create_model(self, parameters, start_time, inputs):
        model = Echoed()
        self.advance(model, start_time, 1.0, inputs)
        return model

    def advance(self, model, time, step_size, inputs):
        model.value = inputs[0]


FMU = FmuDefinition(
    slave=Echo,
    parameters=EchoParameters,
    page=Page(models=("quantities",), rules=("What is sent is heard.",), limits=(), references=()),
    experiment=Experiment(
        description="A ramp",
        stop_time=1.0,
        step_size=0.25,
        output_stride=1,
        inputs={"sent": lambda time: 2.0 * time},
        outputs=("heard",),
        note="One step late.",
    ),
)
'''
CASE = """\
[case]
title = "A value that is sent is heard"
source = "the definition of the model"
fmu = "Echo"
[inputs.sent]
kind = "constant"
value = 3.0
[experiment]
stop_time = 1.0
step_size = 0.25
[[expect]]
quantity = "value"
variable = "heard"
time = 1.0
value = 3.0
rtol = 0.0
source = "heard = sent"
reason = "nothing is computed"
"""
SWEEP = """\
[sweep]
title = "What is sent"
case = "case.toml"
engine = "kernel"
output = "heard.csv"
quantities = [{ name = "heard", quantity = "value", variable = "heard", time = 1.0 }]
[design]
kind = "list"
[vary.sent]
of = "inputs.sent.value"
values = [1.0, 2.0]
"""


@pytest.fixture(scope="module")
def with_echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with our slaves and a new one, found before the installed ones."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copytree(SOURCES, folder / "fmu_src", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "fmu_src" / "models" / "echo.py").write_text(ECHO, encoding="utf-8")
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    (folder / "sweep.toml").write_text(SWEEP, encoding="utf-8")
    return folder


def python(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_one_file_more_is_an_fmu_with_page_results_and_tables(with_echo):
    assert "Echo" not in fmu_names()
    assert python(with_echo, "-m", "harness", "build", "Echo") == "build/Echo.fmu\n"
    fmu = with_echo / "build" / "Echo.fmu"
    assert validate_fmu(fmu) == []
    assert [v.name for v in fmpy.read_model_description(fmu).modelVariables] == [
        "sent",
        "heard",
        "gain",
    ]
    extracted = Path(fmpy.extract(fmu, with_echo / "extracted"))
    page = (extracted / "documentation" / "index.html").read_text(encoding="utf-8")
    assert "What is sent is heard." in page
    results = extracted / "extra" / "org.fmi-standard.fmi-ls-ref" / "Echo_ref.csv"
    # The output at the end of a step is the input at its start.
    assert results.read_text(encoding="utf-8").splitlines() == [
        '"time","heard"', "0,0", "0.25,0", "0.5,0.5", "0.75,1", "1,1.5",
    ]  # fmt: skip
    tables = python(
        with_echo,
        "-c",
        f"import sys; sys.path.append({str(DOCS)!r}); import fmu_tables\n"
        "print(fmu_tables.with_tables('<!-- variables: Echo -->\\n<!-- end -->'))",
    )
    assert "| `heard` | m | What is heard |" in tables


def test_one_file_more_is_played_reported_and_swept(with_echo):
    for command in (
        ["validate", "case.toml", "--report", "report.html"],
        ["sweep", "sweep.toml", "--workers", "1"],
    ):
        python(with_echo, "-m", "harness", *command)
    assert "heard" in (with_echo / "report.html").read_text(encoding="utf-8")
    rows = (with_echo / "heard.csv").read_text(encoding="utf-8").splitlines()[-2:]
    assert [row.split(",")[1:3] for row in rows] == [["1.0", "1.0"], ["2.0", "2.0"]]


def test_each_file_of_the_models_defines_the_fmu_that_bears_its_slave_s_name():
    # DisChoc with a file of contacts is a variant of DisChoc. It has an FMU only with this file.
    others = {"__init__", "dis_choc_contacts"}
    modules = {file.stem for file in (SOURCES / "models").glob("*.py")} - others
    assert {definition.module for definition in fmu_definitions()} == modules
    for name in fmu_names():
        assert fmu_definition(name).slave.__name__ == name


@pytest.mark.parametrize("name", fmu_names())
def test_a_definition_speaks_of_variables_that_there_are(name):
    definition = fmu_definition(name)
    names: dict[str, set[str]] = {"input": set(), "output": set(), "parameter": set()}
    for variable in definition.slave.table:
        names[variable.causality].add(variable.name)
    assert names["parameter"] == {variable_name(item) for item in fields(definition.parameters)}
    assert set(definition.experiment.inputs) <= names["input"]
    assert set(definition.experiment.outputs) <= names["output"]


@pytest.mark.parametrize("name", fmu_names())
def test_what_builds_and_describes_the_fmus_names_none_of_them(name):
    readers = [file for file in SOURCES.rglob("*.py") if file.parent.name != "models"]
    # Pictures and the verification book show cases, and each case belongs to a model.
    of_cases = ("make_pictures.py", "book.py")
    described = [file for file in DOCS.glob("*.py") if file.name not in of_cases]
    for file in [*readers, *described]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        assert name not in texts, file
