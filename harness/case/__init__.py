"""Cases: the case file, its run through the FMU, and the comparison with expected values."""
