"""One module a family of methods."""
