"""Plotly figures of curves in panels: colours, legends, labels and units."""
