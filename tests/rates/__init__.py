"""Coverage of the intervals of rates, for synthetic processes with a known mean."""
