"""documentation/index.html of an FMU, from its variable table and the models' own docstrings.

What a docstring says of the model is said once, where the model is written; here stands only what
a user of the FMU needs beyond it.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from importlib import import_module
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from wearmodel.quantities import with_unit

from ..bundled.slave import SafeSlave
from ..bundled.variables import Variable
from .start_values import PARAMETER_CLASSES

_RULES = (
    "Outputs are values at the end of the last step; setting an input changes none before the next "
    "step. After initialisation they follow from the start inputs.",
    "A step that is illegal, goes past the experiment's stop time or cannot be completed answers "
    "fmi2Error, the state stands, and the reason is logged. With a wrong start value no step is "
    "taken.",
    "The complete state can be saved, restored and serialised (fmi2GetFMUstate and its kin).",
)
_PYTHON_RULES = (
    "It needs a Python ≥ 3.9 in or beside the host, and no package: all code is in the archive.",
    "Setting an output, or a parameter after initialisation, changes nothing and makes the next "
    "step an error.",
)
_NATIVE_RULES = (
    "It needs nothing beside the host: the libraries use those of the operating system alone.",
    "Setting an output, or a parameter after initialisation, changes nothing and answers "
    "fmi2Error; so does the end of an initialisation with a wrong start value.",
    "Where derivatives of inputs are set before a step (fmi2SetRealInputDerivatives, orders 1 to "
    "3), the step takes the inputs as Taylor polynomials.",
    "Directional derivatives (fmi2GetDirectionalDerivative) say how the outputs follow the inputs "
    "that the last step was taken with; in initialisation mode the Real parameters too.",
)

_SDND104 = (
    "EDF, code_aster validation document SDND104 (V5.01.104), wear power of a mass rubbing on a "
    "shaken support, section 2"
)


@dataclass(frozen=True)
class _Page:
    """What a page says beyond the table: which docstrings, and how the FMU is used."""

    models: tuple[str, ...]  # modules of wearmodel whose docstrings hold the equations
    rules: tuple[str, ...]
    limits: tuple[str, ...]
    references: tuple[str, ...]


_PAGES = {
    "FrictionalShock": _Page(
        models=(
            "models.frictional_shock",
            "kernel.normal",
            "kernel.tangential",
            "kernel.transitions",
            "kernel.oscillator",
            "kernel.extrapolation",
        ),
        rules=(
            "The input set before a step is the value at the step's start; over the step it is "
            "extrapolated by the polynomial through the last input_extrapolation_order + 1 values, "
            "or by fewer where short steps precede a long one.",
            "The parameters' defaults are those of SDND104: fed with 15 sin(2πt) m/s2 the mean of "
            "wear_power over [4, 12] s is 15.2671 W.",
            "For a support that is a body of its own, support_force_tangential and "
            "support_force_normal act on it and its acceleration is the input. In rigid stick the "
            "force contains the acceleration at once: repeat the step from a saved state until "
            "both agree.",
        ),
        limits=(
            "Wear changes neither the gap nor the stiffness; hours to years follow by scaling with "
            "the mean wear power.",
            "One tangential direction; one mass; constant coefficients of Coulomb friction.",
            "A rigid contact whose bounces add up to less than 1e-9 s and 1e-12 of the height of "
            "fall comes to rest; more than 10 000 events in one step are an error.",
        ),
        references=(
            _SDND104,
            "Archard, Contact and rubbing of flat surfaces, J. Appl. Phys. 24 (1953)",
        ),
    ),
    "DisChoc": _Page(
        models=("models.shock_spring", "kernel.shock_spring_law", "kernel.planar_slip"),
        rules=(
            "The input set before a step is the value at the step's end, reached on a straight "
            "line from the previous one: piecewise-linear histories are exact. A master that sets "
            "the values of the step's start gets the same results one step late.",
        ),
        limits=(
            "Quasi-static: no inertia and no damping; the length of a step has no effect.",
            "One coefficient of friction for stick and slip; wear does not change the gap.",
        ),
        references=(
            "EDF, code_aster validation document SSND116, law of behaviour DIS_CHOC in statics, "
            "sections 1 and 2.1",
        ),
    ),
    "BaseMotion": _Page(
        models=("models.base_motion", "models.accelerogram"),
        rules=(
            "The output is the value at the present instant, so that a slave fed with it gets the "
            "value at the start of its next step.",
        ),
        limits=("Time outside the points of a table or file is refused.",),
        references=(_SDND104,),
    ),
}


def documentation_page(
    slave: type[SafeSlave], start_values: Mapping[str, Any], *, native: bool
) -> str:
    """The page of a slave: one file, readable without network and without scripts.

    `start_values` are those that differ from the table's.
    """
    page = _PAGES[slave.__name__]
    archive = files("fmu_src").joinpath("archive")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    template = environment.from_string(archive.joinpath("index.html").read_text(encoding="utf-8"))
    return template.render(
        name=slave.__name__,
        title=slave.title,
        icon=Markup(archive.joinpath("model.svg").read_text(encoding="utf-8")),
        release=slave.release,
        step_size=slave.default_step_size,
        stop_time=slave.default_stop_time,
        rules=(*page.rules, *_RULES, *(_NATIVE_RULES if native else _PYTHON_RULES)),
        variables=variable_groups(slave, start_values),
        sections=[_section(f"wearmodel.{module}") for module in page.models],
        limits=page.limits,
        references=page.references,
        has_results=not start_values,
    )


def variable_groups(
    slave: type[SafeSlave], start_values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Heading and rows of the inputs, outputs and parameters of a slave, as texts."""
    declared = {item.name: item for item in fields(PARAMETER_CLASSES[slave.__name__])}
    return [
        {
            "heading": f"{causality.capitalize()}s",
            "has_start": causality == "parameter",
            "rows": [
                _row(
                    replace(one, start=start_values.get(one.name, one.start)),
                    declared.get(one.name),
                )
                for one in slave.table
                if one.causality == causality
            ],
        }
        for causality in ("input", "output", "parameter")
    ]


def _row(variable: Variable, declared: Field[Any] | None) -> dict[str, str]:
    meaning = variable.description
    if variable.enumeration is not None:
        meaning += f" ({', '.join(f'{one.value} {one.name}' for one in variable.enumeration)})"
    return {
        "name": variable.name,
        "unit": variable.unit if variable.kind == "Real" else variable.kind,
        "start": "" if declared is None else _shown(variable),
        "range": "" if declared is None else _range(declared),
        "meaning": meaning,
    }


def _shown(variable: Variable) -> str:
    if variable.enumeration is not None:
        return variable.enumeration(variable.start).name
    if variable.kind == "Boolean":
        return str(variable.start).lower()
    return str(variable.start)


def _range(declared: Field[Any]) -> str:
    """Bounds of a parameter in the words of the messages that refuse a value."""
    unit = declared.metadata["unit"]
    bounds = (
        (">", declared.metadata["above"]),
        ("≥", declared.metadata["minimum"]),
        ("≤", declared.metadata["maximum"]),
    )
    return ", ".join(
        f"{sign} {with_unit(bound, unit)}" for sign, bound in bounds if bound is not None
    )


def _section(module: str) -> dict[str, Any]:
    """Heading and blocks of a module's docstring."""
    text = inspect.cleandoc(import_module(module).__doc__ or "")
    heading, _, body = text.partition("\n\n")
    return {"heading": " ".join(heading.split()).rstrip("."), "blocks": _blocks(body)}


def _blocks(text: str) -> Sequence[dict[str, Any]]:
    """Paragraphs and preformatted blocks: indented, tables, lists, or aligned by blanks."""
    blocks = []
    for block in re.split(r"\n\n+", text):
        lines = block.splitlines()
        preformatted = all(line.startswith("    ") for line in lines) or any(
            re.match(r"[|-]", line) or re.search(r"\S {2,}\S", line) for line in lines
        )
        if preformatted:
            margin = min(
                (len(line) - len(line.lstrip()) for line in lines if line), default=math.inf
            )
            shown = "\n".join(line[int(margin) :] for line in lines)
        else:
            shown = " ".join(line.strip() for line in lines)
        marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(shown)))
        blocks.append({"preformatted": preformatted, "text": Markup(marked)})
    return blocks
