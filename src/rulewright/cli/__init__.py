"""The command line: every command does what the Python API does, for people at a terminal."""

from rulewright.cli.app import app, main

__all__ = ["app", "main"]
