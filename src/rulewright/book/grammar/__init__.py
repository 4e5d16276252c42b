"""Tokens -> trees: the language itself."""
