"""The servers that are measured, one module each; each runs in its own environment."""
