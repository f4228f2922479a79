"""Builds an FMU's archive: sources, model description, documentation, results, licences."""
