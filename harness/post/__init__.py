"""Statistics of a result file."""
