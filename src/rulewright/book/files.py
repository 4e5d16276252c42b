"""Read a book with everything it uses: its parts, and the books it builds on.

In:  the file of a book, and a way to find others by name.
Out: Source.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from rulewright.book.cutting import cut_blocks, cut_text
from rulewright.book.front import as_list, front_matter
from rulewright.book.notation import is_blocks
from rulewright.book.source import Source
from rulewright.diagnostics import Diagnostic, Span

ENDLESS = re.compile(r"\d{1000,}")
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
    source.looked.setdefault(resolved, "")
    if file in source.texts and resolved not in trail:
        file = f"{resolved.parent.name}/{file}"
    if resolved in trail or file in source.texts:
        return
    try:
        data = path.read_bytes()
        text = data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        span = Span(file, 1, 1)
        source.diagnostics.append(Diagnostic("missing-part", span, f"there is no file '{file}' to read"))
        return
    source.looked[resolved] = hashlib.sha256(data).hexdigest()
    source.texts[file] = text
    text = _without_endless_numbers(text, file, source.diagnostics)
    front, skipped = front_matter(text, file, source.diagnostics)
    for other in as_list(front.get("uses")):
        base = path.parent / other
        if not base.suffix:
            beside, shelved = path.parent.parent / other / f"{other}.md", find(other)
            source.looked.setdefault(beside, "")
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
        cut_blocks(text, skipped, file, source, keys, headers)
    else:
        cut_text(text, skipped, file, source, keys, headers)
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


def _without_endless_numbers(text: str, file: str, problems: list[Diagnostic]) -> str:
    """A number so long that Python refuses to read it is a mistake wherever it stands, found once for all."""
    for found in ENDLESS.finditer(text):
        line, column = (
            text.count("\n", 0, found.start()) + 1,
            found.start() - text.rfind("\n", 0, found.start()),
        )
        problems.append(Diagnostic("unexecutable", Span(file, line, column), "this number has no end"))
    return ENDLESS.sub("1", text)
