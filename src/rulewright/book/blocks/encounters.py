"""Blocks that are phases of a story, read: who takes part, where, and what ends them.

In:  the blocks, and the Kinds that their base declares.
Out: Encounter objects; what is wrong with a block is reported. What its lines do is code of `meaning`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book.blocks.forms import GAP, Field, Kind
from rulewright.book.blocks.lines import missing
from rulewright.book.blocks.parts import Deployment, Encounter, Event
from rulewright.book.blocks.roster import HEADINGS
from rulewright.book.blocks.rows import Row, all_rows, rows, unread
from rulewright.book.blocks.state import Blocks
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.lists import Entry, coordinate
from rulewright.book.text.source import Definition, Line
from rulewright.diagnostics import nearest

EVENT_KEY = re.compile(r"^-?\s*(Event|Trigger|Effect|Note):\s*(.*)$")


# ---------------------------------------------------------------- reading
def read(c: Blocks, kind: Kind, d: Definition) -> Encounter:
    """Everything the block says; mistakes are reported."""
    made = Encounter(d)
    for f in kind.fields.values():
        said = d.get(f.name, *f.heads)
        if missing(c, d, f):
            continue
        if f.shape == "Map" and said is not None and said.lines:
            made.map = c.maps.get(norm(said.text))
            if made.map is None:
                c.unknown("map", said.text, said.first, [m.d.title for m in c.maps.values()])
        elif f.shape == "people":
            _parties(c, made, f)
        elif f.shape == "rows":
            _rows(c, made, f)
    made.events = events(c, d)
    if made.map is not None and not made.map.broken:
        _placed(c, made)
    return made


def _parties(c: Blocks, made: Encounter, f: Field) -> None:
    """Who takes part, those of the first side first."""
    gaps = {head: GAP.search(p.title) for head in f.heads for p in f.titled(head)}
    found: list[tuple[str, str, Entry]] = []
    for row in all_rows(f, made.d):
        entry, gap = row.entry, gaps.get(row.head)
        if entry is None or gap is None:
            heads = ", ".join(f"`{head}:`" for head in f.heads)
            c.problem("unexecutable", row.line, f"'{row.line.text}' belongs to no side: write one of {heads}")
            continue
        what = gap.group(1)
        names = {k: x.d.title for k, x in (c.casts if what in c.groups else c.actors).items()}
        if norm(entry.name) not in names:
            c.unknown(what.lower(), entry.name, replace(entry.line, text=entry.name), names.values())
            made.strangers.append(entry.name)
            continue
        side = next((f.cases[p.title].text for p in f.titled(row.head) if p.title in f.cases), "")
        found.append((side, what, entry))
    order = list(dict.fromkeys(case.text for case in f.cases.values()))
    made.parties = sorted(found, key=lambda party: order.index(party[0]))


def _rows(c: Blocks, made: Encounter, f: Field) -> None:
    """Deployments, outcomes, what follows them: told by the gaps of the forms."""
    gaps = {gap for p in f.titled() for gap in GAP.findall(p.title)}
    unread(c, f, made.d)
    for row in rows(f, made.d):
        if "who" in gaps:
            _deployment(c, made, row)
        elif "Phase" in gaps:
            _transition(c, made, row)
        else:
            _outcome(c, made, row)
    if "Phase" in gaps and made.d.get(f.name) is not None:
        for name, _ in made.outcomes:
            if norm(name) not in made.transitions:
                message = f"`{f.name}:` of '{made.d.title}' leave out the outcome '{name}'"
                c.problem("missing-part", made.d.line, message)


def _deployment(c: Blocks, made: Encounter, row: Row) -> None:
    who, place, zone, facing = (row.gap(x) for x in ("who", "coordinate", "Area", "Direction"))
    assert who is not None
    deployment = Deployment(who.text, row.line)
    line, map_ = row.line, made.map
    if place is not None:
        deployment.cell = coordinate(place.text)
        if deployment.cell is None:
            c.problem("unexecutable", line, f"'{place.text}' is no coordinate")
        elif map_ is not None and not map_.broken and not map_.holds(deployment.cell):
            c.problem("unknown-name", line, f"'{place.text}' is not on the map '{map_.d.title}'")
    elif zone is not None and map_ is not None and norm(zone.text) not in {norm(z.name) for z in map_.zones}:
        c.unknown("zone", zone.text, line, [z.name for z in map_.zones])
    if facing is not None and facing.text not in HEADINGS:
        c.problem("unexecutable", line, f"'{facing.text}' is no heading: {', '.join(HEADINGS)}")
    names = {norm(n) for n, _, _ in lineup(c, made)} | {
        norm(e.name) for _, kind, e in made.parties if kind in c.groups
    }
    if not re.fullmatch(r".+ \d+", deployment.name):
        names |= {*c.casts, *c.actors}
    if norm(deployment.name) not in names:
        if not nearest(re.sub(r" \d+$", "", deployment.name), made.strangers):
            c.unknown("actor", deployment.name, line, [n for n, _, _ in lineup(c, made)])
        made.strangers.append(deployment.name)
    made.deployments.append(deployment)


def _outcome(c: Blocks, made: Encounter, row: Row) -> None:
    name = row.gap("Outcome")
    if name is None:
        return
    first = next((line for other, line in made.outcomes if norm(other) == norm(name.text)), None)
    if first is not None:
        c.twice(row.line, f"the outcome '{name.text}'", first)
        return
    made.outcomes.append((name.text, row.line))
    c.outcomes.setdefault(norm(name.text), name.text)


def _transition(c: Blocks, made: Encounter, row: Row) -> None:
    name, way = row.gap("Outcome"), row.gap("Phase")
    assert name is not None
    assert way is not None
    if made.outcomes and norm(name.text) not in {norm(other) for other, _ in made.outcomes}:
        c.unknown("outcome", name.text, row.line, [other for other, _ in made.outcomes])
    else:
        made.transitions[norm(name.text)] = c.goto(way) or ("", "")


def lineup(c: Blocks, made: Encounter) -> list[tuple[str, str, str]]:
    """(name, actor, cast) of everybody who takes part from the start, in deployment order."""
    found: list[tuple[str, str, str]] = []
    used: dict[str, int] = {}
    for _, kind, entry in made.parties:
        cast = norm(entry.name) if kind in c.groups else ""
        for one in c.listed(kind, entry):
            key = norm(one.name)
            if one.copies is None:
                found.append((one.name, key, cast))
            else:
                for _ in range(one.copies):
                    used[key] = used.get(key, 0) + 1
                    found.append((f"{one.name} {used[key]}", key, cast))
    return found


def _placed(c: Blocks, made: Encounter) -> None:
    """Everybody needs a place to start."""
    names = {norm(s.name) for s in made.deployments}
    for name, key, cast in lineup(c, made):
        home = c.actors[key].home or (
            c.templates[c.actors[key].parent].home if c.actors[key].parent else None
        )
        group = norm(c.casts[cast].d.title) if cast else c.actors[key].cast
        lacking = norm(name) not in names and (not group or group not in names) and home is None
        if lacking and not nearest(name, made.strangers):
            c.problem("missing-part", made.d.line, f"'{name}' has no place to deploy in '{made.d.title}'")


def check_tiles(c: Blocks, s: Symbols) -> None:
    """Nobody is placed on a tile that cannot be entered."""
    marked = [n for n, value in enumerate(s.roles.solid.values if s.roles.solid else ()) if value]
    for encounter in c.encounters:
        map_ = s.maps.get(norm(encounter.map.d.title)) if encounter.map is not None else None
        if map_ is None or (encounter.map is not None and encounter.map.broken):
            continue
        spaces = s.spaces[map_.first : map_.first + map_.count]
        closed = {(space.x, space.y) for space in spaces if space.terrain in marked}
        for deployment in encounter.deployments:
            if deployment.cell in closed:
                words = f"'{deployment.name}' would stand on a tile that cannot be entered"
                c.problem("unexecutable", deployment.line, words)


def events(c: Blocks, d: Definition) -> list[Event]:
    """The events of a map or encounter, indented under `Events:` or as keys of the block."""
    lines: list[Line] = []
    for f in d.fields:
        if f.key.lower() == "events":
            lines += f.lines
        elif f.key.lower() in ("event", "trigger", "effect"):
            at = f.at or d.line
            first = f.lines[0] if f.lines else Line(at.file, at.number, len(f.key) + 2, "")
            lines.append(Line(first.file, first.number, 0, f"{f.key[:1].upper()}{f.key[1:]}: {first.text}"))
            lines += f.lines[1:]
    found: list[Event] = []
    last: list[Line] | None = None
    for line in lines:
        match = EVENT_KEY.match(line.text)
        if match is None:
            if last is None:
                c.problem("unexecutable", line, f"'{line.text}' belongs to no event: write `Event: NAME`")
            else:
                last.append(line)
            continue
        key, text = match.groups()
        value = line.slice(match.start(2), text=text)
        if key == "Event":
            first = next((h.line for h in found if norm(h.name) == norm(text)), None)
            if first is not None:
                c.twice(line, f"the event '{text}'", first)
            found.append(Event(text, line))
            last = None
        elif not found:
            c.problem("unexecutable", line, f"'{line.text}' belongs to no event: write `Event: NAME` first")
        elif key == "Note":
            last = []
        else:
            last = found[-1].trigger if key == "Trigger" else found[-1].effect
            if last:
                c.problem("duplicate-name", line, f"'{key}:' stands twice in the event '{found[-1].name}'")
                last = []
            last.append(value)
    for event in found:
        for key, part in (("Trigger", event.trigger), ("Effect", event.effect)):
            if not part:
                c.problem("missing-part", event.line, f"the event '{event.name}' needs `{key}:`")
    return found
