"""Coverage of the intervals of fits, from computed histories with drawn noise."""
