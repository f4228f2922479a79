"""Records that come from outside: encodings, headers, units, columns, points."""
