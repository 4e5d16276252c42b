"""Actors, templates and casts -> actors of the core notation.

In:  the blocks, and the encounters that say how many copies of whom take part.
Out: one definition an actor or template; one for each cast (a block of a kind `in: Actor`), which is an actor
     that is never in play: it stands for its members in the turn order.

`Name xN` are copies from a box, made afresh for each encounter; a name alone is the one actor of that
name. Which of the two a book needs is read from how it uses the name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.blocks.forms import MORE, Field, Kind
from rulewright.book.blocks.parts import Actor, Cast
from rulewright.book.blocks.reach import followed
from rulewright.book.blocks.rows import slips_of_remarks, unread
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.state import Bodies
from rulewright.book.symbols import norm
from rulewright.book.text.lists import Entry, coordinate, entries
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.walk import circle

HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STRATEGY = "Strategy"
CORE = ("is", "seat")
"""Fields of the language that a declaration may make; all others are values of resources."""
SPARE = 8
"""Copies in the box beyond those that an encounter lists, for a name that effects can deploy."""


# ------------------------------------------------------------ reading
def read(c: Blocks) -> None:
    """Everything the blocks say."""
    for kind, table in (("Template", c.templates), ("Actor", c.actors)):
        for d in c.blocks.get(kind, []):
            if c.named(d, kind.lower()):
                table[norm(d.title)] = Actor(d)
    for actor in (*c.templates.values(), *c.actors.values()):
        _actor(c, actor)
    for kind, d in c.usable(t.ACTOR):
        _cast(c, kind, d)
    _members(c)


def _actor(c: Blocks, actor: Actor) -> None:
    d = actor.d
    if d.extra:
        match = re.fullmatch(r"uses Template:\s*(.+)", d.extra)
        if match is None:
            c.problem("unexecutable", d.line, f"'({d.extra})' is not `(uses Template: NAME)`")
        elif norm(match.group(1)) not in c.templates:
            c.unknown("template", match.group(1), d.line, [x.name for x in c.templates.values()])
        else:
            actor.parent = norm(match.group(1))
    for f in c.sheet.fields.values():
        said = d.get(f.name)
        if said is None or not said.lines:
            continue
        if f.shape == "coordinate":
            actor.home = coordinate(said.text)
            if actor.home is None:
                c.problem("unexecutable", said.first, f"'{said.text}' is no coordinate")
        elif f.shape == t.DIRECTION and said.text not in HEADINGS:
            c.problem("unexecutable", said.first, f"'{said.text}' is no heading: {', '.join(HEADINGS)}")
        elif f.shape == "rows":
            unread(c, f, d)


def _cast(c: Blocks, kind: Kind, d: Definition) -> None:
    title = d.title if norm(d.title) not in c.actors else f"{d.title} {kind.name.lower()}"
    made = c.casts[norm(d.title)] = Cast(d, [], title)
    for f in kind.fields.values():
        said = d.get(f.name)
        if f.shape == "people":
            made.members = entries(said)
            slips_of_remarks(c, f, made.members)
        elif f.shape == "controller":
            _controller(c, made, f, said)


def _controller(c: Blocks, made: Cast, f: Field, said: FieldText | None) -> None:
    """`Player`, perhaps with a name for the seat, or `Strategy (NAME)`"""
    if said is None or not said.lines:
        if not c.misspelt(made.d, f.name.lower()):
            words = f"`{f.name}: Player` or `{f.name}: Strategy (NAME)`"
            c.problem("missing-part", made.d.line, f"'{made.d.title}' needs {words}")
        return
    strategy = re.fullmatch(r"Strategy\s*\((.+)\)", said.text)
    if strategy:
        start = said.first.text.index("(") + 1
        made.strategy = said.first.slice(start, text=strategy.group(1).strip())
    elif said.text.split()[0] == "Player":
        made.chair = seat_number(c, said.text[6:].strip(" ()"))
    else:
        message = f"a {f.name.lower()} is `Player` or `Strategy (NAME)`"
        c.problem("unexecutable", said.first, message)


def seat_number(c: Blocks, name: str) -> int:
    """The number of a seat; without a name, the first."""
    if not c.chairs:
        c.chairs.append(name)
    if not name:
        return 1
    if not c.chairs[0]:
        c.chairs[0] = name
    if name not in c.chairs:
        c.chairs.append(name)
    return c.chairs.index(name) + 1


def _members(c: Blocks) -> None:
    owner: dict[str, str] = {}
    for cast in c.casts.values():
        for entry in list(cast.members):
            key = norm(entry.name)
            if key not in c.actors:
                c.unknown("actor", entry.name, entry.line, [x.name for x in c.actors.values()])
                cast.members.remove(entry)
                continue
            if entry.copies is None:
                c.actors[key].single = True
                if owner.setdefault(key, cast.d.title) != cast.d.title:
                    _taken(c, cast, entry.line, entry.name, owner[key])
                    cast.members.remove(entry)
                    continue
                c.actors[key].cast = norm(cast.d.title)
    for actor in c.actors.values():
        for f in c.sheet.fields.values():
            stated = actor.d.get(f.name) if f.shape in c.groups else None
            if stated is not None and stated.lines:
                _belongs(c, actor, f, stated)


def _belongs(c: Blocks, actor: Actor, f: Field, stated: FieldText) -> None:
    """A line of an actor that says to which cast it belongs."""
    key = norm(stated.text)
    if key not in c.casts:
        c.unknown(f.shape.lower(), stated.text, stated.first, [x.d.title for x in c.casts.values()])
    elif actor.cast and actor.cast != key:
        _taken(c, c.casts[actor.cast], stated.first, actor.name, c.casts[actor.cast].d.title)
    elif not actor.cast:
        actor.cast, actor.single = key, True
        c.casts[key].members.append(Entry(actor.name, stated.first))


def _taken(c: Blocks, cast: Cast, line: Line, name: str, other: str) -> None:
    c.problem("duplicate-name", line, f"'{name}' is already in the {cast.d.kind.lower()} '{other}'")


def players(c: Blocks, key: str) -> bool | None:
    """Is the actor played by a person? None when nothing says so."""
    actor = c.actors[key]
    if actor.cast:
        return c.casts[actor.cast].chair > 0
    chain = [actor.d]
    if actor.parent:
        chain.append(c.templates[actor.parent].d)
    for d in chain:
        type_ = d.get("type")
        if type_ is not None:
            return type_.text == "Player"
        if d.get("strategy") is not None:
            return False
    return None


def circles(c: Blocks, bodies: Bodies) -> None:
    """First values and maximums that need each other cannot be worked out."""
    s = bodies.symbols
    reported: set[str] = set()
    for name in ("", *(norm(actor.name) for actor in c.actors.values())):
        values, maxima = s.values_of(name), s.maxima_of(name)
        needs: dict[str, set[str]] = {}
        for key, r in s.resources.items():
            if not (r.builtin or r.private or r.holds):
                parts_ = [values.get(key, r.starts), maxima.get(key, r.maximum)]
                needs[key] = {norm(x.resource.name) for x in followed(parts_) if isinstance(x, t.ReadRes)}
        for key in needs:
            trail = circle(key, lambda k, needs=needs: sorted(needs.get(k, ())))
            if trail is None or key in reported:
                continue
            reported |= set(trail)
            first = next(k for k in s.resources if k in trail)
            names = [s.resources[k].name for k in trail]
            line = _where(s.resources[first])
            c.problem("circular", line, f"these need each other: {' -> '.join([*names, names[0]])}")


def _where(r: t.Resource) -> Line:
    assert r.definition is not None
    field_ = r.definition.get("starts", "maximum")
    return field_.lines[0] if field_ is not None and field_.lines else r.definition.line


# ------------------------------------------------------------ copies
def _copies(c: Blocks) -> None:
    """How many copies of a name take part at most, and whether the name alone is used too."""
    for encounter in c.encounters:
        totals: dict[str, int] = {}
        for _, kind, entry in encounter.parties:
            for one in c.listed(kind, entry):
                if one.copies is not None:
                    totals[norm(one.name)] = totals.get(norm(one.name), 0) + one.copies
                elif norm(one.name) in c.actors:
                    c.actors[norm(one.name)].single = True
        for key, total in totals.items():
            if key in c.actors:
                c.actors[key].copies = max(c.actors[key].copies, total)
    for cast in c.casts.values():
        for entry in cast.members:
            if entry.copies is not None:
                actor = c.actors[norm(entry.name)]
                actor.copies = max(actor.copies, entry.copies)
    texts = c.texts()
    for actor in c.actors.values():
        name = re.escape(actor.name)
        spare = [int(x) for text in texts for x in re.findall(rf"\b{name}\s+x(\d+)\b", text)]
        if spare:
            actor.copies += max(SPARE, sum(spare))
        if actor.copies:
            numbered = re.compile(rf"\b{name}\s+(\d{{1,2}})\b(?!\s*[NSEW]\b)")
            named = [int(x) for text in texts for x in numbered.findall(text)]
            actor.copies = max(actor.copies, *named, 0)
        alone = any(re.search(rf"(?:^|[^\w])(?:\[)?{name}(?!\s+x?\d)(?![\w'’])", text) for text in texts)
        if not actor.copies or alone:
            actor.single = True


# ------------------------------------------------------------ writing
def write(c: Blocks) -> None:
    """Definitions of the core notation, actors before casts."""
    _copies(c)
    for key, actor in c.templates.items():
        c.made.append(_sheet(c, actor, Definition(key + " template", "Template", actor.d.line)))
    for key, actor in c.actors.items():
        made = _sheet(c, actor, Definition(actor.name, "Actor", actor.d.line, cites=actor.d.cites))
        made.add("box", str(actor.copies) if actor.copies else "1")
        if actor.copies:
            made.add("copies", "and one" if actor.single else "only")
        side, chair = _first_party(c, key)
        if side:
            made.add("side", side)
        made.add("seat", str(chair) if chair else "none")
        cast = c.casts.get(actor.cast)
        values = {"chair": str(chair) if chair and cast is None else ""}  # on its own it is a cast of one
        _make(made, c.sheet.makes, values)
        if cast is not None:
            place = [norm(m.name) for m in cast.members].index(key) + 1
            _make(made, _membership(c, cast), {"this": cast.title, "place": str(10 * place)})
        c.made.append(made)
    for place, cast in enumerate(c.casts.values(), 1):
        made = Definition(cast.title, "Actor", cast.d.line, cites=cast.d.cites)
        seat = str(cast.chair) if cast.chair else "none"
        values = {"seat": seat, "chair": str(cast.chair), "place": str(10 * place), "this": cast.title}
        for entry in cast.members:
            if entry.remark and c.actors[norm(entry.name)].single:
                values.setdefault(entry.remark, entry.name)
        if cast.strategy is not None:
            c.references.append(("strategy", Entry(cast.strategy.text, cast.strategy)))
        _make(made, c.kinds[cast.d.kind].makes, values, cast.strategy)
        c.made.append(made)
    if "seats" not in c.source.own_front:
        c.source.front["seats"] = max(1, len(c.chairs))


GAP = re.compile(r"\{\s*(\w+)\s*\}")


def _membership(c: Blocks, cast: Cast) -> list[tuple[str, str]]:
    """What is added to the sheet of a member: the form of a name alone says it."""
    people = next(iter(c.kinds[cast.d.kind].of_shape("people")))
    for p in people.titled():
        text = " ".join(x.text for x in p.fields[0][1] if x.text)
        if text.startswith(MORE):
            pieces = (piece.partition(":") for piece in text.removeprefix(MORE).split(";"))
            return [(key.strip(), value.strip()) for key, _, value in pieces]
    return []


def _make(
    made: Definition, makes: list[tuple[str, str]], values: dict[str, str], strategy: Line | None = None
) -> None:
    """Fields that a declaration says each block has; one whose gap is empty is left out."""
    for key, text in makes:
        gap = GAP.search(text)
        name = "" if key in CORE else "="
        if gap and gap.group(1) == STRATEGY:
            made.fields += [FieldText(name + key, [strategy])] if strategy else []
        elif not gap or values.get(gap.group(1)):
            filled = GAP.sub(lambda g: values[g.group(1)], text)
            made.fields.append(FieldText(name + key, [made.line.slice(0, text=filled)]))


def _first_party(c: Blocks, key: str) -> tuple[str, int]:
    """The side and seat a actor has in the first encounter that lists it, for play outside of them."""
    actor = c.actors[key]
    played = players(c, key)
    side = ""
    for encounter in c.encounters:
        for party, kind, entry in encounter.parties:
            if any(norm(one.name) == key for one in c.listed(kind, entry)):
                side = side or party
    ours = next((d.title for d in c.made if d.kind == "Side"), "")
    if played is None:
        played = side == ours
    chair = (c.casts[actor.cast].chair if actor.cast else seat_number(c, "")) if played else 0
    if not side:
        side = ours if played else ""
    return side, chair


def _sheet(c: Blocks, actor: Actor, made: Definition) -> Definition:
    """Values, maximums, actions, features, strategy."""
    d = actor.d
    if actor.parent:
        made.add("is", actor.parent + " template")
    for entry in entries(d.get("resources")):
        _value(c, made, entry)
    for key, kind in (("actions", "action"), ("features", "feature")):
        found = entries(d.get(key))
        c.references += [(kind, entry) for entry in found]
        if found:
            made.add(key, ", ".join(e.line.text if kind == "feature" else e.name for e in found))
    strategy = d.get("strategy")
    if strategy is not None and strategy.lines:
        c.references.append(("strategy", Entry(strategy.text, strategy.first)))
        _make(made, [x for x in c.sheet.makes if STRATEGY in x[1]], {}, strategy.first)
    return made


def _value(c: Blocks, made: Definition, entry: Entry) -> None:
    """`Health: 15 (Maximum: 15)` or `Health Maximum: 15`"""
    name = entry.name
    limit = re.fullmatch(r"(.+?)\s+(?:Maximum|Max)", name)
    known = {norm(x) for x in c.resource_names()}
    base = limit.group(1) if limit and norm(name) not in known else name
    at = replace(entry.line, text=name)
    if norm(base) not in known:
        c.unknown("resource", base, at, c.resource_names())
        return
    if entry.value is None:
        c.problem("missing-part", at, f"say how much: `{name}: NUMBER`")
        return
    shared = c.resources.get(norm(base))
    if shared is not None and shared.get("of") is not None:
        c.problem("wrong-kind", at, f"'{base}' is shared and stands on nobody's sheet")
        return
    value = entry.value
    if base is not name:
        made.fields.append(FieldText("^" + base, [value]))
        return
    match = re.search(r"\((?:Maximum|Max):\s*(.*)\)\s*$", value.text)
    if match:
        made.fields.append(FieldText("^" + base, [value.slice(*match.span(1))]))
        value = replace(value, text=value.text[: match.start()].rstrip())
    if made.get("=" + base) is not None:
        c.problem("duplicate-name", at, f"'{base}' stands twice")
        return
    made.fields.append(FieldText("=" + base, [value]))
