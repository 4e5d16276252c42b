"""Definitions -> Symbols: who and what the book speaks of, still without bodies.

In:  Source.
Out: Symbols with every name declared and typed, and the definitions whose bodies are to be parsed.

Three passes, because a card may name a status declared ten pages later: names, then types (owners,
columns, parameters), then (in bodies.py) what happens.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.declare.declaring import Declaring, expand, how_many, of_framework, once, titles_of
from rulewright.book.declare.keepsakes import read_keepsakes
from rulewright.book.declare.maps import declare_map
from rulewright.book.declare.typed import types
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.read import read_phrases
from rulewright.book.roles import bind_roles
from rulewright.book.symbols import (
    ActorSym,
    LawSym,
    ListSym,
    OptionSym,
    StatusSym,
    StrategySym,
    Symbols,
    TemplateSym,
    WalkSym,
    ZoneSym,
    norm,
    one_of,
)  # fmt: skip
from rulewright.book.text.front import as_names
from rulewright.book.text.keywords import HEADERS, OPENS
from rulewright.book.text.source import Definition
from rulewright.diagnostics import suggest

Declare = Callable[[Declaring, Definition], None]
MORE = "more rows"
"""Marks a table whose kind is the name of a List: it adds rows to that list."""


def declare(decl: Declaring) -> Symbols:
    """Names first, then types."""
    titles = [d.title for d in decl.source.definitions if d.kind == "List"]
    decl.list_titles = {norm(one_of(title)): title for title in titles} | {norm(x): x for x in titles}
    definitions = [_kinded(decl, d) for d in decl.source.definitions]
    decl.filled = {d.title for d in definitions if d.kind == "List" and d.extra == MORE}
    _card_texts(decl, definitions)
    for definition in definitions:
        _declare(decl, definition)
    for definition in definitions:
        if definition.kind == "List" and definition.extra == MORE:
            _words(decl, decl.symbols.lists[norm(definition.title)], definition, "words")
    for made in decl.source.maps:
        _declare(decl, made)
    _actors(decl)
    _seats(decl, definitions)
    if decl.symbols.closes:
        _things(decl)
    types(decl, definitions)
    decl.symbols.roles = bind_roles(
        decl.symbols, as_names(decl.symbols.front.get("roles")), decl.source.roles, decl.problems
    )
    read_keepsakes(definitions, decl.symbols, decl.problem)
    return decl.symbols


def _kinded(decl: Declaring, definition: Definition) -> Definition:
    if not definition.kind:
        acts = any(f.key in ("if", "do", "then", "else") for f in definition.fields)
        definition.kind = "Action" if acts else "Feature"
        if not definition.fields and not definition.steps:
            words = "this line has neither a kind nor fields, so that it defines nothing"
            decl.problem("unexecutable", definition.line, words, "write `Title (Kind)`, or `Note:` before it")
            definition.kind = "Note"
    if definition.kind not in HEADERS and definition.is_table and norm(definition.kind) in decl.list_titles:
        definition.title, definition.kind, definition.extra = (
            decl.list_titles[norm(definition.kind)],
            "List",
            MORE,
        )
    if definition.kind not in HEADERS:
        hint = suggest(definition.kind, sorted(HEADERS.union(decl.source.kinds)))
        decl.problem("wrong-kind", definition.line, f"there is no kind '{definition.kind}'", hint)
        glyph = definition.get("glyph")
        decl.source.lost |= {definition.title, *([glyph.text.strip("`")] if glyph is not None else [])}
        definition.kind = "Note"
    return definition


# ------------------------------------------------------------ pass 1: names
def _declare(decl: Declaring, d: Definition) -> None:
    """By its kind; of most kinds a table is one definition a row."""
    if d.kind in WHOLE:
        WHOLE[d.kind](decl, d)
    elif d.kind in EACH:
        for one in expand(d) if d.is_table else [d]:
            EACH[d.kind](decl, one)


def _list(decl: Declaring, d: Definition) -> None:
    if d.extra != MORE and once(decl, d, "list"):
        table = decl.symbols.lists[norm(d.title)] = ListSym(d.title, definition=d)
        _words(decl, table, d, "words")


def _die(decl: Declaring, d: Definition) -> None:
    if once(decl, d, "list"):
        table = decl.symbols.dice[norm(d.title)] = ListSym(d.title, definition=d)
        _words(decl, table, d, "faces")


def _cards(decl: Declaring, d: Definition) -> None:
    if d.is_table:
        for one in expand(d):
            _card(decl, one)
    elif norm(d.title.split(" / ")[0]) not in decl.card_text:
        _add_word(decl, decl.symbols.faces, d)


def _status(decl: Declaring, d: Definition) -> None:
    if once(decl, d, "status"):
        made = StatusSym(d.title, d, len(decl.symbols.statuses))
        decl.symbols.statuses[norm(d.title)] = made
        decl.symbols.status_list.add(d.title)
        _rules(decl, "status", made.index, d)


def _rules(decl: Declaring, bearer: str, number: int, d: Definition) -> t.Rules:
    """What something that bears rules says, to be read later."""
    rules = t.Rules(bearer, number, d.title, d, line=d.line.number, cites=d.cites)
    decl.symbols.rules.append(rules)
    decl.bodies.append(("rules", rules, d))
    return rules


def _sheet(decl: Declaring, d: Definition) -> None:
    if once(decl, d, "template"):
        decl.symbols.templates[norm(d.title)] = _template(decl, d)


def _filed(sort: str, table: str, make: Callable[[Definition, int], object], body: bool = True) -> Declare:
    """What has a name, a number in its table and perhaps a body, and no more to it here."""

    def declare(decl: Declaring, d: Definition) -> None:
        if once(decl, d, sort):
            known = getattr(decl.symbols, table)
            made = known[norm(d.title)] = make(d, len(known))
            if body:
                decl.bodies.append((sort, made, d))

    return declare


def _feature(decl: Declaring, d: Definition) -> None:
    _replace_feature(decl, d)
    if once(decl, d, "feature"):
        number = decl.replaced.get(norm(d.title), len(decl.symbols.features))
        decl.symbols.features[norm(d.title)] = _rules(decl, "feature", number, d)


def _ending(decl: Declaring, d: Definition) -> None:
    known = of_framework(decl, "ending", d) is not None or once(decl, d, "ending")
    if known and d.title not in decl.symbols.endings:
        decl.symbols.endings.append(d.title)


def _map(decl: Declaring, d: Definition) -> None:
    if once(decl, d, "map"):
        declare_map(d, decl.symbols, decl.problem)


def _words(decl: Declaring, table: ListSym, d: Definition, key: str) -> None:
    if d.is_table:
        for row in d.rows:
            if row.cells:
                names = (
                    [n.strip() for n in row.cells[0][1].text.split(",")]
                    if table.name.endswith("Die")
                    else [row.cells[0][1].text]
                )
                for name in [name for name in names if d.extra != MORE or name not in table.words]:
                    table.add(name)
        return
    field = d.get(key, "body")
    if field is None and key == "words" and decl.list_titles.get(norm(d.title)) in decl.filled:
        return
    if field is None:
        decl.problem("missing-part", d.line, f"'{d.title}' needs `{key}:`")
        return
    for word in field.text.split(","):
        if word.strip():
            table.add(word.strip())


def _add_word(decl: Declaring, table: ListSym, d: Definition) -> None:
    if not once(decl, d, table.name):
        return
    index = table.add(d.title)
    bearer = {t.FACE: "face", "Terrain": "terrain"}.get(table.name)
    if bearer is not None:
        _rules(decl, bearer, index, d)
        if bearer == "face" and d.get("do", "declare", "requires", "trigger") is not None:
            action = t.ActionSym(d.title, "Card", d, index)
            decl.symbols.face_actions[index] = action
            decl.bodies.append(("action", action, d))


def _card_texts(decl: Declaring, definitions: list[Definition]) -> None:
    """`A / B (Card)` in a rules block: the text of cards that a table lists, wherever it stands."""
    tables = [d for d in definitions if d.kind == "Card" and d.is_table]
    listed = {norm(title) for d in tables for row in d.rows for title in titles_of(row)}
    for d in definitions:
        if d.kind != "Card" or d.is_table:
            continue
        titles = [x.strip() for x in d.title.split(" / ")]
        for title in titles:
            if norm(title) not in listed:
                continue
            before = decl.card_text.get(norm(title))
            if before is None:
                decl.card_text[norm(title)] = replace(
                    d, title=title, fields=list(d.fields), lines=dict(d.lines)
                )
            elif any(before.get(f.key) is not None for f in d.fields) or before.line.file != d.line.file:
                decl.twice(d.line, f"'{title}'", before.line)
            else:
                before.fields += d.fields
                before.cites += d.cites
                before.lines |= d.lines


def _card(decl: Declaring, row: Definition) -> None:
    """A row of a table of cards, with the text that stands elsewhere."""
    text = decl.card_text.get(norm(row.title))
    if text is not None:
        text.fields += [f for f in row.fields if text.get(f.key) is None]
        text.cites = tuple(dict.fromkeys((*row.cites, *text.cites)))
    _add_word(decl, decl.symbols.faces, text or row)


def _zone(decl: Declaring, d: Definition) -> None:
    if not once(decl, d, "zone"):
        return
    owner = None if d.said("of") in ("Match", "match") else t.ACTOR
    text = d.said("seen by", "all")
    sometimes = OPENS.match(text)
    if sometimes:
        text = sometimes[1] or ("nobody" if owner is None else "owner")
    holds = d.get("holds")
    capacity = 60
    if holds is not None:
        capacity = how_many(holds.text, capacity, holds.at or d.line, decl.problem)
    decl.symbols.zones[norm(d.title)] = ZoneSym(d.title, owner, text, capacity, len(decl.symbols.zones), d)


def _template(decl: Declaring, d: Definition) -> TemplateSym:
    box = d.get("box")
    copies = 1 if d.kind == "Actor" else 0
    if box is not None:
        copies = how_many(box.text, copies, box.at or d.line, decl.problem)
    made = TemplateSym(d.title, d, len(decl.symbols.templates), copies)
    extra = re.search(r"uses Template:\s*(.+)", d.extra)
    is_ = d.get("is", "template")
    made.parent = norm(extra.group(1)) if extra else (norm(is_.text) if is_ else "")
    for key in ("side", "seat", "strategy"):
        found = d.get(key)
        if found is not None:
            setattr(made, key, found.text.strip())
    made.actions, made.features = d.words_of("actions"), d.words_of("features")
    decl.bodies.append(("template", made, d))
    return made


def _component(decl: Declaring, d: Definition) -> None:
    made = t.Component(d.title, d.kind, d)
    if "{" in d.title:
        made.name = d.title
        _sentence(decl, made, d)
        decl.bodies.append(("component", made, d))
        return
    if d.line.file and decl.symbols.is_closed(d.line.file):
        if once(decl, d, "own component"):
            key = norm(d.title)
            decl.symbols.own_components[key] = made
            decl.symbols.components["~" + key if key in decl.symbols.components else key] = made
            decl.bodies.append(("component", made, d))
    elif once(decl, d, "component"):
        decl.symbols.components[norm(d.title)] = made
        decl.bodies.append(("component", made, d))


def _resource(decl: Declaring, d: Definition) -> None:
    """A new resource, or more about one that the framework has for every book."""
    s, key = decl.symbols, norm(d.title)
    private = d.get("private") is not None
    if of_framework(decl, "resource", d) is not None and key in s.resources:
        known = s.resources.pop(key)
        assert known.definition is not None
        known.optional = False
        more = Definition(known.name, "Resource", d.line, d.extra, (*known.definition.cites, *d.cites))
        more.fields = [*d.fields, *(f for f in known.definition.fields if d.get(f.key) is None)]
        known.definition = more
        s.resources[key] = known
        decl.seen["resource", key] = d
    elif once(decl, d, "private resource" if private else "resource"):
        made = t.Resource(d.title, d, private=private, optional=d.get("optional") is not None)
        made.shown = not private
        if private:
            made.key = "~" + key
        s.resources["~" + key if private else key] = made


def _replace_feature(decl: Declaring, d: Definition) -> None:
    """A book's own feature stands in for the framework's of the same name."""
    if of_framework(decl, "feature", d) is not None:
        key = norm(d.title)
        old = decl.symbols.features[key]
        del decl.seen["feature", key]
        decl.symbols.rules.remove(old)
        decl.bodies = [x for x in decl.bodies if x[1] is not old]
        decl.replaced[key] = old.index


def _phrases(decl: Declaring, d: Definition) -> None:
    """A table of wordings and their meanings, or one wording with several fields."""
    place = d.get("for")
    if d.said("for", phrases.EFFECT) not in phrases.PLACES:
        decl.problem(
            "unexecutable",
            place.lines[0] if place else d.line,
            f"a phrase is for one of: {', '.join(phrases.PLACES)}",
        )
        return
    for phrase in read_phrases(d, decl.problems):
        phrase.everywhere = not decl.symbols.bases
        decl.symbols.phrases.add(phrase)


def _sentence(decl: Declaring, made: t.Component, d: Definition) -> None:
    """A title with slots is a phrase that runs the component."""
    phrase = phrases.read(d, phrases.CHECK if d.kind == "Check" else phrases.EFFECT, d.title, [], [])
    phrase.component = made
    decl.symbols.sentences.append(phrase)
    decl.symbols.phrases.add(phrase)


def _option(decl: Declaring, d: Definition) -> None:
    if not once(decl, d, "option"):
        return
    values = d.words_of("words", "values") or ["off", "on"]
    default = d.get("default")
    index = 0
    if default is not None:
        found = [i for i, w in enumerate(values) if norm(w) == norm(default.text)]
        if not found:
            decl.problem(
                "unknown-option", default.first, f"'{default.text}' is none of the words of '{d.title}'"
            )
        else:
            index = found[0]
    decl.symbols.options[norm(d.title)] = OptionSym(d.title, values, index, d)


def _actors(decl: Declaring) -> None:
    s = decl.symbols
    for template in s.templates.values():
        single = template.definition.kind == "Actor" and template.box == 1
        copies = template.definition.get("copies")
        if copies is not None:
            single = False
            if copies.text == "and one":
                s.actor_names[norm(template.name)] = len(s.actors)
                s.actors.append(ActorSym(template.name, norm(template.name), template.definition, 0))
        for n in range(template.box):
            name = template.name if single else f"{template.name} {n + 1}"
            s.actor_names[norm(name)] = len(s.actors)
            s.actors.append(ActorSym(name, norm(template.name), template.definition, n, copies is not None))


def _seats(decl: Declaring, definitions: list[Definition]) -> None:
    """Seats are a list like any other in a book whose numbers belong to them."""
    owned = (d.get("of") for d in definitions if d.kind == "Resource")
    if any(of is not None and re.search(rf"\b{t.SEAT}\b", of.text) for of in owned):
        table = decl.symbols.lists.setdefault(t.SEAT, ListSym(t.SEAT))
        for number in range(decl.symbols.seats[1] if not table.words else 0):
            table.add(f"{t.SEAT} {number + 1}")


def _things(decl: Declaring) -> None:
    """A framework speaks of actions, features and strategies as things."""
    s = decl.symbols
    for name, words in (
        ("Action", [a.name for a in s.actions.values()]),
        ("Feature", [r.name for r in s.features.values()]),
        ("Strategy", [x.name for x in s.strategies.values()]),
    ):  # fmt: skip
        if name not in s.lists:
            table = s.lists[name] = ListSym(name)
            for word in words or ["none"]:
                table.add(word)
    close = [a.definition.get("range") for a in s.actions.values()]
    near = [1 if r is not None and re.match(r"Adjacent|Melee", r.text) else 0 for r in close] or [0]
    s.lists["Action"].columns["Close"] = t.Column("Close", "mark", near, ["yes" if x else "" for x in near])


# ------------------------------------------------------------ by kind
ACTIONS = _filed("action", "actions", lambda d, n: t.ActionSym(d.title, d.kind, d, n))
EACH: dict[str, Declare] = {
    "Resource": _resource,
    "Terrain": lambda decl, d: _add_word(decl, decl.symbols.terrains, d),
    "Side": lambda decl, d: _add_word(decl, decl.symbols.sides, d),
    "Zone": _zone,
    "Status": _status,
    "Actor": _sheet,
    "Template": _sheet,
    "Check": _component,
    "Value": _component,
    "Effect": _component,
    "Sequence": _component,
    "Action": ACTIONS,
    "Reaction": ACTIONS,
    "Feature": _feature,
    "Option": _option,
    "Ending": _ending,
    "Law": _filed("law", "laws", lambda d, _: LawSym(d.title, d)),
}
"""One declaration for each row of a table."""
WHOLE: dict[str, Declare] = {
    "List": _list,
    "Die": _die,
    "Card": _cards,
    "Table": _component,
    "Order": _filed("order", "orders", lambda d, _: d, body=False),
    "Preference": _filed("preference", "preferences", lambda d, _: d, body=False),
    "Strategy": _filed("strategy", "strategies", lambda d, n: StrategySym(d.title, d, n)),
    "Phrase": _phrases,
    "Walk": _filed("walk", "walks", lambda d, n: WalkSym(d.title, d, n)),
    "Map": _map,
}
