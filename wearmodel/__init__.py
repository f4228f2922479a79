"""Physics of a frictional shock with wear: no FMI, no files, no plots."""
