"""State objects and bundles: parameters, state and work rows of the kernel.

Interpreted, a state object is an object with slots. When the kernel is lowered for Pythran
(`wearmodel.compiled.lowering`), it becomes a row of float64, and its fields become indices in the
order of their declaration. A bundle collects state objects and rows, and lowering splits it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Callable, List, TypeVar  # noqa: UP035, Python 3.9

from .limits import MODAL_ROW_LENGTH, ROW_LENGTH, SAMPLE_LENGTH

_StateObject = TypeVar("_StateObject")
# Types of fields that are rows. When lowered, all rows of a state object have the same length.
Row = List[float]  # noqa: UP006, not in an annotation
Sample = List[float]  # noqa: UP006
ModalRow = List[float]  # noqa: UP006
ModeRow = List[float]  # noqa: UP006, as long as a structure has modes
Rows = List[List[float]]  # noqa: UP006

# Initial values of fields that are not state objects, by their annotation.
_STARTS: dict[str, Callable[[], Any]] = {
    "float": float,
    "Row": lambda: [0.0] * ROW_LENGTH,
    "Sample": lambda: [0.0] * SAMPLE_LENGTH,
    "ModalRow": lambda: [0.0] * MODAL_ROW_LENGTH,
    "ModeRow": list,
}
BUNDLES: list[type] = []
_FIELDS: dict[type, tuple[str, ...]] = {}


def state_object(declaration: type[_StateObject]) -> type[_StateObject]:
    """Give a class a slot for each annotated name, after its base's slots. Numbers start at 0.0."""
    kinds = declaration.__annotations__
    base = declaration.__base__
    assert base is not None
    # Several folders can define state objects with the same name.
    module = sys.modules[declaration.__module__]
    starts = {name: _STARTS.get(kind) or getattr(module, kind) for name, kind in kinds.items()}

    def __init__(self: Any) -> None:  # noqa: N807
        if base is not object:
            base.__init__(self)  # type: ignore[misc]  # state objects take no arguments
        for name, start in starts.items():
            setattr(self, name, start())

    body = {
        "__slots__": tuple(kinds),
        "__annotations__": kinds,
        "__init__": __init__,
        "__doc__": declaration.__doc__,
        "__module__": declaration.__module__,
    }
    return type(declaration.__name__, (base,), body)


def with_columns(count: int, *columns: str) -> Callable[[type[_StateObject]], type[_StateObject]]:
    """Declare `count` numbers NAME_1 … for each column, after all other fields.

    Use it as a class decorator below `state_object`. `reading` reads these numbers.
    """

    def declare(declaration: type[_StateObject]) -> type[_StateObject]:
        for name in columns:
            for index in range(1, count + 1):
                declaration.__annotations__[f"{name}_{index}"] = "float"
        return declaration

    return declare


def bundle(declaration: type[_StateObject]) -> type[_StateObject]:
    """Register a dataclass of state objects and rows that functions pass on together."""
    BUNDLES.append(declaration)
    return declaration


def field_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a state object in their order, the fields of its base first."""
    names = _FIELDS.get(kind)
    if names is None:
        lines = [vars(ancestor).get("__slots__", ()) for ancestor in reversed(kind.__mro__)]
        names = _FIELDS[kind] = tuple(chain(*lines))
    return names


def field_kinds(kind: type) -> dict[str, str]:
    """Return the annotation of each field, including the fields of the base."""
    kinds: dict[str, str] = {}
    for ancestor in reversed(kind.__mro__):
        kinds.update(vars(ancestor).get("__annotations__", {}))
    return kinds


def slots_behind(base: type, *names: Iterable[str]) -> tuple[str, ...]:
    """Return the slots of a state object with these fields in this order, without its base's."""
    inherited = field_names(base)
    return tuple(name for name in chain(*names) if name not in inherited)


def values_of(state_object: Any) -> list[Any]:
    """The fields of a state object in the order of their declaration."""
    return [getattr(state_object, name) for name in field_names(type(state_object))]


def numbers_of(argument: Any) -> Any:
    """A state object, rows, or a list of state objects as rows of numbers."""
    if isinstance(argument, list):
        return [number if isinstance(number, float) else numbers_of(number) for number in argument]
    return values_of(argument)


def state_object_of(kind: type[_StateObject], values: Sequence[Any]) -> _StateObject:
    """A state object with these values. ValueError if their number is wrong."""
    state_object = kind()
    names = field_names(kind)
    if len(values) != len(names):
        raise ValueError(f"{kind.__name__} has {len(names)} fields, not {len(values)}")
    for name, value in zip(names, values):
        setattr(state_object, name, value)
    return state_object


def copying(
    kind: type[_StateObject], base: type | None = None
) -> Callable[[_StateObject, _StateObject], None]:
    """Return a function that copies the fields of a state object to another of the same kind.

    It does not copy the fields of a `base`.
    """
    kinds = field_kinds(kind)
    left_out = field_names(base) if base else ()
    lines = [
        f"target.{name}{'' if kinds.get(name, 'float') == 'float' else '[:]'} = source.{name}"
        for name in field_names(kind)
        if name not in left_out
    ]
    function: Callable[[_StateObject, _StateObject], None] = _written_out("(source, target)", lines)
    return function


def clearing(kind: type[_StateObject]) -> Callable[[_StateObject], None]:
    """Return a function that sets all numbers of a state object to 0."""
    lines = [f"target.{name} = 0.0" for name in field_names(kind)]
    function: Callable[[_StateObject], None] = _written_out("(target)", lines)
    return function


def adding(kind: type[_StateObject]) -> Callable[[_StateObject], float]:
    """Return a function that sums a state object's numbers. A finite sum proves that all are."""
    total = " + ".join(f"source.{name}" for name in field_names(kind))
    function: Callable[[_StateObject], float] = _written_out("(source)", [f"return {total}"])
    return function


def spreading(kind: type[_StateObject]) -> Callable[[_StateObject, list[float], int], int]:
    """Return a function that writes a state object's numbers into a row from an index on.

    Its arguments are the state object, the row and the index. It returns the next index.
    """
    names = field_names(kind)
    lines = [f"target[at + {index}] = source.{name}" for index, name in enumerate(names)]
    function: Callable[[_StateObject, list[float], int], int] = _written_out(
        "(source, target, at)", [*lines, f"return at + {len(names)}"]
    )
    return function


def reading(kind: type[_StateObject], first: str) -> Callable[[_StateObject, int], float]:
    """Return a function that reads a number by its index, counted from the field `first`."""
    names = field_names(kind)[field_names(kind).index(first) :]
    return lambda source, index: getattr(source, names[index])


def _written_out(head: str, lines: list[str]) -> Any:
    """Return a function of these lines. It is four times as fast as a loop over the fields."""
    scope: dict[str, Any] = {}
    exec("\n    ".join([f"def written_out{head}:", *lines]), scope)
    return scope["written_out"]
