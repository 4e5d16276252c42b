"""A book's own wording."""
