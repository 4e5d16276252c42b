"""Cut a Markdown book into what the machine reads: definitions, tables, maps, examples.

In:  the text of a book and of its parts.
Out: Source: raw definitions with the lines of their fields, still plain text.

A definition starts at an unindented line that is not a field of the one above. What counts as a
field is decided here by shape alone (`key: value`, with a key from the closed list); what a field
means is the parser's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml
from markdown_it import MarkdownIt

from rulewright.book.notation import chunks, is_blocks
from rulewright.diagnostics import Diagnostic, Span

CITE = r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d{1,3}[a-z]?"
CITES = re.compile(
    rf"(?:\s{{2,}}|^\s*|(?<=\)) )({CITE}(?:(?:,\s*|\s+to\s+|\s+)(?:{CITE}|-\d{{1,3}}[a-z]?))*)\s*$"
)
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


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the book: its number, the column of its first character, its text."""

    file: str
    number: int
    column: int
    text: str


@dataclass(slots=True)
class FieldText:
    """One field of a definition and its lines; the key as written."""

    key: str
    lines: list[Line]
    at: Line | None = None
    """The line of the key."""

    @property
    def text(self) -> str:
        """The field as one line."""
        return " ".join(line.text.strip() for line in self.lines).strip()


@dataclass(slots=True)
class Row:
    """A row of a table: cells by column heading."""

    line: Line
    cells: list[tuple[str, Line]]


@dataclass(slots=True)
class Definition:
    """A title, a kind, fields; perhaps numbered steps or the rows of a table."""

    title: str
    kind: str
    line: Line
    extra: str = ""
    cites: tuple[str, ...] = ()
    fields: list[FieldText] = field(default_factory=list[FieldText])
    steps: list[FieldText] = field(default_factory=list[FieldText])
    columns: list[str] = field(default_factory=list[str])
    rows: list[Row] = field(default_factory=list[Row])
    is_table: bool = False
    part: str = ""
    """The section of the book it stands in."""
    build: Callable[..., Any] | None = None
    """Makes the body of a definition that no text of the book holds: from (bodies, scope) to a tree."""
    lines: dict[int, tuple[int, tuple[str, ...]]] = field(
        default_factory=dict[int, tuple[int, tuple[str, ...]]]
    )
    """Of the fence it stands in: the column and the citations of each line."""

    def cited(self, line: int) -> tuple[str, ...]:
        """What a line of it cites: itself, or the line it belongs under, or its title; else all of it."""
        column = self.lines.get(line, (0, ()))[0] + 1
        for number in range(line, self.line.number, -1):
            at, cites = self.lines.get(number, (column, ()))
            if at < column:
                if cites:
                    return cites
                column = at
        return self.lines.get(self.line.number, (0, ()))[1] or self.cites

    @property
    def extra_all(self) -> str:
        """Everything in the brackets of the title: scopes of a feature."""
        return self.extra

    def get(self, *keys: str) -> FieldText | None:
        """The first field with one of these keys, ignoring case."""
        wanted = {key.lower() for key in keys}
        return next((f for f in self.fields if f.key.lower() in wanted), None)


@dataclass(slots=True)
class Example:
    """An `example` fence: its lines."""

    file: str
    line: int
    lines: list[Line]


@dataclass(slots=True)
class Source:
    """A whole book, cut up."""

    front: dict[str, Any]
    definitions: list[Definition]
    examples: list[Example]
    maps: list[Definition]
    texts: dict[str, str]
    diagnostics: list[Diagnostic]
    frameworks: set[str] = field(default_factory=set[str])
    """Files of books that define a notation of their own (`notation:`) for the books that use them."""
    main: str = ""
    lost: set[str] = field(default_factory=set[str])
    """Titles of definitions that were no good as a whole: that nothing is called so is no second mistake."""
    own_front: dict[str, Any] = field(default_factory=dict[str, Any])
    """The front matter of the book itself, without that of what it uses."""


def expand_cites(text: str) -> tuple[str, ...]:
    """`AB-RULE-01, -03 to -05` -> the four IDs."""
    found: list[str] = []
    series, number, upto = "", 0, False
    for token in re.findall(rf"{CITE}|\bto\b|-\d{{1,3}}[a-z]?", text):
        if token == "to":
            upto = bool(series)
            continue
        full = token if re.fullmatch(CITE, token) else series + token
        head, tail = full.rsplit("-", 1)
        digits = tail.rstrip("abcdefghijklmnopqrstuvwxyz")
        this, width = int(digits), len(digits)
        if upto and head == series:
            found += [f"{head}-{n:0{width}}" for n in range(number + 1, this)]
        found.append(full)
        series, number, upto = head, this, False
    return tuple(dict.fromkeys(found))


def take_cites(text: str) -> tuple[str, tuple[str, ...]]:
    """Split the citations off the end of a line."""
    match = CITES.search(text)
    if match is None:
        return text.rstrip(), ()
    return text[: match.start()].rstrip(), expand_cites(match.group(1))


def front_matter(text: str, file: str, problems: list[Diagnostic]) -> tuple[dict[str, object], int]:
    """The YAML between the first two `---` lines, and how many lines it takes."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, 0
    for index in range(1, len(lines)):
        if lines[index].strip() == "---":
            try:
                loaded: Any = yaml.safe_load("\n".join(lines[1:index])) or {}
            except yaml.YAMLError as error:
                mark = getattr(error, "problem_mark", None)
                at = index if mark is None else mark.line + 2
                problems.append(
                    Diagnostic("bad-front-matter", Span(file, at, 1), "the front matter is not YAML")
                )
                return {}, index + 1
            if not isinstance(loaded, dict):
                problems.append(
                    Diagnostic("bad-front-matter", Span(file, 1, 1), "front matter is `name: value` lines")
                )
                return {}, index + 1
            return as_names(cast("object", loaded)), index + 1
    problems.append(Diagnostic("bad-front-matter", Span(file, 1, 1), "the front matter has no closing `---`"))
    return {}, len(lines)


Find = Callable[[str], "Path | None"]
"""Where the book with this shelf name is; for the empty name, the one under books without front matter."""


def read_source(
    path: Path, known_keys: frozenset[str], headers: frozenset[str], find: Find = lambda _: None
) -> Source:
    """Read a book with everything it uses."""
    problems: list[Diagnostic] = []
    source = Source({}, [], [], [], {}, problems, main=path.name)
    _read_file(path, path.name, source, known_keys, headers, [], find)
    return source


def _read_file(
    path: Path,
    file: str,
    source: Source,
    keys: frozenset[str],
    headers: frozenset[str],
    trail: list[Path],
    find: Find,
    framework: bool = False,
) -> None:
    resolved = path.resolve()
    if file in source.texts and resolved not in trail:
        file = f"{resolved.parent.name}/{file}"
    if resolved in trail or file in source.texts:
        return
    try:
        text = path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        span = Span(file, 1, 1)
        source.diagnostics.append(Diagnostic("missing-part", span, f"there is no file '{file}' to read"))
        return
    front, skipped = front_matter(text, file, source.diagnostics)
    source.texts[file] = text
    for other in as_list(front.get("uses")):
        base = path.parent / other
        if not base.suffix:
            beside, shelved = path.parent.parent / other / f"{other}.md", find(other)
            base = shelved if shelved is not None and not beside.is_file() else beside
        _read_file(base, base.name, source, keys, headers, [*trail, resolved], find)
    if not trail and "uses" not in front and "notation" not in front:
        shelved = find("") if _builds_on_base(text, skipped) else None
        if shelved is not None and shelved.resolve() != resolved:
            _read_file(shelved, shelved.name, source, keys, headers, [*trail, resolved], find)
    if not trail:
        source.own_front = dict(front)
        source.examples.clear()  # those of the books it uses are theirs
        for pattern in as_list(front.get("examples")):
            if not matching(path, pattern):
                message = f"there is no file '{pattern}' with examples to read"
                source.diagnostics.append(Diagnostic("missing-part", Span(file, 1, 1), message))
    merged = {k: v for k, v in front.items() if k not in ("uses", "parts", "base", "examples")}
    source.front = {**source.front, **merged}
    framework = framework or "notation" in front
    if framework:
        source.frameworks.add(file)
    if is_blocks(text, skipped, skipped > 0 or bool(trail)):
        _cut_blocks(text, skipped, file, source, keys, headers)
    else:
        _cut(text, skipped, file, source, keys, headers)
    for other in as_list(front.get("parts")):
        below = [*trail, resolved]
        _read_file(path.parent / other, str(other), source, keys, headers, below, find, framework)


CAMPAIGN = re.compile(r"^(?:Campaign|Cast|Encounter|Scene):\s*\S", re.M)
OWN = re.compile(r"\((?:Resource|Sequence|Template|List|Card|Zone)\)")


def _builds_on_base(text: str, skipped: int) -> bool:
    """A book of blocks that declares no time and no numbers of its own needs a framework for them."""
    return CAMPAIGN.search(text) is not None or (
        skipped == 0 and bool(text.strip()) and OWN.search(text) is None
    )


def _cut_blocks(
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


def matching(path: Path, pattern: str) -> list[Path]:
    """Files below a book's folder that a pattern of its front matter names, in order."""
    try:
        return sorted(found for found in path.parent.glob(pattern) if found.is_file())
    except (ValueError, NotImplementedError, OSError):  # no pattern, or one that leads out of the folder
        return []


def example_files(path: Path) -> list[Path]:
    """The small books whose worked examples are also this book's (front matter `examples:`)."""
    front, _ = front_matter(path.read_text("utf-8", "replace"), path.name, [])
    found = [file for pattern in as_list(front.get("examples")) for file in matching(path, pattern)]
    return list(dict.fromkeys(found))


def as_list(value: object) -> list[str]:
    """What front matter says under a name, as texts: one, several, or none."""
    if value is None:
        return []
    return [str(v) for v in cast("list[object]", value)] if isinstance(value, list) else [str(value)]


def as_names(value: object) -> dict[str, object]:
    """What front matter says under a name, where that is names with values; else nothing."""
    found = cast("dict[object, object]", value) if isinstance(value, dict) else {}
    return {str(k): v for k, v in found.items()}


def _cut(
    text: str, skipped: int, file: str, source: Source, keys: frozenset[str], headers: frozenset[str]
) -> None:
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
            inside = [
                Line(file, first + 1 + n, len(raw) - len(raw.lstrip()), raw.rstrip())
                for n, raw in enumerate(lines[first : token.map[1]])
                if n < len(token.content.split("\n")) - 1
            ]
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
    made.columns = [text for _, text in split_cells(lines[span[0]])]
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
            value = piece.strip()[match.end() :]
            found.append(FieldText(match.group(1), [Line(at.file, at.number, base + match.end(), value)]))
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
    return match is not None and match["kind"] in headers


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
