"""Campaign blocks -> definitions of the core notation.

In:  a Source whose framework says `notation: campaign`.
Out: the same Source, with every Campaign, Actor, Cast, Map, Encounter, Scene and Ending block replaced by
     resources, actors, maps, lists and components; what a component does is built later, when names
     are bound (`Definition.build`).

Nothing here knows a rule. Rules are the framework's: the components made here only say who takes part,
where everybody stands, what is tested, and what follows, and call the framework's own components by
name for the rest: Go To, Enlist, Enlist Cast, Enroll, Deploy At, Deploy In, Deploy Anywhere, Conclude,
Encounter, First Hero, Start Story, Welcome.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rulewright.book import tree as t
from rulewright.book.blocks import encounters, paces, scenes
from rulewright.book.blocks.links import Links
from rulewright.book.blocks.places import Places
from rulewright.book.blocks.roster import Roster
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.preferences import preference_named
from rulewright.book.grammar.scope import Mistake, Scope
from rulewright.book.phrases.read import alike
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.front import as_names
from rulewright.book.text.lists import Entry, entries, well_formed
from rulewright.book.text.source import Definition, FieldText, Line, Source
from rulewright.book.text.tokens import END, Token
from rulewright.diagnostics import Diagnostic, Span, nearest

if TYPE_CHECKING:
    from rulewright.book import tree as t
    from rulewright.book.bodies.state import Bodies
    from rulewright.book.grammar.scope import Scope

FIELDS: dict[str, str] = {
    "Campaign": "starting scene,starting encounter,common actions,global features,victory,defeat,resources,"
    "shared resources,encounter resources,initialization,maximums,statuses,note",
    "Actor": "type,cast,strategy,location,heading,resources,actions,features,note",
    "Template": "type,cast,strategy,location,heading,resources,actions,features,note",
    "Cast": "controller,members,initiative,sub-initiative,features,note",
    "Map": "dimensions,origin,picture,legend,regions,deployment zones,"
    "events,event,trigger,effect,features,note",
    "Encounter": "map,actors,player cast,enemy cast,player actors,enemy actors,deployment,initiative,"
    "features,events,event,trigger,effect,completion,transitions,note",
    "Scene": "body",
    "Ending": "body,note",
    "Strategy": "behavior,priority,when,if,do,then,else,note,plays,prefer,body",
    "Action": "range,target,line of sight,limit,features,note,if,do,then,else,declare,requires,let,cost",
    "Reaction": "trigger,range,target,line of sight,limit,features,note,if,do,then,else,declare,requires,"
    "let,cost",
}
RESERVED = re.compile(r"^(?:Target|Self|Attacker)\b|\b(?:Maximum|Max)$|^(?:Distance|Damage)$")


class Campaign:
    """Translates one book."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems = source.diagnostics
        self.frameworks = source.frameworks
        self.made: list[Definition] = []
        self.blocks: dict[str, list[Definition]] = {}
        self.seen: dict[tuple[str, str], Definition] = {}
        self.resources: dict[str, Definition] = {}
        self.flags: dict[str, str] = {}
        self.outcomes: dict[str, str] = {}
        self.phases: dict[tuple[str, str], str] = {}
        """Words of the list of phases by kind and name."""
        self.global_features: list[Entry] = []
        self.common: list[Entry] = []
        self.settings: Definition | None = None
        self.rejected: set[str] = set()
        """Kinds of which some declaration was no good."""
        self.meant: set[tuple[int, str]] = set()
        """(line of a block, key) where a key was misspelt and that one was probably meant."""
        self.links = Links(self)
        self.roster = Roster(self)
        self.places = Places(self)
        self.plans: list[encounters.Plan] = []
        self.scripts: list[scenes.Script] = []

    # ------------------------------------------------------------ reports
    def problem(self, code: str, line: Line, message: str, help: str = "") -> None:
        """Report a mistake."""
        span = Span(line.file, line.number, line.column + 1, max(1, len(line.text)))
        self.problems.append(Diagnostic(code, span, message, help))

    def unknown(self, what: str, name: str, line: Line, names: Iterable[str]) -> None:
        """A name that nothing declares. Where a declaration of that kind was rejected, it may be meant."""
        if what in self.rejected:
            return
        close = nearest(name, names)
        self.problem(
            "unknown-name", line, f"no {what} is called '{name}'", f"did you mean '{close}'?" if close else ""
        )

    def misspelt(self, d: Definition, key: str) -> bool:
        """Was a key reported that is probably this one? Then that it is missing is not another mistake."""
        return (d.line.number, key) in self.meant

    def named(self, d: Definition, kind: str, line: Line | None = None) -> bool:
        """Is the name well formed, and the first of its kind?"""
        at = line or d.line
        if not well_formed(d.title):
            self.problem("unexecutable", at, f"'{d.title}' cannot be a name")
            self.rejected.add(kind)
            return False
        key = (kind, norm(d.title))
        if key in self.seen:
            first = self.seen[key].line
            self.problem(
                "duplicate-name",
                at,
                f"'{d.title}' is declared twice",
                f"first declared on line {first.number}",
            )
            self.rejected.add(kind)
            return False
        self.seen[key] = d
        return True

    # ------------------------------------------------------------ the translation
    def translate(self) -> None:
        """Replace the blocks of the source."""
        for d in self.source.definitions:
            if d.line.file in self.frameworks:
                self.made.append(d)
                continue
            self._small(d)
            if not d.kind:
                acts = any(f.key.lower() in ("if", "do", "then", "else") for f in d.fields)
                d.kind = "Action" if acts else "Feature"
            self._fields(d)
            if d.kind in ("Campaign", "Actor", "Template", "Cast", "Map", "Encounter", "Scene", "Ending"):
                self.blocks.setdefault(d.kind, []).append(d)
            elif not d.title or (d.kind in ("Action", "Feature", "Strategy") and not well_formed(d.title)):
                self._ill(d)
            else:
                self.made.append(d)
        self._campaign()
        self.roster.read()
        self.places.read()
        for d in self.blocks.get("Encounter", []):
            if self.named(d, "encounter"):
                self.plans.append(encounters.read(self, d))
        for d in self.blocks.get("Scene", []):
            if self.named(d, "scene"):
                self.scripts.append(scenes.read(self, d))
        self._phases()
        self.links.read()
        self.roster.write()
        self.places.write()
        self._flags()
        encounters.write(self)
        scenes.write(self)
        self.component("Reach", lambda _bodies, _scope: [], kind="Value")
        self.component("Reach Gait", lambda _bodies, _scope: [], kind="Value")
        self.component("Stride Out", lambda _bodies, _scope: [])
        self.source.definitions = self.made

    def alike(self) -> dict[str, str]:
        """Words that count as the same."""
        return alike(self.source.front.get("alike"))

    def bind(self, s: Symbols) -> None:
        """Names are declared now: check references, give tiles their terrain."""
        s.campaign = self
        s.owned = True
        self.places.bind(s)
        tables: dict[str, list[str]] = {
            "action": [a.name for a in s.actions.values()],
            "strategy": [x.name for x in s.strategies.values()],
        }  # fmt: skip
        for kind, entry in (*self.roster.references, *(("action", e) for e in self.common)):
            if kind in tables and norm(entry.name) not in {norm(n) for n in tables[kind]}:
                self.unknown(kind, entry.name, entry.line, tables[kind])
        s.common = {norm(e.name) for e in self.common}
        s.casts = {key: company.title for key, company in self.roster.companies.items()}
        s.limited = {
            norm(d.title) for d in self.made if d.kind == "Resource" and d.get("maximum") is not None
        }
        if self.settings is not None and self.misspelt(self.settings, "maximums"):
            s.limited |= set(s.resources)
        for d in self.made:
            s.limited |= {norm(f.key[1:]) for f in d.fields if f.key.startswith("^")}
            if d.kind == "Feature":
                text = " ".join(x.text for f in d.fields for x in f.lines)
                s.limited |= {norm(x) for x in re.findall(r"(?:^|\.\s+)([^.]+?) cannot exceed\b", text)}
        encounters.check_tiles(self, s)

    def finish(self, bodies: Bodies) -> None:
        """Everything is parsed: features by whom they hold for, events, and what only the whole shows."""
        self._triggers(bodies.symbols)
        self.links.finish(bodies)
        paces.finish(bodies)
        self.roster.circles(bodies)

    def _triggers(self, s: Symbols) -> None:
        """The order of rules for one moment: the framework's `triggers:` names a preference."""
        name = norm(str(s.front.get("triggers", "")))
        if name in s.preferences:
            one = t.TLocal("one in order", t.ACTOR)
            parser = Cursor([Token(END, "", "", 0, 0)], s, Scope(), [])
            try:
                s.triggers = (one.name, preference_named(parser, name, one))
            except Mistake as mistake:
                self.problems.append(mistake.diagnostic)

    def _small(self, d: Definition) -> None:
        """`if:`, `do:` and so on are written in small letters."""
        for f in d.fields:
            if f.key != f.key.lower() and f.key.lower() in ("if", "do", "then", "else", "when"):
                at = f.at or (f.lines[0] if f.lines else d.line)
                key = Line(at.file, at.number, 0, f.key)
                message, help_ = f"no line is called '{f.key}:'", f"did you mean '{f.key.lower()}:'?"
                self.problem("unknown-field", key, message, help_)

    def _ill(self, d: Definition) -> None:
        key = re.match(r"([^\W\d_][\w -]*):(?:\s|$)", d.title)
        if key:
            close = nearest(key.group(1), [k for words in FIELDS.values() for k in words.split(",")])
            help_ = f"did you mean '{close}:'?" if close and close != key.group(1).lower() else ""
            self.problem("unknown-field", d.line, f"'{d.title}' belongs to no block", help_)
        else:
            self.problem("unexecutable", d.line, f"'{d.title}' cannot be a name")

    def _fields(self, d: Definition) -> None:
        """Keys that the kind does not know, and keys that stand twice."""
        known = FIELDS.get(d.kind)
        if known is None:
            return
        words = known.split(",")
        seen: set[str] = set()
        for f in d.fields:
            low = f.key.lower()
            at = f.at or (f.lines[0] if f.lines else d.line)
            if low not in words:
                if low == "body":
                    for line in f.lines:
                        self._stray(d, line, words)
                    if d.kind == "Action" and any(well_formed(line.text) for line in f.lines):
                        seen = set()  # a name without a blank line before it: what follows is that block's
                        self.rejected.add("action")
                    continue
                close = nearest(low, words)
                if close:
                    self.meant.add((d.line.number, close))
                key = Line(at.file, at.number, 0, f.key)
                self.problem(
                    "unknown-field",
                    key,
                    f"{_article(d.kind)} has no line '{f.key}:'",
                    f"did you mean '{close}:'?" if close else "",
                )
            elif d.kind == "Strategy" and low == "behavior":
                seen = set()
            elif low in seen and low not in ("note", "body", "event", "trigger", "effect", "prefer"):
                key = Line(at.file, at.number, 0, f.key)
                self.problem("duplicate-name", key, f"'{f.key}:' stands twice in '{d.title}'")
            seen.add(low)

    def _stray(self, d: Definition, line: Line, words: list[str]) -> None:
        key = re.match(r"([^\W\d_][\w -]*):(?:\s|$)", line.text)
        close = nearest(key.group(1).lower(), [w for w in words if w != "body"]) if key else None
        if close:
            self.meant.add((d.line.number, close))
        code = "unknown-field" if key else "unexecutable"
        what = (
            f"{_article(d.kind)} has no line '{key.group(1)}:'"
            if key
            else f"'{line.text}' is no line of {_article(d.kind)}"
        )
        self.problem(code, line, what, f"did you mean '{close}:'?" if close else "")

    # ------------------------------------------------------------ the Campaign block
    def _campaign(self) -> None:
        blocks = self.blocks.get("Campaign", [])
        for d in blocks[1:]:
            self.problem(
                "duplicate-name",
                d.line,
                "a book has one Campaign block",
                f"first declared on line {blocks[0].line.number}",
            )
        if not blocks:
            return
        d = self.settings = blocks[0]
        if not well_formed(d.title):
            self.problem("unexecutable", d.line, f"'{d.title}' cannot be a name")
        if "title" not in self.source.own_front:
            self.source.front["title"] = d.title
        for key, of in (("resources", ""), ("shared resources", "Match"), ("encounter resources", "")):
            for entry in entries(d.get(key), whole_lines=True):
                self._resource(entry, of, key.startswith("encounter"))
        for entry in entries(d.get("initialization")):
            self._amend(entry, "starts")
        for entry in entries(d.get("maximums")):
            if entry.value is None or entry.value.text == "None":
                continue
            if re.fullmatch(r"[Ii]nitial value", entry.value.text):
                entry.value = Line(entry.value.file, entry.value.number, entry.value.column, "starting value")
            self._amend(entry, "maximum")
        for entry in entries(d.get("statuses")):
            made = Definition(entry.name, "Status", entry.line)
            if self.named(made, "status", entry.line):
                self.made.append(self.defaults(made))
        self.global_features = entries(d.get("global features"))
        self.common = entries(d.get("common actions"))

    def defaults(self, d: Definition) -> Definition:
        """Fields that the framework gives every definition of a kind (front matter `defaults:`)."""
        for key, text in as_names(as_names(self.source.front.get("defaults")).get(d.kind)).items():
            if d.get(key) is None:
                d.fields.append(FieldText(key, [Line(d.line.file, d.line.number, 0, str(text))]))
        return d

    def _resource(self, entry: Entry, of: str, passing: bool) -> None:
        made = Definition(
            entry.name, "Resource", Line(entry.line.file, entry.line.number, entry.line.column, entry.name)
        )
        if RESERVED.search(entry.name):
            self.problem(
                "unexecutable",
                made.line,
                f"'{entry.name}' is a word of the notation and cannot name a resource",
            )
            return
        if entry.remark:
            made.title = f"{entry.name} ({entry.remark})"
        if not self.named(made, "resource", made.line):
            return
        if of:
            made.fields.append(FieldText("of", [Line(made.line.file, made.line.number, 0, of)]))
        if passing:
            made.fields.append(FieldText("passing", [Line(made.line.file, made.line.number, 0, "yes")]))
        self.resources[norm(entry.name)] = made
        self.made.append(made)

    def resource_names(self) -> list[str]:
        """Every resource a book may name, its framework's open ones included."""
        return [
            d.title
            for d in self.made
            if d.kind == "Resource" and d.get("private") is None and d.get("optional") is None
        ]

    def _amend(self, entry: Entry, key: str) -> None:
        """More about a resource: `Initialization:` and `Maximums:`."""
        known = self.resources.get(norm(entry.name))
        if known is None and any(norm(n) == norm(entry.name) for n in self.resource_names()):
            known = Definition(entry.name, "Resource", entry.line)
            self.resources[norm(entry.name)] = known
            self.made.append(known)
        if known is None:
            at = Line(entry.line.file, entry.line.number, entry.line.column, entry.name)
            self.unknown("resource", entry.name, at, self.resource_names())
        elif entry.value is None:
            self.problem(
                "missing-part", entry.line, f"say what '{entry.name}' is: `{entry.name}: EXPRESSION`"
            )
        elif known.get(key) is not None:
            self.problem("duplicate-name", entry.line, f"'{entry.name}' stands twice")
        else:
            known.fields.append(FieldText(key, [entry.value]))

    def texts(self) -> list[str]:
        """What the book's own rules say, line by line: actions, components, features, scenes, events."""
        blocks = [d for d in self.made if d.line.file not in self.frameworks and d.kind != "Resource"]
        blocks += [d for kind in ("Campaign", "Scene", "Map") for d in self.blocks.get(kind, [])]
        found = [x.text for d in blocks for f in d.fields for x in f.lines]
        for d in self.blocks.get("Encounter", []):
            found += [
                x.text
                for f in d.fields
                if f.key.lower() in ("events", "effect", "completion")
                for x in f.lines
            ]
        return found

    # ------------------------------------------------------------ lists of words
    def component(
        self,
        title: str,
        build: Callable[[Bodies, Scope], t.Block_],
        d: Definition | None = None,
        kind: str = "Effect",
        with_: str = "",
    ) -> Definition:
        """A component whose body is built when names are bound."""
        line = Line("", 0, 0, "") if d is None else Line("", d.line.number, 0, "")
        made = Definition(title, kind, line, build=build)
        if with_:
            made.fields.append(FieldText("with", [Line("", 0, 0, with_)]))
        made.cites = d.cites if d is not None else ()
        self.made.append(made)
        return made

    def words(self, title: str, names: list[str]) -> None:
        """A generated list."""
        made = Definition(title, "List", Line("", 0, 0, ""))
        made.rows = []
        made.fields = [FieldText("words", [Line("", 0, 0, ", ".join(names) or "none")])]
        self.made.append(made)

    def _phases(self) -> None:
        """Scenes, encounters and endings are the phases of a story."""
        for kind, blocks in (("Scene", self.scripts), ("Encounter", self.plans)):
            for block in blocks:
                self.phases[kind, norm(block.d.title)] = f"{kind} {block.d.title}"
        endings = [d for d in self.made if d.kind == "Ending"]
        for d in self.blocks.get("Ending", []):
            if self.named(d, "ending"):
                self.made.append(d)
                endings.append(d)
        for d in endings:
            self.phases["Ending", norm(d.title)] = f"Ending {d.title}"
        self.words("Phase", list(self.phases.values()))
        if not self.scripts and not self.plans:
            self.source.front["rules only"] = "yes"

    def goto(self, line: Line) -> tuple[str, str] | None:
        """`Scene "X"`, `Encounter "X"`, `Ending "X"` or `End` -> the phase; a mistake is reported."""
        text = re.sub(r"^(?:Transition to|Transition:|Skip to)\s+", "", line.text.strip())
        if re.fullmatch(r"End\.?", text):
            return "Ending", norm(self.complete)
        match = re.fullmatch(r'(Scene|Encounter|Ending)\s+"([^"]*)"\.?', text)
        if text.count('"') % 2:
            self.problem("unbalanced", line, "a quotation mark without its partner")
            return None
        if match is None:
            self.problem(
                "unexecutable",
                line,
                f"'{line.text}' leads nowhere: "
                'write `Scene "NAME"`, `Encounter "NAME"`, `Ending "NAME"` or `End`',
            )
            return None
        return self.phase(match.group(1), match.group(2), line)

    def phase(self, kind: str, name: str, line: Line) -> tuple[str, str] | None:
        """A phase by name, which may stand anywhere in the book."""
        titles = [d.title for d in self.blocks.get(kind, [])]
        if kind == "Ending":
            titles += [d.title for d in self.made if d.kind == "Ending"]
        if norm(name) not in {norm(x) for x in titles}:
            self.unknown(kind.lower(), name, line, titles)
            return None
        return kind, norm(name)

    @property
    def complete(self) -> str:
        """The ending of a story that just stops."""
        return str(self.source.front.get("ending", "Complete"))

    def flag(self, name: str) -> str:
        """The word of a flag."""
        return self.flags.setdefault(norm(name), name)

    def _flags(self) -> None:
        for d in (
            *self.made,
            *self.blocks.get("Map", []),
            *self.blocks.get("Encounter", []),
            *self.blocks.get("Scene", []),
        ):
            if d.line.file in self.frameworks:
                continue
            for f in d.fields:
                for line in f.lines:
                    for name in re.findall(r'\bflag\s+"([^"]*)"', line.text):
                        self.flag(name)
        self.words("Flag", list(self.flags.values()))
        self.outcomes.setdefault("Victory", "Victory")
        self.words("Outcome", list(self.outcomes.values()))


def _article(kind: str) -> str:
    return ("an " if kind[:1] in "AEIOU" else "a ") + kind
