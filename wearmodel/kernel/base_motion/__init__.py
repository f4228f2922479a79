"""BaseMotion: a sine or a recorded acceleration of the support."""
