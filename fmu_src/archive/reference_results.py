"""Reference results in the FMU: one experiment for a smoke test in another tool.

Layout and manifest follow FMI-LS-REF, the layered standard for related files of an FMU. The
experiment has the format of this standard, the harmonized specification MA-HS-Experiments. The
slave computes the results for the inputs in the same folder, with the timing of masters: an input
set before a step is the value at its start. `wearfmu validate` prints their errors.
"""

from __future__ import annotations

import csv
import io
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ..bundled.definition import Experiment, FmuDefinition
from ..bundled.slave import SafeSlave

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"
_STANDARD_VERSION = "1.0.0-alpha.1"
_NAMESPACE = "http://fmi-standard.org/fmi-ls-manifest"
# The format requires this type and this suffix.
_EXPERIMENTS_TYPE = "application/x-ma-hs-experiments"
_EXPERIMENTS_FILE = "smoke-test.exp"

# Decimals of all numbers in the files: platforms differ in the last bits of a sine.
_DECIMALS = 9


def reference_files(definition: FmuDefinition) -> dict[str, bytes]:
    """Return content by path in the archive: manifest, experiment, stimuli, results, notes."""
    name, experiment = definition.name, definition.experiment
    stimuli = _stimuli(experiment)
    related = [
        (_EXPERIMENTS_TYPE, _EXPERIMENTS_FILE, "experiment/smoke-test", experiment.description),
        ("text/csv", f"{name}_ref.csv", "result", f"Results: {experiment.description}"),
        ("text/plain", "../../documentation/fmi-ls-ref.txt", "document", "Notes on the results"),
    ]
    texts = {
        f"{FOLDER}/fmi-ls-manifest.xml": _manifest(related),
        f"{FOLDER}/{_EXPERIMENTS_FILE}": _experiments_file(name, experiment),
        f"{FOLDER}/{name}_ref.csv": _results(definition.slave, experiment, stimuli),
        "documentation/fmi-ls-ref.txt": (
            f"{experiment.description}.\nAll parameters have their defaults. {experiment.note}\n"
            f"Numbers are rounded to {_DECIMALS} decimals.\n"
        ),
    }
    if experiment.inputs:
        texts[f"{FOLDER}/{name}_in.csv"] = _csv(["time", *experiment.inputs], stimuli)
    return {path: text.encode("utf-8") for path, text in texts.items()}


def _stimuli(experiment: Experiment) -> list[list[float]]:
    steps = round(experiment.stop_time / experiment.step_size)
    times = [_rounded(step * experiment.step_size) for step in range(steps + 1)]
    return [[time, *(_rounded(of(time)) for of in experiment.inputs.values())] for time in times]


def _results(slave: type[SafeSlave], experiment: Experiment, stimuli: list[list[float]]) -> str:
    instance = slave(instance_name="reference", resources="")
    references = {variable.name: number for number, variable in enumerate(slave.table)}
    inputs = [references[name] for name in experiment.inputs]
    outputs = [references[name] for name in experiment.outputs]

    def read(reference: int) -> float:
        get = instance.get_real if slave.table[reference].kind == "Real" else instance.get_integer
        return _rounded(get([reference])[0])

    instance.set_real(inputs, stimuli[0][1:])
    instance.setup_experiment(0.0)
    instance.enter_initialization_mode()
    instance.exit_initialization_mode()
    rows = [[0.0, *map(read, outputs)]]
    for step, (time, *values) in enumerate(stimuli[:-1], start=1):
        instance.set_real(inputs, values)
        if not instance.do_step(time, experiment.step_size):
            raise RuntimeError(f"{slave.__name__}: the reference run stops at time={time!r} s")
        if step % experiment.output_stride == 0:
            rows.append([stimuli[step][0], *map(read, outputs)])
    return _csv(["time", *experiment.outputs], rows)


def _rounded(value: float) -> float:
    # Adding 0 removes the sign of a zero.
    return round(value, _DECIMALS) + 0.0


def _csv(names: list[str], rows: list[list[float]]) -> str:
    """Return a table in the format of the FMI cross-check: quoted names, time first."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(names)
    csv.writer(text, lineterminator="\n").writerows([f"{x:.12g}" for x in row] for row in rows)
    return text.getvalue()


def _manifest(related: list[tuple[str, str, str, str]]) -> str:
    root = Element(
        "fmiReferences",
        {
            "xmlns:fmi-ls": _NAMESPACE,
            "fmi-ls:fmi-ls-name": "org.fmi-standard.fmi-ls-ref",
            "fmi-ls:fmi-ls-version": _STANDARD_VERSION,
            "fmi-ls:fmi-ls-description": "Layered Standard providing information on related files "
            "included in an FMU.",
        },
    )
    for kind, source, role, description in related:
        SubElement(
            root,
            "Related",
            {"type": kind, "source": source, "role": role, "description": description},
        )
    return _xml_text(root)


def _experiments_file(name: str, experiment: Experiment) -> str:
    root = Element("Experiments", {"name": f"{name} smoke test"})
    experiment_element = SubElement(
        root,
        "Experiment",
        {
            "name": name,
            "description": experiment.description,
            "startTime": "0.0",
            "stopTime": repr(experiment.stop_time),
            "stepSize": repr(experiment.step_size),
        },
    )
    if experiment.inputs:
        SubElement(experiment_element, "Stimuli", {"type": "text/csv", "source": f"{name}_in.csv"})
    SubElement(experiment_element, "References", {"type": "text/csv", "source": f"{name}_ref.csv"})
    return _xml_text(root)


def _xml_text(root: Element) -> str:
    indent(root, "    ")
    declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return declaration + tostring(root, encoding="unicode") + "\n"
