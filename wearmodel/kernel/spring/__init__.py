"""DisChoc, the shock spring: a contact on a given straight path."""
