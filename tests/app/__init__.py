"""A small app for the tests: branches of a library and their books."""
