"""Cut a Markdown text into what the machine reads: definitions, tables, maps, examples.

In:  the text of a file.
Out: raw definitions with the lines of their fields, added to a Source.

A definition starts at an unindented line that is not a field of the one above. What counts as a
field is decided here by shape alone (`key: value`, with a key from the closed list); what a field
means is the parser's business.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from rulewright.book.text.notation import chunks
from rulewright.book.text.outside import odd_fence, odd_paragraph
from rulewright.book.text.source import Definition, Example, FieldText, Line, Row, Source, take_cites
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


def cut_blocks(
    text: str, skipped: int, file: str, source: Source, keys: frozenset[str], headers: frozenset[str]
) -> None:
    """A file that is nothing but blocks: fences and headings only separate them."""
    for word, first, raw in chunks(text, skipped):
        lines = [Line(file, number, len(x) - len(x.lstrip()), x) for number, x in raw]
        if word == "example":
            source.examples.append(Example(file, first, lines))
        elif word == "map":
            source.maps += cut_map(lines, first, file)
        else:
            source.definitions += cut_rules(lines, keys, headers)


def cut_text(
    text: str, skipped: int, file: str, source: Source, keys: frozenset[str], headers: frozenset[str]
) -> None:
    """A Markdown file: fenced blocks and captioned tables among prose."""
    lines = text.split("\n")
    body = "\n".join([""] * skipped + lines[skipped:])
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
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
            source.diagnostics += odd_fence(word, lines, token.map, headers, file)
            if word == "rules":
                source.definitions += cut_rules(inside, keys, headers, heading)
            elif word == "map":
                source.maps += cut_map(inside, first, file)
            elif word == "example":
                source.examples.append(Example(file, first, inside))
        elif token.type == "paragraph_open" and token.map:
            last = token.map[1] - 1
            raw = lines[last]
            match = CAPTION.match(raw.strip())
            source.diagnostics += odd_paragraph(lines, token.map, caption is not None, keys, headers, file)
            caption = (raw.strip(), Line(file, last + 1, 0, raw.strip())) if match else None
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


def split_cells(raw: str) -> list[tuple[int, str]]:
    """The cells of a table line with their columns; a pipe after a backslash is text."""
    cells: list[tuple[int, str]] = []
    start = 0
    text = raw.rstrip()
    if text.lstrip().startswith("|"):
        start = text.index("|") + 1
    piece_start = start
    i = start
    while i <= len(text):
        if i == len(text) or (text[i] == "|" and text[i - 1] != "\\"):
            piece = text[piece_start:i]
            if i < len(text) or piece.strip():
                lead = len(piece) - len(piece.lstrip())
                cells.append((piece_start + lead, piece.strip().replace("\\|", "|")))
            piece_start = i + 1
        i += 1
    return cells


def _cut_table(caption: Line, lines: list[str], span: list[int], file: str, heading: str) -> Definition:
    match = CAPTION.match(caption.text)
    assert match is not None
    rest, cites = take_cites("  " + match["rest"])
    made = Definition(
        match["title"].strip(), match["kind"], caption, match["extra"] or "", cites, part=heading
    )
    made.is_table = True
    if rest.strip():
        offset = caption.text.index("**", 2) + 2
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


def inline_fields(text: str, at: Line, first_key: str) -> list[FieldText]:
    """`of: Actor; range: 0 to 5` on one line -> fields. Text before any key gets `first_key`."""
    found: list[FieldText] = []
    depth, start, pieces = 0, 0, list[tuple[int, str]]()
    quoted = False
    for i, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        if quoted:
            continue
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == ";" and depth <= 0:
            pieces.append((start, text[start:i]))
            start = i + 1
    pieces.append((start, text[start:]))
    for offset, piece in pieces:
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


def cut_rules(
    lines: list[Line], keys: frozenset[str], headers: frozenset[str], heading: str = ""
) -> list[Definition]:
    """The definitions of one `rules` fence."""
    made: list[Definition] = []
    current: Definition | None = None
    target: FieldText | None = None
    blank = True
    cited: dict[int, tuple[int, tuple[str, ...]]] = {}
    for line in lines:
        text = line.text
        if current is not None and current.kind == "Scene" and not (line.column == 0 and _opens_block(text)):
            # Its narrative may hold anything, blank lines too; what its lines are is told apart later.
            if not current.fields:
                current.fields.append(FieldText("body", []))
            current.fields[0].lines.append(Line(line.file, line.number, line.column, text.strip()))
            continue
        if not text.strip():
            blank = True
            continue
        bare, cites = take_cites(text)
        cited[line.number] = (line.column, cites)
        if not bare.strip() and current is not None:
            current.cites += cites
            continue
        if line.column > 0:
            if target is not None:
                target.lines.append(Line(line.file, line.number, line.column, bare.strip()))
            elif current is not None:
                target = FieldText("body", [Line(line.file, line.number, line.column, bare.strip())])
                current.fields.append(target)
            if current is not None:
                current.cites += cites
            continue
        header = HEADER.match(bare)
        is_header = header is not None and header["kind"] in headers
        if header is not None and header["kind"] == "Note" and current is not None:
            is_header = False
        if is_header and current is not None and not blank:
            inner = PROPERTIES.get(current.kind, ())
            if header is not None and header["kind"] in inner:
                is_header = False
        step = STEP.match(bare)
        if step and current is not None and not is_header:
            current.steps.append(
                FieldText(
                    step["number"],
                    [Line(line.file, line.number, len(bare) - len(step["text"]), step["text"])],
                )
            )
            target = current.steps[-1]
            current.cites += cites
            blank = False
            continue
        key = None if is_header else field_key(bare, keys)
        if key is not None and current is not None:
            name, start = key
            target = FieldText(
                name,
                [Line(line.file, line.number, start, bare[start:])] if bare[start:] else [],
                Line(line.file, line.number, 0, name),
            )
            if not target.lines:
                target.lines = []
            current.fields.append(target)
            current.cites += cites
            blank = False
            continue
        if is_header and header is not None:
            current = _header(header, line, cites, heading)
        elif blank or current is None or _starts_definition(bare, headers):
            current = _title(bare, line, cites, heading)
        elif target is not None and target.key == "body":
            target.lines.append(Line(line.file, line.number, 0, bare))
            current.cites += cites
            continue
        else:
            target = FieldText("body", [Line(line.file, line.number, 0, bare)])
            current.fields.append(target)
            current.cites += cites
            blank = False
            continue
        current.lines = cited
        made.append(current)
        target = None
        blank = False
    return made


PROPERTIES: dict[str, tuple[str, ...]] = {
    "Actor": ("Strategy", "Cast", "Template"),
    "Template": ("Strategy", "Cast"),
    "Encounter": ("Map", "Effect"),
    "Map": ("Effect",),
    "Strategy": ("Behavior",),
}
BLOCKS = (
    "Campaign",
    "Actor",
    "Template",
    "Cast",
    "Map",
    "Encounter",
    "Scene",
    "Ending",
    "Strategy",
    "Feature",
)


def _opens_block(text: str) -> bool:
    header = HEADER.match(text)
    return header is not None and header["kind"] in BLOCKS


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
    title = next((line for line in lines if line.text.strip()), Line(file, number, 0, ""))
    made = Definition(title.text.strip(), "Map", title)
    match = TITLED.match(made.title) or HEADER.match(made.title)
    if match:
        made.title = match["title"].strip()
    target: FieldText | None = None
    for line in lines[lines.index(title) + 1 :] if lines else []:
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
