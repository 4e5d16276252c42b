"""Read a book with everything it uses: its parts, and the books it builds on.

In:  the file of a book, and a way to find others by name.
Out: Source.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath

from rulewright.book.text.cutting import cut_blocks, cut_text
from rulewright.book.text.folders import (
    BOOK_BYTES,
    DEPTH,
    FILES,
    LINE,
    Refused,
    place_of,
    places_of,
    read_file,
    text_of,
)
from rulewright.book.text.front import as_list, as_names, closes, front_matter, places, role_places
from rulewright.book.text.keywords import HEADERS, KEYS, Words, declared_kinds, words_with
from rulewright.book.text.notation import is_blocks
from rulewright.book.text.settings import Place, usable
from rulewright.book.text.source import Definition, Source
from rulewright.diagnostics import Diagnostic, Span

ENDLESS_LETTERS = 1000
ENDLESS = re.compile(rf"\d{{{ENDLESS_LETTERS},}}")
Find = Callable[[str], "Path | None"]
"""Where the book with this shelf name is; for the empty name, the one under books without front matter."""


def read_source(path: Path, find: Find = lambda _: None, unsaved: Mapping[Path, str] | None = None) -> Source:
    """Read a book with everything it uses. Texts that are not saved yet stand for their files."""
    meant = {file.resolve(): text for file, text in (unsaved or {}).items()}
    source = Source({}, [], [], [], {}, [], main=path.name, unsaved=meant)
    try:
        _read_file(path, path.name, source, [], find)
    except Refused as refused:
        _refuse(source, Span(path.name, 1, 1), refused)
    return source


def _refuse(source: Source, span: Span, refused: Refused) -> None:
    """A file that is not read: the rest of the book would only seem wrong without it."""
    source.unread = True
    source.diagnostics.append(Diagnostic(refused.code, refused.span or span, str(refused)))


def _read_file(
    path: Path,
    file: str,
    source: Source,
    trail: list[Path],
    find: Find,
    framework: bool = False,
) -> None:
    """Add a file and what it names to the source. Raises Refused when the file itself cannot be read."""
    resolved = path.resolve()
    source.looked.setdefault(resolved, "")
    if file in source.texts and resolved not in trail:
        file = f"{resolved.parent.name}/{file}"
    if resolved in trail or file in source.texts:
        return
    unsaved = source.unsaved.get(resolved)
    data = read_file(resolved, file) if unsaved is None else unsaved.encode("utf-8", "replace")
    source.looked[resolved] = hashlib.sha256(data).hexdigest()
    text = source.texts[file] = text_of(data)
    _measure(source, file, text, len(trail))
    text = _without_endless_numbers(text, file, source.diagnostics)
    loaded, skipped = front_matter(text, file, source.diagnostics)
    named = places(text, file) if loaded else []
    front = usable(loaded, named, file, source.diagnostics)
    at, below = {(name, said): span for name, said, span in named}, [*trail, resolved]

    def follow(key: str, meant: Callable[[str], Path], label: Callable[[Path, str], str], more: bool) -> None:
        for other in as_list(front.get(key)):
            try:
                target = meant(other)
                _read_file(target, label(target, other), source, below, find, more)
            except Refused as refused:
                _refuse(source, at.get((key, other), Span(file, 1, 1)), refused)

    follow("uses", lambda other: _used(path, other, find, source), lambda target, _: target.name, False)
    if not trail and "uses" not in front and not closes(front):
        shelved = _base(text, skipped, find, "roles" not in front)
        if shelved is not None and shelved.resolve() != resolved:
            _read_file(shelved, shelved.name, source, below, find)
    if not trail:
        source.own_front = dict(front)
        source.examples.clear()  # those of the books it uses are theirs
        for pattern in as_list(front.get("examples")):
            span = at.get(("examples", pattern), Span(file, 1, 1))
            source.diagnostics += _missing_examples(path.parent, pattern, span)
    _merge(source, front, named)
    framework = framework or closes(front)
    if framework:
        source.bases.add(file)
    _cut(text, skipped, file, source, skipped > 0 or bool(trail))
    for key in ("parts", "trials"):
        follow(key, lambda other: place_of(path.parent, other), lambda _, other: other, framework)
    source.trials.update(as_list(front.get("trials")))


def _cut(text: str, skipped: int, file: str, source: Source, front: bool) -> None:
    """Cut a text by the words of the language, and by those of the kinds of blocks declared so far."""
    source.kinds |= declared_kinds(text)
    cut = _pieces if len(text) <= SHORT else _pieces.__wrapped__
    part = cut(text, skipped, file, front, words_with(source.kinds))
    source.definitions += map(Definition.copied, part.definitions)
    source.maps += map(Definition.copied, part.maps)
    source.examples += [replace(example, lines=list(example.lines)) for example in part.examples]
    source.diagnostics += part.diagnostics
    source.lost |= part.lost


SHORT = 200_000
"""Letters of a file whose pieces are kept in case it is read again."""


@lru_cache(maxsize=64)
def _pieces(text: str, skipped: int, file: str, front: bool, words: Words) -> Source:
    """The definitions of one file. One that did not change since it was last read is not cut again."""
    made = Source({}, [], [], [], {}, [], kinds=dict(words.kinds))
    cut = cut_blocks if is_blocks(text, skipped, front, made.kinds) else cut_text
    cut(text, skipped, file, made, words)
    return made


def _missing_examples(folder: Path, pattern: str, span: Span) -> list[Diagnostic]:
    """What is wrong with one entry of `examples:`, if anything: the book can be read without them."""
    try:
        places_of(folder, pattern)
    except Refused as refused:
        return [Diagnostic(refused.code, span, str(refused))]
    return []


def _merge(source: Source, front: dict[str, object], named: list[Place]) -> None:
    """What the front matter of one more file says; of roles, those it does not name stay."""
    merged = {k: v for k, v in front.items() if k not in ("uses", "parts", "trials", "base", "examples")}
    if "roles" in merged:
        source.roles |= role_places(named)
        merged["roles"] = as_names(source.front.get("roles")) | as_names(merged["roles"])
    source.front = {**source.front, **merged}


def _used(path: Path, name: str, find: Find, source: Source) -> Path:
    """The book that `uses:` means: a file beside this one, a book of the same shelf, or of ours."""
    if PurePath(name).suffix or set(name) & set("/\\\0~"):
        return place_of(path.parent, name)
    shelved = find(name)
    if path.parent.name == path.stem:
        beside = path.parent.parent / name / f"{name}.md"
        source.looked.setdefault(beside, "")
        if beside.is_file() and beside.resolve().parent == path.parent.parent.resolve() / name:
            return beside
    if shelved is None:
        raise Refused(f"there is no book called '{name[:80]}' on the shelf", "missing-part")
    return shelved


def _measure(source: Source, file: str, text: str, depth: int) -> None:
    """Whether a book is still of a size that somebody wrote. Raises Refused."""
    if depth > DEPTH:
        raise Refused(f"parts name parts at most {DEPTH} deep", "too-large")
    if len(source.texts) > FILES or sum(map(len, source.texts.values())) > BOOK_BYTES:
        raise Refused(f"a book has at most {FILES} files and {BOOK_BYTES:,} letters", "too-large")
    lines = text.split("\n")
    for number, line in enumerate(lines, 1) if max(map(len, lines)) > LINE else ():
        if len(line) > LINE:
            span = Span(file, number, LINE)
            raise Refused(f"a line has at most {LINE:,} letters", "too-large", span)


OWN = re.compile(r"\((?:Resource|Sequence|Template|List|Card|Zone)\)")


HEADED = re.compile(r"^([A-Z][A-Za-z]*):\s*\S", re.M)


def _base(text: str, skipped: int, find: Find, scenes: bool) -> Path | None:
    """The book under a text that declares no time and no numbers of its own, or that has its blocks, or
    scenes without saying who leads them and on."""
    if skipped == 0 and bool(text.strip()) and OWN.search(text) is None:
        return find("")
    own = {name for kind, names in declared_kinds(text).items() for name in (kind, *names)}
    odd = {word for word in HEADED.findall(text) if word.lower() not in KEYS} - own - (HEADERS - {"Scene"})
    shelved = find("") if odd else None
    return (
        shelved if shelved is not None and ((scenes and "Scene" in odd) or odd & _kinds_of(shelved)) else None
    )


def _kinds_of(path: Path) -> set[str]:
    """The kinds of blocks that a book declares in its files."""
    front, _ = front_matter(text_of(read_file(path, path.name)), path.name, [])
    files = [path, *(place_of(path.parent, other) for other in as_list(front.get("parts")))]
    return {kind for file in files for kind in declared_kinds(text_of(read_file(file, file.name)))}


def example_files(path: Path) -> list[Path]:
    """The small books whose worked examples are also this book's (front matter `examples:`)."""
    found: list[Path] = []
    with suppress(Refused):  # the book's own check says it
        front, _ = front_matter(text_of(read_file(path, path.name)), path.name, [])
        for pattern in as_list(front.get("examples")):
            with suppress(Refused):
                found += places_of(path.parent, pattern)
    return list(dict.fromkeys(found))


def _without_endless_numbers(text: str, file: str, problems: list[Diagnostic]) -> str:
    """A number so long that Python refuses to read it is a mistake wherever it stands, found once for all."""
    if max(map(len, text.split("\n"))) < ENDLESS_LETTERS:
        return text
    for found in ENDLESS.finditer(text):
        line, column = (
            text.count("\n", 0, found.start()) + 1,
            found.start() - text.rfind("\n", 0, found.start()),
        )
        problems.append(Diagnostic("unexecutable", Span(file, line, column), "this number has no end"))
    return ENDLESS.sub("1", text)
