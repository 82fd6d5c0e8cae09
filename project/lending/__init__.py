"""Loans and holds."""
