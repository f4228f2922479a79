"""Closed-form reference solutions, independent of the kernel that they check."""
