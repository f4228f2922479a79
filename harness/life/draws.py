"""Draws of uncertain parameters, keys of inputs, and wear coefficients of a service life.

The sections `[life.design]` and `[life.vary.NAME]` have the syntax of a sweep file. A coefficient
with scatter is drawn from a lognormal distribution, and 95 % of its values are within its factor.
Either all contacts have the same coefficient, or each contact has its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from harness.case.case_file import Case
from harness.life.sections import EdfMzLaw, Law, LifeSection
from harness.messages import first_problem
from harness.sweep import Design, Point, Target, Varied, design_points, require_different, target_of
from wearmodel.statistics.known_rate import NORMAL

# Name of the coefficient as a target, because it is not a parameter of the model.
_OF_COEFFICIENT = "life.law.coefficient"


@dataclass(frozen=True)
class Draws:
    """Drawn quantities and their values."""

    design: Design
    # Drawn quantities by name: the quantities of the file, then the coefficients relative to the
    # median.
    varied: Mapping[str, Varied]
    # Parameter or key of an input for each quantity of the file.
    targets: tuple[Target, ...]
    # A value of each quantity for each draw.
    points: list[Point]

    def case_at(self, case: Case, point: Point) -> Case:
        """Return a case with the parameters and inputs of a draw.

        Raises ValueError if an input rejects a value.
        """
        parameters, declared = dict(case.parameters), dict(case.declared_inputs)
        inputs = dict(case.inputs)
        for target, value in zip(self.targets, point, strict=False):
            if target[0] == "parameters":
                parameters[target[1]] = value
                continue
            changed: dict[str, Any] = {target[2]: value}
            try:
                declared[target[1]] = replace(declared[target[1]], **changed)
            except ValidationError as problem:
                raise ValueError(f"inputs.{target[1]}.{first_problem(problem)}") from None
            # Inputs of a service life do not end, so that a table from a file is not possible.
            inputs[target[1]] = declared[target[1]]  # type: ignore[assignment]
        return replace(case, parameters=parameters, declared_inputs=declared, inputs=inputs)

    def coefficients_at(self, point: Point, law: Law, count: int) -> tuple[float, ...]:
        """Return the coefficient of each of `count` contacts [m²/N].

        The result is empty if the coefficient does not scatter.
        """
        factors = [float(value) for value in point[len(self.targets) :]]
        if not factors or isinstance(law, EdfMzLaw):
            return ()
        of_contacts = factors if len(factors) > 1 else factors * count
        return tuple(law.median * factor for factor in of_contacts)


def draws_of(section: LifeSection, case: Case, contacts: tuple[str, ...]) -> Draws:
    """Return the draws of a section [life] that has a design.

    Raises ValueError if the case does not have a quantity, or a quantity is drawn twice, or an
    operating condition also sets it.
    """
    assert section.design is not None
    targets = []
    for name, varied in section.vary.items():
        try:
            target = target_of(varied, case)
            _require_not_of_service(target, section)
        except ValueError as problem:
            raise ValueError(f"vary.{name}.of = {varied.of!r}: {problem}") from None
        targets.append(target)
    require_different(targets)
    quantities = {**section.vary, **_coefficients(section, contacts)}
    if len(quantities) < len(section.vary) + bool(section.law.factor > 1.0):
        raise ValueError("vary.coefficient is the name of the law's coefficient: choose another")
    points = design_points(section.design, quantities)
    return Draws(section.design, quantities, tuple(targets), points)


def _coefficients(section: LifeSection, contacts: tuple[str, ...]) -> dict[str, Varied]:
    law = section.law
    if law.factor == 1.0:
        return {}
    scatter = Varied(
        of=_OF_COEFFICIENT,
        distribution="lognormal",
        median=1.0,
        factor=math.exp(math.log(law.factor) / NORMAL),
    )
    if law.has_draw_per_contact and len(contacts) > 1:
        return {f"coefficient of {name}": scatter for name in contacts}
    return {"coefficient": scatter}


def _require_not_of_service(target: Target, section: LifeSection) -> None:
    for service in section.service:
        is_set = (
            target[1] in service.parameters
            if target[0] == "parameters"
            else not {target[2], "kind"}.isdisjoint(service.inputs.get(target[1], {}))
        )
        if is_set:
            raise ValueError(
                f"service {service.name!r} sets it too and would replace the drawn value"
            )
