"""Cases: what a case file says, its run through the FMU, and what is expected of it."""
