"""Which things belong together: families that grow as links between them are met.

In:  numbers, and links between two of them.
Out: the family of each number, told by the least number in it. Piles are put in as -1 - their number.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Families:
    """Faces or cards, and piles as -1 - number: each with one of its own family."""

    parent: dict[int, int] = field(default_factory=dict[int, int])

    def top(self, node: int) -> int:
        """The one that stands for a family."""
        while self.parent.setdefault(node, node) != node:
            node = self.parent[node]
        return node

    def join(self, one: int, other: int) -> None:
        """Make two families one."""
        one, other = self.top(one), self.top(other)
        self.parent[max(one, other)] = min(one, other)

    def found(self) -> dict[int, int]:
        """The family of each that is not a pile."""
        return {node: self.top(node) for node in [*self.parent] if node >= 0}
