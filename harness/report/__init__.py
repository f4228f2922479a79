"""Report pages and pictures: plotly figures, and one HTML file that needs no network."""

from __future__ import annotations
