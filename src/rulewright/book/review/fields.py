"""Fields that take one of a few words, or a name of one kind: what stands there is understood or reported.

In:  Symbols with every name declared, and the definitions they come from.
Out: more diagnostics, each at its word.

Passes before this one look up what they need and go on with the usual where there is nothing; here it is
asked once whether all of it was there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from rulewright.book import tree as t
from rulewright.book.blocks.reach import STRAIGHT, allowance
from rulewright.book.symbols import MapSym, Symbols, TemplateSym, norm
from rulewright.book.text.keywords import HOOK, OPENS, RULE_COLUMNS, keys_of
from rulewright.book.text.source import Definition, FieldText, Line, Source
from rulewright.diagnostics import Diagnostic, is_exchange, nearest, suggest

Report = Callable[[str, Line, str, str], None]

ACTOR_FIELDS = frozenset("box side seat is template strategy actions features note copies do body".split())
"""What an Actor and a Template can say besides the values they start with."""

FLAGS = {"Resource": ("optional", "private", "settles"), "Block": ("once",)}
"""What is so when a definition says it at all: nothing but `yes` stands there."""


def review_fields(symbols: Symbols, source: Source, problems: list[Diagnostic]) -> None:
    """Look at every field with closed words. Sheets and actions in closed text have their own wording."""

    def report(code: str, line: Line, message: str, help_: str = "") -> None:
        problems.append(line.problem(code, message, help_))

    attributes = _attributes(source)
    for d in source.definitions:
        _headings(d, symbols, report)
        for flag in FLAGS.get(d.kind, ()):
            _word(d, flag, ("yes",), report)
        _inline(d, attributes, report)
    for zone in symbols.zones.values():
        _zone(zone.definition, symbols, report)
    for template in symbols.templates.values():
        if not symbols.is_closed(template.definition.line.file):
            _template(template, symbols, report)
    said = len(problems)
    for map_ in symbols.maps.values():
        _map(map_.definition, report)
    if len(problems) == said:  # words that cannot be read differ from everything
        _maps_alike(list(symbols.maps.values()), report)
    for order in symbols.orders.values():
        _word(order, "seen by", ("all", "nobody"), report)
    for strategy in symbols.strategies.values():
        _word(strategy.definition, "plays", ("a seat",), report)
    for action in (*symbols.actions.values(), *symbols.face_actions.values()):
        if not symbols.is_closed(action.definition.line.file):
            _action(action, symbols, report)
    for status in symbols.statuses.values():
        _count(status.definition, "stacks", report)
    for component in symbols.components.values():
        _allowance(component, report)


def _value(d: Definition, key: str) -> tuple[FieldText, Line] | None:
    field = d.get(key)
    return (field, field.lines[0]) if field is not None and field.lines else None


def _word(d: Definition, key: str, words: Iterable[str], report: Report) -> None:
    """The text of a field is one of these words."""
    found = _value(d, key)
    known = list(words)
    if found is None or found[0].text.strip().lower() in {word.lower() for word in known}:
        return
    listed = ", ".join(f"`{word}`" for word in known)
    report("unexecutable", found[1], f"`{key}:` is one of: {listed}", suggest(found[0].text, known))


def _count(d: Definition, key: str, report: Report) -> None:
    found = _value(d, key)
    if found is not None and re.fullmatch(r"(?:up to )?\d+(?: [a-z]+)?", found[0].text.strip()) is None:
        report("unexecutable", found[1], f"`{key}:` is a number", "")


def _name(d: Definition, key: str, sort: str, known: Mapping[str, str], report: Report) -> None:
    """A field names things of one kind, separated by commas."""
    field = d.get(key)
    for line in field.lines if field is not None else ():
        at = 0
        for piece in line.text.split(","):
            name = piece.strip()
            if name and norm(name) not in known and name.lower() != "none":
                start = line.text.index(piece, at) + len(piece) - len(piece.lstrip())
                help_ = suggest(name, known.values())
                report("unknown-name", line.slice(start, text=name), f"no {sort} is called '{name}'", help_)
            at += len(piece) + 1


def _allowance(component: t.Component, report: Report) -> None:
    """How far an effect moves somebody is one of the numbers it is given."""
    found = _value(component.definition, "allowance")
    if found is not None and component.kind == "Effect" and allowance(component) is None:
        numbers = [f"[{param.name}]" for param in component.params if param.type == t.NUMBER]
        help_ = suggest(found[0].text, [*numbers, *(number + STRAIGHT for number in numbers)])
        words = "`allowance:` is a number that `with:` names, perhaps with `, straight` after it"
        report("unexecutable", found[1], words, help_)


def _zone(d: Definition, symbols: Symbols, report: Report) -> None:
    seen = d.get("seen by")
    if seen is None or not OPENS.match(seen.text.strip()):
        _word(d, "seen by", ("all", "owner", "nobody"), report)
    templates = [made.name for made in symbols.templates.values()]
    of = d.get("of")
    if of is None or norm(of.text) not in symbols.templates:
        _word(d, "of", ("Actor", "Match", *templates[:8]), report)
    _count(d, "holds", report)


MAP_WORDS = {
    "distance": ("steps", "rows and columns", "diagonals 3/2"),
    "adjacent": ("edges", "edges and corners"),
    "corners": ("open if a flank is",),
    "order": ("columns", "rows from the south"),
    "names": ("A1", "(c,r)", "aN bE", "(x,y)"),
}
NAMED = {"square": ("A1", "aN bE", "(x,y)"), "hex": ("A1", "(c,r)"), "spots": ("(x,y)",)}
MEASURES = ("distance", "adjacent", "corners")


def _map(d: Definition, report: Report) -> None:
    grid, names = d.get("grid"), d.get("names")
    if grid is not None and re.fullmatch(r"square|hex|plan|spots(?: up to \d+)?", grid.text.strip()) is None:
        report("unexecutable", grid.first, "`grid:` is `square`, `hex`, `plan` or `spots up to N`", "")
    for key, words in MAP_WORDS.items():
        if key != "names" or names is None or re.fullmatch(r"\w+\(c,r\)", names.text.strip()) is None:
            _word(d, key, words, report)
    sort = grid.text.split()[0] if grid is not None and grid.text.strip() else "square"
    said = names.text.strip() if names is not None else ""
    if said in MAP_WORDS["names"] and said not in NAMED.get(sort, (said,)):
        listed = ", ".join(f"`{word}`" for word in NAMED[sort])
        _, line = _value(d, "names") or (None, d.line)
        report("unexecutable", line, f"spaces of this grid are named in one of these ways: {listed}", "")


def _maps_alike(maps: list[MapSym], report: Report) -> None:
    """Maps of a book are measured alike: distances, neighbours and sight are rules of the book."""
    for made in maps[1:]:
        for key, one, other in zip(("grid", *MEASURES), _measured(maps[0]), _measured(made), strict=True):
            if one != other:
                found = _value(made.definition, key)
                said = f"`{key}: {one}`" if one else f"no `{key}:`"
                words = f"maps of a book are measured alike, and '{maps[0].name}' has {said}"
                report(
                    "unexecutable",
                    found[1] if found else made.definition.line,
                    words,
                    f"say the same in '{made.name}'",
                )
                return


def _measured(made: MapSym) -> tuple[str, str, str, str]:
    """Grid, distance, neighbours and corners as they are written; on hexes and spots only the grid counts."""
    if made.grid != "square":
        return made.grid, "", "", ""
    near = "edges and corners" if made.corners else "edges"
    return made.grid, made.metric.strip().lower(), near, "open if a flank is" if made.flanks else ""


def _template(made: TemplateSym, symbols: Symbols, report: Report) -> None:
    d = made.definition
    _count(d, "box", report)
    names = {norm(x.name): x.name for x in symbols.templates.values()}
    for key in ("is", "template"):
        _name(d, key, "template", names, report)
    if symbols.sides.words or d.get("side") is not None:
        _name(d, "side", "side", {norm(word): word for word in symbols.sides.words}, report)
    _name(d, "strategy", "strategy", {norm(x.name): x.name for x in symbols.strategies.values()}, report)
    actions = {norm(x.name): x.name for x in symbols.actions.values()}
    _name(d, "actions", "action", actions, report)
    _name(d, "features", "feature", {norm(x.name): x.name for x in symbols.features.values()}, report)
    _seat(d, symbols, report)
    _unknown(d, symbols, report)


def _seat(d: Definition, symbols: Symbols, report: Report) -> None:
    found = _value(d, "seat")
    if found is None:
        return
    text = found[0].text.strip()
    _, most = symbols.seats
    if re.fullmatch(r"\d{1,9}", text):
        if not 1 <= int(text) <= most:
            report(
                "unexecutable",
                found[1],
                f"there is no seat {text}: `seats:` in the front matter allows {most}",
                "",
            )
    elif text not in ("each", "any", "none"):
        said = "`seat:` is a number, `each`, `any` or `none`"
        report("unexecutable", found[1], said, suggest(text, ("each", "any", "none")))


def _unknown(d: Definition, symbols: Symbols, report: Report) -> None:
    """A field of an actor is one that all actors have, or the value that a resource starts with."""
    resources = {norm(r.name): r for r in symbols.resources.values() if not r.builtin}
    for field in d.fields:
        low = field.key.lower()
        resource = resources.get(norm(field.key))
        if low in ACTOR_FIELDS or HOOK.match(field.key) or not field.lines or field.at is None:
            continue
        at = field.at
        if resource is not None and resource.of == (t.ACTOR,):
            continue
        if resource is not None:
            report("wrong-kind", at, f"'{resource.name}' belongs to no actor, so none can start with it", "")
            continue
        known = [*sorted(ACTOR_FIELDS - {"do", "body"}), *(r.name for r in resources.values())]
        words = f"an actor has no field '{field.key}', and no resource is called so"
        report("unknown-field", at, words, suggest(field.key, known))


def _headings(d: Definition, symbols: Symbols, report: Report) -> None:
    """A column may be for readers, but one that is all but a field or a resource was meant to be it."""
    if not d.is_table or d.kind not in ("Actor", "Template", "Card", "Status", "Terrain"):
        return
    known = sorted(RULE_COLUMNS)
    if d.kind in ("Actor", "Template"):
        known = [*sorted(ACTOR_FIELDS - {"do", "body"}), *(r.name for r in symbols.resources.values())]
    exact = {norm(word).lower() for word in known}
    for head in d.heads[1:]:
        if norm(head.text).lower() in exact or not any(is_exchange(head.text, word) for word in known):
            continue
        close = nearest(head.text, known)
        if close is not None and is_exchange(head.text, close):
            report(
                "unknown-field", head, f"'{head.text}' is no field of a {d.kind}", f"did you mean '{close}'?"
            )


FREE = ("Card", "Terrain")
"""Kinds that have attributes of their own."""


def _attributes(source: Source) -> Counter[str]:
    """How many definitions have an attribute of this name."""
    named = Counter[str]()
    for d in source.definitions:
        if d.kind in FREE:
            named.update({*d.columns[1:], *(field.key for field in d.fields)})
    return named


def _inline(d: Definition, attributes: Counter[str], report: Report) -> None:
    """Fields on the line of a title are cut at any `word:`, so that a slip of one is still a field. What has
    attributes of its own may call them as it likes, but for a slip of a field, or of an attribute that
    others have and it has not."""
    free = d.kind in FREE
    kinds = ("Status", "Strategy", "Feature", "Action", "Reaction", "Order", "Side")
    if d.is_table or not (free or d.kind in kinds):
        return
    for field in d.fields:
        if (
            field.at is None
            or field.key.lower() in keys_of(d.kind)
            or field.key.lower() == "body"
            or HOOK.match(field.key)
        ):
            continue
        names = {*keys_of(d.kind), *(attributes if free and attributes[field.key] == 1 else ())} - {field.key}
        close = nearest(field.key, names)
        if free and (close is None or not is_exchange(field.key, close)):
            continue
        words = f"the kind {d.kind} has no field '{field.key}'"
        report("unknown-field", field.at, words, f"did you mean '{close}'?" if close else "")


def _action(action: t.ActionSym, symbols: Symbols, report: Report) -> None:
    d = action.definition
    trigger = _value(d, "trigger")
    for name in action.windows:
        if name not in symbols.windows and trigger is not None:
            words = f"no window is called '{name}', so '{action.name}' can never answer"
            report("unknown-name", trigger[1], words, suggest(name, symbols.windows))
    found = _value(d, "limit")
    if found is not None and not re.match(r"once\s+per\s", found[0].text.strip() + " "):
        report("unexecutable", found[1], "a limit is `once per SEQUENCE`", "")
