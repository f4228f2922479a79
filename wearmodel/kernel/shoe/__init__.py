"""FrictionalShock: one mass on a moving support, with rigid or penalised laws."""
