"""What a batch adds up: exact integers, the same however the matches were shared out.

In:  the memory native code adds to, one block a column.
Out: `Tally`: counts, means, spreads; two of them add up to the tally of both batches.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

from rulewright.native import layout as at

_BLOCK = f"<{4 + at.BINS}q"
LEAST, GREATEST = 2**63 - 1, -(2**63)


@dataclass(frozen=True, slots=True)
class ColumnTally:
    """One column over all matches. `bins[v]`: how often the value was v, for small v."""

    total: int
    squares: int
    least: int
    greatest: int
    bins: tuple[int, ...]

    def __add__(self, other: ColumnTally) -> ColumnTally:
        return ColumnTally(
            self.total + other.total,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.greatest, other.greatest),
            tuple(a + b for a, b in zip(self.bins, other.bins, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """A batch, added up."""

    matches: int
    columns: dict[str, ColumnTally]

    def __add__(self, other: Tally) -> Tally:
        if self.columns.keys() != other.columns.keys():
            raise ValueError("tallies of different columns do not add up")
        return Tally(
            self.matches + other.matches,
            {name: column + other.columns[name] for name, column in self.columns.items()},
        )

    def count(self, column: str, value: int) -> int:
        """How many matches ended with this value; values from 0 to 27 are counted."""
        return self.columns[column].bins[value]

    def share(self, column: str, value: int) -> float:
        """The same as a share of all matches."""
        return self.count(column, value) / self.matches

    def mean(self, column: str) -> float:
        """The average of a column."""
        return self.columns[column].total / self.matches

    def deviation(self, column: str) -> float:
        """The standard deviation of a column."""
        found = self.columns[column]
        return math.sqrt(max(0, self.matches * found.squares - found.total**2)) / self.matches


def empty_memory(columns: int) -> bytes:
    """What native code begins to add to."""
    return struct.pack(_BLOCK, 0, 0, LEAST, GREATEST, *([0] * at.BINS)) * columns


def from_memory(memory: bytes, names: tuple[str, ...], matches: int) -> Tally:
    """The tally that native code has added up."""
    found: dict[str, ColumnTally] = {}
    for name, block in zip(names, struct.iter_unpack(_BLOCK, memory), strict=True):
        total, squares, least, greatest, *bins = block
        found[name] = ColumnTally(total, squares, least, greatest, tuple(bins))
    return Tally(matches, found)
