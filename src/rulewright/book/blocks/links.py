"""Who has which feature: references from actors, casts, tiles, encounters and actions to features.

In:  a translated Campaign; later the Bodies of the book.
Out: features that a wording makes (`Hazardous (2d6 damage)`), terrain for tiles, and for each feature
     for whom it holds; names that nothing declares are reported.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.blocks import encounters, places
from rulewright.book.blocks.meaning import holding, things
from rulewright.book.blocks.places import terrain_name
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.features import event_rules, feature_sentences, marks
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Trees
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.read import read_phrases
from rulewright.book.phrases.whole import flat, whole
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.front import as_list
from rulewright.book.text.lists import Entry, entries
from rulewright.book.text.source import Definition, FieldText, Line, Row
from rulewright.book.text.tokens import END

WIDEST, DEFAULT, REGION = "Global", "Default", "Region"
OTHER = ("Optional", "Permanent")
"""Words beside the scopes that a framework lists from the widest to the narrowest (`scopes:`)."""
TEMPORARY = 98
"""The rank of a feature that nothing but an effect ever gives."""
LAST = 99
"""The rank of what a framework lays down until a feature says otherwise (scope Default)."""


def scopes(d: Definition) -> list[str]:
    """The scopes in a feature's title."""
    return [x.strip() for x in d.said("scope", d.extra).split(",") if x.strip()]


def _ranks(c: Blocks) -> dict[str, int]:
    """The scopes that there are; those in one entry of the list are equal."""
    rows = as_list(c.source.front.get("scopes"))
    return {WIDEST: 0} | {word.strip(): n for n, row in enumerate(rows) for word in row.split(",")}


def _rank(ranks: dict[str, int], d: Definition) -> int:
    words = scopes(d)
    return LAST if DEFAULT in words else ranks[next((w for w in words if w in ranks), WIDEST)]


# ------------------------------------------------------------ before names are declared
def read(c: Blocks) -> None:
    """Find the features, make those that are only a wording, and the terrain that tiles need."""
    c.phrases.alike = c.alike()
    for d in c.made:
        if d.kind == "Phrase":
            for phrase in read_phrases(d, []):
                c.phrases.add(phrase)
    for d in c.made:
        if d.kind == "Feature":
            c.features[norm(d.title)] = d
            _scopes(c, d)
    for entry in _all(c):
        feature_key(c, entry)
    _terrain(c)


def _scopes(c: Blocks, d: Definition) -> None:
    if d.line.file in c.bases:
        return
    known = (*_ranks(c), *OTHER)
    for word in scopes(d):
        if word not in known and not re.fullmatch(r"\d+ (?:Turns?|Rounds?)", word):
            c.problem(
                "unexecutable", d.line, f"'{word}' is no scope: {', '.join(known)}, `N Turns`, `N Rounds`"
            )


def _all(c: Blocks) -> list[Entry]:
    found = [*c.global_features, *places.references(c)]
    found += [e for kind, e in c.references if kind == "feature"]
    for actor in (*c.actors.values(), *c.templates.values()):
        found += entries(actor.d.get("features"))
    for kind in c.kinds.values():
        for f in kind.of_shape("features"):
            found += [e for d in c.good.get(kind.name, []) for e in entries(d.get(f.name))]
    for d in c.made:
        if d.kind in ("Action", "Reaction") and d.line.file not in c.bases:
            found += entries(d.get("features"))
    unique: dict[tuple[str, int, int], Entry] = {}
    for entry in found:
        unique.setdefault((entry.line.file, entry.line.number, entry.line.column), entry)
    return list(unique.values())


def feature_key(c: Blocks, entry: Entry) -> str | None:
    """The feature that an entry names; reported once if there is none."""
    text = entry.line.text.strip()
    if norm(text) in c.features:
        return norm(text)
    tokens = flat([entry.line], [])
    hit = whole(c.phrases, phrases.NAME, tokens) if tokens and tokens[0].kind != END else None
    if hit is None and norm(entry.name) in c.features:
        return norm(entry.name)
    if hit is None:
        if (entry.line.file, entry.line.number, entry.line.column) not in c.reported:
            c.reported.add((entry.line.file, entry.line.number, entry.line.column))
            c.unknown("feature", entry.name, entry.line, [d.title for d in c.features.values()])
        return None
    body = phrases.expand(hit[0].fields[0][1], hit[1], tokens[0])
    made = Definition(text, "Feature", entry.line, "Tile")
    made.fields = [FieldText("body", [replace(entry.line, text=" ".join(x.text for x in body))])]
    c.features[norm(text)] = made
    c.made.append(made)
    return norm(text)


def _terrain(c: Blocks) -> None:
    """One terrain for each set of features on some tile, and one for each feature a tile can become."""
    wanted = [*places.combinations(c)]
    texts = " \n ".join(c.texts())
    for d in c.features.values():
        tile = "Tile" in scopes(d) or REGION in scopes(d)
        if tile and re.search(rf"\bbecomes\s+{re.escape(d.title)}", texts):
            wanted.append([d.title])
    columns = as_list(c.source.front.get("marks"))
    table = Definition("Tiles", "Terrain", Line("", 0, 0, ""))
    table.is_table = True
    table.columns = ["Terrain", *columns]
    for names in wanted:
        title = terrain_name(names)
        if title in c.tiles:
            continue
        keys = [_named(c, n) for n in names]
        c.tiles[title] = [k for k in keys if k is not None]
        has = {m for k in c.tiles[title] for m in marks(c.phrases, c.features[k])}
        cells = [("Terrain", Line("", 0, 0, title))] + [
            (m, Line("", 0, 0, "yes" if m in has else "")) for m in columns
        ]
        table.rows.append(Row(Line("", 0, 0, title), cells))
    c.made.append(table)


def _named(c: Blocks, text: str) -> str | None:
    if norm(text) in c.features:
        return norm(text)
    short = norm(re.sub(r"\s*\([^()]*\)\s*$", "", text))
    return short if short in c.features else None


# ------------------------------------------------------------ after names are bound
def finish(c: Blocks, bodies: Bodies) -> None:
    """For whom every feature holds; then its sentences; then events."""
    s, tree = bodies.symbols, Trees(bodies)
    attached = _attached(c, bodies, tree)
    everywhere = {feature_key(c, e) for e in c.global_features}
    for key, rules in list(s.features.items()):
        words = scopes(rules.definition)
        rules.attached = bool(words) and ("Global" not in words or "Optional" in words)
        rules.everywhere = key in everywhere
        conditions = attached.get(key, [])
        rules.applies = t.joined(t.Either, conditions) if conditions else None
    for rules in list(s.features.values()):
        feature_sentences(bodies, rules, rules.definition)
    for encounter in c.encounters:
        kind = c.kinds[encounter.d.kind]
        this = tree.word(kind.within, encounter.word)
        for f in kind.of_shape("events"):
            for event in encounter.events:
                event_rules(bodies, event, holding(bodies, f, this), encounter.d)
    for key, map_ in c.maps.items():
        holds = t.OnMap(s.maps[key].index if key in s.maps else -1)
        for event in encounters.events(c, map_.d):
            event_rules(bodies, event, holds, map_.d)
    _sort(c, s)


def _sort(c: Blocks, s: Symbols) -> None:
    """From the widest scope to the narrowest, then as written.

    Of settings in conflict the widest scope decides, then the one written last: it comes last where the
    last word counts, and first where the first that holds replaces the rest.
    """
    passing, ranks = _passing(c), _ranks(c)

    def key(item: tuple[int, t.Rules]) -> tuple[int, int]:
        place, r = item
        rank = TEMPORARY if norm(r.definition.title) in passing else _rank(ranks, r.definition)
        if any(h.moment.kind == "instead" for h in r.hooks):
            return rank, -place
        return (-rank if r.setting else rank), place

    s.rules[:] = [r for _, r in sorted(enumerate(s.rules), key=key)]


def _passing(c: Blocks) -> set[str]:
    """Features that an effect gives, and that belong to nobody from the start."""
    given = {norm(x) for text in c.texts() for x in re.findall(r'\b[Gg]ain feature "([^"]*)"', text)}
    return given - {feature_key(c, e) for e in _all(c)}


def _held(resource: t.Resource) -> t.Thing_:
    return t.THold(resource, [], resource.holds or "")


def _attached(c: Blocks, bodies: Bodies, tree: Trees) -> dict[str, list[t.Cond_]]:
    s = bodies.symbols
    found: dict[str, list[t.Cond_]] = {}

    def add(entry: Entry, condition: t.Cond_) -> None:
        key = feature_key(c, entry)
        if key is not None:
            found.setdefault(key, []).append(condition)

    for kind in c.kinds.values():
        for f in kind.of_shape("features"):
            for d, this in things(c, kind, tree) if f.holds else ():
                for entry in entries(d.get(f.name)):
                    add(entry, holding(bodies, f, this))
    for key, map_ in c.maps.items():
        for entry in map_.features:
            if key in s.maps:
                add(entry, t.OnMap(s.maps[key].index))
    for index, word in enumerate(s.terrains.words):
        for key in c.tiles.get(word, []):
            found.setdefault(key, []).append(t.OnTerrain(tree.me(), index))
    for action in s.actions.values():
        for entry in (
            entries(action.definition.get("features")) if action.definition.line.file not in c.bases else ()
        ):
            here = t.Same(_held(tree.role("action")), t.TConst("Action", action.index))
            key = feature_key(c, entry)
            if key is not None:
                action.features.append(key)
            add(entry, t.Both([here, t.Same(_held(tree.role("doer")), tree.me())]))
    return found
