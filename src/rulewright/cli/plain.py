"""Printing without colours and tables, and how a command fails.

In:  text.
Out: lines on standard output; Problem for whatever ends a command with one clear line.
"""

from __future__ import annotations

import re
import sys

UNFIT = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")
"""What moves a terminal's cursor or turns its lines round: a book or a name is not to have that power."""


class Problem(Exception):
    """A command cannot do what it was asked for. The message is one line, fit to print."""


def say(text: str) -> None:
    """Print lines."""
    sys.stdout.write(UNFIT.sub("", text.expandtabs()) + "\n")
