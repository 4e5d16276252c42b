"""Slips of the finger: each word of a book that the machine reads, and the book with two letters exchanged.

In:  the path of a book.
Out: Slip values, in the order of the book; `applied` gives the text of the file with it.

Not read by the machine: prose, what stands in quotation marks, notes, and names where they are declared.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.book.bodies.again import Again
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.files import read_source
from rulewright.book.text.keywords import HOOK, KEYS, RULE_COLUMNS
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.compiler import check, find_book
from torture import read_again

WORD = re.compile(r"[^\W\d_]{2,}")
DECLARED = re.compile(
    r"\"[^\"]*\"|^\[[^\]]*\](?=\s*=)|\blet\s+(?:\[[^\]]*\]|[\w'-]+)(?=\s*=)|(?:^|;)\s*[\w'-]+(?=\s=\s(?:a|an|the|each)\b)|\{[^}]*\}"
    r"|(?<=  )\([a-z][^()]* [^()]*\)$|(?<=^Event: ).*$"
)
"""What is in quotation marks, names that a statement, a declaration or an event of a block gives, remarks in
place of a step."""
NAMES = frozenset(
    ("words", "faces", "note", "text", "narrative", "picture", "title", "scope", "type", "location")
)
"""Fields whose text is names that they declare, or for readers."""
GIVEN = frozenset(("with", "keeps"))


@dataclass(frozen=True, slots=True)
class Slip:
    """Two letters of a word are exchanged."""

    file: str
    line: int
    column: int
    word: str
    wrong: str

    def applied(self, text: str) -> str:
        """The text of the file with it."""
        lines = text.split("\n")
        raw = lines[self.line - 1]
        lines[self.line - 1] = raw[: self.column] + self.wrong + raw[self.column + len(self.word) :]
        return "\n".join(lines)


def slips(path: Path, chance: random.Random) -> list[Slip]:
    """One slip for each machine-read word of the book's own files."""
    source = read_source(path, find_book)
    symbols = check(path).symbols
    own = {str(f.relative_to(path.parent)) for f in path.parent.glob("**/*.md")}
    lines = {file: text.split("\n") for file, text in source.texts.items() if file in own}
    found: list[Slip] = []
    for definition in [*source.definitions, *source.maps]:
        for line in _read(definition, symbols):
            raw = lines.get(line.file, [])[line.number - 1 : line.number]
            if not raw or raw[0][line.column : line.column + len(line.text)] != line.text:
                continue
            hidden = DECLARED.sub(lambda m: " " * len(m.group()), line.text)
            for word in WORD.finditer(hidden):
                wrong = _exchanged(word.group(), chance)
                if wrong:
                    at = line.column + word.start()
                    found.append(Slip(line.file, line.number, at, word.group(), wrong))
    return sorted(dict.fromkeys(found), key=lambda s: (s.file, s.line, s.column))


@dataclass(frozen=True, slots=True)
class Found:
    """What the checker said of one slip."""

    slip: Slip
    reported: bool
    own_line: bool


def measured(path: Path, count: int, seed: int, folder: Path) -> list[Found]:
    """Check so many versions of a book, each with one slip. A traceback is the caller's."""
    chance = random.Random(seed)
    every = slips(path, chance)
    home = folder / path.parent.name
    shutil.copytree(path.parent, home, dirs_exist_ok=True)
    again = Again()
    usual = {str(d) for d in check(home / path.name, again=again).diagnostics}
    made: list[Found] = []
    for slip in chance.sample(every, min(count, len(every))):
        file = home / slip.file
        text = file.read_text(encoding="utf-8")
        file.write_text(slip.applied(text), encoding="utf-8")
        checked, again = read_again(home / path.name, again)
        new = [d for d in checked.diagnostics if str(d) not in usual]
        file.write_text(text, encoding="utf-8")
        own = any((d.span.file, d.span.line) == (slip.file, slip.line) for d in new)
        made.append(Found(slip, bool(new), own))
    return made


def _exchanged(word: str, chance: random.Random) -> str:
    places = [i for i in range(len(word) - 1) if word[i].lower() != word[i + 1].lower()]
    if not places:
        return ""
    at = chance.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _read(d: Definition, symbols: Symbols) -> Iterator[Line]:
    if d.kind in ("Note", "Phrase"):
        return
    for field in [*d.fields, *d.steps]:
        yield from _field(d, field)
    for row in d.rows:
        for n, (heading, cell) in enumerate(row.cells):
            if n == 0 and d.kind != "Deck":
                continue
            if n == 0 or _is_read(d, heading, symbols):
                yield cell


def _field(d: Definition, field: FieldText) -> Iterator[Line]:
    low = field.key.lower()
    if d.kind == "Scene" and low == "body":
        for line in field.lines:
            key = re.match(r"\s*(Lead|Condition|Check|Success|Failure|Effect|Transition):", line.text)
            if key:
                yield line
        return
    if d.kind in ("Ending", "Campaign") and low == "body":
        return
    if d.kind == "Campaign" and low in ("resources", "shared resources", "statuses"):  # declared here
        return
    if field.at is not None and d.kind != "Block":  # where a kind of blocks names its lines
        yield field.at
    if low in NAMES or low.startswith("zone ") or low == "behavior":
        return
    for line in field.lines:
        if low in GIVEN:
            for kind in re.finditer(r"\(([^)]*)\)", line.text):
                yield Line(line.file, line.number, line.column + kind.start(1), kind.group(1))
        elif field in d.steps and line is field.lines[0]:
            told = re.search(r"\s{2,}", line.text)
            if told:
                yield Line(line.file, line.number, line.column + told.end(), line.text[told.end() :])
        else:
            yield line


def _is_read(d: Definition, heading: str, symbols: Symbols) -> bool:
    low = heading.lower()
    attributes = d.kind in ("Card", "Terrain", "Status", "List", "Die")
    if low in RULE_COLUMNS or HOOK.match(heading) or heading.startswith("["):
        return True
    if not attributes and low in KEYS - NAMES and d.kind != "Table":
        return True
    if d.kind == "Table":
        return low in ("effect", "gives")
    table = {"Card": symbols.faces, "Terrain": symbols.terrains, "Status": symbols.status_list}.get(d.kind)
    table = table or symbols.lists.get(norm(d.title)) or symbols.dice.get(norm(d.title))
    column = table.columns.get(norm(heading)) if table is not None else None
    return column is not None and column.type not in ("text", "mark")
