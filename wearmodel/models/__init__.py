"""The models as objects: the frictional shock, the shock spring, the base motion."""
