"""Branches, members, books and copies."""
