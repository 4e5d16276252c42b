"""What can never come up: actions that nothing offers, windows that never open, rules that never hold.

In:  Symbols with their bodies.
Out: warnings. Only what surely never happens is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.book import tree as t
from rulewright.book.forest import Forest, Tree, where
from rulewright.book.symbols import StrategySym, Symbols, norm
from rulewright.book.text.source import Definition, Source
from rulewright.diagnostics import Diagnostic, Span, has_errors, warning

COMPARED: dict[str, Callable[[int, int, int], bool]] = {
    "==": lambda low, high, n: low <= n <= high,
    "!=": lambda low, high, n: not low == high == n,
    "<": lambda low, high, n: low < n,
    "<=": lambda low, high, n: low <= n,
    ">": lambda low, high, n: high > n,
    ">=": lambda low, high, n: high >= n,
}
"""Whether a number from low to high can compare so with n."""


def review_unreachable(symbols: Symbols, source: Source, forest: Forest, problems: list[Diagnostic]) -> None:
    """Of a book with mistakes only those are told."""
    if has_errors(problems):
        return
    idle = _idle(symbols, source)
    trees = [tree for tree in forest.trees if tree.runs or isinstance(tree.owner, StrategySym)]
    run = [tree for tree in trees if id(tree.definition) not in idle]
    _actions(symbols, source, run, problems)
    _windows(symbols, run, problems)
    _nobody(trees, problems)
    changed = {
        id(m.resource)
        for rules in symbols.rules
        for m in (*rules.modify, *rules.caps)
        if m.resource is not None
    }
    changed |= {
        id(symbols.resources[key])
        for c in symbols.components.values()
        if c.table is not None
        for key in c.table.modifies
        if key in symbols.resources
    }
    for rules in symbols.rules:
        if rules.while_ is not None and _never(rules.while_, changed):
            words = f"'{rules.name}' never holds: its `while:` cannot come true"
            problems.append(warning("unreachable", _at(rules.definition, "while"), words))

    for action in symbols.actions.values():
        if action.requires is not None and _never(action.requires, changed):
            words = f"nobody can ever do '{action.name}': its `requires:` cannot come true"
            problems.append(warning("unreachable", _at(action.definition, "requires"), words))


def _idle(symbols: Symbols, source: Source) -> set[int]:
    """Definitions of components that no other text names, so that nothing runs them. A framework's wording
    may name one in ways of its own, and a title with gaps is named in parts."""
    if symbols.closes:
        return set()
    titled = {
        norm(c.name): c.definition for c in symbols.components.values() if c.kind in ("Effect", "Sequence")
    }
    places: dict[int, tuple[int, int]] = {}
    pieces, at = list[str](), 0
    for d in source.definitions:
        pieces.append("\n".join(map(norm, _texts(d))))
        places[id(d)] = at, at + len(pieces[-1])
        at += len(pieces[-1]) + 1
    pieces += ("\n".join(norm(line.text) for line in e.lines) for e in source.examples)
    text = "\n".join(pieces)
    roles = norm(str(symbols.front.get("roles", "")))
    return {
        id(d)
        for title, d in titled.items()
        if title != "Match"
        and "{" not in title
        and title not in roles
        and not _named_outside(title, text, *places.get(id(d), (0, 0)))
    }


def _named_outside(title: str, text: str, start: int, end: int) -> bool:
    """Whether a title stands anywhere but in its own definition."""
    return text.find(title, 0, start) >= 0 or text.find(title, end) >= 0


def _texts(d: Definition) -> Iterator[str]:
    """Everything that a definition says after its title."""
    for field in (*d.fields, *d.steps):
        yield from (field.key, *(line.text for line in field.lines))
    for row in d.rows:
        yield from (cell.text for _, cell in row.cells)


def _windows(symbols: Symbols, run: list[Tree], problems: list[Diagnostic]) -> None:
    """A reaction whose windows open only in what nothing runs."""
    open_ = {norm(node.name) for tree in run for node in tree.of(t.Window)}
    for action in symbols.actions.values():
        if action.kind == "Reaction" and action.windows and not open_.intersection(action.windows):
            words = f"'{action.name}' can never answer: nothing runs what opens '{action.windows[0]}'"
            problems.append(warning("unreachable", _at(action.definition, "trigger"), words))


def _at(d: Definition, key: str = "") -> Span:
    field = d.get(key) if key else None
    line = field.lines[0] if field is not None and field.lines else d.line
    return line.span


def _actions(symbols: Symbols, source: Source, trees: list[Tree], problems: list[Diagnostic]) -> None:
    """An action needs an `act` that offers it, a `perform`, or a worked example that speaks of it."""
    acts = [node for tree in trees for node in tree.of(t.Act)]
    if any(node.only is None for node in acts):
        return
    named = {id(node.only) for node in acts}
    named |= {id(node.action) for tree in trees for node in tree.of(t.Perform)}
    told = "\n".join(line.text for example in source.examples for line in example.lines)
    for action in symbols.actions.values():
        if action.kind == "Action" and id(action) not in named and action.name not in told:
            words = f"nothing offers '{action.name}': no rule says `act` or performs it"
            problems.append(warning("unreachable", _at(action.definition), words, "write `act until pass`"))


def _nobody(trees: list[Tree], problems: list[Diagnostic]) -> None:
    """`put every Hero in play`: a selector means those in play, so whoever it finds is there already."""
    for tree in trees:
        for node in tree.of(t.PutInPlay):
            if node.space is not None:
                continue
            chosen = node.who.selector if isinstance(node.who, t.TSelect) else node.who
            if not isinstance(chosen, t.Selector) or chosen.type != t.ACTOR or chosen.domain != "all":
                continue
            if not (chosen.out_of_play or chosen.anywhere or chosen.orelse is not None):
                words = "this finds only those who are in play already"
                help_ = "say `every X out of play`"
                at = chosen.span or where(tree.definition, node)
                problems.append(warning("unreachable", at, words, help_))


def _never(check: t.Cond_, changed: set[int]) -> bool:
    """Whether it surely cannot hold, as far as ranges of numbers show."""
    match check:
        case t.Both(parts=parts):
            return any(_never(part, changed) for part in parts)
        case t.Either(parts=parts):
            return all(_never(part, changed) for part in parts)
        case t.Compare(op=op, left=t.Num(value=left), right=t.Num(value=right)) if op in COMPARED:
            return not COMPARED[op](left, left, right)
        case t.Compare(op=op, left=t.ReadRes(resource=r, maximum=False), right=t.Num(value=right)):
            if op not in COMPARED or id(r) in changed or r.low is None or r.high is None or r.holds:
                return False
            return not COMPARED[op](r.low, r.high, right)
        case _:
            return False
