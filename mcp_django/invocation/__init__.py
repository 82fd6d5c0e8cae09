"""Floor 3: from a record, a caller and arguments to a result."""
