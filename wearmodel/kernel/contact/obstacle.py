"""Obstacles of a contact."""

from __future__ import annotations

# As in the parameters.
PLANE = 0.0
TWO_PLANES = 1.0
CIRCLE = 2.0
