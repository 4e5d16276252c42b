"""Roles: what the language must know of a book, by the names that its front matter gives.

In:  `roles:` of the front matter, and Symbols with every name declared.
Out: Roles, bound; a role that there is not, and a name that nothing declares, become diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.book.symbols import Roles, Symbols, norm
from rulewright.diagnostics import Diagnostic, Span, suggest

ROLES: dict[str, str] = {
    "turn": "sequence", "round": "sequence", "active": "resource", "strategy": "value", "target": "value",
    "present": "resource", "group": "template", "free uses": "resource", "test": "value", "dice": "value",
    "ending": "ending", "solid": "column of Terrain", "move": "effect", "lead": "value", "next": "effect",
    "check": "resource", "action": "resource", "doer": "resource", "loss": "ending", "triggers": "preference",
}  # fmt: skip
"""Each role, and what plays it, in words."""
COMPONENTS = {"sequence": ("Sequence",), "effect": ("Effect",), "value": ("Value", "Effect", "Table")}
USUAL = {"turn": "Turn", "round": "Round"}
"""Who plays a part where a book does not say."""


def _players(s: Symbols, what: str) -> dict[str, tuple[str, object]]:
    """All that can play such a part by key: the name, and what stands for it."""
    match what:
        case "resource":
            return {k: (r.name, r) for k, r in s.resources_for(False).items() if not r.builtin}
        case "ending":
            return {norm(name): (name, name) for name in s.endings}
        case "template":
            return {k: (x.name, k) for k, x in s.templates.items()}
        case "preference":
            return {k: (d.title, k) for k, d in s.preferences.items()}
        case "column of Terrain":
            return {k: (c.name, c) for k, c in s.terrains.columns.items()}
        case _:
            return {k: (c.name, c) for k, c in s.components.items() if c.kind in COMPONENTS[what]}


def bind_roles(
    s: Symbols,
    said: Mapping[str, object],
    places: Mapping[str, tuple[Span, Span]],
    problems: list[Diagnostic],
) -> Roles:
    """The roles of a book. Places are those of each role and of the name that it has."""
    made = Roles()
    nowhere = Span("", 1, 1)
    for role, value in {**USUAL, **said}.items():
        at, there = places.get(role, (nowhere, nowhere))
        if role not in ROLES:
            help_ = suggest(role, ROLES) or f"roles are {', '.join(ROLES)}"
            problems.append(Diagnostic("unknown-field", at, f"there is no role '{role}'", help_))
            continue
        players = _players(s, ROLES[role])
        if norm(str(value)) in players:
            setattr(made, role.replace(" ", "_"), players[norm(str(value))][1])
        elif role in said:
            help_ = suggest(str(value), [name for name, _ in players.values()])
            words = f"no {ROLES[role]} is called '{value}'"
            problems.append(Diagnostic("unknown-name", there, words, help_))
    return made
