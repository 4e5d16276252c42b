"""Counters of one server process.

In:  what happens.
Out: Prometheus text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

BOUNDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class Metrics:
    """What has happened since the process started."""

    def __init__(self) -> None:
        self.opened = 0
        self.sockets = 0
        self.errors: Counter[str] = Counter()
        self.buckets = [0] * (len(BOUNDS) + 1)
        """Moves by the first bound they kept; the last bucket is for those that kept none."""
        self.moves = 0
        self.seconds = 0.0

    def moved(self, seconds: float) -> None:
        """A choice or an undo was stored; how long it took."""
        self.moves += 1
        self.seconds += seconds
        self.buckets[bisect_left(BOUNDS, seconds)] += 1

    def text(self, gauges: Mapping[str, int]) -> str:
        """Everything, in Prometheus's format."""
        lines: list[str] = []

        def say(name: str, kind: str, about: str, *samples: str) -> None:
            lines.extend([f"# HELP rulewright_{name} {about}", f"# TYPE rulewright_{name} {kind}"])
            lines.extend(f"rulewright_{name}{sample}" for sample in samples)

        say("moves_total", "counter", "Choices and undos stored by this process.", f" {self.moves}")
        say("tables_opened_total", "counter", "Tables opened by this process.", f" {self.opened}")
        say("sockets", "gauge", "Open WebSocket connections.", f" {self.sockets}")
        for name, value in gauges.items():
            say(name, "gauge", name.replace("_", " ").capitalize() + ".", f" {value}")
        errors = [f'{{code="{code}"}} {count}' for code, count in sorted(self.errors.items())]
        say("errors_total", "counter", "Answers that were an error, by code.", *errors)
        bounds = (*map(str, BOUNDS), "+Inf")
        spans = [f'_bucket{{le="{b}"}} {n}' for b, n in zip(bounds, accumulate(self.buckets), strict=True)]
        total = [f"_sum {self.seconds:.6f}", f"_count {self.moves}"]
        say("move_seconds", "histogram", "From a choice to its being stored.", *spans, *total)
        return "\n".join(lines) + "\n"
