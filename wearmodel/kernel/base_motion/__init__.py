"""BaseMotion: a recorded movement of the support."""
