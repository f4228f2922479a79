"""Runs through sampled inputs: the loops over steps, records and parameter sets."""
