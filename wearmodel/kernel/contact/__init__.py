"""One contact: friction, wear, obstacle, forces, guards and transitions."""
