"""Blocks -> definitions of the core notation.

In:  a Source.
Out: the same Source, with scenes, blocks of declared kinds, and those that a framework with `text: closed`
     lets a story have (Actor, Map, Ending), replaced by resources, actors, maps, lists and components; what
     a component does is built later, when names are bound (`Definition.build`).

Nothing here knows a rule. Rules are the framework's, and so is what a line of a block means (`forms`); what
the language must know besides, the framework says under `roles:`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.blocks import encounters, links, meaning, places, reach, roster, samples, scenes, staging
from rulewright.book.blocks.forms import Field
from rulewright.book.blocks.kinds import own_blocks
from rulewright.book.blocks.lines import check_capitals, check_keys, no_block
from rulewright.book.blocks.state import PHASE, Blocks
from rulewright.book.bodies.fields import report_gap
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Gap
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.preferences import preference_named
from rulewright.book.grammar.scope import Scope, reported
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.lists import Entry, entries, well_formed
from rulewright.book.text.source import Definition, FieldText
from rulewright.book.text.tokens import END, Token

BLOCKS = ("Actor", "Template", "Map", "Scene", "Ending")
RESERVED = re.compile(r"^(?:Target|Self|Attacker)\b|\b(?:Maximum|Max)$|^(?:Distance|Damage)$")


# ------------------------------------------------------------ the translation
def translate(c: Blocks) -> None:
    """Replace the blocks of the source."""
    (_story if c.bases else _plain)(c)
    c.source.definitions = c.made


def _plain(c: Blocks) -> None:
    """A book whose text is open has scenes, and blocks of kinds that it declares itself."""
    for d in c.source.definitions:
        if (d.kind in c.kinds or d.kind == "Scene") and not d.is_table:
            check_keys(c, d)
            c.blocks.setdefault(d.kind, []).append(d)
        elif d.kind != "Block":
            c.made.append(d)
    own_blocks(c)
    if "Scene" in c.blocks:
        staging.needs_roles(c)
        _scenes(c)
        staging.write(c)
    meaning.write(c)


def _scenes(c: Blocks) -> None:
    c.scenes += [scenes.read(c, d) for d in c.blocks.get("Scene", []) if c.named(d, "scene")]
    _phases(c)


def _story(c: Blocks) -> None:
    for d in c.source.definitions:
        if d.line.file in c.bases or d.kind == "Block":
            c.made += [d] if d.kind != "Block" else []
            continue
        check_capitals(c, d)
        if not d.kind:
            acts = any(f.key.lower() in ("if", "do", "then", "else") for f in d.fields)
            d.kind = "Action" if acts else "Feature"
        check_keys(c, d)
        if d.kind in BLOCKS or (d.kind in c.kinds and not d.is_table):
            c.blocks.setdefault(d.kind, []).append(d)
        elif not d.title or (d.kind in ("Action", "Feature", "Strategy") and not well_formed(d.title)):
            no_block(c, d)
        else:
            c.made.append(d)
    own_blocks(c)
    _settings(c)
    roster.read(c)
    places.read(c)
    c.encounters += [encounters.read(c, kind, d) for kind, d in c.usable(PHASE)]
    _scenes(c)
    links.read(c)
    roster.write(c)
    places.write(c)
    _flags(c)
    meaning.write(c)
    staging.write(c)
    c.component("Reach", lambda _bodies, _scope: [], kind="Value")
    c.component("Reach Straight", lambda _bodies, _scope: [], kind="Value")
    c.component("Move Out", lambda _bodies, _scope: [])


def bind(c: Blocks, s: Symbols) -> None:
    """Names are declared now: check references, give tiles their terrain."""
    s.owned = True
    places.bind(c, s)
    tables: dict[str, list[str]] = {
        "action": [a.name for a in s.actions.values()],
        "strategy": [x.name for x in s.strategies.values()],
    }  # fmt: skip
    for kind, entry in (*c.references, *(("action", e) for e in c.common)):
        if kind in tables and norm(entry.name) not in {norm(n) for n in tables[kind]}:
            c.unknown(kind, entry.name, entry.line, tables[kind])
    s.common = {norm(e.name) for e in c.common}
    s.casts = {key: cast.title for key, cast in c.casts.items()}
    s.limited = {norm(d.title) for d in c.made if d.kind == "Resource" and d.get("maximum") is not None}
    if c.settings is not None and c.misspelt(c.settings, "maximums"):
        s.limited |= set(s.resources)
    for d in c.made:
        s.limited |= {norm(f.key[1:]) for f in d.fields if f.key.startswith("^")}
        if d.kind == "Feature":
            text = " ".join(x.text for f in d.fields for x in f.lines)
            s.limited |= {norm(x) for x in re.findall(r"(?:^|\.\s+)([^.]+?) cannot exceed\b", text)}
    encounters.check_tiles(c, s)


def finish(c: Blocks, bodies: Bodies) -> None:
    """Everything is parsed: features by whom they hold for, events, and what only the whole shows."""
    try:
        _triggers(c, bodies.symbols)
        links.finish(c, bodies)
        reach.finish(bodies)
        roster.circles(c, bodies)
        samples.finish(c, bodies)
    except Gap as gap:
        report_gap(bodies, gap)


def _triggers(c: Blocks, s: Symbols) -> None:
    """The order of rules for one moment: the role `triggers` is a preference."""
    name = s.roles.triggers
    if name:
        one = t.TLocal("one in order", t.ACTOR)
        parser = Cursor([Token(END, "", "", 0, 0)], s, Scope(), [])
        with reported(c.problems):
            s.triggers = (one.name, preference_named(parser, name, one))


# ------------------------------------------------------------ the Campaign block
def _settings(c: Blocks) -> None:
    """The block of which a book has one: numbers, first values, what is common to all."""
    for kind in c.kinds.values():
        blocks = c.blocks.get(kind.name, []) if kind.once else []
        for d in blocks[1:]:
            where = f"first declared on line {blocks[0].line.number}"
            c.problem("duplicate-name", d.line, f"a book has one {kind.name} block", where)
        for d in blocks[:1]:
            c.settings = d
            if not well_formed(d.title):
                c.problem("unexecutable", d.line, f"'{d.title}' cannot be a name")
            if "title" not in c.source.own_front:
                c.source.front["title"] = d.title
            for f in kind.fields.values():
                _setting(c, f, d.get(f.name))


def _setting(c: Blocks, f: Field, said: FieldText | None) -> None:
    """`new KIND FIELDS` declares, `FIELD of KIND` adds a field to what is declared."""
    match f.shape.split(maxsplit=2):
        case ["new", "Resource", *more]:
            for entry in entries(said, whole_lines=True):
                _resource(c, entry, " ".join(more))
        case ["new", kind]:
            for entry in entries(said):
                made = Definition(entry.name, kind, entry.line)
                if c.named(made, kind.lower(), entry.line):
                    c.made.append(c.defaults(made))
        case [key, "of", _]:
            for entry in entries(said):
                if key != "maximum" or _limits(entry):
                    _amend(c, entry, key)
        case ["features"]:
            c.global_features = entries(said)
        case ["actions"]:
            c.common = entries(said)
        case _:
            pass


def _limits(entry: Entry) -> bool:
    """Does it state a maximum? `Initial value` is a way to write the first value."""
    if entry.value is not None and re.fullmatch(r"[Ii]nitial value", entry.value.text):
        entry.value = replace(entry.value, text="starting value")
    return entry.value is not None and entry.value.text != "None"


def _resource(c: Blocks, entry: Entry, fields: str) -> None:
    made = Definition(entry.name, "Resource", replace(entry.line, text=entry.name))
    if RESERVED.search(entry.name):
        message = f"'{entry.name}' is a word of the notation and cannot name a resource"
        c.problem("unexecutable", made.line, message)
        return
    if entry.remark:
        made.title = f"{entry.name} ({entry.remark})"
    if not c.named(made, "resource", made.line):
        return
    if fields:
        key, _, value = fields.partition(": ")
        made.fields.append(FieldText(key, [made.line.slice(0, text=value)]))
    c.resources[norm(entry.name)] = made
    c.made.append(made)


def _amend(c: Blocks, entry: Entry, key: str) -> None:
    """More about a resource: `Initialization:` and `Maximums:`."""
    known = c.resources.get(norm(entry.name))
    if known is None and any(norm(n) == norm(entry.name) for n in c.resource_names()):
        known = Definition(entry.name, "Resource", entry.line)
        c.resources[norm(entry.name)] = known
        c.made.append(known)
    if known is None:
        at = replace(entry.line, text=entry.name)
        c.unknown("resource", entry.name, at, c.resource_names())
    elif entry.value is None:
        c.problem("missing-part", entry.line, f"say what '{entry.name}' is: `{entry.name}: EXPRESSION`")
    elif known.get(key) is not None:
        c.problem("duplicate-name", entry.line, f"'{entry.name}' stands twice")
    else:
        known.fields.append(FieldText(key, [entry.value]))


# ------------------------------------------------------------ lists of words
def _phases(c: Blocks) -> None:
    """Scenes, encounters and endings are the phases of a story."""
    for block in (*c.scenes, *c.encounters):
        c.phases[block.d.kind, norm(block.d.title)] = block.word
    endings = [d for d in c.made if d.kind == "Ending"]
    for d in c.blocks.get("Ending", []):
        if c.named(d, "ending"):
            c.made.append(d)
            endings.append(d)
    for d in endings:
        c.phases["Ending", norm(d.title)] = f"Ending {d.title}"
    c.words(PHASE, list(c.phases.values()))
    if not c.scenes and not c.encounters:
        c.source.front["rules only"] = "yes"


def _flags(c: Blocks) -> None:
    for d in (
        *c.made,
        *c.blocks.get("Map", []),
        *(d for found in c.good.values() for d in found),
        *c.blocks.get("Scene", []),
    ):
        if d.line.file in c.bases:
            continue
        for f in d.fields:
            for line in f.lines:
                for name in re.findall(r'\bflag\s+"([^"]*)"', line.text):
                    c.flag(name)
    c.words("Flag", list(c.flags.values()))
    c.words("Outcome", list(c.outcomes.values()))
