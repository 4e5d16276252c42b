"""Cut a Markdown text into what the machine reads: definitions, tables, maps, examples.

In:  the text of a file.
Out: raw definitions with the lines of their fields, added to a Source.

A definition starts at an unindented line that is not a field of the one above. What counts as a
field is decided here by shape alone (`key: value`, with a key from the closed list); what a field
means is the parser's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache

from markdown_it import MarkdownIt

from rulewright.book.text.keywords import KIND_KEYS, LANGUAGE, Words
from rulewright.book.text.notation import BLOCKS, chunks
from rulewright.book.text.outside import FENCES, names_in, odd_fence, odd_paragraph
from rulewright.book.text.source import Definition, Example, FieldText, Line, Row, Source, take_cites
from rulewright.book.text.tokens import apart
from rulewright.diagnostics import is_exchange

HEADER = re.compile(r"^(?P<kind>[A-Z][A-Za-z]*):\s*(?P<title>\S.*)$")

TITLED = re.compile(
    r"^(?P<title>\"[^\"]*\"|(?:[^()]|\([^()]*\)(?=\s*(?:\(Card\)|/ )))*?)\s*"
    r"\((?P<kind>[A-Z][A-Za-z]*)(?P<extra>[^()]*)\)(?!\s*(?:\(Card\)|/ ))\s*(?P<rest>.*)$"
)
"""A title and its kind; a title in quotation marks may hold brackets; a card's name may end in them."""

STEP = re.compile(r"^(?P<number>\d+)\.\s+(?P<text>.*)$")

CAPTION = re.compile(
    r"^\*\*(?P<title>.+?)\s*\((?P<kind>[A-Z][A-Za-z]*)(?:\s+(?P<extra>[^()]*))?\)\*\*\s*(?P<rest>.*)$"
)


def cut_blocks(text: str, skipped: int, file: str, source: Source, words: Words) -> None:
    """A file that is nothing but blocks: fences and headings only separate them."""
    for word, first, raw in chunks(text, skipped):
        lines = [Line(file, number, len(x) - len(x.lstrip()), x) for number, x in raw]
        if word == "example":
            source.examples.append(Example(file, first, lines))
        elif word == "map":
            source.maps += cut_map(lines, first, file)
        else:
            source.definitions += cut_rules(lines, words)


@cache
def _markdown() -> MarkdownIt:
    """Finds fences, tables and paragraphs; what stands in a line is read as it is written."""
    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def cut_text(text: str, skipped: int, file: str, source: Source, words: Words) -> None:
    """A Markdown file: fenced blocks and captioned tables among prose."""
    lines = text.split("\n")
    body = "\n".join([""] * skipped + lines[skipped:])
    tokens = _markdown().parse(body)
    caption: tuple[str, Line] | None = None
    heading = ""
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "heading_open":
            heading = tokens[index + 1].content
        if token.type == "fence" and token.map:
            first = token.map[0] + 1
            word = (token.info.strip().split() or [""])[0]
            count = token.content.count("\n")
            inside = [
                Line(file, first + 1 + n, len(raw) - len(raw.lstrip()), raw.rstrip())
                for n, raw in enumerate(lines[first : token.map[1]][:count])
            ]
            odd = list(odd_fence(word, lines, token.map, words, file))
            source.diagnostics += odd
            if odd and word not in FENCES:
                source.lost |= names_in(raw.text for raw in inside)
            if word == "rules":
                source.definitions += cut_rules(inside, words, heading)
            elif word == "map":
                source.maps += cut_map(inside, first, file)
            elif word == "example":
                source.examples.append(Example(file, first, inside))
        elif token.type == "paragraph_open" and token.map:
            last = token.map[1] - 1
            raw = lines[last]
            match = CAPTION.match(raw.strip())
            odd = list(odd_paragraph(lines, token.map, caption is not None, words, file))
            source.diagnostics += odd
            if odd:
                above = [caption[0]] if caption is not None else []
                source.lost |= names_in([*above, *lines[slice(*token.map)]])
            lead = len(raw) - len(raw.lstrip())
            caption = (raw.strip(), Line(file, last + 1, lead, raw.strip())) if match else None
            index += 2
        elif token.type == "table_open" and token.map:
            if caption is not None:
                source.definitions.append(_cut_table(caption[1], lines, token.map, file, heading))
            caption = None
            while tokens[index].type != "table_close":
                index += 1
        elif token.type.endswith("_open") and token.type not in ("paragraph_open", "inline"):
            caption = None
        index += 1


PIPE = re.compile(r"(?<!\\)\|")


def split_cells(raw: str) -> list[tuple[int, str]]:
    """The cells of a table line with their columns; a pipe after a backslash is text."""
    text = raw.rstrip()
    at = text.index("|") + 1 if text.lstrip().startswith("|") else 0
    cells: list[tuple[int, str]] = []
    for piece in PIPE.split(text[at:]):
        cells.append((at + len(piece) - len(piece.lstrip()), piece.strip().replace("\\|", "|")))
        at += len(piece) + 1
    return cells if cells[-1][1] else cells[:-1]


def _cut_table(caption: Line, lines: list[str], span: list[int], file: str, heading: str) -> Definition:
    match = CAPTION.match(caption.text)
    assert match is not None
    rest, cites = take_cites("  " + match["rest"])
    made = Definition(
        match["title"].strip(), match["kind"], caption, match["extra"] or "", cites, part=heading
    )
    made.is_table = True
    if rest.strip():
        offset = caption.column + match.start("rest") - 2  # behind the two spaces that citations ask for
        made.fields = inline_fields(rest, Line(file, caption.number, offset, rest), "caption")
    made.heads = [Line(file, span[0] + 1, at, text) for at, text in split_cells(lines[span[0]])]
    made.columns = [head.text for head in made.heads]
    for number in range(span[0] + 2, span[1]):
        raw = lines[number]
        if not raw.strip():
            continue
        cells = [
            (made.columns[n] if n < len(made.columns) else "", Line(file, number + 1, at, text))
            for n, (at, text) in enumerate(split_cells(raw))
        ]
        made.rows.append(Row(Line(file, number + 1, 0, raw), cells))
    return made


SEMICOLON = re.compile(";")


def inline_fields(text: str, at: Line, first_key: str) -> list[FieldText]:
    """`of: Actor; range: 0 to 5` on one line -> fields. Text before any key gets `first_key`."""
    found: list[FieldText] = []
    for offset, piece in apart(text, SEMICOLON):
        lead = len(piece) - len(piece.lstrip())
        match = re.match(r"([A-Za-z][A-Za-z -]*?):\s*", piece.strip())
        base = at.column + offset + lead
        if match and '"' not in match.group(1):
            value, key = piece.strip()[match.end() :], match.group(1)
            here = Line(at.file, at.number, base, key)
            found.append(FieldText(key, [Line(at.file, at.number, base + match.end(), value)], here))
        elif piece.strip():
            if found and first_key != "caption":
                found[-1].lines[-1] = Line(
                    at.file, at.number, found[-1].lines[-1].column, found[-1].lines[-1].text + ";" + piece
                )
            else:
                found.append(FieldText(first_key, [Line(at.file, at.number, base, piece.strip())]))
    return found


HOOK_WORDS = ("before ", "after ", "instead of ", "at ", "when ", "start of ", "end of ", "while ", "until ")


def field_key(text: str, keys: frozenset[str]) -> tuple[str, int] | None:
    """The key of a field line and where its value starts, or None when it is no field."""
    match = re.match(r"([A-Za-z#\[][^:\"]*?):(?:\s+|$)", text)
    if match is None:
        return None
    key = match.group(1).strip()
    low = key.lower()
    if "," in key and low not in keys:
        return None  # a sentence with a colon in it
    if low in keys or low.startswith(HOOK_WORDS):
        return key, match.end()
    return None


@dataclass(slots=True)
class _Cut:
    """Where cutting a fence has come to."""

    words: Words
    heading: str
    made: list[Definition] = field(default_factory=list[Definition])
    current: Definition | None = None
    target: FieldText | None = None
    """The field that deeper lines go on with."""
    blank: bool = True
    """A blank line stands above."""
    cited: dict[int, tuple[int, tuple[str, ...]]] = field(
        default_factory=dict[int, tuple[int, tuple[str, ...]]]
    )
    """Of the lines of the definition so far: column and citations."""


def cut_rules(lines: list[Line], words: Words = LANGUAGE, heading: str = "") -> list[Definition]:
    """The definitions of one `rules` fence; kinds are those that the book declares."""
    cut = _Cut(words, heading)
    for line in lines:
        _cut_line(cut, line)
    return cut.made


def _cut_line(cut: _Cut, line: Line) -> None:
    current = cut.current
    at_margin = line.column == 0
    if current is not None and current.kind == "Scene" and not (at_margin and _ends_scene(cut, line.text)):
        # Its narrative may hold anything, blank lines too; what its lines are is told apart later.
        if not current.fields:
            current.fields.append(FieldText("body", []))
        current.fields[0].lines.append(replace(line, text=line.text.strip()))
        return
    if not line.text.strip():
        cut.blank = True
        return
    bare, cites = take_cites(line.text)
    cut.cited[line.number] = (line.column, cites)
    header = _header_match(cut, bare) if at_margin else None
    if current is None and not at_margin:
        return
    if current is not None and (
        not bare.strip() or not at_margin or (header is None and _goes_on(cut, current, line, bare))
    ):
        if bare.strip() and not at_margin:
            _deeper(cut, current, replace(line, text=bare.strip()))
        current.cites += cites
        return
    del cut.cited[line.number]
    cut.current = (
        _header(header, line, cites, cut.heading) if header else _title(bare, line, cites, cut.heading)
    )
    cut.current.lines = cut.cited = {line.number: (line.column, cites)}
    cut.made.append(cut.current)
    cut.target, cut.blank = None, False


def _header_match(cut: _Cut, bare: str) -> re.Match[str] | None:
    """`Kind: Title` at the margin, unless it is a line of the block above."""
    header = HEADER.match(bare)
    if header is None or header["kind"] not in cut.words.headers:
        return None
    if cut.current is None:
        return header
    return None if header["kind"] == "Note" or _is_line(cut, cut.current, header["kind"]) else header


def _is_line(cut: _Cut, current: Definition, kind: str) -> bool:
    """Is a word that is also a kind here a line of the block above, without a blank line between?"""
    inner = (*PROPERTIES.get(current.kind, ()), *cut.words.fields_of(current.kind))
    return not cut.blank and (kind in inner or current.kind == "Block")


def _ends_scene(cut: _Cut, text: str) -> bool:
    header = HEADER.match(text)
    return header is not None and header["kind"] in (*BLOCKS, *dict(cut.words.kinds))


def _deeper(cut: _Cut, current: Definition, line: Line) -> None:
    """An indented line belongs to the field above it."""
    if cut.target is None:
        cut.target = FieldText("body", [])
        current.fields.append(cut.target)
    cut.target.lines.append(line)


def _goes_on(cut: _Cut, current: Definition, line: Line, bare: str) -> bool:
    """A line at the margin that is part of the definition above: a step, a field, one more line of text."""
    step = STEP.match(bare)
    keys = cut.words.keys | KIND_KEYS.get(current.kind, frozenset())
    key = field_key(bare, keys)
    if key is not None and key[0].lower() not in keys and _starts_definition(key[0], cut.words.headers):
        return False  # `At the Door (Check) with: ..` is a title, no hook `at the door: ..`
    if step:
        value = Line(line.file, line.number, len(bare) - len(step["text"]), step["text"])
        cut.target = FieldText(step["number"], [value])
        current.steps.append(cut.target)
    elif key is not None:
        name, start = key
        value = Line(line.file, line.number, start, bare[start:])
        cut.target = FieldText(name, [value] if value.text else [], Line(line.file, line.number, 0, name))
        current.fields.append(cut.target)
    elif cut.blank or _starts_definition(bare, cut.words.headers):
        return False
    else:
        if cut.target is None or cut.target.key != "body":
            cut.target = FieldText("body", [])
            current.fields.append(cut.target)
        cut.target.lines.append(Line(line.file, line.number, 0, bare))
    cut.blank = False
    return True


PROPERTIES: dict[str, tuple[str, ...]] = {
    "Actor": ("Strategy", "Template"),
    "Template": ("Strategy",),
    "Map": ("Effect",),
    "Strategy": ("Behavior", "Value"),
}
"""Kinds that are also lines of a block; what a declared kind has among its fields comes on top."""


def _starts_definition(bare: str, headers: frozenset[str]) -> bool:
    """A title with its kind needs no blank line above it."""
    match = TITLED.match(bare)
    return match is not None and (match["kind"] in headers or _slip_of_a_kind(match, headers))


def _slip_of_a_kind(match: re.Match[str], headers: frozenset[str]) -> bool:
    """`Cross (Trerain)`: what is wrong with its kind is said of it, not of the definition above."""
    if not re.match(r"\"?[A-Z]", match["title"]) or match["extra"]:
        return False
    return any(is_exchange(match["kind"], kind) for kind in headers)


def _header(match: re.Match[str], line: Line, cites: tuple[str, ...], heading: str) -> Definition:
    title, extra = match["title"].strip(), ""
    paren = re.match(r"^(.*?)\s*\(([^()]*)\)\s*$", title)
    if paren:
        title, extra = paren.group(1).strip(), paren.group(2).strip()
    return Definition(title, match["kind"], line, extra, cites, part=heading)


def _title(bare: str, line: Line, cites: tuple[str, ...], heading: str) -> Definition:
    match = TITLED.match(bare)
    if match is None:
        return Definition(bare.strip(), "", line, "", cites, part=heading)
    made = Definition(
        match["title"].strip(), match["kind"], line, match["extra"].strip(), cites, part=heading
    )
    rest = match["rest"]
    if rest.strip():
        start = len(bare) - len(rest)
        made.fields = inline_fields(rest, Line(line.file, line.number, start, rest), "body")
    return made


def cut_map(lines: list[Line], number: int, file: str) -> list[Definition]:
    """A `map` fence: `key: value` lines, then the picture."""
    first = next((place for place, line in enumerate(lines) if line.text.strip()), len(lines))
    title = lines[first] if first < len(lines) else Line(file, number, 0, "")
    made = Definition(title.text.strip(), "Map", title)
    match = TITLED.match(made.title) or HEADER.match(made.title)
    if match:
        made.title = match["title"].strip()
    target: FieldText | None = None
    for line in lines[first + 1 :]:
        bare, cites = take_cites(line.text)
        made.cites += cites
        key = re.match(r"([a-zA-Z][A-Za-z ]*?):(?:\s+|$)", bare) if line.column == 0 else None
        if key:
            target = FieldText(key.group(1).strip(), [])
            made.fields.append(target)
            if bare[key.end() :]:
                target.lines.append(Line(file, line.number, key.end(), bare[key.end() :]))
        elif target is not None and bare.strip():
            target.lines.append(Line(file, line.number, line.column, bare.strip()))
    return [made]
