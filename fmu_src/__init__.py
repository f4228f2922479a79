"""FMI slaves: adapters with one table of variables each."""
