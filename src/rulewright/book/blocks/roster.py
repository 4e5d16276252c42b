"""Actor, Template and Cast blocks -> actors of the core notation.

In:  the blocks, and the encounters that say how many copies of whom take part.
Out: one definition an actor or template; one for each cast, which is an actor that is never in play: it
     stands for its members in the turn order.

`Name xN` are copies from a box, made afresh for each encounter; a name alone is the one actor of that
name. Which of the two a book needs is read from how it uses the name.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.blocks.paces import followed
from rulewright.book.blocks.parts import Actor, Cast
from rulewright.book.blocks.state import Campaign
from rulewright.book.bodies.state import Bodies
from rulewright.book.symbols import norm
from rulewright.book.text.lists import Entry, coordinate, entries
from rulewright.book.text.source import Definition, FieldText, Line


def _circle(needs: dict[str, set[str]], start: str) -> list[str] | None:
    """A way from a resource back to itself."""
    waiting, seen = [[start]], set[str]()
    while waiting:
        trail = waiting.pop()
        for following in sorted(needs.get(trail[-1], ())):
            if following == start:
                return trail
            if following not in seen:
                seen.add(following)
                waiting.append([*trail, following])
    return None


HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
SPARE = 8
"""Copies in the box beyond those that an encounter lists, for a name that effects can deploy."""


# ------------------------------------------------------------ reading
def read(c: Campaign) -> None:
    """Everything the blocks say."""
    for kind, table in (("Template", c.templates), ("Actor", c.actors)):
        for d in c.blocks.get(kind, []):
            if c.named(d, kind.lower()):
                table[norm(d.title)] = Actor(d)
    for actor in (*c.templates.values(), *c.actors.values()):
        _actor(c, actor)
    for d in c.blocks.get("Cast", []):
        if c.named(d, "cast"):
            _cast(c, d)
    _members(c)


def _actor(c: Campaign, actor: Actor) -> None:
    d = actor.d
    if d.extra:
        match = re.fullmatch(r"uses Template:\s*(.+)", d.extra)
        if match is None:
            c.problem("unexecutable", d.line, f"'({d.extra})' is not `(uses Template: NAME)`")
        elif norm(match.group(1)) not in c.templates:
            c.unknown("template", match.group(1), d.line, [x.name for x in c.templates.values()])
        else:
            actor.parent = norm(match.group(1))
    place = d.get("location")
    if place is not None and place.lines:
        actor.home = coordinate(place.text)
        if actor.home is None:
            c.problem("unexecutable", place.first, f"'{place.text}' is no coordinate")
    heading = d.get("heading")
    if heading is not None and heading.lines:
        actor.heading = heading.text if heading.text in HEADINGS else ""
        if not actor.heading:
            c.problem("unexecutable", heading.first, f"'{heading.text}' is no heading: {', '.join(HEADINGS)}")
    type_ = d.get("type")
    if type_ is not None and type_.lines and type_.text not in ("Player", "Non-Player"):
        c.problem("unexecutable", type_.first, "a type is `Player` or `Non-Player`")


def _cast(c: Campaign, d: Definition) -> None:
    title = d.title if norm(d.title) not in c.actors else d.title + " cast"
    made = Cast(
        d, entries(d.get("members")), title, initiative=d.get("initiative"), inner=d.get("sub-initiative")
    )
    made.features = entries(d.get("features"))
    controller = d.get("controller")
    if controller is None or not controller.lines:
        if not c.misspelt(d, "controller"):
            c.problem(
                "missing-part",
                d.line,
                f"'{d.title}' needs `Controller: Player` or `Controller: Strategy (NAME)`",
            )
    else:
        strategy = re.fullmatch(r"Strategy\s*\((.+)\)", controller.text)
        if strategy:
            at = controller.first
            start = at.column + at.text.index("(") + 1
            made.strategy = Line(at.file, at.number, start, strategy.group(1).strip())
        elif controller.text.split()[0] == "Player":
            made.chair = seat_number(c, controller.text[6:].strip(" ()"))
        else:
            c.problem("unexecutable", controller.first, "a controller is `Player` or `Strategy (NAME)`")
    if d.get("members") is None:
        made.members = []
    c.casts[norm(d.title)] = made


def seat_number(c: Campaign, name: str) -> int:
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


def _members(c: Campaign) -> None:
    owner: dict[str, str] = {}
    for cast in c.casts.values():
        for entry in list(cast.members):
            key = norm(entry.name)
            if key not in c.actors:
                c.unknown("actor", entry.name, entry.line, [x.name for x in c.actors.values()])
                cast.members.remove(entry)
                continue
            if entry.remark == "Leader":
                cast.leader = cast.leader or key
            if entry.copies is None:
                c.actors[key].single = True
                if owner.setdefault(key, cast.d.title) != cast.d.title:
                    c.problem(
                        "duplicate-name",
                        entry.line,
                        f"'{entry.name}' is already in the cast '{owner[key]}'",
                    )
                    cast.members.remove(entry)
                    continue
                c.actors[key].cast = norm(cast.d.title)
    for actor in c.actors.values():
        stated = actor.d.get("cast")
        if stated is None or not stated.lines:
            continue
        key = norm(stated.text)
        if key not in c.casts:
            c.unknown("cast", stated.text, stated.first, [x.d.title for x in c.casts.values()])
        elif actor.cast and actor.cast != key:
            c.problem(
                "duplicate-name",
                stated.first,
                f"'{actor.name}' is already in the cast '{c.casts[actor.cast].d.title}'",
            )
        elif not actor.cast:
            actor.cast, actor.single = key, True
            c.casts[key].members.append(Entry(actor.name, stated.first))


def players(c: Campaign, key: str) -> bool | None:
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


def circles(c: Campaign, bodies: Bodies) -> None:
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
            trail = _circle(needs, key)
            if trail is None or key in reported:
                continue
            reported |= set(trail)
            first = next(k for k in s.resources if k in trail)
            names = [s.resources[k].name for k in trail]
            line = _where(c, s.resources[first])
            c.problem("circular", line, f"these need each other: {' -> '.join([*names, names[0]])}")


def _where(c: Campaign, r: t.Resource) -> Line:
    assert r.definition is not None
    field_ = r.definition.get("starts", "maximum")
    return field_.lines[0] if field_ is not None and field_.lines else r.definition.line


# ------------------------------------------------------------ copies
def _copies(c: Campaign) -> None:
    """How many copies of a name take part at most, and whether the name alone is used too."""
    for encounter in c.encounters:
        totals: dict[str, int] = {}
        for _, kind, entry in encounter.parties:
            listed = (
                c.casts[norm(entry.name)].members
                if kind == "cast" and norm(entry.name) in c.casts
                else [entry]
            )
            for one in listed:
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
def write(c: Campaign) -> None:
    """Definitions of the core notation, actors before casts."""
    _copies(c)
    for key, actor in c.templates.items():
        c.made.append(_sheet(c, actor, Definition(key + " template", "Template", actor.d.line)))
    for key, actor in c.actors.items():
        made = _sheet(c, actor, Definition(actor.name, "Actor", actor.d.line, cites=actor.d.cites))
        _add(c, made, "box", str(actor.copies) if actor.copies else "1")
        if actor.copies:
            _add(c, made, "copies", "and one" if actor.single else "only")
        side, chair = _first_party(c, key)
        if side:
            _add(c, made, "side", side)
        _add(c, made, "seat", str(chair) if chair else "none")
        if actor.cast:
            _add(c, made, "=Home", c.casts[actor.cast].title)
            order = [norm(m.name) for m in c.casts[actor.cast].members]
            _add(c, made, "=Standing", str(10 * (order.index(key) + 1)))
        elif chair:
            _add(c, made, "=Chair", str(chair))  # on its own it is a cast of one
        c.made.append(made)
    for place, cast in enumerate(c.casts.values(), 1):
        made = Definition(cast.title, "Actor", cast.d.line, cites=cast.d.cites)
        _add(c, made, "is", "Cast")
        _add(c, made, "seat", str(cast.chair) if cast.chair else "none")
        _add(c, made, "=Chair", str(cast.chair))
        _add(c, made, "=Standing", str(10 * place))
        _add(c, made, "=Group", cast.title)
        if cast.leader and c.actors[cast.leader].single:
            _add(c, made, "=Leader", c.actors[cast.leader].name)
        if cast.strategy is not None:
            c.references.append(("strategy", Entry(cast.strategy.text, cast.strategy)))
            made.fields.append(FieldText("=Own Plan", [cast.strategy]))
        c.made.append(made)
    if "seats" not in c.source.own_front:
        c.source.front["seats"] = max(1, len(c.chairs))


def _add(c: Campaign, d: Definition, key: str, text: str) -> None:
    d.fields.append(FieldText(key, [Line(d.line.file, d.line.number, 0, text)]))


def _first_party(c: Campaign, key: str) -> tuple[str, int]:
    """The side and seat a actor has in the first encounter that lists it, for play outside of them."""
    actor = c.actors[key]
    played = players(c, key)
    side = ""
    for encounter in c.encounters:
        for party, kind, entry in encounter.parties:
            if (
                (kind == "cast" and norm(entry.name) == actor.cast)
                or (kind != "cast" and norm(entry.name) == key)
                or (
                    kind == "cast"
                    and norm(entry.name) in c.casts
                    and any(norm(m.name) == key for m in c.casts[norm(entry.name)].members)
                )
            ):
                side = side or party
    if played is None:
        played = side.startswith("Player")
    chair = (c.casts[actor.cast].chair if actor.cast else seat_number(c, "")) if played else 0
    if not side:
        side = "Players" if played else ""
    return side, chair


def _sheet(c: Campaign, actor: Actor, made: Definition) -> Definition:
    """Values, maximums, actions, features, strategy."""
    d = actor.d
    if actor.parent:
        _add(c, made, "is", actor.parent + " template")
    for entry in entries(d.get("resources")):
        _value(c, made, entry)
    for key, kind in (("actions", "action"), ("features", "feature")):
        found = entries(d.get(key))
        c.references += [(kind, entry) for entry in found]
        if found:
            _add(c, made, key, ", ".join(e.line.text if kind == "feature" else e.name for e in found))
    strategy = d.get("strategy")
    if strategy is not None and strategy.lines:
        c.references.append(("strategy", Entry(strategy.text, strategy.first)))
        made.fields.append(FieldText("=Own Plan", strategy.lines))
    return made


def _value(c: Campaign, made: Definition, entry: Entry) -> None:
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
        made.fields.append(
            FieldText(
                "^" + base,
                [value.slice(*match.span(1))],
            )
        )
        value = replace(value, text=value.text[: match.start()].rstrip())
    if made.get("=" + base) is not None:
        c.problem("duplicate-name", at, f"'{base}' stands twice")
        return
    made.fields.append(FieldText("=" + base, [value]))
