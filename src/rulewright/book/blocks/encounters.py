"""Encounter blocks -> components that muster, place, judge and move on.

In:  the blocks.
Out: Plan objects; components of the core notation, each one a chain of "if this is the encounter".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulewright.book import tree as t
from rulewright.book.blocks.places import Cell, Ground
from rulewright.book.blocks.roster import HEADINGS
from rulewright.book.bodies.fields import field_number, outcome
from rulewright.book.bodies.trees import Trees
from rulewright.book.symbols import norm
from rulewright.book.text.lists import Entry, coordinate, entries
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import nearest

if TYPE_CHECKING:
    from rulewright.book.blocks.campaign import Campaign
    from rulewright.book.symbols import Symbols

PARTY = re.compile(r"^-?\s*(Player|Enemy) (Cast|Actors):\s*(.*)$")
STATION = re.compile(
    r"^-?\s*(?P<name>.+?)\s+(?:(?P<random>at random\s+)?in zone\s+(?P<zone>.+?)|at\s+(?P<place>.+?))"
    r"(?:\s+facing\s+(?P<facing>\S+))?$"
)
EVENT_KEY = re.compile(r"^-?\s*(Event|Trigger|Effect|Note):\s*(.*)$")


@dataclass(slots=True)
class Station:
    """Where somebody starts."""

    name: str
    line: Line
    cell: Cell | None = None
    zone: str = ""
    random: bool = False
    facing: str = ""


@dataclass(slots=True)
class Happening:
    """An event of a map or encounter."""

    name: str
    line: Line
    trigger: list[Line] = field(default_factory=list[Line])
    effect: list[Line] = field(default_factory=list[Line])


@dataclass(slots=True)
class Plan:
    """One encounter, read."""

    d: Definition
    ground: Ground | None = None
    parties: list[tuple[str, str, Entry]] = field(default_factory=list[tuple[str, str, Entry]])
    """(side, cast or actor, name), players first."""
    stations: list[Station] = field(default_factory=list[Station])
    outcomes: list[tuple[str, FieldText]] = field(default_factory=list[tuple[str, FieldText]])
    transitions: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    features: list[Entry] = field(default_factory=list[Entry])
    events: list[Happening] = field(default_factory=list[Happening])
    initiative: FieldText | None = None
    changes: bool = False
    """It has `Transitions:`."""
    strangers: list[str] = field(default_factory=list[str])
    """Names it lists or places that are nobody's: of who is missing, one like these was probably meant."""

    @property
    def word(self) -> str:
        """Its word in the list of phases."""
        return f"Encounter {self.d.title}"


# ---------------------------------------------------------------- reading
def read(c: Campaign, d: Definition) -> Plan:
    """Everything the block says; mistakes are reported."""
    made = Plan(d, features=entries(d.get("features")), initiative=d.get("initiative"))
    where = d.get("map")
    if where is None or not where.lines:
        if not c.misspelt(d, "map"):
            c.problem("missing-part", d.line, f"'{d.title}' needs `Map: NAME`")
    elif norm(where.text) not in c.places.grounds:
        c.unknown("map", where.text, where.lines[0], [g.d.title for g in c.places.grounds.values()])
    else:
        made.ground = c.places.grounds[norm(where.text)]
    _parties(c, made)
    deployment = d.get("deployment")
    for line in deployment.lines if deployment else ():
        _station(c, made, line)
    _outcomes(c, made)
    made.events = happenings(c, d)
    if made.ground is not None and not made.ground.broken:
        _placed(c, made)
    return made


def _parties(c: Campaign, made: Plan) -> None:
    d = made.d
    lines: list[Line] = []
    for f in d.fields:
        if f.key.lower() == "actors":
            lines += f.lines
        elif f.key.lower() in ("player cast", "enemy cast", "player actors", "enemy actors"):
            for line in f.lines or [f.at or d.line]:
                lines.append(
                    Line(
                        line.file,
                        line.number,
                        line.column,
                        f"{f.key}: {line.text}" if f.lines else f"{f.key}:",
                    )
                )
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
            table: Any = c.roster.companies if kind == "cast" else c.roster.figures
            if norm(entry.name) not in table:
                names = [x.d.title for x in table.values()]
                c.unknown(
                    kind,
                    entry.name,
                    Line(entry.line.file, entry.line.number, entry.line.column, entry.name),
                    names,
                )
                made.strangers.append(entry.name)
                continue
            found.append(("Players" if side == "Player" else "Enemies", kind, entry))
    made.parties = [p for p in found if p[0] == "Players"] + [p for p in found if p[0] != "Players"]


def _station(c: Campaign, made: Plan, line: Line) -> None:
    match = STATION.match(line.text)
    if match is None:
        c.problem(
            "unexecutable", line, f"'{line.text}' places nobody: write `NAME at 1N 2E` or `NAME in zone NAME`"
        )
        return
    station = Station(match["name"].strip(), line, random=match["random"] is not None)
    if match["place"] is not None:
        station.cell = coordinate(match["place"])
        if station.cell is None:
            c.problem("unexecutable", line, f"'{match['place']}' is no coordinate")
        elif made.ground is not None and not made.ground.broken and not made.ground.holds(station.cell):
            c.problem("unknown-name", line, f"'{match['place']}' is not on the map '{made.ground.d.title}'")
    else:
        station.zone = match["zone"].strip()
        zones = [z.name for z in made.ground.zones] if made.ground else []
        if made.ground is not None and norm(station.zone) not in {norm(z) for z in zones}:
            c.unknown("zone", station.zone, line, zones)
            station.zone = ""
    if match["facing"] is not None:
        station.facing = match["facing"]
        if station.facing not in HEADINGS:
            c.problem("unexecutable", line, f"'{station.facing}' is no heading: {', '.join(HEADINGS)}")
            station.facing = ""
    names = {norm(n) for n, _, _ in lineup(c, made)} | {
        norm(e.name) for _, kind, e in made.parties if kind == "cast"
    }
    if not re.fullmatch(r".+ \d+", station.name):
        names |= {*c.roster.companies, *c.roster.figures}
    if norm(station.name) not in names:
        if not nearest(re.sub(r" \d+$", "", station.name), made.strangers):
            c.unknown("actor", station.name, line, [n for n, _, _ in lineup(c, made)])
        made.strangers.append(station.name)
    made.stations.append(station)


def lineup(c: Campaign, made: Plan) -> list[tuple[str, str, str]]:
    """(name, figure, cast) of everybody who takes part from the start, in deployment order."""
    found: list[tuple[str, str, str]] = []
    used: dict[str, int] = {}
    for _, kind, entry in made.parties:
        cast = norm(entry.name) if kind == "cast" else ""
        for one in c.roster.companies[cast].members if cast else [entry]:
            key = norm(one.name)
            if one.copies is None:
                found.append((one.name, key, cast))
            else:
                for _ in range(one.copies):
                    used[key] = used.get(key, 0) + 1
                    found.append((f"{one.name} {used[key]}", key, cast))
    return found


def _placed(c: Campaign, made: Plan) -> None:
    """Everybody needs a place to start."""
    names = {norm(s.name) for s in made.stations}
    for name, key, cast in lineup(c, made):
        home = c.roster.figures[key].home or (
            c.roster.templates[c.roster.figures[key].parent].home if c.roster.figures[key].parent else None
        )
        company = norm(c.roster.companies[cast].d.title) if cast else c.roster.figures[key].cast
        lacking = norm(name) not in names and (not company or company not in names) and home is None
        if lacking and not nearest(name, made.strangers):
            c.problem("missing-part", made.d.line, f"'{name}' has no place to deploy in '{made.d.title}'")


def _outcomes(c: Campaign, made: Plan) -> None:
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
        value = Line(line.file, line.number, line.column + match.start(2), match.group(2))
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
        found = c.goto(Line(line.file, line.number, line.column + match.start(2), match.group(2)))
        made.transitions[key] = found or ("", "")
    if transitions is not None:
        for name, _ in made.outcomes:
            if norm(name) not in made.transitions:
                c.problem(
                    "missing-part", d.line, f"`Transitions:` of '{d.title}' leave out the outcome '{name}'"
                )


def check_tiles(c: Campaign, s: Symbols) -> None:
    """Nobody is placed on a tile that cannot be entered."""
    solid = s.terrains.columns.get(str(c.source.front.get("solid", "")))
    for plan in c.plans:
        map_ = (
            s.maps.get(norm(plan.ground.d.title))
            if plan.ground is not None and not plan.ground.broken
            else None
        )
        if map_ is None or solid is None:
            continue
        terrain = {
            (s.spaces[i].x, s.spaces[i].y): s.spaces[i].terrain
            for i in range(map_.first, map_.first + map_.count)
        }
        for station in plan.stations:
            kind = terrain.get(station.cell, -1) if station.cell is not None else -1
            if 0 <= kind < len(solid.values) and solid.values[kind]:
                c.problem(
                    "unexecutable",
                    station.line,
                    f"'{station.name}' would stand on a tile that cannot be entered",
                )


def happenings(c: Campaign, d: Definition) -> list[Happening]:
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
    found: list[Happening] = []
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
        value = Line(line.file, line.number, line.column + match.start(2), text)
        if key == "Event":
            first = next((h.line for h in found if norm(h.name) == norm(text)), None)
            if first is not None:
                c.problem(
                    "duplicate-name",
                    line,
                    f"the event '{text}' is declared twice",
                    f"first declared on line {first.number}",
                )
            found.append(Happening(text, line))
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
    for happening in found:
        for key, part in (("Trigger", happening.trigger), ("Effect", happening.effect)):
            if not part:
                c.problem("missing-part", happening.line, f"the event '{happening.name}' needs `{key}:`")
    return found


# ---------------------------------------------------------------- writing
def write(c: Campaign) -> None:
    """The components that the framework calls."""
    for title, build in (
        ("Muster", _muster), ("Station", _stations), ("Judge", _judge), ("Move On", _move_on),
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
    for plan in c.plans:
        tree.line = plan.d.line.number
        body: t.Block_ = []
        if plan.ground is not None and norm(plan.ground.d.title) in tree.s.maps:
            body.append(t.Simple("map", [tree.s.maps[norm(plan.ground.d.title)].index], tree.line))
        used: dict[str, int] = {}
        for side, kind, entry in plan.parties:
            body += _party(c, tree, side, kind, entry, used)
        made.append(tree.when(tree.phase_is(plan.word), body))
    return made


def _party(c: Campaign, tree: Trees, side: str, kind: str, entry: Entry, used: dict[str, int]) -> t.Block_:
    made: t.Block_ = []
    word = tree.word(t.SIDE, side)
    company = c.roster.companies[norm(entry.name)] if kind == "cast" else None
    for place, one in enumerate(company.members if company else [entry]):
        key = norm(one.name)
        played = c.roster.players(key) if company is None else None
        chair = (
            (1 if played or (played is None and side == "Players") else 0)
            if company is None
            else company.chair
        )
        if one.copies is None and company is None:
            made.append(tree.run("Enlist", tree.actor(one.name), word, chair))
        for _ in range(one.copies or 0):
            used[key] = used.get(key, 0) + 1
            if f"{norm(one.name)}{used[key]}" not in tree.s.actor_names:
                continue
            copy = tree.actor(f"{one.name} {used[key]}")
            home = tree.actor(company.title) if company else tree.none()
            made.append(tree.run("Enroll", copy, home, 10 * (place + 1)))
            if company is None:
                made.append(tree.run("Enlist", copy, word, chair))
            elif company.leader == key and not c.roster.figures[key].single and used[key] == 1:
                made.append(tree.put("Leader", copy, home))
    if company is not None:
        made.append(tree.run("Enlist Cast", tree.actor(company.title), word, company.chair))
    return made


def _stations(c: Campaign, tree: Trees) -> t.Block_:
    """Where self starts: its own line, its cast's, its own location."""
    made: t.Block_ = []
    for plan in c.plans:
        tree.line = plan.d.line.number
        body: t.Block_ = []
        own = [
            s
            for s in plan.stations
            if norm(s.name) in tree.s.actor_names and norm(s.name) not in c.roster.companies
        ]
        casts = [s for s in plan.stations if norm(s.name) in c.roster.companies and s not in own]
        for station in own:
            body.append(
                tree.when(
                    tree.same(tree.me(), tree.actor(station.name)),
                    [*_place(c, tree, plan, station), tree.give(1)],
                )
            )
        for station in casts:
            cast = tree.actor(c.roster.companies[norm(station.name)].title)
            body.append(
                tree.when(
                    tree.same(tree.held("Home", tree.me()), cast),
                    [*_place(c, tree, plan, station), tree.give(1)],
                )
            )
        body += _homes(c, tree, plan)
        made.append(tree.when(tree.phase_is(plan.word), body))
    return [*made, tree.run("Deploy Anywhere")]


def _homes(c: Campaign, tree: Trees, plan: Plan) -> t.Block_:
    made: t.Block_ = []
    for figure in c.roster.figures.values():
        home, facing = figure.home, figure.heading
        if figure.parent:
            home = home or c.roster.templates[figure.parent].home
        if home is None:
            continue
        station = Station(figure.name, figure.d.line, home, facing=facing)
        template = tree.s.templates[norm(figure.name)].index
        test = t.Has("template", tree.me(), template)
        made.append(tree.when(test, [*_place(c, tree, plan, station), tree.give(1)]))
    return made


def _place(c: Campaign, tree: Trees, plan: Plan, station: Station) -> t.Block_:
    facing = station.facing or _heading(c, station.name)
    direction = tree.word(t.DIRECTION, facing or "N")
    map_ = tree.s.maps.get(norm(plan.ground.d.title)) if plan.ground else None
    if map_ is None:
        return []
    if station.cell is not None:
        spaces = {
            (tree.s.spaces[i].x, tree.s.spaces[i].y): i for i in range(map_.first, map_.first + map_.count)
        }
        return [tree.run("Deploy At", t.TConst(t.SPACE, spaces.get(station.cell, map_.first)), direction)]
    if not station.zone:
        return []  # a mistake that was reported
    return [tree.run("Deploy In", tree.word("Area", station.zone), direction, 1 if station.random else 0)]


def _heading(c: Campaign, name: str) -> str:
    base = re.sub(r" \d+$", "", name)
    figure = c.roster.figures.get(norm(name)) or c.roster.figures.get(norm(base))
    if figure is None:
        return ""
    return figure.heading or (c.roster.templates[figure.parent].heading if figure.parent else "")


def _judge(c: Campaign, tree: Trees) -> t.Block_:
    """The first outcome that is true."""
    made: t.Block_ = []
    for plan in c.plans:
        body: t.Block_ = []
        for name, condition in plan.outcomes:
            tree.line = condition.lines[0].number
            test = outcome(tree.bodies, condition.lines)
            body.append(tree.when(test, [tree.run("Conclude", tree.word("Outcome", name)), tree.give(1)]))
        tree.line = plan.d.line.number
        made.append(tree.when(tree.phase_is(plan.word), body))
    return made


def _move_on(c: Campaign, tree: Trees) -> t.Block_:
    """What follows an encounter."""
    made: t.Block_ = []
    for plan in c.plans:
        tree.line = plan.d.line.number
        body: t.Block_ = []
        for name, _ in plan.outcomes:
            found = plan.transitions.get(norm(name))
            if found is None or found not in c.phases:
                continue
            verdict = tree.same(tree.held("Verdict"), tree.word("Outcome", name))
            body.append(tree.when(verdict, [tree.run("Go To", tree.word("Phase", c.phases[found]))]))
        made.append(tree.when(tree.phase_is(plan.word), body))
    return made


def _stated(tree: Trees, test: t.Cond_, score: str, formula: FieldText, who: Any) -> t.Stmt_:
    from rulewright.book.grammar.scope import Scope

    value = t.Final(field_number(tree.bodies, formula.lines, Scope(self=t.ACTOR)))
    return tree.when(test, [tree.set(score, "=", value, who), tree.give(1)])


def _initiative(c: Campaign, tree: Trees) -> t.Block_:
    """A cast's own roll, then the encounter's; gives 1 if there was one."""
    made: t.Block_ = []
    group = tree.held("Group", tree.me())
    for company in c.roster.companies.values():
        if company.initiative is not None and company.initiative.lines:
            test = tree.same(group, tree.actor(company.title))
            made.append(_stated(tree, test, "Turn Score", company.initiative, group))
    for plan in c.plans:
        if plan.initiative is not None and plan.initiative.lines:
            made.append(_stated(tree, tree.phase_is(plan.word), "Turn Score", plan.initiative, group))
    return [*made, tree.give(0)]


def _inner(c: Campaign, tree: Trees) -> t.Block_:
    """A cast's own roll for its members; gives 1 if there was one."""
    made: t.Block_ = []
    for company in c.roster.companies.values():
        if company.inner is not None and company.inner.lines:
            test = tree.same(tree.held("Group", tree.me()), tree.actor(company.title))
            made.append(_stated(tree, test, "Inner Score", company.inner, tree.me()))
    return [*made, tree.give(0)]


def _verdict(c: Campaign, tree: Trees) -> t.Block_:
    """Victory and defeat of the whole campaign."""
    made: t.Block_ = []
    for f in c.settings.fields if c.settings else ():
        if f.key.lower() in ("victory", "defeat") and f.lines:
            tree.line = f.lines[0].number
            ending = f.key[:1].upper() + f.key[1:].lower()
            number = next((i for i, e in enumerate(tree.s.endings) if e == ending), 0)
            end = t.EndMatch(number, None, "win" if ending == "Victory" else "loss", tree.line)
            made.append(tree.when(outcome(tree.bodies, f.lines), [end]))
    return made
