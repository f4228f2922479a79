"""The classical explicit schemes on one mass with one penalised contact, for comparisons."""
