"""One contact: friction, forces, guards and transitions."""
