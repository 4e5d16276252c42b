"""Actor, Template and Cast blocks -> actors of the core notation.

In:  the blocks, and the encounters that say how many copies of whom take part.
Out: one definition an actor or template; one for each cast, which is an actor that is never in play: it
     stands for its members in the turn order.

`Name xN` are copies from a box, made afresh for each encounter; a name alone is the one actor of that
name. Which of the two a book needs is read from how it uses the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulewright.book import tree as t
from rulewright.book.blocks.paces import followed
from rulewright.book.symbols import norm
from rulewright.book.text.lists import Entry, coordinate, entries
from rulewright.book.text.source import Definition, FieldText, Line

if TYPE_CHECKING:
    from rulewright.book.blocks.campaign import Campaign
    from rulewright.book.bodies.state import Bodies


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


@dataclass(slots=True)
class Figure:
    """An Actor or Template block."""

    d: Definition
    parent: str = ""
    copies: int = 0
    single: bool = False
    cast: str = ""
    home: tuple[int, int] | None = None
    heading: str = ""

    @property
    def name(self) -> str:
        """Its name as written."""
        return self.d.title


@dataclass(slots=True)
class Company:
    """A Cast block."""

    d: Definition
    members: list[Entry]
    title: str
    chair: int = 0
    leader: str = ""
    strategy: Line | None = None
    initiative: FieldText | None = None
    inner: FieldText | None = None
    features: list[Entry] = field(default_factory=list[Entry])


class Roster:
    """All figures and companies of a campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.c = campaign
        self.figures: dict[str, Figure] = {}
        self.templates: dict[str, Figure] = {}
        self.companies: dict[str, Company] = {}
        self.chairs: list[str] = []
        """Names of the seats."""
        self.references: list[tuple[str, Entry]] = []
        """Names that must be declared somewhere: (kind, entry)."""

    # ------------------------------------------------------------ reading
    def read(self) -> None:
        """Everything the blocks say."""
        for kind, table in (("Template", self.templates), ("Actor", self.figures)):
            for d in self.c.blocks.get(kind, []):
                if self.c.named(d, kind.lower()):
                    table[norm(d.title)] = Figure(d)
        for figure in (*self.templates.values(), *self.figures.values()):
            self._figure(figure)
        for d in self.c.blocks.get("Cast", []):
            if self.c.named(d, "cast"):
                self._company(d)
        self._members()

    def _figure(self, figure: Figure) -> None:
        d = figure.d
        if d.extra:
            match = re.fullmatch(r"uses Template:\s*(.+)", d.extra)
            if match is None:
                self.c.problem("unexecutable", d.line, f"'({d.extra})' is not `(uses Template: NAME)`")
            elif norm(match.group(1)) not in self.templates:
                self.c.unknown("template", match.group(1), d.line, [x.name for x in self.templates.values()])
            else:
                figure.parent = norm(match.group(1))
        place = d.get("location")
        if place is not None and place.lines:
            figure.home = coordinate(place.text)
            if figure.home is None:
                self.c.problem("unexecutable", place.lines[0], f"'{place.text}' is no coordinate")
        heading = d.get("heading")
        if heading is not None and heading.lines:
            figure.heading = heading.text if heading.text in HEADINGS else ""
            if not figure.heading:
                self.c.problem(
                    "unexecutable", heading.lines[0], f"'{heading.text}' is no heading: {', '.join(HEADINGS)}"
                )
        type_ = d.get("type")
        if type_ is not None and type_.lines and type_.text not in ("Player", "Non-Player"):
            self.c.problem("unexecutable", type_.lines[0], "a type is `Player` or `Non-Player`")

    def _company(self, d: Definition) -> None:
        title = d.title if norm(d.title) not in self.figures else d.title + " cast"
        made = Company(
            d, entries(d.get("members")), title, initiative=d.get("initiative"), inner=d.get("sub-initiative")
        )
        made.features = entries(d.get("features"))
        controller = d.get("controller")
        if controller is None or not controller.lines:
            if not self.c.misspelt(d, "controller"):
                self.c.problem(
                    "missing-part",
                    d.line,
                    f"'{d.title}' needs `Controller: Player` or `Controller: Strategy (NAME)`",
                )
        else:
            strategy = re.fullmatch(r"Strategy\s*\((.+)\)", controller.text)
            if strategy:
                at = controller.lines[0]
                start = at.column + at.text.index("(") + 1
                made.strategy = Line(at.file, at.number, start, strategy.group(1).strip())
            elif controller.text.split()[0] == "Player":
                made.chair = self.chair(controller.text[6:].strip(" ()"))
            else:
                self.c.problem(
                    "unexecutable", controller.lines[0], "a controller is `Player` or `Strategy (NAME)`"
                )
        if d.get("members") is None:
            made.members = []
        self.companies[norm(d.title)] = made

    def chair(self, name: str) -> int:
        """The number of a seat; without a name, the first."""
        if not self.chairs:
            self.chairs.append(name)
        if not name:
            return 1
        if not self.chairs[0]:
            self.chairs[0] = name
        if name not in self.chairs:
            self.chairs.append(name)
        return self.chairs.index(name) + 1

    def _members(self) -> None:
        owner: dict[str, str] = {}
        for company in self.companies.values():
            for entry in list(company.members):
                key = norm(entry.name)
                if key not in self.figures:
                    self.c.unknown("actor", entry.name, entry.line, [x.name for x in self.figures.values()])
                    company.members.remove(entry)
                    continue
                if entry.remark == "Leader":
                    company.leader = company.leader or key
                if entry.copies is None:
                    self.figures[key].single = True
                    if owner.setdefault(key, company.d.title) != company.d.title:
                        self.c.problem(
                            "duplicate-name",
                            entry.line,
                            f"'{entry.name}' is already in the cast '{owner[key]}'",
                        )
                        company.members.remove(entry)
                        continue
                    self.figures[key].cast = norm(company.d.title)
        for figure in self.figures.values():
            cast = figure.d.get("cast")
            if cast is None or not cast.lines:
                continue
            key = norm(cast.text)
            if key not in self.companies:
                self.c.unknown("cast", cast.text, cast.lines[0], [x.d.title for x in self.companies.values()])
            elif figure.cast and figure.cast != key:
                self.c.problem(
                    "duplicate-name",
                    cast.lines[0],
                    f"'{figure.name}' is already in the cast '{self.companies[figure.cast].d.title}'",
                )
            elif not figure.cast:
                figure.cast, figure.single = key, True
                self.companies[key].members.append(Entry(figure.name, cast.lines[0]))

    def players(self, key: str) -> bool | None:
        """Is the figure played by a person? None when nothing says so."""
        figure = self.figures[key]
        if figure.cast:
            return self.companies[figure.cast].chair > 0
        chain = [figure.d]
        if figure.parent:
            chain.append(self.templates[figure.parent].d)
        for d in chain:
            type_ = d.get("type")
            if type_ is not None:
                return type_.text == "Player"
            if d.get("strategy") is not None:
                return False
        return None

    def circles(self, bodies: Bodies) -> None:
        """First values and maximums that need each other cannot be worked out."""
        s = bodies.symbols
        reported: set[str] = set()
        for name in ("", *(norm(figure.name) for figure in self.figures.values())):
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
                line = self._where(s.resources[first])
                self.c.problem("circular", line, f"these need each other: {' -> '.join([*names, names[0]])}")

    def _where(self, r: t.Resource) -> Line:
        assert r.definition is not None
        field_ = r.definition.get("starts", "maximum")
        return field_.lines[0] if field_ is not None and field_.lines else r.definition.line

    # ------------------------------------------------------------ copies
    def _copies(self) -> None:
        """How many copies of a name take part at most, and whether the name alone is used too."""
        for plan in self.c.plans:
            totals: dict[str, int] = {}
            for _, kind, entry in plan.parties:
                listed = (
                    self.companies[norm(entry.name)].members
                    if kind == "cast" and norm(entry.name) in self.companies
                    else [entry]
                )
                for one in listed:
                    if one.copies is not None:
                        totals[norm(one.name)] = totals.get(norm(one.name), 0) + one.copies
                    elif norm(one.name) in self.figures:
                        self.figures[norm(one.name)].single = True
            for key, total in totals.items():
                if key in self.figures:
                    self.figures[key].copies = max(self.figures[key].copies, total)
        for company in self.companies.values():
            for entry in company.members:
                if entry.copies is not None:
                    figure = self.figures[norm(entry.name)]
                    figure.copies = max(figure.copies, entry.copies)
        texts = self.c.texts()
        for figure in self.figures.values():
            name = re.escape(figure.name)
            spare = [int(x) for text in texts for x in re.findall(rf"\b{name}\s+x(\d+)\b", text)]
            if spare:
                figure.copies += max(SPARE, sum(spare))
            if figure.copies:
                numbered = re.compile(rf"\b{name}\s+(\d{{1,2}})\b(?!\s*[NSEW]\b)")
                named = [int(x) for text in texts for x in numbered.findall(text)]
                figure.copies = max(figure.copies, *named, 0)
            alone = any(re.search(rf"(?:^|[^\w])(?:\[)?{name}(?!\s+x?\d)(?![\w'’])", text) for text in texts)
            if not figure.copies or alone:
                figure.single = True

    # ------------------------------------------------------------ writing
    def write(self) -> None:
        """Definitions of the core notation, actors before casts."""
        self._copies()
        for key, figure in self.templates.items():
            self.c.made.append(self._sheet(figure, Definition(key + " template", "Template", figure.d.line)))
        for key, figure in self.figures.items():
            made = self._sheet(figure, Definition(figure.name, "Actor", figure.d.line, cites=figure.d.cites))
            self._add(made, "box", str(figure.copies) if figure.copies else "1")
            if figure.copies:
                self._add(made, "copies", "and one" if figure.single else "only")
            side, chair = self._first_party(key)
            if side:
                self._add(made, "side", side)
            self._add(made, "seat", str(chair) if chair else "none")
            if figure.cast:
                self._add(made, "=Home", self.companies[figure.cast].title)
                order = [norm(m.name) for m in self.companies[figure.cast].members]
                self._add(made, "=Standing", str(10 * (order.index(key) + 1)))
            elif chair:
                self._add(made, "=Chair", str(chair))  # on its own it is a cast of one
            self.c.made.append(made)
        for place, company in enumerate(self.companies.values(), 1):
            made = Definition(company.title, "Actor", company.d.line, cites=company.d.cites)
            self._add(made, "is", "Cast")
            self._add(made, "seat", str(company.chair) if company.chair else "none")
            self._add(made, "=Chair", str(company.chair))
            self._add(made, "=Standing", str(10 * place))
            self._add(made, "=Group", company.title)
            if company.leader and self.figures[company.leader].single:
                self._add(made, "=Leader", self.figures[company.leader].name)
            if company.strategy is not None:
                self.references.append(("strategy", Entry(company.strategy.text, company.strategy)))
                made.fields.append(FieldText("=Own Plan", [company.strategy]))
            self.c.made.append(made)
        if "seats" not in self.c.source.own_front:
            self.c.source.front["seats"] = max(1, len(self.chairs))

    def _add(self, d: Definition, key: str, text: str) -> None:
        d.fields.append(FieldText(key, [Line(d.line.file, d.line.number, 0, text)]))

    def _first_party(self, key: str) -> tuple[str, int]:
        """The side and seat a figure has in the first encounter that lists it, for play outside of them."""
        figure = self.figures[key]
        played = self.players(key)
        side = ""
        for plan in self.c.plans:
            for party, kind, entry in plan.parties:
                if (
                    (kind == "cast" and norm(entry.name) == figure.cast)
                    or (kind != "cast" and norm(entry.name) == key)
                    or (
                        kind == "cast"
                        and norm(entry.name) in self.companies
                        and any(norm(m.name) == key for m in self.companies[norm(entry.name)].members)
                    )
                ):
                    side = side or party
        if played is None:
            played = side.startswith("Player")
        chair = (self.companies[figure.cast].chair if figure.cast else self.chair("")) if played else 0
        if not side:
            side = "Players" if played else ""
        return side, chair

    def _sheet(self, figure: Figure, made: Definition) -> Definition:
        """Values, maximums, actions, features, strategy."""
        d = figure.d
        if figure.parent:
            self._add(made, "is", figure.parent + " template")
        for entry in entries(d.get("resources")):
            self._value(made, entry)
        for key, kind in (("actions", "action"), ("features", "feature")):
            found = entries(d.get(key))
            self.references += [(kind, entry) for entry in found]
            if found:
                self._add(made, key, ", ".join(e.line.text if kind == "feature" else e.name for e in found))
        strategy = d.get("strategy")
        if strategy is not None and strategy.lines:
            self.references.append(("strategy", Entry(strategy.text, strategy.lines[0])))
            made.fields.append(FieldText("=Own Plan", strategy.lines))
        return made

    def _value(self, made: Definition, entry: Entry) -> None:
        """`Health: 15 (Maximum: 15)` or `Health Maximum: 15`"""
        name = entry.name
        limit = re.fullmatch(r"(.+?)\s+(?:Maximum|Max)", name)
        known = {norm(x) for x in self.c.resource_names()}
        base = limit.group(1) if limit and norm(name) not in known else name
        at = Line(entry.line.file, entry.line.number, entry.line.column, name)
        if norm(base) not in known:
            self.c.unknown("resource", base, at, self.c.resource_names())
            return
        if entry.value is None:
            self.c.problem("missing-part", at, f"say how much: `{name}: NUMBER`")
            return
        shared = self.c.resources.get(norm(base))
        if shared is not None and shared.get("of") is not None:
            self.c.problem("wrong-kind", at, f"'{base}' is shared and stands on nobody's sheet")
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
                    [Line(value.file, value.number, value.column + match.start(1), match.group(1))],
                )
            )
            value = Line(value.file, value.number, value.column, value.text[: match.start()].rstrip())
        if made.get("=" + base) is not None:
            self.c.problem("duplicate-name", at, f"'{base}' stands twice")
            return
        made.fields.append(FieldText("=" + base, [value]))
