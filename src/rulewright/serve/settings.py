"""What a server may be told by its environment.

In:  environment variables; docs/settings.md has one row each.
Out: Settings.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from rulewright.serve.archive import Keeping


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of one server process."""

    rate: float = 200.0
    """Requests a second that one address may make on average, ten times that at once; 0 for no limit."""
    idle: float = 600.0
    """Seconds a table stays in memory after its last use; it is read again when somebody comes back."""
    largest: int = 64 * 1024
    """Bytes of the largest request."""
    bots: int = 4
    """Bots that think at the same time."""
    connections: int = 4000
    """Connections in all, sockets among them; fewer where the system allows fewer open files."""
    per_address: int = 200
    """Connections of one address. With a rate of 0 nothing is counted by address."""
    tables: int = 5000
    """Tables that go on in the memory of this process; when there are more, no new ones are opened."""
    tables_per_address: int = 300
    """The same of those that one address has opened; 0 for no limit."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies, which are believed when they say for whom they ask."""
    keeping: Keeping = field(default_factory=Keeping)
    """When tables are put away."""
    hosts: tuple[str, ...] = ()
    """Names the server answers to; without any: addresses in numbers, and what this machine calls itself."""

    @staticmethod
    def from_environment() -> Settings:
        """Each as docs/settings.md has it; what is no number counts as not set."""
        usual = Settings()
        return Settings(
            rate=_number("RULEWRIGHT_RATE", usual.rate),
            idle=_number("RULEWRIGHT_IDLE", usual.idle),
            bots=max(1, int(_number("RULEWRIGHT_BOTS", usual.bots))),
            connections=int(_number("RULEWRIGHT_CONNECTIONS", usual.connections)),
            per_address=int(_number("RULEWRIGHT_PER_ADDRESS", usual.per_address)),
            tables=int(_number("RULEWRIGHT_TABLES", usual.tables)),
            tables_per_address=int(_number("RULEWRIGHT_TABLES_PER_ADDRESS", usual.tables_per_address)),
            proxies=_words("RULEWRIGHT_PROXIES"),
            hosts=_words("RULEWRIGHT_HOSTS"),
            keeping=Keeping(
                _number("RULEWRIGHT_KEEP", usual.keeping.over),
                _number("RULEWRIGHT_KEEP_RUNNING", usual.keeping.running),
                _number("RULEWRIGHT_KEEP_ARCHIVED", usual.keeping.forgotten),
            ),
        )


def _number(name: str, default: float) -> float:
    try:
        value = float(os.environ.get(name, ""))
    except ValueError:
        return default
    return value if 0 <= value < 1e9 else default


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in os.environ.get(name, "").replace(",", " ").split() if word)
