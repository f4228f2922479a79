"""Contacts between bodies that another program moves, with an image of each body's mass."""
