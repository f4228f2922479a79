"""Declared quantities: parameters, inputs and outputs with unit, range and meaning.

A parameter is a dataclass field. The constructor's check, the FMU's variable table and the
documentation follow from its declaration. The functions `require_…` check undeclared numbers.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import Field, dataclass, field, fields
from functools import wraps
from typing import Any, TypeVar

_T = TypeVar("_T")


class QuantityError(ValueError):
    """A declared quantity is not finite, out of its range or not a member of its enumeration.

    `shown` is its value with unit, `rule` describes valid values, and `unit` is the unit of the
    rule's number or an empty text.
    """

    def __init__(self, name: str, shown: str, rule: str, unit: str = "") -> None:
        super().__init__(f"{name}={shown} {rule}")
        self.rule = rule if unit in ("", "1") else f"{rule} {unit}"


class QuantityTypeError(QuantityError, TypeError):
    """A declared quantity does not have its declared type: number, bool or text."""


def quantity(
    default: Any,
    *,
    description: str,
    unit: str = "1",
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    nominal: float | None = None,
    symbol: str = "",
    aliases: tuple[str, ...] = (),
    negative: str = "",
    codes: Mapping[int, str] | None = None,
    tunable: bool = False,
) -> Any:
    """Declare a dataclass field of a physical quantity.

    Parameters
    ----------
    default
        Default value. Its type (float, int, bool, str, IntEnum) is the type of the quantity.
    description
        Meaning and sign.
    unit
        SI unit in FMI notation (``"N.s/m"``), or ``"1"`` for a pure number.
    minimum, maximum
        Closed bounds.
    above
        Open lower bound (for quantities that must be positive).
    nominal
        Typical order of magnitude, if it differs much from 1.
    symbol
        Symbol in the formulas of the documentation.
    aliases
        Other symbols and names that messages recognise.
    negative
        Meaning of a negative value, added to the description.
    codes
        Meanings of whole numbers, added to the description.
    tunable
        Whether the value can change during a run.
    """
    if codes is not None:
        description += f": {', '.join(f'{code} {meaning}' for code, meaning in codes.items())}"
    if negative:
        description += f". Negative: {negative}"
    return field(
        default=default,
        metadata={
            "description": description,
            "unit": unit,
            "minimum": minimum,
            "maximum": maximum,
            "above": above,
            "nominal": nominal,
            "symbol": symbol,
            "aliases": aliases,
            "negative": negative,
            "codes": {} if codes is None else codes,
            "tunable": tunable,
        },
    )


class _Differences(dict[str, Any]):
    """Metadata in which a declaration differs from the included declaration."""


def as_included(**differences: Any) -> Any:
    """Declare a field of a dataclass like the field of this name in an `including` owner.

    `differences` are arguments of `quantity` that replace the owner's arguments. A `note` is added
    to the description.
    """
    return _Differences(differences)


def including(*owners: type, without: tuple[str, ...] = ()) -> Callable[[type[_T]], type[_T]]:
    """Declare in a dataclass the fields of other dataclasses, `owners`.

    This is a class decorator below `dataclass`. An `as_included` field keeps its place. Fields that
    the dataclass does not name are added at the end, except the names in `without`.
    """

    def include(kind: type[_T]) -> type[_T]:
        for declared in (declared for owner in owners for declared in fields(owner)):
            name = declared.name
            if name not in kind.__annotations__ and name not in without:
                kind.__annotations__[name] = declared.type
                setattr(kind, name, _Differences())
            differences = vars(kind).get(name)
            if isinstance(differences, _Differences):
                default = differences.pop("default", declared.default)
                note = differences.pop("note", "")
                metadata = {**declared.metadata, **differences}
                metadata["description"] += f". {note}" if note else ""
                setattr(kind, name, field(default=default, metadata=metadata))
        return kind

    return include


def numbered(count: int, table: str, *columns: str) -> Callable[[type[_T]], type[_T]]:
    """Replace a field NAME of a dataclass by `count` fields NAME_1, NAME_2, … of the same kind.

    This is a class decorator below `dataclass` for the `columns` of a `table`. The variables of the
    fields are NAME[1], …. A constructor with `quantities_by_name` also accepts rows of the table.
    """

    def number(kind: type[_T]) -> type[_T]:
        for name in columns:
            declared, of = vars(kind)[name], kind.__annotations__.pop(name)
            delattr(kind, name)
            for index in range(1, count + 1):
                text = f"Row {index} of {table}: {declared.metadata['description']}"
                metadata = {"variable": f"{name}[{index}]", "table": table, "column": name}
                metadata["description"] = text
                kind.__annotations__[f"{name}_{index}"] = of
                numbers = field(default=declared.default, metadata=declared.metadata | metadata)
                setattr(kind, f"{name}_{index}", numbers)
        return kind

    return number


def variable_name(item: Field[Any]) -> str:
    """Name of a declared quantity as a variable of an FMU, and in messages."""
    return str(item.metadata.get("variable", item.name))


def _tables_of(kind: Any) -> dict[str, dict[str, list[Field[Any]]]]:
    """Return the quantities of the rows, by table and column."""
    tables: dict[str, dict[str, list[Field[Any]]]] = {}
    for item in fields(kind):
        if "table" in item.metadata:
            columns = tables.setdefault(item.metadata["table"], {})
            columns.setdefault(item.metadata["column"], []).append(item)
    return tables


def with_columns(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by variable name, in which the numbers of its columns replace a table.

    Raises
    ------
    ValueError
        A table is not a list of rows, or has too many rows.
    """
    tables = _tables_of(kind)
    # `dataclasses.replace` passes a table together with the numbers that it replaces.
    spread = {name: value for name, value in values.items() if name not in tables}
    for name in tables.keys() & values.keys():
        columns, value = tables[name], values[name]
        most = min(map(len, columns.values()))
        rows = value if isinstance(value, (list, tuple)) else ()
        if not 0 < len(rows) <= most:
            shown = f"{len(rows)} rows" if rows else repr(value)
            raise ValueError(f"{name}={shown} must be a list of 1 to {most} rows")
        for column in columns.values():
            spread.update((variable_name(item), item.default) for item in column)
        for number, row in enumerate(rows):
            if not isinstance(row, (list, tuple)) or len(row) != len(columns):
                raise ValueError(
                    f"{name}[{number + 1}]={row!r} must have {len(columns)} numbers: "
                    f"{', '.join(columns)}"
                )
            for column, given in zip(columns.values(), row):
                spread[variable_name(column[number])] = given
    return spread


def with_tables(owner: Any) -> dict[str, Any]:
    """Return values of a dataclass by name, in which rows replace the columns of a table."""
    numbers = {item.name: getattr(owner, item.name) for item in fields(owner)}
    values = {
        item.name: numbers[item.name] for item in fields(owner) if "table" not in item.metadata
    }
    for name, columns in _tables_of(owner).items():
        rows = list(zip(*columns.values()))
        while rows and all(numbers[item.name] == item.default for item in rows[-1]):
            rows.pop()
        if rows:
            values[name] = [[numbers[item.name] for item in row] for row in rows]
    return values


@dataclass(frozen=True)
class Input:
    """A declared input of a model: a real number with the start value 0.

    For `unit`, `nominal`, `symbol` and `aliases` see `quantity`.
    """

    name: str
    unit: str
    description: str
    nominal: float | None = None
    symbol: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Output:
    """A declared output of a model.

    `kind` is float, int for a count, or a `Choice` whose members are the values. `minimum` is a
    closed lower bound. This output is the time derivative of the output `derivative_of`. For the
    other fields see `Input`.
    """

    name: str
    unit: str
    description: str
    kind: type = float
    minimum: float | None = None
    nominal: float | None = None
    derivative_of: str | None = None
    symbol: str = ""
    aliases: tuple[str, ...] = ()


class Choice(enum.IntEnum):
    """Base of enumerations whose members have a meaning: ``member = number, meaning``.

    ``Choice(value)`` accepts the number or the name of a member.
    """

    meaning: str

    def __new__(cls, number: float, meaning: str = "") -> Choice:
        """Create a member that equals its number."""
        member = int.__new__(cls, number)
        member._value_ = int(number)
        member.meaning = meaning
        return member

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.__members__.get(value) if isinstance(value, str) else None

    @classmethod
    def rule(cls) -> str:
        """Return the valid values of this enumeration for error messages."""
        return f"must be one of: {cls.listed()}"

    @classmethod
    def listed(cls) -> str:
        """Return the names of this enumeration with their numbers."""
        return ", ".join(f"{member.name} ({member:d})" for member in cls)


_C = TypeVar("_C", bound=Choice)


def with_unit(value: Any, unit: str) -> str:
    """Return the text of a value and its unit for error messages."""
    return f"{value}" if unit == "1" else f"{value} {unit}"


def require_finite(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError with quantity, value, unit and rule if `value` is not finite.

    `unit` is the SI unit in FMI notation, or ``"1"`` for a pure number.
    """
    if not math.isfinite(value):
        raise ValueError(f"{name}={with_unit(value, unit)} must be finite")


def require_positive(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError unless 0 < `value` < ∞, with the arguments of `require_finite`."""
    if not 0.0 < value < math.inf:
        raise ValueError(f"{name}={with_unit(value, unit)} must be > 0 and finite")


def require_not_negative(name: str, value: float, unit: str = "1") -> None:
    """Raise ValueError unless 0 ≤ `value` < ∞, with the arguments of `require_finite`."""
    if not 0.0 <= value < math.inf:
        raise ValueError(f"{name}={with_unit(value, unit)} must be ≥ 0 and finite")


def quantities_by_name(kind: type[_T]) -> type[_T]:
    """Let the constructor of a dataclass suggest a quantity for an unknown name such as mu.

    The constructor still raises TypeError, with the same text as the other interfaces of the FMU.
    It also accepts names of variables, and tables as lists of rows.
    """
    construct = kind.__init__

    @wraps(construct)
    def checked(self: Any, *values: Any, **named: Any) -> None:
        known = _by_name(kind)
        named = with_columns(kind, named)
        for name in named:
            if name not in known:
                raise TypeError(_unknown_quantity(kind, name, known))
        construct(self, *values, **{known[name].name: value for name, value in named.items()})

    kind.__init__ = checked  # type: ignore[method-assign]
    return kind


def _by_name(kind: Any) -> dict[str, Field[Any]]:
    return {name: item for item in fields(kind) for name in (item.name, variable_name(item))}


def symbols_of(kind: Any) -> list[tuple[str, str]]:
    """Return symbols and aliases of the quantities of a dataclass with the quantity's name."""
    return [
        (symbol, item.name)
        for item in fields(kind)
        for symbol in (item.metadata["symbol"], *item.metadata["aliases"])
        if symbol
    ]


def _unknown_quantity(kind: type, name: str, known: Mapping[str, Field[Any]]) -> str:
    from .symbols import nearest_names

    meant = " or ".join(map(repr, nearest_names(name, list(known), symbols_of(kind))))
    listed = dict.fromkeys(item.metadata.get("table", item.name) for item in known.values())
    remedy = f"did you mean {meant}?" if meant else f"known are {', '.join(listed)}"
    return f"{name!r} is not a parameter of {kind.__name__}; {remedy}"


def declared_numbers(kind: type, declared: Any) -> Iterator[tuple[str, float]]:
    """Yield name and value of each quantity of a dataclass of this `kind`, with 0 for texts.

    TypeError if `declared` is of another kind.
    """
    if not isinstance(declared, kind):
        raise TypeError(
            f"parameters={declared!r} must be made by {kind.__name__}(name=value, …). "
            f"Pass a dict as {kind.__name__}(**values)"
        )
    for item in fields(kind):
        value = getattr(declared, item.name)
        yield item.name, 0.0 if isinstance(value, str) else float(value)


def check_quantities(owner: Any) -> None:
    """Check each declared field of a dataclass, and convert integers given for real quantities.

    QuantityTypeError or QuantityError if a value has another type, is not finite, is out of its
    range or is not a member of its enumeration.
    """
    for item in fields(owner):
        checked = _checked(item, getattr(owner, item.name))
        object.__setattr__(owner, item.name, checked)


def with_changes(owner: _T, changes: Mapping[str, float]) -> _T:
    """Return a copy of a dataclass with other values of tunable quantities.

    The range of each value is checked. Rules between values are not checked. TypeError if a name is
    not the name of a quantity, or a value is not a number. ValueError if a quantity cannot change
    during a run, or a value is out of its range.
    """
    changed = copy(owner)
    known = _by_name(type(owner))
    for name, value in with_columns(type(owner), changes).items():
        if name not in known:
            raise TypeError(_unknown_quantity(type(owner), name, known))
        item = known[name]
        if not item.metadata["tunable"]:
            shown = with_unit(value, item.metadata["unit"])
            raise ValueError(f"{name} is a fixed parameter: {shown} cannot be set during a run")
        object.__setattr__(changed, item.name, _checked(item, value))
    return changed


def changes_between(first: Any, present: Any) -> dict[str, float]:
    """Return values by name of the quantities in which `present` differs from `first`."""
    if first is present:
        return {}
    return {
        variable_name(item): getattr(present, item.name)
        for item in fields(first)
        if getattr(present, item.name) != getattr(first, item.name)
    }


def chosen(name: str, kind: type[_C], value: Any) -> _C:
    """Return the member of an enumeration with this number or name. Otherwise QuantityError."""
    try:
        if isinstance(value, bool):
            raise ValueError
        return kind(value)
    except ValueError:
        raise QuantityError(name, repr(value), kind.rule()) from None


def _checked(item: Field[Any], value: Any) -> Any:
    kind: type[Any] = type(item.default)
    name = variable_name(item)
    if issubclass(kind, Choice):
        return chosen(name, kind, value)
    if kind is bool:
        if not isinstance(value, bool):
            raise QuantityTypeError(name, repr(value), "must be true or false")
        return value
    if kind is str:
        if not isinstance(value, str):
            raise QuantityTypeError(name, repr(value), "must be a text")
        return value
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise QuantityTypeError(name, repr(value), "must be a number")
    unit = item.metadata["unit"]
    shown = with_unit(value, unit)
    number = float(value)
    if not math.isfinite(number):
        raise QuantityError(name, with_unit(number, unit), "must be finite")
    if kind is int:
        if number != int(number):
            raise QuantityError(name, shown, "must be a whole number")
        number = int(number)
    minimum, maximum = item.metadata["minimum"], item.metadata["maximum"]
    above = item.metadata["above"]
    if above is not None and not number > above:
        raise QuantityError(name, shown, f"must be > {above:g}", unit)
    if minimum is not None and number < minimum:
        raise QuantityError(name, shown, f"must be ≥ {minimum:g}", unit)
    if maximum is not None and number > maximum:
        raise QuantityError(name, shown, f"must be ≤ {maximum:g}", unit)
    return number
