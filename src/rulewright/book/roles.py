"""Roles: what the language must know of a book, by the names that its front matter gives.

In:  `roles:` of the front matter, and Symbols with every name declared.
Out: Roles, bound; a role that there is not, and a name that nothing declares, become diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rulewright.book.symbols import Roles, Symbols, norm
from rulewright.diagnostics import Diagnostic, Span, suggest

Find = Callable[[Symbols, str], object]


def _component(*kinds: str) -> Find:
    def find(s: Symbols, key: str) -> object:
        found = s.components.get(key)
        return found if found is not None and found.kind in kinds else None

    return find


def _resource(s: Symbols, key: str) -> object:
    return s.resources_for(False).get(key)


def _ending(s: Symbols, key: str) -> object:
    return next((name for name in s.endings if norm(name) == key), None)


ROLES: Mapping[str, tuple[str, Find]] = {
    "turn": ("sequence", _component("Sequence")),
    "round": ("sequence", _component("Sequence")),
    "active": ("resource", _resource),
    "strategy": ("value", _component("Value", "Effect", "Table")),
    "target": ("value", _component("Value", "Effect", "Table")),
    "present": ("resource", _resource),
    "group": ("template", lambda s, key: key if key in s.templates else None),
    "free uses": ("resource", _resource),
    "test": ("value", _component("Value", "Effect", "Table")),
    "dice": ("value", _component("Value", "Effect", "Table")),
    "ending": ("ending", _ending),
    "solid": ("column of Terrain", lambda s, key: s.terrains.columns.get(key)),
    "move": ("effect", _component("Effect")),
    "lead": ("value", _component("Value", "Effect", "Table")),
    "next": ("effect", _component("Effect")),
    "check": ("resource", _resource),
    "deed": ("resource", _resource),
    "doer": ("resource", _resource),
    "loss": ("ending", _ending),
    "triggers": ("preference", lambda s, key: key if key in s.preferences else None),
}
"""Each role: what plays it, in words, and where that is found."""
USUAL = {"turn": "Turn", "round": "Round"}
"""Who plays a part where a book does not say."""


def _names(s: Symbols, what: str) -> Iterable[str]:
    match what:
        case "resource":
            return [r.name for r in s.resources.values() if not r.builtin]
        case "ending":
            return s.endings
        case "template":
            return [x.name for x in s.templates.values()]
        case "preference":
            return [d.title for d in s.preferences.values()]
        case "column of Terrain":
            return [c.name for c in s.terrains.columns.values()]
        case _:
            return [c.name for c in s.components.values() if (c.kind == "Sequence") == (what == "sequence")]


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
        what, find = ROLES[role]
        found = find(s, norm(str(value)))
        if found is not None:
            setattr(made, role.replace(" ", "_"), found)
        elif role in said:
            help_ = suggest(str(value), _names(s, what))
            problems.append(Diagnostic("unknown-name", there, f"no {what} is called '{value}'", help_))
    return made
