"""Checked tree -> functions: what a book does."""
