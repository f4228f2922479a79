"""A structure as a document: the content of a structure file with its arrays inline.

It contains tables, lists, texts and numbers. Structure files and the `structure.json` inside an FMU
have the same content. This module checks the format, and `description` checks the values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from ..kernel.contact.parameters import ContactObstacle, ContactParameters
from ..quantities import symbols_of, with_tables
from ..symbols import nearest_names
from .description import (
    AXES,
    Base,
    Contact,
    Initial,
    Load,
    Modes,
    Numbers,
    Point,
    Structure,
    StructureError,
)

_SIDES = ("sides", "directions", "gaps")
# A table replaces the quantities of its columns.
_CONTACT_QUANTITIES = dict.fromkeys(
    quantity.metadata.get("table", quantity.name) for quantity in fields(ContactParameters)
)


def document_of(structure: Structure) -> dict[str, Any]:
    """Return the structure as a document. `structure_of` restores the same bits."""
    document: dict[str, Any] = {
        "structure": {"title": structure.title, "source": structure.source},
        "modes": _lists(asdict(structure.modes)),
        "base": _lists(asdict(structure.base)),
        "point": [_lists(asdict(point)) for point in structure.points],
        "load": [_lists(asdict(load)) for load in structure.loads],
        "contact": [],
        "observe": [{"point": name} for name in structure.observed],
        "initial": _lists(asdict(structure.initial)),
    }
    # One of the two was given. The other has its default.
    del document["modes"][
        "modal_damping" if any(structure.modes.damping_ratio) else "damping_ratio"
    ]
    for contact in structure.contacts:
        section = {
            "name": contact.name,
            "point": contact.point,
            "obstacle": contact.obstacle.name,
            contact.direction_key: list(contact.direction),
            "offset": list(contact.offset),
            **with_tables(contact.parameters),
        }
        if contact.gaps:
            section.update(directions=list(contact.directions), gaps=list(contact.gaps))
        if contact.second_point:
            section["second_point"] = contact.second_point
        document["contact"].append(section)
    return document


def structure_of(document: Mapping[str, Any]) -> Structure:
    """Return the checked structure that a document describes.

    StructureError if a key is unknown or missing, a value has another type, or the structure
    breaks a rule.
    """
    sections = ("structure", "modes", "base", "point", "load", "contact", "observe", "initial")
    _require_keys("", document, sections, ("modes",))
    heading = _table(document, "structure", ("title", "source"))
    modes = _table(
        document, "modes", tuple(quantity.name for quantity in fields(Modes)), ("frequency",)
    )
    base = _table(document, "base", tuple(quantity.name for quantity in fields(Base)))
    initial = _table(document, "initial", tuple(quantity.name for quantity in fields(Initial)))
    frequency = _numbers("modes.frequency", modes["frequency"])
    equilibrium = initial.pop("equilibrium", False)
    if not isinstance(equilibrium, bool):
        raise StructureError(f"initial.equilibrium = {equilibrium!r} must be true or false")
    shapes = tuple(f"shape_{axis}" for axis in AXES)
    return Structure(
        modes=Modes(
            frequency=frequency,
            **{
                name: _numbers(f"modes.{name}", value, len(frequency))
                for name, value in modes.items()
                if name != "frequency"
            },
        ),
        title=_text("structure.title", heading.get("title", "")),
        source=_text("structure.source", heading.get("source", "")),
        base=Base(
            **{
                name: _number(f"base.{name}", value)
                if name.startswith("gravity")
                else _numbers(f"base.{name}", value)
                for name, value in base.items()
            }  # type: ignore[arg-type]
        ),
        points=tuple(
            Point(
                name=name,
                **{
                    key: _numbers(f"point {name}: {key}", point[key])
                    for key in shapes
                    if key in point
                },
            )
            for name, point in _named(document, "point", ("name", *shapes))
        ),
        loads=tuple(
            Load(name=name, shape=_numbers(f"load {name}: shape", load["shape"]))
            for name, load in _named(document, "load", ("name", "shape"), ("shape",))
        ),
        contacts=tuple(_contact(name, contact) for name, contact in _contact_tables(document)),
        observed=tuple(
            _text("observe: point", observed["point"])
            for observed in _tables(document, "observe", ("point",), ("point",))
        ),
        initial=Initial(
            **{name: _numbers(f"initial.{name}", value) for name, value in initial.items()},
            equilibrium=equilibrium,
        ),
    )


def document_of_contacts(structure: Structure) -> dict[str, Any]:
    """Return contacts between bodies as a document. `contacts_of` restores the same bits."""
    document = document_of(structure)
    masses = dict(zip(structure.body_names, structure.modes.generalised_mass[:: len(AXES)]))
    points = [
        {"name": point.name, "body": body, "effective_mass": masses[body]}
        for point, body in zip(structure.points, structure.bodies)
    ]
    return {"structure": document["structure"], "point": points, "contact": document["contact"]}


def contacts_of(document: Mapping[str, Any]) -> Structure:
    """Return the checked contacts between bodies that a document describes, as a structure.

    StructureError as `structure_of`, or if the effective mass of a body is missing or ambiguous, or
    a contact has two points of the same body.
    """
    keys = ("structure", "point", "contact")
    _require_keys("", document, keys, keys[1:])
    points = _named(document, "point", ("name", "body", "effective_mass"))
    bodies = [_text(f"point {name}: body", point.get("body", name)) for name, point in points]
    masses: dict[str, set[float]] = {body: set() for body in bodies}
    for body, (name, point) in zip(bodies, points):
        if "effective_mass" in point:
            masses[body].add(_number(f"point {name}: effective_mass", point["effective_mass"]))
    for body, given in masses.items():
        if len(given) != 1:
            raise StructureError(
                f"body {body}: effective_mass = {sorted(given) or 'missing'}: give one value in "
                "kg at one point of the body, the mass at the contact"
            )
    modes = [(body, axis) for body in masses for axis in AXES]
    shapes = {
        body: {f"shape_{axis}": [float(mode == (body, axis)) for mode in modes] for axis in AXES}
        for body in masses
    }
    structure = structure_of(
        {
            "structure": document.get("structure", {}),
            "modes": {
                "frequency": [0.0] * len(modes),
                "generalised_mass": [mass for body, _ in modes for mass in masses[body]],
            },
            "point": [{"name": name, **shapes[body]} for body, (name, _) in zip(bodies, points)],
            "contact": document["contact"],
        }
    )
    if not structure.contacts:
        raise StructureError("contact is empty: give at least one [[contact]]")
    for contact in structure.contacts:
        if not any(map(any, structure.contact_shape(contact))):
            raise StructureError(
                f"contact {contact.name}: second_point = {contact.second_point!r} must be a point "
                f"of another body than point = {contact.point!r}"
            )
    return replace(structure, bodies=tuple(bodies))


def _contact_tables(document: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    keys = ("name", "point", "second_point", "obstacle", "normal", "axis", "offset", *_SIDES)
    return _named(document, "contact", (*keys, *_CONTACT_QUANTITIES), ("point", "obstacle"))


def _contact(name: str, table: dict[str, Any]) -> Contact:
    place = f"contact {name}"
    kind = table["obstacle"]
    if kind not in [choice.name for choice in ContactObstacle]:
        names = ", ".join(choice.name for choice in ContactObstacle)
        raise StructureError(f"{place}: obstacle = {kind!r} must be one of: {names}")
    obstacle = ContactObstacle[kind]
    wanted = obstacle.direction_key
    other = "axis" if wanted == "normal" else "normal"
    if wanted not in table or other in table:
        raise StructureError(
            f"{place}: obstacle = {kind!r} needs {wanted} = [x, y, z], and no {other}"
        )
    if kind == "circle" and "gap" not in table:
        raise StructureError(f"{place}: gap is missing: give the radial gap in m")
    if "contact_stiffness" not in table and not table.get("residual_flexibility"):
        raise StructureError(
            f"{place}: contact_stiffness is missing: give it in N/m, or residual_flexibility in "
            "m/N for a rigid obstacle"
        )
    gaps = _numbers("gaps", table.get("gaps", ()))
    if gaps and table.get("gap", min(gaps)) != min(gaps):
        raise StructureError(
            f"{place}: gap = {table['gap']!r} m contradicts gaps, whose smallest value is "
            f"{min(gaps)!r} m: remove gap"
        )
    try:
        return Contact(
            name=name,
            point=_text("point", table["point"]),
            second_point=_text("second_point", table.get("second_point", "")),
            obstacle=obstacle,
            direction=_numbers(wanted, table[wanted]),
            offset=_numbers("offset", table.get("offset", (0.0, 0.0, 0.0))),
            sides=_count("sides", table.get("sides", 0)),
            directions=_numbers("directions", table.get("directions", ())),
            gaps=gaps,
            parameters=ContactParameters(
                **{name: value for name, value in table.items() if name in _CONTACT_QUANTITIES}
            ),
        )
    except ValueError as problem:
        raise StructureError(f"{place}: {problem}") from None


def _lists(table: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in table.items()}


def _require_keys(place: str, table: Any, known: Sequence[str], needed: Sequence[str] = ()) -> None:
    if not isinstance(table, Mapping):
        raise StructureError(f"{place or 'the structure'} must be a table of keys")
    for key in table:
        if key not in known:
            symbols = symbols_of(ContactParameters)
            meant = " or ".join(map(repr, nearest_names(str(key), list(known), symbols)))
            remedy = f"; did you mean {meant}?" if meant else f": known are {', '.join(known)}"
            raise StructureError(f"{place}{'.' if place else ''}{key} is not a known key{remedy}")
    for key in needed:
        if key not in table:
            raise StructureError(f"{place}{'.' if place else ''}{key} is missing")


def _table(
    document: Mapping[str, Any], name: str, known: Sequence[str], needed: Sequence[str] = ()
) -> dict[str, Any]:
    table = document.get(name, {})
    _require_keys(name, table, known, needed)
    return dict(table)


def _tables(
    document: Mapping[str, Any], name: str, known: Sequence[str], needed: Sequence[str] = ()
) -> list[dict[str, Any]]:
    tables = document.get(name, [])
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        raise StructureError(f"{name} must be a list of tables: [[{name}]]")
    for number, table in enumerate(tables, start=1):
        _require_keys(f"{name}[{number}]", table, known, needed)
    return [dict(table) for table in tables]


def _named(
    document: Mapping[str, Any], kind: str, known: Sequence[str], needed: Sequence[str] = ()
) -> list[tuple[str, dict[str, Any]]]:
    return [
        (_text(f"{kind}: name", table["name"]), table)
        for table in _tables(document, kind, known, ("name", *needed))
    ]


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise StructureError(f"{name} = {value!r} must be a text")
    return value


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise StructureError(f"{name} = {value!r} must be a number")
    return float(value)


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise StructureError(f"{name} = {value!r} must be a whole number")
    return value


def _numbers(name: str, value: Any, count: int = 0) -> Numbers:
    """Return a list of numbers. If `count` > 0, one number means `count` equal numbers."""
    if count > 0 and isinstance(value, (int, float)):
        return (_number(name, value),) * count
    if not isinstance(value, Sequence) or isinstance(value, str):
        kind = "a number such as 0.01, or a list" if count > 0 else "a list of numbers"
        raise StructureError(f"{name} = {value!r} must be {kind}")
    return tuple(_number(f"{name}[{place}]", number) for place, number in enumerate(value, start=1))
