"""Encounter blocks -> components that muster, place, judge and move on.

In:  the blocks.
Out: Encounter objects; components of the core notation, each one a chain of "if this is the encounter".
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from rulewright.book import tree as t
from rulewright.book.blocks import roster
from rulewright.book.blocks.parts import Deployment, Encounter, Event
from rulewright.book.blocks.roster import HEADINGS
from rulewright.book.blocks.state import Campaign
from rulewright.book.bodies.fields import field_number, outcome
from rulewright.book.bodies.trees import Trees
from rulewright.book.grammar.scope import Scope
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.lists import Entry, coordinate, entries
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import nearest

PARTY = re.compile(r"^-?\s*(Player|Enemy) (Cast|Actors):\s*(.*)$")
STATION = re.compile(
    r"^-?\s*(?P<name>.+?)\s+(?:(?P<random>at random\s+)?in zone\s+(?P<zone>.+?)|at\s+(?P<place>.+?))"
    r"(?:\s+facing\s+(?P<facing>\S+))?$"
)
EVENT_KEY = re.compile(r"^-?\s*(Event|Trigger|Effect|Note):\s*(.*)$")


# ---------------------------------------------------------------- reading
def read(c: Campaign, d: Definition) -> Encounter:
    """Everything the block says; mistakes are reported."""
    made = Encounter(d, features=entries(d.get("features")), initiative=d.get("initiative"))
    where = d.get("map")
    if where is None or not where.lines:
        if not c.misspelt(d, "map"):
            c.problem("missing-part", d.line, f"'{d.title}' needs `Map: NAME`")
    elif norm(where.text) not in c.maps:
        c.unknown("map", where.text, where.first, [g.d.title for g in c.maps.values()])
    else:
        made.map = c.maps[norm(where.text)]
    _parties(c, made)
    deployment = d.get("deployment")
    for line in deployment.lines if deployment else ():
        _deployment(c, made, line)
    _outcomes(c, made)
    made.events = events(c, d)
    if made.map is not None and not made.map.broken:
        _placed(c, made)
    return made


def _parties(c: Campaign, made: Encounter) -> None:
    d = made.d
    lines: list[Line] = []
    for f in d.fields:
        if f.key.lower() == "actors":
            lines += f.lines
        elif f.key.lower() in ("player cast", "enemy cast", "player actors", "enemy actors"):
            for line in f.lines or [f.at or d.line]:
                lines.append(replace(line, text=f"{f.key}: {line.text}" if f.lines else f"{f.key}:"))
    side = kind = ""
    found: list[tuple[str, str, Entry]] = []
    for line in lines:
        match = PARTY.match(line.text)
        text, column = line.text, line.column
        if match:
            side, kind = match.group(1), "cast" if match.group(2) == "Cast" else "actor"
            text, column = match.group(3), line.column + match.start(3)
        elif not side:
            c.problem(
                "unexecutable",
                line,
                f"'{line.text}' belongs to no side: write `Player Cast:`, `Enemy Actors:` and so on",
            )
            continue
        for entry in entries(FieldText("", [Line(line.file, line.number, column, text)])):
            table: Any = c.casts if kind == "cast" else c.actors
            if norm(entry.name) not in table:
                names = [x.d.title for x in table.values()]
                c.unknown(
                    kind,
                    entry.name,
                    replace(entry.line, text=entry.name),
                    names,
                )
                made.strangers.append(entry.name)
                continue
            found.append(("Players" if side == "Player" else "Enemies", kind, entry))
    made.parties = [p for p in found if p[0] == "Players"] + [p for p in found if p[0] != "Players"]


def _deployment(c: Campaign, made: Encounter, line: Line) -> None:
    match = STATION.match(line.text)
    if match is None:
        c.problem(
            "unexecutable", line, f"'{line.text}' places nobody: write `NAME at 1N 2E` or `NAME in zone NAME`"
        )
        return
    deployment = Deployment(match["name"].strip(), line, random=match["random"] is not None)
    if match["place"] is not None:
        deployment.cell = coordinate(match["place"])
        if deployment.cell is None:
            c.problem("unexecutable", line, f"'{match['place']}' is no coordinate")
        elif made.map is not None and not made.map.broken and not made.map.holds(deployment.cell):
            c.problem("unknown-name", line, f"'{match['place']}' is not on the map '{made.map.d.title}'")
    else:
        deployment.zone = match["zone"].strip()
        zones = [z.name for z in made.map.zones] if made.map else []
        if made.map is not None and norm(deployment.zone) not in {norm(z) for z in zones}:
            c.unknown("zone", deployment.zone, line, zones)
            deployment.zone = ""
    if match["facing"] is not None:
        deployment.facing = match["facing"]
        if deployment.facing not in HEADINGS:
            c.problem("unexecutable", line, f"'{deployment.facing}' is no heading: {', '.join(HEADINGS)}")
            deployment.facing = ""
    names = {norm(n) for n, _, _ in lineup(c, made)} | {
        norm(e.name) for _, kind, e in made.parties if kind == "cast"
    }
    if not re.fullmatch(r".+ \d+", deployment.name):
        names |= {*c.casts, *c.actors}
    if norm(deployment.name) not in names:
        if not nearest(re.sub(r" \d+$", "", deployment.name), made.strangers):
            c.unknown("actor", deployment.name, line, [n for n, _, _ in lineup(c, made)])
        made.strangers.append(deployment.name)
    made.deployments.append(deployment)


def lineup(c: Campaign, made: Encounter) -> list[tuple[str, str, str]]:
    """(name, actor, cast) of everybody who takes part from the start, in deployment order."""
    found: list[tuple[str, str, str]] = []
    used: dict[str, int] = {}
    for _, kind, entry in made.parties:
        cast = norm(entry.name) if kind == "cast" else ""
        for one in c.casts[cast].members if cast else [entry]:
            key = norm(one.name)
            if one.copies is None:
                found.append((one.name, key, cast))
            else:
                for _ in range(one.copies):
                    used[key] = used.get(key, 0) + 1
                    found.append((f"{one.name} {used[key]}", key, cast))
    return found


def _placed(c: Campaign, made: Encounter) -> None:
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


def _outcomes(c: Campaign, made: Encounter) -> None:
    d = made.d
    completion = d.get("completion")
    if (completion is None or not completion.lines) and not c.misspelt(d, "completion"):
        c.problem("missing-part", d.line, f"'{d.title}' needs `Completion:`")
    for line in completion.lines if completion else ():
        match = re.match(r"-?\s*([^:]+?)\s*:\s*(.+)$", line.text)
        if match is None:
            c.problem("unexecutable", line, f"'{line.text}' is no outcome: write `NAME: CONDITION`")
            continue
        first = next((f.at for name, f in made.outcomes if norm(name) == norm(match.group(1))), None)
        if first is not None:
            c.problem(
                "duplicate-name",
                line,
                f"the outcome '{match.group(1)}' is declared twice",
                f"first declared on line {first.number}",
            )
            continue
        value = line.slice(*match.span(2))
        made.outcomes.append((match.group(1), FieldText("completion", [value], line)))
        c.outcomes.setdefault(norm(match.group(1)), match.group(1))
    transitions = d.get("transitions")
    made.changes = transitions is not None
    for line in transitions.lines if transitions else ():
        match = re.match(r"-?\s*([^:]+?)\s*:\s*(.+)$", line.text)
        if match is None:
            c.problem(
                "unexecutable", line, f"'{line.text}' is no transition: write `OUTCOME: Scene \"NAME\"`"
            )
            continue
        key = norm(match.group(1))
        if key not in {norm(name) for name, _ in made.outcomes} and completion is not None:
            c.unknown("outcome", match.group(1), line, [name for name, _ in made.outcomes])
            continue
        found = c.goto(line.slice(*match.span(2)))
        made.transitions[key] = found or ("", "")
    if transitions is not None:
        for name, _ in made.outcomes:
            if norm(name) not in made.transitions:
                c.problem(
                    "missing-part", d.line, f"`Transitions:` of '{d.title}' leave out the outcome '{name}'"
                )


def check_tiles(c: Campaign, s: Symbols) -> None:
    """Nobody is placed on a tile that cannot be entered."""
    solid = s.roles.solid
    for encounter in c.encounters:
        map_ = (
            s.maps.get(norm(encounter.map.d.title))
            if encounter.map is not None and not encounter.map.broken
            else None
        )
        if map_ is None or solid is None:
            continue
        terrain = {
            (s.spaces[i].x, s.spaces[i].y): s.spaces[i].terrain
            for i in range(map_.first, map_.first + map_.count)
        }
        for deployment in encounter.deployments:
            kind = terrain.get(deployment.cell, -1) if deployment.cell is not None else -1
            if 0 <= kind < len(solid.values) and solid.values[kind]:
                c.problem(
                    "unexecutable",
                    deployment.line,
                    f"'{deployment.name}' would stand on a tile that cannot be entered",
                )


def events(c: Campaign, d: Definition) -> list[Event]:
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
                c.problem(
                    "duplicate-name",
                    line,
                    f"the event '{text}' is declared twice",
                    f"first declared on line {first.number}",
                )
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


# ---------------------------------------------------------------- writing
def write(c: Campaign) -> None:
    """The components that the framework calls."""
    for title, build in (
        ("Muster", _muster), ("Station", _deployments), ("Judge", _judge), ("Move On", _move_on),
        ("Stated Initiative", _initiative), ("Stated Inner Initiative", _inner),
        ("Campaign Verdict", _verdict),
    ):  # fmt: skip
        c.component(title, lambda bodies, scope, build=build: build(c, Trees(bodies)))
    c.component("Drop Passing", lambda bodies, scope: _passing(c, Trees(bodies)))


def _passing(c: Campaign, tree: Trees) -> t.Block_:
    """What lasts one encounter is 0 again for everybody."""
    it = "one"
    everybody = t.Selector("each", "actor", t.ACTOR, it, anywhere=True)
    body = [
        t.SetNumber(t.ReadRes(r, [t.TLocal(it, t.ACTOR)]), "=", t.Num(0), None, None, 0)
        for r in tree.s.resources.values()
        if r.definition is not None and r.definition.get("passing") is not None
    ]
    return [t.ForEach(everybody, list(body), 0)] if body else []


def _muster(c: Campaign, tree: Trees) -> t.Block_:
    """Who takes part, in deployment order."""
    made: t.Block_ = []
    for encounter in c.encounters:
        tree.line = encounter.d.line.number
        body: t.Block_ = []
        if encounter.map is not None and norm(encounter.map.d.title) in tree.s.maps:
            body.append(t.UseMap(tree.s.maps[norm(encounter.map.d.title)].index, line=tree.line))
        used: dict[str, int] = {}
        for side, kind, entry in encounter.parties:
            body += _party(c, tree, side, kind, entry, used)
        made.append(tree.when(tree.phase_is(encounter.word), body))
    return made


def _party(c: Campaign, tree: Trees, side: str, kind: str, entry: Entry, used: dict[str, int]) -> t.Block_:
    made: t.Block_ = []
    word = tree.word(t.SIDE, side)
    cast = c.casts[norm(entry.name)] if kind == "cast" else None
    for place, one in enumerate(cast.members if cast else [entry]):
        key = norm(one.name)
        played = roster.players(c, key) if cast is None else None
        chair = (1 if played or (played is None and side == "Players") else 0) if cast is None else cast.chair
        if one.copies is None and cast is None:
            made.append(tree.run("Enlist", tree.actor(one.name), word, chair))
        for _ in range(one.copies or 0):
            used[key] = used.get(key, 0) + 1
            if f"{norm(one.name)}{used[key]}" not in tree.s.actor_names:
                continue
            copy = tree.actor(f"{one.name} {used[key]}")
            home = tree.actor(cast.title) if cast else tree.none()
            made.append(tree.run("Enroll", copy, home, 10 * (place + 1)))
            if cast is None:
                made.append(tree.run("Enlist", copy, word, chair))
            elif cast.leader == key and not c.actors[key].single and used[key] == 1:
                made.append(tree.put("Leader", copy, home))
    if cast is not None:
        made.append(tree.run("Enlist Cast", tree.actor(cast.title), word, cast.chair))
    return made


def _deployments(c: Campaign, tree: Trees) -> t.Block_:
    """Where self starts: its own line, its cast's, its own location."""
    made: t.Block_ = []
    for encounter in c.encounters:
        tree.line = encounter.d.line.number
        body: t.Block_ = []
        own = [
            s
            for s in encounter.deployments
            if norm(s.name) in tree.s.actor_names and norm(s.name) not in c.casts
        ]
        casts = [s for s in encounter.deployments if norm(s.name) in c.casts and s not in own]
        for deployment in own:
            body.append(
                tree.when(
                    tree.same(tree.me(), tree.actor(deployment.name)),
                    [*_place(c, tree, encounter, deployment), tree.give(1)],
                )
            )
        for deployment in casts:
            cast = tree.actor(c.casts[norm(deployment.name)].title)
            body.append(
                tree.when(
                    tree.same(tree.held("Home", tree.me()), cast),
                    [*_place(c, tree, encounter, deployment), tree.give(1)],
                )
            )
        body += _homes(c, tree, encounter)
        made.append(tree.when(tree.phase_is(encounter.word), body))
    return [*made, tree.run("Deploy Anywhere")]


def _homes(c: Campaign, tree: Trees, encounter: Encounter) -> t.Block_:
    made: t.Block_ = []
    for actor in c.actors.values():
        home, facing = actor.home, actor.heading
        if actor.parent:
            home = home or c.templates[actor.parent].home
        if home is None:
            continue
        deployment = Deployment(actor.name, actor.d.line, home, facing=facing)
        template = tree.s.templates[norm(actor.name)].index
        test = t.IsA(tree.me(), template)
        made.append(tree.when(test, [*_place(c, tree, encounter, deployment), tree.give(1)]))
    return made


def _place(c: Campaign, tree: Trees, encounter: Encounter, deployment: Deployment) -> t.Block_:
    facing = deployment.facing or _heading(c, deployment.name)
    direction = tree.word(t.DIRECTION, facing or "N")
    map_ = tree.s.maps.get(norm(encounter.map.d.title)) if encounter.map else None
    if map_ is None:
        return []
    if deployment.cell is not None:
        spaces = {
            (tree.s.spaces[i].x, tree.s.spaces[i].y): i for i in range(map_.first, map_.first + map_.count)
        }
        return [tree.run("Deploy At", t.TConst(t.SPACE, spaces.get(deployment.cell, map_.first)), direction)]
    if not deployment.zone:
        return []  # a mistake that was reported
    return [
        tree.run("Deploy In", tree.word("Area", deployment.zone), direction, 1 if deployment.random else 0)
    ]


def _heading(c: Campaign, name: str) -> str:
    base = re.sub(r" \d+$", "", name)
    actor = c.actors.get(norm(name)) or c.actors.get(norm(base))
    if actor is None:
        return ""
    return actor.heading or (c.templates[actor.parent].heading if actor.parent else "")


def _judge(c: Campaign, tree: Trees) -> t.Block_:
    """The first outcome that is true."""
    made: t.Block_ = []
    for encounter in c.encounters:
        body: t.Block_ = []
        for name, condition in encounter.outcomes:
            tree.line = condition.lines[0].number
            test = outcome(tree.bodies, condition.lines)
            body.append(tree.when(test, [tree.run("Conclude", tree.word("Outcome", name)), tree.give(1)]))
        tree.line = encounter.d.line.number
        made.append(tree.when(tree.phase_is(encounter.word), body))
    return made


def _move_on(c: Campaign, tree: Trees) -> t.Block_:
    """What follows an encounter."""
    made: t.Block_ = []
    for encounter in c.encounters:
        tree.line = encounter.d.line.number
        body: t.Block_ = []
        for name, _ in encounter.outcomes:
            found = encounter.transitions.get(norm(name))
            if found is None or found not in c.phases:
                continue
            verdict = tree.same(tree.held("Verdict"), tree.word("Outcome", name))
            body.append(tree.when(verdict, [tree.run("Go To", tree.word("Phase", c.phases[found]))]))
        made.append(tree.when(tree.phase_is(encounter.word), body))
    return made


def _stated(tree: Trees, test: t.Cond_, score: str, formula: FieldText, who: Any) -> t.Stmt_:
    value = t.Final(field_number(tree.bodies, formula.lines, Scope(self=t.ACTOR)))
    return tree.when(test, [tree.set(score, "=", value, who), tree.give(1)])


def _initiative(c: Campaign, tree: Trees) -> t.Block_:
    """A cast's own roll, then the encounter's; gives 1 if there was one."""
    made: t.Block_ = []
    group = tree.held("Group", tree.me())
    for cast in c.casts.values():
        if cast.initiative is not None and cast.initiative.lines:
            test = tree.same(group, tree.actor(cast.title))
            made.append(_stated(tree, test, "Turn Score", cast.initiative, group))
    for encounter in c.encounters:
        if encounter.initiative is not None and encounter.initiative.lines:
            made.append(
                _stated(tree, tree.phase_is(encounter.word), "Turn Score", encounter.initiative, group)
            )
    return [*made, tree.give(0)]


def _inner(c: Campaign, tree: Trees) -> t.Block_:
    """A cast's own roll for its members; gives 1 if there was one."""
    made: t.Block_ = []
    for cast in c.casts.values():
        if cast.inner is not None and cast.inner.lines:
            test = tree.same(tree.held("Group", tree.me()), tree.actor(cast.title))
            made.append(_stated(tree, test, "Inner Score", cast.inner, tree.me()))
    return [*made, tree.give(0)]


def _verdict(c: Campaign, tree: Trees) -> t.Block_:
    """Victory and defeat of the whole campaign."""
    made: t.Block_ = []
    for f in c.settings.fields if c.settings else ():
        if f.key.lower() in ("victory", "defeat") and f.lines:
            tree.line = f.lines[0].number
            ending = f.key[:1].upper() + f.key[1:].lower()
            number = next((i for i, e in enumerate(tree.s.endings) if e == ending), 0)
            end = t.EndMatch(number, None, "win" if ending == "Victory" else "loss", line=tree.line)
            made.append(tree.when(outcome(tree.bodies, f.lines), [end]))
    return made
