"""Who has which feature: references from actors, casts, tiles, encounters and actions to features.

In:  a translated Campaign; later the Bodies of the book.
Out: features that a wording makes (`Hazardous (2d6 damage)`), terrain for tiles, and for each feature
     for whom it holds; names that nothing declares are reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulewright.book import tree as t
from rulewright.book.blocks.places import terrain_name
from rulewright.book.bodies.features import event_rules, feature_sentences, marks
from rulewright.book.bodies.trees import Trees
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.read import read_phrases
from rulewright.book.phrases.whole import whole
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.front import as_list
from rulewright.book.text.lists import Entry, entries
from rulewright.book.text.source import Definition, FieldText, Line, Row
from rulewright.book.text.tokens import END, NEWLINE, tokenize

if TYPE_CHECKING:
    from rulewright.book.blocks.campaign import Campaign
    from rulewright.book.bodies.state import Bodies

SCOPES = ("Global", "Encounter", "Region", "Tile", "Cast", "Actor", "Action", "Optional", "Permanent")
RANK = {"Global": 0, "Encounter": 1, "Region": 2, "Tile": 3, "Cast": 4, "Actor": 5, "Action": 5}
TEMPORARY = 6
"""The rank of a feature that nothing but an effect ever gives."""
DEFAULT = 7
"""The rank of what a framework lays down until a feature says otherwise (scope Default)."""


def scopes(d: Definition) -> list[str]:
    """The scopes in a feature's title."""
    found = d.get("scope")
    return [x.strip() for x in (found.text if found else d.extra_all).split(",") if x.strip()]


def _rank(d: Definition) -> int:
    words = scopes(d)
    return DEFAULT if "Default" in words else RANK[next((w for w in words if w in RANK), "Global")]


class Links:
    """Features and their bearers."""

    def __init__(self, campaign: Campaign) -> None:
        self.c = campaign
        self.book = phrases.Book()
        self.features: dict[str, Definition] = {}
        self.tiles: dict[str, list[str]] = {}
        """Features of each terrain, by the terrain's name."""
        self.reported: set[tuple[str, int, int]] = set()

    # ------------------------------------------------------------ before names are declared
    def read(self) -> None:
        """Find the features, make those that are only a wording, and the terrain that tiles need."""
        self.book.alike = self.c.alike()
        for d in self.c.made:
            if d.kind == "Phrase":
                for phrase in read_phrases(d):
                    self.book.add(phrase)
        for d in self.c.made:
            if d.kind == "Feature":
                self.features[norm(d.title)] = d
                self._scopes(d)
        for entry in self._all():
            self.key(entry)
        self._terrain()

    def _scopes(self, d: Definition) -> None:
        if d.line.file in self.c.frameworks:
            return
        for word in scopes(d):
            if word not in SCOPES and not re.fullmatch(r"\d+ (?:Turns?|Rounds?)", word):
                self.c.problem(
                    "unexecutable",
                    d.line,
                    f"'{word}' is no scope: {', '.join(SCOPES)}, `N Turns`, `N Rounds`",
                )

    def _all(self) -> list[Entry]:
        c = self.c
        found = [*c.global_features, *c.places.references()]
        found += [e for kind, e in c.roster.references if kind == "feature"]
        for figure in (*c.roster.figures.values(), *c.roster.templates.values()):
            found += entries(figure.d.get("features"))
        for company in c.roster.companies.values():
            found += company.features
        for plan in c.plans:
            found += plan.features
        for d in c.made:
            if d.kind in ("Action", "Reaction") and d.line.file not in c.frameworks:
                found += entries(d.get("features"))
        unique: dict[tuple[str, int, int], Entry] = {}
        for entry in found:
            unique.setdefault((entry.line.file, entry.line.number, entry.line.column), entry)
        return list(unique.values())

    def key(self, entry: Entry) -> str | None:
        """The feature that an entry names; reported once if there is none."""
        text = entry.line.text.strip()
        if norm(text) in self.features:
            return norm(text)
        tokens = [x for x in tokenize([entry.line], []) if x.kind not in ("indent", "dedent", NEWLINE)]
        hit = whole(self.book, phrases.NAME, tokens) if tokens and tokens[0].kind != END else None
        if hit is None and norm(entry.name) in self.features:
            return norm(entry.name)
        if hit is None:
            if (entry.line.file, entry.line.number, entry.line.column) not in self.reported:
                self.reported.add((entry.line.file, entry.line.number, entry.line.column))
                self.c.unknown("feature", entry.name, entry.line, [d.title for d in self.features.values()])
            return None
        body = phrases.expand(hit[0].fields[0][1], hit[1], tokens[0])
        made = Definition(text, "Feature", entry.line, "Tile")
        made.fields = [
            FieldText(
                "body",
                [Line(entry.line.file, entry.line.number, entry.line.column, " ".join(x.text for x in body))],
            )
        ]
        self.features[norm(text)] = made
        self.c.made.append(made)
        return norm(text)

    def _terrain(self) -> None:
        """One terrain for each set of features on some tile, and one for each feature a tile can become."""
        wanted = [*self.c.places.combinations()]
        texts = " \n ".join(self.c.texts())
        for d in self.features.values():
            tile = "Tile" in scopes(d) or "Region" in scopes(d)
            if tile and re.search(rf"\bbecomes\s+{re.escape(d.title)}", texts):
                wanted.append([d.title])
        columns = as_list(self.c.source.front.get("marks"))
        table = Definition("Ground", "Terrain", Line("", 0, 0, ""))
        table.is_table = True
        table.columns = ["Terrain", *columns]
        for names in wanted:
            title = terrain_name(names)
            if title in self.tiles:
                continue
            keys = [self._named(n) for n in names]
            self.tiles[title] = [k for k in keys if k is not None]
            has = {m for k in self.tiles[title] for m in marks(self.book, self.features[k])}
            cells = [("Terrain", Line("", 0, 0, title))] + [
                (m, Line("", 0, 0, "yes" if m in has else "")) for m in columns
            ]
            table.rows.append(Row(Line("", 0, 0, title), cells))
        self.c.made.append(table)

    def _named(self, text: str) -> str | None:
        if norm(text) in self.features:
            return norm(text)
        short = norm(re.sub(r"\s*\([^()]*\)\s*$", "", text))
        return short if short in self.features else None

    # ------------------------------------------------------------ after names are bound
    def finish(self, bodies: Bodies) -> None:
        """For whom every feature holds; then its sentences; then events."""
        s, tree = bodies.symbols, Trees(bodies)
        attached = self._attached(bodies, tree)
        everywhere = {self.key(e) for e in self.c.global_features}
        for key, rules in list(s.features.items()):
            words = scopes(rules.definition)
            rules.attached = bool(words) and ("Global" not in words or "Optional" in words)
            rules.everywhere = key in everywhere
            conditions = attached.get(key, [])
            rules.applies = (
                None if not conditions else conditions[0] if len(conditions) == 1 else t.Either(conditions)
            )
        for rules in list(s.features.values()):
            feature_sentences(bodies, rules, rules.definition)
        for plan in self.c.plans:
            for happening in plan.events:
                event_rules(bodies, happening, tree.phase_is(plan.word), plan.d)
        for key, ground in self.c.places.grounds.items():
            from rulewright.book.blocks.encounters import happenings

            holds = t.Has("map", tree.none(), s.maps[key].index if key in s.maps else -1)
            for happening in happenings(self.c, ground.d):
                event_rules(bodies, happening, holds, ground.d)
        self._sort(s)

    def _sort(self, s: Symbols) -> None:
        """From the widest scope to the narrowest, then as written.

        Of settings in conflict the widest scope decides, then the one written last: it comes last where the
        last word counts, and first where the first that holds replaces the rest.
        """
        passing = self._passing()

        def key(item: tuple[int, t.Rules]) -> tuple[int, int]:
            place, r = item
            rank = TEMPORARY if norm(r.definition.title) in passing else _rank(r.definition)
            if any(h.moment.kind == "instead" for h in r.hooks):
                return rank, -place
            return (-rank if r.setting else rank), place

        s.rules[:] = [r for _, r in sorted(enumerate(s.rules), key=key)]

    def _passing(self) -> set[str]:
        """Features that an effect gives, and that belong to nobody from the start."""
        given = {norm(x) for text in self.c.texts() for x in re.findall(r'\b[Gg]ain feature "([^"]*)"', text)}
        return given - {self.key(e) for e in self._all()}

    def _attached(self, bodies: Bodies, tree: Trees) -> dict[str, list[t.Cond_]]:
        c, s = self.c, bodies.symbols
        found: dict[str, list[t.Cond_]] = {}

        def add(entry: Entry, condition: t.Cond_) -> None:
            key = self.key(entry)
            if key is not None:
                found.setdefault(key, []).append(condition)

        for company in c.roster.companies.values():
            for entry in company.features:
                add(entry, t.Same(tree.held("Group", tree.me()), tree.actor(company.title)))
        for plan in c.plans:
            for entry in plan.features:
                add(entry, tree.phase_is(plan.word))
        for key, ground in c.places.grounds.items():
            for entry in ground.features:
                if key in s.maps:
                    add(entry, t.Has("map", tree.none(), s.maps[key].index))
        for index, word in enumerate(s.terrains.words):
            for key in self.tiles.get(word, []):
                found.setdefault(key, []).append(t.Has("terrain", tree.me(), index))
        for action in s.actions.values():
            for entry in (
                entries(action.definition.get("features"))
                if action.definition.line.file not in c.frameworks
                else ()
            ):
                here = t.Same(tree.held("Deed"), t.TConst("Action", action.index))
                key = self.key(entry)
                if key is not None:
                    action.features.append(key)
                add(entry, t.Both([here, t.Same(tree.held("Doer"), tree.me())]))
        return found
