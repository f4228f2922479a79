"""Grammar of the units in the headers of records.

A unit is a product of symbols with whole powers: ``m/s2``, ``cm/s/s``, ``m.s-2``, ``m s^-2``,
``in/sec²``, ``kN``. Symbols are looked up as written, and then without regard to case. A `/`
inverts only the next symbol, so ``m/s s`` is not an acceleration.

Logarithmic units, temperatures and prefixes that are missing in the table are not supported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

STANDARD_GRAVITY = 9.80665  #: The g of accelerations, m/s2 (CGPM 1901).

# Powers of metre, second and newton.
Dimension = tuple[int, int, int]
TIME: Dimension = (0, 1, 0)
LENGTH: Dimension = (1, 0, 0)
VELOCITY: Dimension = (1, -1, 0)
ACCELERATION: Dimension = (1, -2, 0)
FORCE: Dimension = (0, 0, 1)

# Examples for messages. All combinations that the grammar allows are accepted.
USUAL = {
    TIME: "s, ms, us, ns, min, h",
    LENGTH: "m, cm, mm, um, in, ft",
    VELOCITY: "m/s, cm/s, mm/s, in/s, ft/s",
    ACCELERATION: "m/s2, cm/s2, mm/s2, g, mg, gal, in/s2, ft/s2",
    FORCE: "N, mN, kN, MN",
}
QUANTITIES = {
    TIME: "time",
    LENGTH: "length",
    VELOCITY: "velocity",
    ACCELERATION: "acceleration",
    FORCE: "force",
}

_INCH, _FOOT = 0.0254, 0.3048
# Name: the factor to SI, the dimension, and the other spellings.
SYMBOLS: dict[str, tuple[float, Dimension, tuple[str, ...]]] = {
    "s": (1.0, TIME, ("sec", "secs", "second", "seconds")),
    "ms": (1e-3, TIME, ("msec", "msecs", "millisecond", "milliseconds")),
    "us": (1e-6, TIME, ("µs", "μs", "usec", "µsec", "μsec", "microsecond", "microseconds")),
    "ns": (1e-9, TIME, ("nsec", "nanosecond", "nanoseconds")),
    "min": (60.0, TIME, ("mins", "minute", "minutes")),
    "h": (3600.0, TIME, ("hr", "hour", "hours")),
    "m": (1.0, LENGTH, ("meter", "meters", "metre", "metres")),
    "dm": (1e-1, LENGTH, ()),
    "cm": (1e-2, LENGTH, ()),
    "mm": (1e-3, LENGTH, ()),
    "um": (1e-6, LENGTH, ("µm", "μm")),
    "in": (_INCH, LENGTH, ("inch", "inches")),
    "ft": (_FOOT, LENGTH, ("foot", "feet")),
    "g": (STANDARD_GRAVITY, ACCELERATION, ("gs", "g_n", "gn", "gee", "gees")),
    "mg": (1e-3 * STANDARD_GRAVITY, ACCELERATION, ("mgs", "milli-g", "millig")),
    "ug": (1e-6 * STANDARD_GRAVITY, ACCELERATION, ("µg", "μg", "micro-g")),
    "%g": (1e-2 * STANDARD_GRAVITY, ACCELERATION, ()),
    "gal": (1e-2, ACCELERATION, ("gals",)),
    "mgal": (1e-5, ACCELERATION, ("mgals", "milligal", "milligals")),
    "N": (1.0, FORCE, ("newton", "newtons")),
    "mN": (1e-3, FORCE, ()),
    "kN": (1e3, FORCE, ()),
    "MN": (1e6, FORCE, ()),
}
SPELLINGS = {
    spelling: name for name, (_, _, others) in SYMBOLS.items() for spelling in (name, *others)
}
# If two symbols differ only by capital letters, such as mN and MN, the spelling must be exact.
_FOLDED: dict[str, list[str]] = {}
for _spelling, _name in SPELLINGS.items():
    _FOLDED.setdefault(_spelling.casefold(), []).append(_name)

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−·⋅∙", "0123456789--...")
# "mps2", "m_s2", "ms-2" and "ms2" as in column names.
_GLUED = re.compile(r"(m|cm|mm|in|ft)(?:ps|_s|s-|s)2", re.IGNORECASE)
_FACTOR = re.compile(
    r"\s*(?P<mark>[/.*]?)\s*(?P<symbol>[^\W\d]+(?:-[^\W\d]+)?|%\s?g)\s*\^?\s*"
    r"(?P<power>[+-]?\d+)?",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\[([^\]]*)\]|\(((?:[^()]|\([^()]*\))*)\)|\{([^}]*)\}")
_NAMED = re.compile(r"\b(?:in|units?(?: of)?)\b[\s:=]*([^\s,;]+)", re.IGNORECASE)
_PARTS = re.compile(r"[\s_,;:/-]+")


# Relative difference below which a scale is assumed to be a unit conversion: 9.81 or 10 for g.
NEARLY = 0.03


def converts_again(scale: float, factor: float) -> bool:
    """Whether the `scale` of a user seems to convert a unit again, after the `factor` > 0."""
    return factor != 1.0 and abs(abs(scale) - factor) < NEARLY * factor


@dataclass(frozen=True)
class Unit:
    """Unit of a quantity."""

    name: str  #: Spelling in messages: ``m/s2`` for ``m·s⁻²``.
    factor: float  #: Size in SI units.
    dimension: Dimension  #: Powers of metre, second and newton.


def unit_of_text(text: str) -> Unit | None:
    """Return the unit of a text, or `None` if it is unknown."""
    text = text.strip().rstrip(".").translate(_SUPERSCRIPTS).replace("**", "^")
    text = re.sub(r"['’´`]s\b", "", text)
    if glued := _GLUED.fullmatch(text):
        text = f"{glued[1]}/s2"
    text = re.sub(r"\bper\b", "/", text, flags=re.IGNORECASE)
    # Remove brackets around a factor or a power. Brackets around a product remain and are rejected.
    text = re.sub(r"[({]\s*([^(){}\s./*]+)\s*[)}]", r"\1", text)
    factors: dict[str, int] = {}
    at = 0
    while at < len(text):
        match = _FACTOR.match(text, at)
        name = match and _symbol(match["symbol"])
        if not match or not name or (match["mark"] and not at and match["mark"] != "/"):
            return None
        power = int(match["power"] or 1)
        factors[name] = factors.get(name, 0) + (-power if match["mark"] == "/" else power)
        at = match.end()
    factors = {name: power for name, power in factors.items() if power}
    if not factors or max(map(abs, factors.values())) > 9:
        return None
    dimension = [0, 0, 0]
    factor = 1.0
    for name, power in factors.items():
        scale, powers, _ = SYMBOLS[name]
        # Division by a power: 1/60**2 has one rounding error less than (1/60)**2.
        factor = factor * scale**power if power > 0 else factor / scale**-power
        dimension = [whole + power * part for whole, part in zip(dimension, powers)]
    above = ".".join(_powered(name, power) for name, power in factors.items() if power > 0)
    below = "".join(f"/{_powered(name, -power)}" for name, power in factors.items() if power < 0)
    return Unit(f"{above or '1'}{below}", factor, (dimension[0], dimension[1], dimension[2]))


def require_unit(text: str, dimension: Dimension) -> Unit:
    """Return the unit of a quantity from a text.

    ValueError if the unit is unknown, or belongs to another quantity. The message lists the usual
    units.
    """
    unit = unit_of_text(text)
    if unit is None or unit.dimension != dimension:
        raise ValueError(
            f"{text!r} is not a known unit of {QUANTITIES.get(dimension, 'the quantity')}"
            + (f", such as {USUAL[dimension]}" if dimension in USUAL else "")
        )
    return unit


def seconds_of_text(text: str) -> float:
    """Return a time [s] that is given as a number and a unit, such as '10min' or '1 h'.

    ValueError if the text has no number or unit of time, or the time is not > 0 and finite.
    """
    number = text.strip().rstrip("µμABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz ")
    unit = text.strip()[len(number) :].strip()
    rule = "must be a number and a unit, such as '1 h'"
    if number and not unit:
        raise ValueError(f"{rule}: for seconds write '{number} s'")
    try:
        time = require_unit(unit, TIME).factor * float(number or "nan")
    except ValueError as problem:
        raise ValueError(f"{rule}: {problem}") from None
    if not 0.0 < time < math.inf:
        raise ValueError("must be > 0 and finite")
    return time


def unit_in_name(name: str, dimension: Dimension) -> Unit | None:
    """Return the unit in the name of a column, if there is one.

    It is in brackets, ``acc [g]``, at the end, ``acc_g``, ``Acceleration, m/s2``, ``a/g``, or the
    whole name. ValueError if the unit is unknown or belongs to another quantity, or there are two
    units.
    """
    bracketed = [text for text in bracketed_texts(name) if text]
    if bracketed:
        known = _of_dimension(bracketed, dimension)
        if not known:
            return require_unit(bracketed[-1], dimension)
        return _only(known, name)
    for end in _ends(name):
        unit = unit_of_text(end)
        if unit is not None and unit.dimension == dimension:
            return unit
    # A quotient by a time is always a unit and must not be ignored.
    words = name.split()
    last = words[-1] if words else ""
    above, slash, below = last.rpartition("/")
    under = unit_of_text(re.sub(r"[\W\d]+$", "", below.translate(_SUPERSCRIPTS)))
    if slash and above and under is not None and under.dimension == TIME != dimension:
        return require_unit(last, dimension)
    return None


def name_without_unit(name: str, dimension: Dimension) -> str:
    """Return the name of a column without the unit of a quantity at its end."""
    for end in _ends(name):
        unit = unit_of_text(end)
        if unit is not None and unit.dimension == dimension and end != name:
            return _PARTS.sub(" ", name[: -len(end)]).strip()
    return name


def bracketed_texts(text: str) -> list[str]:
    """Return the texts in brackets, in order, without the brackets."""
    return ["".join(group or "" for group in match.groups()).strip()
            for match in _BRACKETS.finditer(text)]  # fmt: skip


def unit_in_words(text: str, dimension: Dimension) -> Unit | None:
    """Return the unit of a quantity in a free text, if there is one.

    A unit is in brackets, after "in" or "unit", or has a power or a division. Other words are not
    units. ValueError if there are two units.
    """
    words = [word.strip(",;:.") for word in text.split()]
    composed = [word for word in words if re.search(r"\w[/^\d²⁻]", word)]
    known = _of_dimension([*bracketed_texts(text), *_NAMED.findall(text), *composed], dimension)
    return _only(known, text)


def _of_dimension(texts: list[str], dimension: Dimension) -> list[Unit]:
    """Return the different units of a quantity among texts."""
    units = (unit_of_text(text) for text in texts)
    return list(
        dict.fromkeys(unit for unit in units if unit is not None and unit.dimension == dimension)
    )


def _only(units: list[Unit], text: str) -> Unit | None:
    """Return the unit, if there is one. ValueError if there are several units."""
    if len(units) > 1:
        names = " and ".join(unit.name for unit in units)
        raise ValueError(f"{text!r} names two units, {names}")
    return units[0] if units else None


def _ends(name: str) -> Iterator[str]:
    """Yield a name and the text after each separator in it, the longest first."""
    yield name
    for mark in _PARTS.finditer(name):
        if mark.end() < len(name):
            yield name[mark.end() :]


def _symbol(text: str) -> str | None:
    """Return the name of a symbol, or `None` if it is unknown."""
    text = text.replace(" ", "")
    if text in SPELLINGS:
        return SPELLINGS[text]
    symbols = set(_FOLDED.get(text.casefold(), ()))
    return symbols.pop() if len(symbols) == 1 else None


def _powered(name: str, power: int) -> str:
    return name if power == 1 else f"{name}{power}"
