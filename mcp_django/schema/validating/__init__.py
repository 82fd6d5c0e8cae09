"""From what a caller sent to validated arguments, or to words about what is wrong."""
