"""The command line: every command does what the Python API does, for people at a terminal."""

from rulewright.cli.start import main

__all__ = ["main"]
