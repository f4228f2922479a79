"""How often the intervals of fits hold the truth: computed histories with drawn noise."""
