"""Very many matches, and what they say about a book.

from rulewright import load
from rulewright.lab import simulate

run = simulate(load("duel.md"), matches=10_000, seats=["random"])
print(run.wins, run.draws, run.lengths.mean)
"""

from rulewright.lab.simulate import Run, simulate

__all__ = ["Run", "simulate"]
