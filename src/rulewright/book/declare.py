"""Definitions -> Symbols: who and what the book speaks of, still without bodies.

In:  Source.
Out: Symbols with every name declared and typed, and the definitions whose bodies are to be parsed.

Three passes, because a card may name a status declared ten pages later: names, then types (owners,
columns, parameters), then (in bodies.py) what happens.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import phrases
from rulewright.book import tree as t
from rulewright.book.keepsakes import read_keepsakes
from rulewright.book.maps import declare_map
from rulewright.book.source import Definition, FieldText, Line, Row, Source, as_list
from rulewright.book.symbols import (
    ActorSym,
    OptionSym,
    Sentence,
    StatusSym,
    StrategySym,
    Symbols,
    TemplateSym,
    WalkSym,
    ZoneSym,
    norm,
)  # fmt: skip
from rulewright.diagnostics import Diagnostic, Span, nearest

KINDS = frozenset(
    "Resource List Die Zone Card Deck Status Terrain Map Side Actor Template Check Value Effect Table"
    " Sequence Action Reaction Feature Order Preference Strategy Option Ending Walk Keepsake Note"
    " Phrase".split()
)
HEADERS = KINDS | frozenset(("Campaign", "Cast", "Encounter", "Scene"))
KEYS = frozenset(
    "of range starts maximum holds seen by words faces works in again stacks immune glyph box side seat"
    " is actions features strategy with keeps gives do requires let limit cost if else then declare target"
    " trigger for while modify forbids default ties note plays prefer when behavior priority through costs"
    " copies line of sight scope controller members sub-initiative initiative starting scene starting"
    " encounter common actions global features resources shared resources encounter resources"
    " initialization maximums statuses victory defeat type location heading cast dimensions origin picture"
    " legend regions deployment zones deployment actors events event effect completion transitions lead"
    " condition narrative options text check success failure transition".split()
) | frozenset(
    (
        "seen by", "works in", "line of sight", "starting scene", "starting encounter", "common actions",
        "global features",
        "shared resources", "encounter resources", "sub-initiative", "deployment zones", "range", "template",
        "critical success (natural 20)", "critical failure (natural 1)", "map", "player cast", "enemy cast",
        "player actors",
        "enemy actors", "shown", "private", "optional", "settles", "means", "applies", "cap", "hide",
        "marks", "setting", "allowance", "possible", "corners", "ends",
    )
)  # fmt: skip
RULE_COLUMNS = frozenset(
    (
        "do",
        "declare",
        "requires",
        "cost",
        "trigger",
        "while",
        "modify",
        "forbids",
        "works in",
        "limit",
        "again",
        "stacks",
        "immune",
        "if",
        "else",
        "then",
    )
)
HOOK = re.compile(r"^(before|after|instead of|at|when|start of|end of)\b", re.I)
MORE = "more rows"
"""Marks a table whose kind is the name of a List: it adds rows to that list."""
BLANK = ("", "-", "—", "none")


def expand(definition: Definition) -> list[Definition]:
    """One definition a row of a table, with the caption's fields and the row's."""
    made: list[Definition] = []
    for row in definition.rows:
        if not row.cells:
            continue
        item = Definition(row.cells[0][1].text, definition.kind, row.line, definition.extra, definition.cites)
        item.fields = [f for f in definition.fields if f.key != "caption"]
        item.fields += [FieldText(heading, [cell]) for heading, cell in row.cells[1:] if cell.text]
        made.append(item)
    return made


def read_phrases(d: Definition) -> list[phrases.Phrase]:
    """A table of wordings and their meanings, or one wording with several fields."""
    place = d.get("for")
    where = place.text.strip() if place else phrases.EFFECT
    made: list[phrases.Phrase] = []
    for one in expand(d) if d.is_table else [d]:
        means = [f for f in one.fields if f.key.lower() not in ("for", "note", "example")]
        if d.is_table:
            means = [
                FieldText(
                    "means" if f.key.lower() == "means" else f.key.lower(),
                    [replace(f.lines[0], text=f.lines[0].text.strip("`"))],
                )
                for f in means
                if f.key.lower() in ("means", "requires")
            ]
        made.append(phrases.read(one, where, one.title.strip('`"'), means))
    return made


def alike(rows: object) -> dict[str, str]:
    """Front matter `alike:` lists of words that count as the same -> the first of each list."""
    found: dict[str, str] = {}
    for row in as_list(rows):
        words = [w.strip().lower() for w in row.split(",")]
        found.update(dict.fromkeys(words, words[0]))
    return found


class Declarer:
    """Fills Symbols from a Source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.symbols = Symbols(front=dict(source.front))
        self.problems = source.diagnostics
        self.bodies: list[tuple[str, object, Definition]] = []
        """What still has a body: sort, symbol, definition."""
        self.seen: dict[tuple[str, str], Definition] = {}
        self.card_text: dict[str, Definition] = {}
        """Rules of cards that a table lists, by name."""
        self.replaced: dict[str, int] = {}
        """Numbers of features that a book took over from its framework."""
        self.symbols.frameworks = set(source.frameworks)
        self.symbols.phrases.alike = alike(source.front.get("alike"))
        self.typed: list[tuple[t.ListSym, Definition, list[Definition]]] = []

    def run(self) -> Symbols:
        """Names first, then types."""
        self.list_titles = {norm(d.title): d.title for d in self.source.definitions if d.kind == "List"}
        definitions = [self._kinded(d) for d in self.source.definitions]
        self._card_texts(definitions)
        for definition in definitions:
            self._declare(definition)
        for definition in definitions:
            if definition.kind == "List" and definition.extra == MORE:
                self._words(self.symbols.lists[norm(definition.title)], definition, "words")
        for made in self.source.maps:
            self._declare(made)
        self._actors()
        if self.symbols.frameworks:
            self._things()
        self._types(definitions)
        read_keepsakes(definitions, self.symbols, self.problem)
        return self.symbols

    # ------------------------------------------------------------ helpers
    def problem(self, code: str, line: Line, message: str, help: str = "") -> None:
        """Report a mistake."""
        self.problems.append(
            Diagnostic(
                code, Span(line.file, line.number, line.column + 1, max(1, len(line.text))), message, help
            )
        )

    def _kinded(self, definition: Definition) -> Definition:
        if not definition.kind:
            acts = any(f.key in ("if", "do", "then", "else") for f in definition.fields)
            definition.kind = "Action" if acts else "Feature"
        if (
            definition.kind not in HEADERS
            and definition.is_table
            and norm(definition.kind) in self.list_titles
        ):
            definition.title, definition.kind, definition.extra = (
                self.list_titles[norm(definition.kind)],
                "List",
                MORE,
            )
        if definition.kind not in HEADERS:
            close = nearest(definition.kind, sorted(HEADERS))
            hint = f"did you mean '{close}'?" if close else ""
            self.problem("wrong-kind", definition.line, f"there is no kind '{definition.kind}'", hint)
            self.source.lost.add(definition.title)
            definition.kind = "Note"
        return definition

    def _once(self, definition: Definition, space: str) -> bool:
        key = (space, norm(definition.title))
        if key in self.seen:
            self._twice(definition, self.seen[key].line)
            return False
        self.seen[key] = definition
        return True

    def _twice(self, definition: Definition, first: Line) -> None:
        where = f"first declared on line {first.number}" + (
            "" if first.file == definition.line.file else f" of {first.file}"
        )
        self.problem("duplicate-name", definition.line, f"'{definition.title}' is declared twice", where)

    def expand(self, definition: Definition) -> list[Definition]:
        """One definition a row, with the caption's fields and the row's."""
        made: list[Definition] = []
        for row in definition.rows:
            if not row.cells:
                continue
            title = row.cells[0][1].text
            for single in title.split(" / ") if " / " in title else [title]:
                item = Definition(
                    single.strip(), definition.kind, row.line, definition.extra, definition.cites
                )
                item.part = definition.part
                item.fields = [f for f in definition.fields if f.key != "caption"]
                for heading, cell in row.cells[1:]:
                    text = cell.text
                    if re.fullmatch(r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d{1,3}[a-z]?(,.*)?", text):
                        item.cites += (text.split(",")[0],)
                    if text in BLANK:
                        continue
                    item.fields.append(FieldText(heading, [cell]))
                made.append(item)
        return made

    # ------------------------------------------------------------ pass 1: names
    def _declare(self, d: Definition) -> None:
        s = self.symbols
        key = norm(d.title)
        match d.kind:
            case "Resource":
                for one in self.expand(d) if d.is_table else [d]:
                    self._resource(one)
            case "List":
                if d.extra != MORE and self._once(d, "list"):
                    table = s.lists[key] = t.ListSym(d.title, definition=d)
                    self._words(table, d, "words")
            case "Die":
                if self._once(d, "list"):
                    table = s.dice[key] = t.ListSym(d.title, definition=d)
                    self._words(table, d, "faces")
            case "Card":
                if d.is_table:
                    for one in self.expand(d):
                        self._card(one)
                elif norm(d.title.split(" / ")[0]) not in self.card_text:
                    self._add_word(s.faces, d)
            case "Terrain":
                for one in self.expand(d) if d.is_table else [d]:
                    self._add_word(s.terrains, one)
            case "Side":
                for one in self.expand(d) if d.is_table else [d]:
                    self._add_word(s.sides, one)
            case "Zone":
                for one in self.expand(d) if d.is_table else [d]:
                    if self._once(one, "zone"):
                        self._zone(one)
            case "Status":
                for one in self.expand(d) if d.is_table else [d]:
                    if self._once(one, "status"):
                        made = StatusSym(one.title, one, len(s.statuses))
                        s.statuses[norm(one.title)] = made
                        s.status_list.words.append(one.title)
                        rules = t.Rules(
                            "status", made.index, one.title, one, line=one.line.number, cites=one.cites
                        )
                        s.rules.append(rules)
                        self.bodies.append(("rules", rules, one))
            case "Actor" | "Template":
                for one in self.expand(d) if d.is_table else [d]:
                    if self._once(one, "template"):
                        s.templates[norm(one.title)] = self._template(one)
            case "Check" | "Value" | "Effect" | "Table" | "Sequence":
                for one in self.expand(d) if d.is_table and d.kind != "Table" else [d]:
                    self._component(one)
            case "Action" | "Reaction":
                for one in self.expand(d) if d.is_table else [d]:
                    if self._once(one, "action"):
                        made2 = t.ActionSym(one.title, one.kind, one, len(s.actions))
                        s.actions[norm(one.title)] = made2
                        self.bodies.append(("action", made2, one))
            case "Feature":
                for one in self.expand(d) if d.is_table else [d]:
                    self._replace_feature(one)
                    if self._once(one, "feature"):
                        number = self.replaced.get(norm(one.title), len(s.features))
                        rules = t.Rules(
                            "feature", number, one.title, one, line=one.line.number, cites=one.cites
                        )
                        s.features[norm(one.title)] = rules
                        s.rules.append(rules)
                        self.bodies.append(("rules", rules, one))
            case "Order":
                if self._once(d, "order"):
                    s.orders[key] = d
            case "Preference":
                if self._once(d, "preference"):
                    s.preferences[key] = d
            case "Strategy":
                if self._once(d, "strategy"):
                    made3 = StrategySym(d.title, d, len(s.strategies))
                    s.strategies[key] = made3
                    self.bodies.append(("strategy", made3, d))
            case "Option":
                for one in self.expand(d) if d.is_table else [d]:
                    if self._once(one, "option"):
                        self._option(one)
            case "Ending":
                for one in self.expand(d) if d.is_table else [d]:
                    known = self._of_framework("ending", one) is not None or self._once(one, "ending")
                    if known and one.title not in s.endings:
                        s.endings.append(one.title)
            case "Phrase":
                self._phrases(d)
            case "Walk":
                if self._once(d, "walk"):
                    made4 = WalkSym(d.title, d, len(s.walks))
                    s.walks[key] = made4
                    self.bodies.append(("walk", made4, d))
            case "Map":
                if self._once(d, "map"):
                    declare_map(d, s, self.problem)
            case _:
                pass

    def _words(self, table: t.ListSym, d: Definition, key: str) -> None:
        if d.is_table:
            for row in d.rows:
                if row.cells:
                    names = (
                        [n.strip() for n in row.cells[0][1].text.split(",")]
                        if table.name.endswith("Die")
                        else [row.cells[0][1].text]
                    )
                    table.words += [name for name in names if d.extra != MORE or name not in table.words]
            return
        field = d.get(key, "body")
        if field is None:
            self.problem("missing-part", d.line, f"'{d.title}' needs `{key}:`")
            return
        table.words = [w.strip() for w in field.text.split(",") if w.strip()]

    def _add_word(self, table: t.ListSym, d: Definition) -> None:
        if not self._once(d, table.name):
            return
        index = len(table.words)
        table.words.append(d.title)
        bearer = {t.FACE: "face", "Terrain": "terrain"}.get(table.name)
        if bearer is not None:
            rules = t.Rules(bearer, index, d.title, d, line=d.line.number, cites=d.cites)
            self.symbols.rules.append(rules)
            self.bodies.append(("rules", rules, d))
            if bearer == "face" and d.get("do", "declare", "requires", "trigger") is not None:
                action = t.ActionSym(d.title, "Card", d, index)
                self.symbols.face_actions[index] = action
                self.bodies.append(("action", action, d))

    def _card_texts(self, definitions: list[Definition]) -> None:
        """`A / B (Card)` in a rules block: the text of cards that a table lists, wherever it stands."""
        listed = {
            norm(one.title) for d in definitions if d.kind == "Card" and d.is_table for one in self.expand(d)
        }
        for d in definitions:
            if d.kind != "Card" or d.is_table:
                continue
            titles = [x.strip() for x in d.title.split(" / ")]
            for title in titles:
                if norm(title) not in listed:
                    continue
                before = self.card_text.get(norm(title))
                if before is None:
                    self.card_text[norm(title)] = replace(
                        d, title=title, fields=list(d.fields), lines=dict(d.lines)
                    )
                elif any(before.get(f.key) is not None for f in d.fields) or before.line.file != d.line.file:
                    self._twice(replace(d, title=title), before.line)
                else:
                    before.fields += d.fields
                    before.cites += d.cites
                    before.lines |= d.lines

    def _card(self, row: Definition) -> None:
        """A row of a table of cards, with the text that stands elsewhere."""
        text = self.card_text.get(norm(row.title))
        if text is not None:
            text.fields += [f for f in row.fields if text.get(f.key) is None]
            text.cites = tuple(dict.fromkeys((*row.cites, *text.cites)))
        self._add_word(self.symbols.faces, text or row)

    def _zone(self, d: Definition) -> None:
        of = d.get("of")
        owner: str | None = t.ACTOR
        if of is not None and of.text.strip() in ("Match", "match"):
            owner = None
        seen = d.get("seen by")
        holds = d.get("holds")
        capacity = 60
        if holds is not None:
            number = re.search(r"\d+", holds.text)
            capacity = int(number.group()) if number else 60
        self.symbols.zones[norm(d.title)] = ZoneSym(
            d.title, owner, seen.text.strip() if seen else "all", capacity, len(self.symbols.zones), d
        )

    def _template(self, d: Definition) -> TemplateSym:
        box = d.get("box")
        number = re.search(r"\d+", box.text) if box else None
        made = TemplateSym(
            d.title,
            d,
            len(self.symbols.templates),
            int(number.group()) if number else (1 if d.kind == "Actor" else 0),
        )
        extra = re.search(r"uses Template:\s*(.+)", d.extra)
        is_ = d.get("is", "template")
        made.parent = norm(extra.group(1)) if extra else (norm(is_.text) if is_ else "")
        for key in ("side", "seat", "strategy"):
            found = d.get(key)
            if found is not None:
                setattr(made, key, found.text.strip())
        for key in ("actions", "features"):
            found = d.get(key)
            if found is not None:
                setattr(made, key, [w.strip() for w in found.text.split(",") if w.strip()])
        self.bodies.append(("template", made, d))
        return made

    def _component(self, d: Definition) -> None:
        made = t.Component(d.title, d.kind, d)
        if "{" in d.title:
            made.name = d.title
            self._sentence(made, d)
            self.bodies.append(("component", made, d))
            return
        if self.symbols.frameworks and d.line.file not in self.symbols.frameworks and d.line.file:
            if self._once(d, "own component"):
                key = norm(d.title)
                self.symbols.own_components[key] = made
                self.symbols.components["~" + key if key in self.symbols.components else key] = made
                self.bodies.append(("component", made, d))
        elif self._once(d, "component"):
            self.symbols.components[norm(d.title)] = made
            self.bodies.append(("component", made, d))

    # ------------------------------------------------------------ frameworks
    def _of_framework(self, space: str, d: Definition) -> Definition | None:
        """What a framework already declares under the name that another book now gives."""
        first = self.seen.get((space, norm(d.title)))
        frameworks = self.symbols.frameworks
        return (
            first
            if first is not None and first.line.file in frameworks and d.line.file not in frameworks
            else None
        )

    def _resource(self, d: Definition) -> None:
        """A new resource, or more about one that the framework has for every book."""
        s, key = self.symbols, norm(d.title)
        private = d.get("private") is not None
        if self._of_framework("resource", d) is not None and key in s.resources:
            known = s.resources.pop(key)
            assert known.definition is not None
            known.optional = False
            more = Definition(known.name, "Resource", d.line, d.extra, (*known.definition.cites, *d.cites))
            more.fields = [*d.fields, *(f for f in known.definition.fields if d.get(f.key) is None)]
            known.definition = more
            s.resources[key] = known
            self.seen["resource", key] = d
        elif self._once(d, "private resource" if private else "resource"):
            made = t.Resource(d.title, d, private=private, optional=d.get("optional") is not None)
            made.shown = not private
            if private:
                made.key = "~" + key
            s.resources["~" + key if private else key] = made

    def _replace_feature(self, d: Definition) -> None:
        """A book's own feature stands in for the framework's of the same name."""
        if self._of_framework("feature", d) is not None:
            key = norm(d.title)
            old = self.symbols.features[key]
            del self.seen["feature", key]
            self.symbols.rules.remove(old)
            self.bodies = [x for x in self.bodies if x[1] is not old]
            self.replaced[key] = old.index

    def _phrases(self, d: Definition) -> None:
        """A table of wordings and their meanings, or one wording with several fields."""
        place = d.get("for")
        where = place.text.strip() if place else phrases.EFFECT
        if where not in phrases.PLACES:
            self.problem(
                "unexecutable",
                place.lines[0] if place else d.line,
                f"a phrase is for one of: {', '.join(phrases.PLACES)}",
            )
            return
        for phrase in read_phrases(d):
            self.symbols.phrases.add(phrase)

    def _sentence(self, made: t.Component, d: Definition) -> None:
        parts: list[tuple[str, str]] = []
        for piece in re.findall(r"\{[^{}]*\}|[^\s{}]+", d.title):
            if piece.startswith("{"):
                name = piece[1:-1].strip()
                parts.append(("slot", name))
            else:
                parts += [("word", w) for w in re.findall(r"[\w'’-]+|[^\s\w]", piece)]
        self.symbols.sentences.append(Sentence(made, parts))
        self.symbols.sentences.sort(key=lambda s: -len(s.parts))

    def _option(self, d: Definition) -> None:
        words = d.get("words", "values")
        values = [w.strip() for w in words.text.split(",")] if words else ["off", "on"]
        default = d.get("default")
        index = 0
        if default is not None:
            found = [i for i, w in enumerate(values) if norm(w) == norm(default.text)]
            if not found:
                self.problem(
                    "unknown-option",
                    default.lines[0],
                    f"'{default.text}' is none of the words of '{d.title}'",
                )
            else:
                index = found[0]
        self.symbols.options[norm(d.title)] = OptionSym(d.title, values, index, d)

    def _actors(self) -> None:
        s = self.symbols
        for template in s.templates.values():
            single = template.definition.kind == "Actor" and template.box == 1
            copies = template.definition.get("copies") if s.frameworks else None
            if copies is not None:
                single = False
                if copies.text == "and one":
                    s.actor_names[norm(template.name)] = len(s.actors)
                    s.actors.append(ActorSym(template.name, norm(template.name), template.definition, 0))
            for n in range(template.box):
                name = template.name if single else f"{template.name} {n + 1}"
                s.actor_names[norm(name)] = len(s.actors)
                s.actors.append(
                    ActorSym(name, norm(template.name), template.definition, n, copies is not None)
                )

    def _things(self) -> None:
        """A framework speaks of actions, features and strategies as things."""
        s = self.symbols
        for name, words in (
            ("Action", [a.name for a in s.actions.values()]),
            ("Feature", [r.name for r in s.features.values()]),
            ("Strategy", [x.name for x in s.strategies.values()]),
        ):  # fmt: skip
            s.lists.setdefault(name, t.ListSym(name, words or ["none"]))
        close = [a.definition.get("range") for a in s.actions.values()]
        near = [1 if r is not None and re.match(r"Adjacent|Melee", r.text) else 0 for r in close] or [0]
        s.lists["Action"].columns["Close"] = t.Column(
            "Close", "mark", near, ["yes" if x else "" for x in near]
        )

    # ------------------------------------------------------------ pass 2: types
    def _types(self, definitions: list[Definition]) -> None:
        s = self.symbols
        self._builtins()
        kinds = s.kinds()
        for resource in s.resources.values():
            if resource.definition is not None:
                self._resource_type(resource, resource.definition, kinds)
        for d in definitions:
            if d.kind in ("List", "Die") and d.is_table:
                table = s.lists.get(norm(d.title)) or s.dice.get(norm(d.title))
                if table is not None:
                    self._columns(table, d, {norm(w): i for i, w in enumerate(table.words)})
            elif d.kind in ("Card", "Terrain", "Status") and d.is_table:
                table = {"Card": s.faces, "Terrain": s.terrains}.get(d.kind, s.status_list)
                self._columns(table, d, {norm(w): i for i, w in enumerate(table.words)})
            elif d.kind == "Card":
                self._single_card(d)
            elif d.kind == "Deck" and d.is_table and self._once(d, "deck"):
                self._deck(d)
        for d in definitions:
            if (
                d.kind == "Card"
                and d.is_table
                and any(h.lower() in ("copies", "qty") for h in d.columns)
                and self._once(d, "deck")
            ):
                self._deck(d)
        for sort, symbol, d in self.bodies:
            if sort == "component" and isinstance(symbol, t.Component):
                self._params(symbol, d, kinds)

    def _builtins(self) -> None:
        for name, of, holds in (
            ("place", (t.ACTOR,), t.SPACE), ("in play", (t.ACTOR,), None),
            ("facing", (t.ACTOR,), t.DIRECTION),
            ("side", (t.ACTOR,), t.SIDE), ("controller", (t.ACTOR,), "Seat"),
        ):  # fmt: skip
            self.symbols.resources[f"!{name}"] = t.Resource(name, None, of, holds, builtin=True)

    def _resource_type(self, r: t.Resource, d: Definition, kinds: dict[str, str]) -> None:
        of = d.get("of")
        if of is not None:
            owners: list[str] = []
            for word in of.text.split(","):
                name = word.strip()
                if name in ("Match", "match"):
                    continue
                kind = kinds.get(norm(name))
                if kind is None:
                    close = nearest(name, list(kinds.values()))
                    self.problem(
                        "unknown-name",
                        of.lines[0],
                        f"no kind of thing is called '{name}'",
                        f"did you mean '{close}'?" if close else "",
                    )
                    kind = t.ACTOR
                if kind == t.ACTOR and norm(name) in self.symbols.templates:
                    r.owners = norm(name)
                owners.append(kind)
            r.of = tuple(owners)
        holds = d.get("holds")
        if holds is not None:
            kind = kinds.get(norm(holds.text))
            if kind is None:
                self.problem("unknown-name", holds.lines[0], f"no kind of thing is called '{holds.text}'")
            r.holds = kind or t.ACTOR
        seen = d.get("seen by")
        if seen is not None:
            r.seen = seen.text.strip()
            if r.seen not in ("all", "owner", "nobody"):
                self.problem("unexecutable", seen.lines[0], "seen by all, owner or nobody")
                r.seen = "all"
        shown = d.get("shown")
        if shown is not None:
            if shown.text.strip() not in ("yes", "no"):
                self.problem("unexecutable", shown.lines[0], "shown is yes or no")
            r.shown = r.shown and shown.text.strip() != "no"
        bounds = d.get("range")
        if bounds is not None:
            match = re.fullmatch(r"(-?\d+)\s*to\s*(-?\d+)", bounds.text) or re.fullmatch(
                r"(-?\d+)\s*(?:or more|up)", bounds.text
            )
            if match is None:
                self.problem("unexecutable", bounds.lines[0], "a range is `0 to 10` or `0 or more`")
            else:
                r.low = int(match.group(1))
                r.high = int(match.group(2)) if match.re.groups > 1 else None
        r.settles = d.get("settles") is not None
        self.bodies.append(("resource", r, d))

    def _params(self, c: t.Component, d: Definition, kinds: dict[str, str]) -> None:
        with_ = d.get("with")
        slots = [
            text
            for sort, text in next(
                (s.parts for s in self.symbols.sentences if s.component is c), list[tuple[str, str]]()
            )
            if sort == "slot"
        ]
        if with_ is not None:
            c.params = self.read_params(with_, kinds)
        elif slots:
            c.params = [
                t.Param(
                    name,
                    t.NUMBER
                    if name[:1].isupper() and len(name) <= 12 and norm(name) not in kinds
                    else t.ACTOR,
                )
                for name in slots
            ]
        if with_ is None and c.kind in ("Check", "Effect", "Value", "Table"):
            c.implicit = True
        gives = d.get("gives")
        if gives is not None and c.kind in ("Value", "Effect", "Table"):
            c.gives = kinds.get(norm(gives.text), t.NUMBER)
        keeps = d.get("keeps")
        if keeps is not None:
            c.keeps = self.read_params(keeps, kinds)
        if c.kind == "Sequence":
            for step in d.steps:
                if not step.lines:
                    continue
                first = step.lines[0]
                match = re.match(r"^([A-Z][\w'’-]*(?: [\w'’-]+)*?)(?:\s{2,}|\s(?=\()|$)(.*)$", first.text)
                if match is None:
                    self.problem(
                        "missing-part", first, "a step has a name, then two spaces, then what happens"
                    )
                    continue
                rest = match.group(2)
                step.lines[0] = Line(first.file, first.number, first.column + match.start(2), rest)
                c.steps.append((match.group(1), [], None))
                c.step_lines.append(first.number)

    def read_params(self, field: FieldText, kinds: dict[str, str]) -> list[t.Param]:
        """`[Amount], part (Component), target (Actor)`"""
        made: list[t.Param] = []
        for piece in re.findall(r"\[[^\]]*\]|[\w'’ -]+(?:\([^)]*\))?", field.text):
            text = piece.strip()
            if not text:
                continue
            if text.startswith("["):
                made.append(t.Param(text[1:-1].strip(), t.NUMBER))
                continue
            match = re.fullmatch(r"([\w'’-]+)\s*(?:\(([^)]*)\))?", text)
            if match is None:
                self.problem(
                    "unexecutable",
                    field.lines[0],
                    f"'{text}' is no parameter; write `[Number]` or `name (Kind)`",
                )
                continue
            name = match.group(2) or t.ACTOR
            kind = kinds.get(norm(name.replace("or none", "")))
            if kind is None:
                close = nearest(name, list(kinds.values()))
                self.problem(
                    "unknown-name",
                    field.lines[0],
                    f"no kind of thing is called '{name}'",
                    f"did you mean '{close}'?" if close else "",
                )
                kind = t.ACTOR
            made.append(t.Param(match.group(1).lower(), kind))
        return made

    # ------------------------------------------------------------ columns
    def _columns(self, table: t.ListSym, d: Definition, rows: dict[str, int]) -> None:
        for n, heading in enumerate(d.columns[1:], 1):
            low = heading.lower()
            if low in RULE_COLUMNS or HOOK.match(heading) or not heading or heading.startswith("["):
                continue
            cells: list[tuple[int, Line]] = []
            for row in d.rows:
                if len(row.cells) > n:
                    for name in self._row_names(table, row):
                        if norm(name) in rows:
                            cells.append((rows[norm(name)], row.cells[n][1]))
            self._column(table, heading, cells)
        for field in d.fields:
            if (
                field.key.lower() in RULE_COLUMNS
                or field.key == "caption"
                or HOOK.match(field.key)
                or field.key.lower() in KEYS
            ):
                continue
            cells = [
                (rows[norm(name)], field.lines[0])
                for row in d.rows
                for name in self._row_names(table, row)
                if norm(name) in rows
            ]
            self._column(table, field.key, cells)

    def _row_names(self, table: t.ListSym, row: Row) -> list[str]:
        if not row.cells:
            return []
        text = row.cells[0][1].text
        if table.name.endswith("Die"):
            return [n.strip() for n in text.split(",")]
        return [n.strip() for n in text.split(" / ")]

    def _single_card(self, d: Definition) -> None:
        table = self.symbols.faces
        titles = {norm(x) for x in d.title.split(" / ")}
        cards = [i for i, w in enumerate(table.words) if norm(w) in titles or norm(w) == norm(d.title)]
        for field in d.fields:
            low = field.key.lower()
            if (
                low in RULE_COLUMNS
                or low in KEYS
                or HOOK.match(field.key)
                or low == "body"
                or not field.lines
            ):
                continue
            self._column(table, field.key, [(index, field.lines[0]) for index in cards])

    def _column(self, table: t.ListSym, heading: str, cells: list[tuple[int, Line]]) -> None:
        key = norm(heading)
        texts = [line.text for _, line in cells if line.text not in BLANK]
        column = table.columns.get(key)
        kind = self._column_type(heading, texts)
        if column is None:
            column = table.columns[key] = t.Column(heading, kind)
        elif kind != column.type and texts:
            column.type = (
                kind
                if column.type == "mark" and not any(column.values)
                else ("text" if kind == "text" else column.type)
            )
        words: dict[str, int] = {}
        if column.type not in (t.NUMBER, "mark", "text"):
            source = self.symbols.list_of(column.type)
            words = {norm(w): i for i, w in enumerate(source.words)} if source else {}
        for index, line in cells:
            while len(column.values) <= index:
                column.values.append(0 if column.type in (t.NUMBER, "mark", "text") else -1)
                column.texts.append("")
            text = line.text
            column.texts[index] = text
            if text in BLANK:
                continue
            if column.type == t.NUMBER:
                column.values[index] = int(text.replace("+", "").replace("−", "-"))
            elif column.type == "mark":
                column.values[index] = 1
            elif column.type != "text":
                column.values[index] = words.get(norm(text), -1)

    def _column_type(self, heading: str, texts: list[str]) -> str:
        if texts and all(re.fullmatch(r"[+−-]?\d+", x) for x in texts):
            return t.NUMBER
        if not texts:
            return "mark"
        if all(x in ("yes", "x", "X") for x in texts):
            return "mark"
        named = self.symbols.list_of(heading)
        if named is not None and named.words:
            return named.name
        s = self.symbols
        for table in (*s.lists.values(), *s.dice.values(), s.faces, s.sides, s.status_list):
            known = {norm(w) for w in table.words}
            if known and all(norm(x) in known for x in texts):
                return table.name
        return "text"

    def _deck(self, d: Definition) -> None:
        known = {norm(w): i for i, w in enumerate(self.symbols.faces.words)}
        cards: list[tuple[int, int]] = []
        for row in d.rows:
            if not row.cells:
                continue
            name = row.cells[0][1]
            if norm(name.text) not in known:
                close = nearest(name.text, self.symbols.faces.words)
                self.problem(
                    "unknown-name",
                    name,
                    f"no card is called '{name.text}'",
                    f"did you mean '{close}'?" if close else "",
                )
                continue
            copies = next((c.text for h, c in row.cells if h.lower() in ("copies", "qty")), "1")
            cards.append((known[norm(name.text)], int(copies) if copies.isdigit() else 1))
        self.symbols.decks[norm(d.title)] = cards
