"""A rulebook as HTML, rendered from the same Markdown that runs.

In:  the texts of a book by file name, in reading order.
Out: HTML whose top-level elements carry data-file, data-line and data-end, and list items, table rows and
     lines of rules data-line as well, so that a page can open it at the rule that just fired.

Raw HTML in a book is shown, never passed on: the page puts what comes from here into itself. The parts of
a rule have classes (r-title, r-kind, r-field, r-number, r-run, r-text, r-cite, r-step) for colours.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rulewright.book.text.front import front_matter
from rulewright.book.text.notation import chunks, is_blocks
from rulewright.book.text.source import CITE, CITES
from rulewright.cli.rulings import MARK

WORDS = re.compile(
    r'(?P<text>"[^"]*")'
    r"|(?P<number>\[[^\[\]]*\])"
    r"|(?P<run>#[A-Z][\w'’]*(?: [A-Z][\w'’]*)*)"
    rf"|(?P<cite>\b{CITE})"
)
FIELD = re.compile(r"^(?P<lead>\s*)(?P<field>[A-Za-z][\w #\[\]'’-]{0,60}?:)(?=\s|$)")
STEP = re.compile(r"^(?P<step>\d+\.\s+\S+(?: \S+)*)")
TITLE = re.compile(r"^(?P<title>[^()]+?)(?P<gap>\s*)(?P<kind>\([A-Z][^()]*\))")
KEEP = re.compile(r"^(?:https?|mailto):", re.I)


def render(texts: Mapping[str, str], trials: Collection[str] = ()) -> str:
    """The whole book; files that only try the rules out are folded away behind it."""
    book = [part for file, text in texts.items() if file not in trials for part in _file(file, text)]
    folded = [_trial(file, text) for file, text in texts.items() if file in trials]
    return "\n".join(book + folded)


def _trial(file: str, text: str) -> str:
    """A file of worked examples as one note: its heading, and how many there are."""
    heading = re.search(r"^# +(.+)$", text, re.M)
    title = html.escape(heading[1].strip() if heading else file)
    count = len(re.findall(r"^```+example\b", text, re.M))
    inner = "\n".join(_file(file, text))
    summary = f"<summary>{title} ({count} worked example{'' if count == 1 else 's'})</summary>"
    return f'<details class="trials">{summary}\n{inner}\n</details>'


def _file(file: str, text: str) -> Iterator[str]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _, skipped = front_matter(text, file, [])
    lines = text.split("\n")
    if is_blocks(text, skipped, skipped > 0):
        yield from _blocks(file, text, skipped)
        return
    body = "\n".join([""] * skipped + lines[skipped:])
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(body)
    start = 0
    while start < len(tokens):
        stop = _end(tokens, start)
        token = tokens[start]
        if token.type == "fence" and token.map:
            yield from _fence(file, token, lines)
        else:
            part = tokens[start:stop]
            _mark(file, part)
            shown = markdown.renderer.render(part, markdown.options, {}).strip()
            yield _ruling(part, shown) if _is_ruling(part) else shown
        start = stop


def _end(tokens: Sequence[Token], start: int) -> int:
    """One past the last token of the element that begins here."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth <= 0:
            return index + 1
    return len(tokens)


def _is_ruling(tokens: Sequence[Token]) -> bool:
    """Whether an element is a block quote of rulings: what the book decided, not what its source says."""
    first = next((token.content for token in tokens if token.type == "inline"), "")
    return tokens[0].type == "blockquote_open" and first.startswith(MARK)


def _ruling(tokens: Sequence[Token], shown: str) -> str:
    """Rulings as a note that can be folded; its summary says how many there are."""
    count = sum(token.type == "inline" and token.content.startswith(MARK) for token in tokens)
    summary = "Ruling" if count == 1 else f"{count} rulings"
    inner = shown[shown.index(">") + 1 : shown.rindex("</blockquote>")].strip()
    place = "".join(
        f' {key}="{html.escape(str(value), quote=True)}"' for key, value in tokens[0].attrs.items()
    )
    return f'<details class="ruling"{place}><summary>{summary}</summary>\n{inner}\n</details>'


def _blocks(file: str, text: str, skipped: int) -> Iterator[str]:
    """A file that is nothing but definitions."""
    headings = dict(enumerate(text.split("\n"), 1))
    for word, first, raw in chunks(text, skipped):
        heading = re.match(r"^(#{1,6})\s+(.*)", headings.get(first, ""))
        if heading:
            level = len(heading[1])
            yield f"<h{level}{_place(file, first, first)}>{html.escape(heading[2].strip())}</h{level}>"
        yield from _code(file, word or "rules", raw)


def _mark(file: str, tokens: Sequence[Token]) -> None:
    """Say where each element comes from, and let links lead nowhere but to the web."""
    for depth, token in enumerate(tokens):
        if token.map and token.nesting == 1 and (depth == 0 or token.type in ("list_item_open", "tr_open")):
            token.attrSet("data-file", file)
            token.attrSet("data-line", str(token.map[0] + 1))
            token.attrSet("data-end", str(token.map[1]))
        for child in token.children or []:
            if child.type == "link_open":
                target = str(child.attrGet("href") or "")
                child.attrs = {}
                if KEEP.match(target):
                    child.attrs = {"href": target, "rel": "noopener noreferrer", "target": "_blank"}
            elif child.type == "image":  # its file is not served; its words are worth keeping
                child.type, child.tag, child.nesting = "text", "", 0


def _fence(file: str, token: Token, lines: Sequence[str]) -> Iterator[str]:
    assert token.map is not None
    first = token.map[0] + 1
    word = (token.info.strip().split() or [""])[0]
    count = len(token.content.split("\n")) - 1
    yield from _code(file, word, [(first + 1 + n, lines[first + n].rstrip()) for n in range(count)])


def _code(file: str, word: str, lines: Sequence[tuple[int, str]]) -> Iterator[str]:
    """A fence: rules definition by definition, an example folded away, anything else as it is."""
    if word == "rules":
        for part in _definitions(lines):
            yield _pre(file, "rules", part, [_painted(text, n == 0) for n, (_, text) in enumerate(part)])
        return
    part = _trimmed(lines)
    if not part:
        return
    if word == "guide":
        return  # said at the table, choice by choice
    if word == "example":
        title = html.escape(part[0][1].strip())
        inner = (
            _pre(file, "example", part[1:], [_painted(text, False) for _, text in part[1:]])
            if part[1:]
            else ""
        )
        place = _place(file, part[0][0], part[-1][0])
        yield f'<details class="example"{place}><summary>Example: {title}</summary>{inner}</details>'
        return
    kind = "map" if word == "map" else "text"
    yield _pre(file, kind, part, [html.escape(text) for _, text in part])


def _definitions(lines: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Cut where an unindented line follows an empty one."""
    part: list[tuple[int, str]] = []
    for number, text in lines:
        begins = bool(text.strip()) and not text[:1].isspace()
        if begins and part and not part[-1][1].strip():
            yield _trimmed(part)
            part = []
        if part or text.strip():
            part.append((number, text))
    if _trimmed(part):
        yield _trimmed(part)


def _trimmed(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    found = list(lines)
    while found and not found[-1][1].strip():
        found.pop()
    while found and not found[0][1].strip():
        found.pop(0)
    return found


def _pre(file: str, kind: str, part: Sequence[tuple[int, str]], painted: Sequence[str]) -> str:
    where = html.escape(file, quote=True)
    rows = [
        f'<span class="line" data-file="{where}" data-line="{number}">{text}</span>'
        for (number, _), text in zip(part, painted, strict=True)
    ]
    code = "\n".join(rows)
    return f'<pre class="{kind}"{_place(file, part[0][0], part[-1][0])}><code>{code}</code></pre>'


def _place(file: str, line: int, end: int) -> str:
    return f' data-file="{html.escape(file, quote=True)}" data-line="{line}" data-end="{end}"'


def _painted(text: str, first: bool) -> str:
    """A line of rules with its parts told apart."""
    cited = CITES.search(text)
    rest, tail = (text[: cited.start()], text[cited.start() :].strip()) if cited else (text, "")
    lead = ""
    if first and (title := TITLE.match(rest)):
        lead = f"{_span('title', title['title'])}{title['gap']}{_span('kind', title['kind'])}"
        rest = rest[title.end() :]
    elif step := STEP.match(rest):
        # The name of a step ends where the first gap is.
        name = re.split(r"(?<=\S)\s{2,}", step["step"])[0]
        lead, rest = _span("step", name), rest[len(name) :]
    elif field := FIELD.match(rest):
        lead = f"{field['lead']}{_span('field', field['field'])}"
        rest = rest[field.end() :]
    return lead + _inline(rest) + (f"  {_span('cite', tail)}" if tail else "")


def _inline(text: str) -> str:
    found, at = "", 0
    for match in WORDS.finditer(text):
        found += html.escape(text[at : match.start()]) + _span(match.lastgroup or "text", match[0])
        at = match.end()
    return found + html.escape(text[at:])


def _span(kind: str, text: str) -> str:
    return f'<span class="r-{kind}">{html.escape(text)}</span>'
