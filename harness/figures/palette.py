"""Colours of the pictures: each has a value for light paper and a value for a dark screen.

Figures contain the light values, and the page can replace them by the dark values. The hues also
differ in lightness, so that they can be distinguished by colour-blind readers and in grey print.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """A colour in both schemes, in CSS notation."""

    light: str
    dark: str


COLOURS = {
    "support": Colour("#1f5fa8", "#7db3f2"),
    "mass": Colour("#c2410c", "#ff9c61"),
    "wear": Colour("#7a3b9e", "#cf9ff2"),
    "exact": Colour("#2b7a3d", "#80d391"),
    "limit": Colour("#5d636b", "#a9afb8"),
    "text": Colour("#1b1e22", "#e7e9ec"),
    "paper": Colour("#ffffff", "#15181c"),
    "grid": Colour("#dfe3e8", "#363c44"),
    "stick": Colour("rgba(31,95,168,0.11)", "rgba(125,179,242,0.17)"),
    "slip": Colour("rgba(194,65,12,0.10)", "rgba(255,156,97,0.15)"),
    "flight": Colour("rgba(93,99,107,0.16)", "rgba(169,175,184,0.22)"),
}


def light(name: str) -> str:
    """Return the light value of a colour."""
    return COLOURS[name].light


def dark_by_light() -> dict[str, str]:
    """Return the dark value of each light value."""
    return {colour.light: colour.dark for colour in COLOURS.values()}
