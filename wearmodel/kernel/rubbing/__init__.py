"""A mass that rubs on a harmonically shaken support: one slip, and from slip to slip."""
