"""Loans and holds, for models: a package of tools, one module a subject."""
