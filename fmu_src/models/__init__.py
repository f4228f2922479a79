"""One file for each FMU: its slave and all that is said of it."""
