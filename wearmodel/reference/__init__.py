"""References for the results: closed forms and the classical time schemes."""
