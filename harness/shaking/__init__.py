"""A recorded shaking and its run through FrictionalShock."""
