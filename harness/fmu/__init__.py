"""FMUs: finding, loading and running them, and the histories that come out."""
