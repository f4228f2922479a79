"""Finds, loads and runs FMUs, and returns their histories."""
