"""Inputs over a communication step: samples, extrapolation, polynomials."""
