"""Everything a book declares, by kind and by name.

In:  definitions, cut but not parsed.
Out: Symbols: the tables in which the parser looks names up.

Names are compared without spaces. Each kind has its own table; a word that several tables hold is
told apart by where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from rulewright.book import tree as t
from rulewright.book.phrases.match import Book as Phrases
from rulewright.book.phrases.match import Phrase
from rulewright.book.text.source import Definition


@lru_cache(maxsize=1 << 16)
def norm(name: str) -> str:
    """A name without its spaces."""
    return "".join(name.split()).replace("’", "'")


@dataclass(slots=True, eq=False)
class ListSym:
    """A closed set of words with attributes. Also used for faces, dice, terrain."""

    name: str
    definition: Definition | None = None
    words: list[str] = field(default_factory=list[str])
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    """The number of each word, by its name; dice may have one word on several faces, and the first counts."""
    columns: dict[str, t.Column] = field(default_factory=dict[str, t.Column])

    def add(self, word: str) -> int:
        """One more word; gives its number."""
        number = len(self.words)
        self.words.append(word)
        self.numbers.setdefault(norm(word), number)
        return number


@dataclass(slots=True)
class ZoneSym:
    """An ordered pile of cards."""

    name: str
    of: str | None
    seen: str
    capacity: int
    index: int
    definition: Definition
    opens: t.Cond_ | None = None
    """While this holds (self being its owner), everybody sees it."""


@dataclass(slots=True)
class ActorSym:
    """One actor that can take part, or one copy from a template's box."""

    name: str
    template: str
    definition: Definition
    number: int
    copy: bool = False
    """Made afresh whenever it comes into play."""


@dataclass(slots=True)
class TemplateSym:
    """What actors of one sort have in common."""

    name: str
    definition: Definition
    index: int
    box: int
    parent: str = ""
    side: str = ""
    seat: str = "none"
    values: dict[str, t.Num_ | t.Thing_] = field(default_factory=dict[str, "t.Num_ | t.Thing_"])
    actions: list[str] = field(default_factory=list[str])
    features: list[str] = field(default_factory=list[str])
    strategy: str = ""
    maxima: dict[str, t.Num_] = field(default_factory=dict[str, "t.Num_"])
    """Maximums that its sheet states."""


@dataclass(slots=True)
class Space:
    """One space of a map."""

    name: str
    map: int
    x: int
    y: int
    terrain: int


@dataclass(slots=True)
class MapSym:
    """A map: its grid, how it measures, where its spaces begin."""

    name: str
    definition: Definition
    index: int
    grid: str
    first: int = 0
    count: int = 0
    metric: str = "steps"
    corners: bool = True
    """Are spaces that touch at a corner adjacent?"""
    flanks: bool = False
    """Does a line through a corner need one open flank?"""
    names: str = ""
    zones: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    width: int = 0
    height: int = 0
    glyphs: list[str] = field(default_factory=list[str])
    upward: bool = True


@dataclass(slots=True)
class WalkSym:
    """How one moves: what may be entered, what a step costs."""

    name: str
    definition: Definition
    index: int
    it: str = "it"
    through: t.Cond_ | None = None
    cost: t.Num_ | None = None
    ends: t.Cond_ | None = None
    """Where a path may end."""


@dataclass(slots=True)
class OptionSym:
    """A setting of the match."""

    name: str
    words: list[str]
    default: int
    definition: Definition


@dataclass(slots=True)
class StrategySym:
    """How actors decide when no person does; or how a bot answers for a seat."""

    name: str
    definition: Definition
    index: int
    body: t.Block_ = field(default_factory=list["t.Stmt_"])
    seat: bool = False
    prefers: list[t.Prefer] = field(default_factory=list["t.Prefer"])
    value: t.Num_ | None = None
    """What a position is worth to the seat of an actor, from 0 to 1000."""


@dataclass(slots=True, eq=False)
class LawSym:
    """What must hold whenever somebody decides."""

    name: str
    definition: Definition
    check: t.Cond_ | None = None


@dataclass(slots=True)
class StatusSym:
    """A condition an actor can be in."""

    name: str
    definition: Definition
    index: int
    again: str = "refresh"
    stacks: int = 1
    immune: t.Cond_ | None = None
    """Whoever passes this check cannot come to have it."""


@dataclass(slots=True)
class Roles:
    """Who plays which part. None: nobody does."""

    turn: t.Component | None = None
    """The sequence that is a turn."""
    round: t.Component | None = None
    """The sequence that is a round: what happens then happens to nobody in particular."""
    active: t.Resource | None = None
    """Holds whose turn it is; without it, whoever the innermost turn runs on."""
    strategy: t.Component | None = None
    """Gives the strategy that an actor follows now."""
    target: t.Component | None = None
    """Gives whom a behavior is after that does not say it."""
    present: t.Resource | None = None
    """Is more than 0 for those who take part; a copy that does not reads 0."""
    group: str = ""
    """The template of those who stand for several and have no numbers of their own to start with."""
    free_uses: t.Resource | None = None
    """Counts uses of an action that cost nothing."""
    test: t.Component | None = None
    """Has the last word on the test of an action."""
    dice: t.Component | None = None
    """Gives how often the dice of a loss are rolled."""
    ending: str = ""
    """The ending of a story that just stops."""
    solid: t.Column | None = None
    """The mark of terrain that nobody can start on."""
    move: t.Component | None = None
    """Moves somebody; an action of the same name is how an actor moves by itself."""
    lead: t.Component | None = None
    """Gives who leads a scene, from whom it names."""
    next: t.Component | None = None
    """Is given the phase of a story that comes next."""
    check: t.Resource | None = None
    """1 after a check of a scene that succeeded, 2 after one that failed, 0 before."""
    action: t.Resource | None = None
    """Holds the action that is carried out."""
    doer: t.Resource | None = None
    """Holds who carries it out."""
    loss: str = ""
    """An ending; what follows an outcome of the same name is lost, too."""
    triggers: str = ""
    """The preference by which everybody's rules for one moment run."""


@dataclass(slots=True)
class Symbols:
    """All tables. Keys are names without spaces."""

    resources: dict[str, t.Resource] = field(default_factory=dict[str, t.Resource])
    lists: dict[str, ListSym] = field(default_factory=dict[str, ListSym])
    dice: dict[str, ListSym] = field(default_factory=dict[str, ListSym])
    zones: dict[str, ZoneSym] = field(default_factory=dict[str, ZoneSym])
    faces: ListSym = field(default_factory=lambda: ListSym(t.FACE))
    statuses: dict[str, StatusSym] = field(default_factory=dict[str, StatusSym])
    terrains: ListSym = field(default_factory=lambda: ListSym("Terrain"))
    maps: dict[str, MapSym] = field(default_factory=dict[str, MapSym])
    spaces: list[Space] = field(default_factory=list[Space])
    space_names: dict[str, int] = field(default_factory=dict[str, int])
    plans: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])
    """Pictures of spaces that are laid during play: coordinates in the order of laying."""
    sides: ListSym = field(default_factory=lambda: ListSym(t.SIDE))
    status_list: ListSym = field(default_factory=lambda: ListSym(t.STATUS))
    """The statuses as things, in the order of `statuses`, with the columns of their table."""
    templates: dict[str, TemplateSym] = field(default_factory=dict[str, TemplateSym])
    actors: list[ActorSym] = field(default_factory=list[ActorSym])
    actor_names: dict[str, int] = field(default_factory=dict[str, int])
    components: dict[str, t.Component] = field(default_factory=dict[str, t.Component])
    actions: dict[str, t.ActionSym] = field(default_factory=dict[str, t.ActionSym])
    face_actions: dict[int, t.ActionSym] = field(default_factory=dict[int, t.ActionSym])
    features: dict[str, t.Rules] = field(default_factory=dict[str, t.Rules])
    rules: list[t.Rules] = field(default_factory=list[t.Rules])
    orders: dict[str, Definition] = field(default_factory=dict[str, Definition])
    preferences: dict[str, Definition] = field(default_factory=dict[str, Definition])
    strategies: dict[str, StrategySym] = field(default_factory=dict[str, StrategySym])
    options: dict[str, OptionSym] = field(default_factory=dict[str, OptionSym])
    endings: list[str] = field(default_factory=list[str])
    keeps: list[str] = field(default_factory=list[str])
    """Resources and zones that are carried over into a later match."""
    laws: dict[str, LawSym] = field(default_factory=dict[str, LawSym])
    walks: dict[str, WalkSym] = field(default_factory=dict[str, WalkSym])
    decks: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])
    sentences: list[Phrase] = field(default_factory=list[Phrase])
    """Titles with slots: each is a phrase that runs its component."""
    windows: dict[str, int] = field(default_factory=dict[str, int])
    opened: list[str] = field(default_factory=list[str])
    """The windows in the order in which they were read."""
    directions: ListSym = field(default_factory=lambda: ListSym(t.DIRECTION))
    front: dict[str, object] = field(default_factory=dict[str, object])
    roles: Roles = field(default_factory=Roles)
    bases: set[str] = field(default_factory=set[str])
    """Files of books that define a notation for other books."""
    phrases: Phrases = field(default_factory=Phrases)
    own_components: dict[str, t.Component] = field(default_factory=dict[str, t.Component])
    """Components of books that use a framework, by the names they use."""
    offers: list[t.ActionSym] = field(default_factory=list[t.ActionSym])
    """What features offer to do."""
    common: set[str] = field(default_factory=set[str])
    """Actions that every actor has."""
    casts: dict[str, str] = field(default_factory=dict[str, str])
    """Groups of actors by the name a book gives them: the actor that stands for each."""
    limited: set[str] = field(default_factory=set[str])
    """Resources of which a book may read the maximum."""
    owned: bool = False
    """Whoever does not list an action does not have it."""
    triggers: tuple[str, list[t.Pref]] = ("one", [])
    freed: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    """Actions whose uses some effect gives away, and the resource that they then take nothing of."""
    """In which order a framework's actors take what happens to all of them: a local, and preferences."""
    told: dict[str, int] = field(default_factory=dict[str, int])
    """Numbers that the prose reads from definitions, by what stands in its gaps."""
    index: object = None
    """All names together (index.py), once they are asked for."""
    views: dict[bool, dict[str, t.Resource]] = field(default_factory=dict[bool, dict[str, t.Resource]])

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most that can play."""
        said = [int(found) for found in re.findall(r"\d{1,9}", str(self.front.get("seats", 1)))] or [1]
        return said[0], said[-1]

    def is_closed(self, file: str) -> bool:
        """Is the text of a file closed: does it belong to a book whose base says so?"""
        return bool(self.bases) and file not in self.bases

    @property
    def closes(self) -> bool:
        """Whether a base closes the text of the book: what no file of it holds is closed, too."""
        return bool(self.bases)

    def resources_for(self, closed: bool) -> dict[str, t.Resource]:
        """The resources by name as closed text or open text knows them."""
        if not self.bases:
            return self.resources
        if closed not in self.views:
            view = {k: r for k, r in self.resources.items() if not r.private and not (closed and r.optional)}
            view.update({norm(r.name): r for r in self.resources.values() if r.private and not closed})
            self.views[closed] = view
        return self.views[closed]

    def components_for(self, closed: bool) -> dict[str, t.Component]:
        """The components by name, likewise: a book does not see what its base is made of."""
        return self.own_components if closed else self.components

    def lineage(self, template: str) -> list[TemplateSym]:
        """A template and those it descends from, itself first. (A writer may have closed a circle.)"""
        found: dict[str, TemplateSym] = {}
        while template in self.templates and template not in found:
            found[template] = self.templates[template]
            template = found[template].parent
        return list(found.values())

    def values_of(self, template: str) -> dict[str, t.Num_ | t.Thing_]:
        """What the sheets of a template and those it descends from say; its own wins."""
        return {k: v for made in reversed(self.lineage(template)) for k, v in made.values.items()}

    def maxima_of(self, template: str) -> dict[str, t.Num_]:
        """The maximums that they state, likewise."""
        return {k: v for made in reversed(self.lineage(template)) for k, v in made.maxima.items()}

    def features_of(self, template: str) -> list[str]:
        """The features that they list."""
        return [name for made in reversed(self.lineage(template)) for name in made.features]

    def list_of(self, kind: str) -> ListSym | None:
        """The list behind a kind of thing whose members are words."""
        return self.tables.get(kind) or self.lists.get(norm(kind)) or self.dice.get(norm(kind))

    @property
    def tables(self) -> dict[str, ListSym]:
        """Every kind of thing that the language has in each book and whose members are words."""
        return {
            t.FACE: self.faces, t.SIDE: self.sides, t.DIRECTION: self.directions,
            t.TERRAIN: self.terrains, t.STATUS: self.status_list,
        }  # fmt: skip

    def words(self, name: str) -> list[tuple[str, int]]:
        """Every word with this name: its list and number."""
        found: list[tuple[str, int]] = []
        for table in (*self.lists.values(), *self.tables.values(), *self.dice.values()):
            if name in table.numbers and table is not self.status_list:
                found.append((table.name, table.numbers[name]))
        return found

    def kinds(self) -> dict[str, str]:
        """Every kind of thing a parameter or resource can be, by name without spaces."""
        found = {norm(k): k for k in t.KINDS}
        for table in self.lists.values():
            found.setdefault(norm(one_of(table.name)), table.name)
        found.update({key: table.name for key, table in self.lists.items()})
        found.update({key: table.name for key, table in self.dice.items()})
        found.update(dict.fromkeys(self.templates, t.ACTOR))
        return found


def one_of(name: str) -> str:
    """What one thing of a list is called whose name is a plural: `Spells` are a `Spell` each."""
    for several, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if name.endswith(several):
            return name[: -len(several)] + one
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def bodies(symbols: Symbols) -> Iterator[tuple[Definition, object, object]]:
    """Every block of statements: where it is written, what it belongs to, itself."""
    for c in (*symbols.components.values(), *(s.component for s in symbols.sentences)):
        yield c.definition, c, c.body
        for _, body, _ in c.steps:
            yield c.definition, c, body
        for row in c.table.rows if c.table is not None else ():
            yield c.definition, c, row.effect
    for a in (*symbols.actions.values(), *symbols.face_actions.values()):
        for body in (a.cost, a.do, a.orelse, a.then):
            yield a.definition, a, body
    for rules in symbols.rules:
        for hook in rules.hooks:
            yield rules.definition, rules, hook.body
