"""Sample data, sample accounts, and the demo that shows them. Not part of the example."""
