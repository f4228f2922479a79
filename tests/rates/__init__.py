"""How often intervals of rates hold the truth: synthetic processes whose mean is known."""
