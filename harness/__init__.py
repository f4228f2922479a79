"""Drives the built FMUs with fmpy and compares them with reference cases."""
