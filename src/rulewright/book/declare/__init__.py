"""Definitions -> symbols: who and what a book speaks of."""
