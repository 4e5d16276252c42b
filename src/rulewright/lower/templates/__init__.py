"""Algorithms in the Python subset, with holes in capitals; see `lower.template`."""
