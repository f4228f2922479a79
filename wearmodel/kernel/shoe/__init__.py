"""FrictionalShock: one mass on a shaken support, with rigid or penalised laws."""
