"""Figures in the prose of a book, and the definitions that state the same.

In:  the pages of a book.
Out: every figure that stands in a sentence or in the words of a table, and whether a definition holds it.

A figure is held if a line of the rules states the same number and speaks of the same thing: it shares a
word with the sentence, and stands in the same chapter or in a definition that the sentence names. So a
number that is tuned on one side alone loses its hold. Sentences that read their number from a definition
(`{[Hand Size]}`) have no figure left.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

WORDS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(2, 13)),
        strict=True,
    )
)
WORDS |= {"fifteen": "15", "twenty": "20", "quarter": "4"}
WORDS |= dict.fromkeys(("twice", "double", "doubled", "half", "halved"), "2")
FIGURE = re.compile(rf"(?<![\w.-])[+-]?(\d+d\d+|\d+(?:\.\d+)?|{'|'.join(WORDS)})(?![\w.]*\w)", re.I)
CODE_NUMBER = re.compile(r"\d+d\d+|\d+")
COUNTED = "players|people|seats|directions|things|names|kinds|others|ways|documents|texts|sources|corners"
NOT_FIGURES = re.compile(
    "|".join(
        (
            rf"\b(?:(?:{'|'.join(WORDS)}|one)(?: (?:to|or|and|of the|of these) )?)+ (?:{COUNTED})\b",
            r"\b(?:[Ss]eats?|[Ss]ides?|[Rr]ows?|[Pp]layer|[Pp]hase|Front|Back|[Ss]ectors?) \d"
            r"(?:(?:, | and | or )\d)*",
            r"\(\d+,\d+\)",
            r"[Vv]ersion \d|\b[A-Z][a-z]+ \d+, 20\d\d|\b20\d\d\b",
            r"\b(?:SA|[Ee]dition) \d\.\d|\b\d\.0 playtest",
            r"\{\[[^\]]*\]\}|`[^`]*`|\b[A-Z][A-Z0-9]*-[A-Z0-9]+-\d+\w?(?:(?:, | to | and |; )-\d+\w?)*",
            r"\b(?:[Ss]ections?|[Cc]hapters?|[Ss]teps?|[Rr]ound|[Rr]ule) \d+(?:\.\d+)?"
            r"(?:(?:, | and | to )\d+(?:\.\d+)?)*",
            r"\(\d\)|^\s*\d+\. |\d+,\d\d\d",
        )
    )
)
"""What looks like a figure and is none: people and words that are counted, places and seats that are named,
editions and years, gaps, code, rule numbers, chapters, steps, numbers of a list, measured matches."""
TITLE = re.compile(r"(?!AND |OR )(?P<name>[A-Z\"][^:\[\]#]*?) \([A-Z][\w ]*\)")
CAPTION = re.compile(r"^\*\*(?P<name>[^*]+?) \([A-Z][\w ]*\)\*\*")
COMMON = frozenset(
    (
        "the and for with that this from each until unless only also then than when where which what whoever "
        "your you its their his her they who not but all any more most less least into onto over under are "
        "was has have does may can cannot must one every other another same once again after before while "
        "during does done these those it's there here "
    ).split()
)


@dataclass(frozen=True, slots=True)
class Figure:
    file: str
    line: int
    number: str
    sentence: str


@dataclass
class Chapter:
    """What stands between two headings of the second level."""

    said: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """Sentences with the line where they begin."""
    stated: list[str] = field(default_factory=list[str])
    """Lines of definitions, each with the title of its definition."""

    def known(self) -> frozenset[str]:
        """What its definitions speak of."""
        return frozenset[str]().union(*(stems(line) for line in self.stated))


@cache
def stems(text: str) -> frozenset[str]:
    """The words of a text, cut so that `cards` meets `card` and `pushed` meets `Push`."""
    found = (w.lower() for w in re.findall(r"[^\W\d_]{2,}", text))
    return frozenset(w[:4].rstrip("s") for w in found if w not in COMMON)


def sentences(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Paragraphs cut at full stops, each part with the line where it begins: marks keep the lines apart."""
    block: list[tuple[int, str]] = []
    for number, line in [*lines, (0, "")]:
        if block and (
            not line.strip() or re.match(r"\s*(?:[-*>]|\d+\.) ", line) or number != block[-1][0] + 1
        ):
            text = " ".join(f"\0{n}\0{x.strip()}" for n, x in block)
            yield from _cut(text)
            block = []
        if line.strip():
            block.append((number, re.sub(r"^\s*(?:[-*>]|\d+\.) ", "", line)))


def _cut(text: str) -> Iterator[tuple[int, str]]:
    line = 0
    for part in re.split(r"(?<=[.;!?)]) (?=[^a-z]|\0)", text):
        marks = re.findall(r"\0(\d+)\0", part)
        if part.startswith("\0"):
            line = int(marks[0])
        yield line, re.sub(r"\0\d+\0", "", part)
        line = int(marks[-1]) if marks else line


def chapters(text: str) -> list[Chapter]:
    """The chapters of one page, without front matter and rulings, which tell of the source's figures too."""
    found = [Chapter()]
    prose: list[tuple[int, str]] = []
    lines = text.splitlines()
    start = lines.index("---", 1) + 1 if lines and lines[0] == "---" else 0
    fence = title = caption = ""
    head: list[str] = []
    for number, line in enumerate(lines[start:], start + 1):
        chapter = found[-1]
        if line.startswith("```"):
            fence, title = ("" if fence else line[3:].strip() or "text"), ""
        elif fence:
            if fence == "rules":
                named = TITLE.match(line)
                title = named["name"] if named else title
                chapter.stated.append(f"{title} | {line}")
        elif line.startswith("## "):
            chapter.said += sentences(prose)
            prose.clear()
            found.append(Chapter())
        elif named := CAPTION.match(line):
            caption, head = named["name"], []
            chapter.stated.append(line)
        elif line.startswith("|"):
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            if not head:
                head = cells
            elif set(line) - set("|-: "):
                _row(chapter, number, caption, head, cells)
        elif line.startswith((">", "#")):
            caption, head = "", []
        else:
            if line.strip():
                caption, head = "", []
            prose.append((number, line))
            continue
        if not line.startswith("|"):
            head = []
        prose.append((number, ""))
    found[-1].said += sentences(prose)
    return found


def _row(chapter: Chapter, number: int, caption: str, head: list[str], cells: list[str]) -> None:
    """A row states its numbers, if its table is a definition; a cell of words is a sentence in any table."""
    plain = [f"{h} {c}" for h, c in zip(head, cells, strict=False) if not _worded(c)]
    if caption:
        chapter.stated.append(f"{cells[0]} | {caption} | " + " | ".join(plain))
    name = NOT_FIGURES.sub(" ", CODE_NUMBER.sub(" ", cells[0]))
    for column, cell in zip(head, cells, strict=False):
        if _worded(cell) or (not caption and FIGURE.search(cell) and cell != cells[0]):
            chapter.said.append((number, f"{name}, {column}: {cell}"))


def _worded(cell: str) -> bool:
    """Words for people, no number, name or formula."""
    return len(re.findall(r"\b[a-z]{2,}\b", cell)) >= 3 and not re.search(r"[\[#]|\b[a-z]+: ", cell)


def figures(sentence: str, known: frozenset[str]) -> Iterator[str]:
    """The figures of a sentence. A nought is nothing; `three` counts where rules know what follows it."""
    plain = NOT_FIGURES.sub(" ", sentence)
    for found in FIGURE.finditer(plain):
        number = WORDS.get(found[1].lower())
        follows = stems(" ".join(re.findall(r"[^\W\d_]+", plain[found.end() :])[:2]))
        if number is None and found[1] != "0":
            yield found[1]
        elif number is not None and follows & known:
            yield number


@cache
def numbers_of(line: str) -> frozenset[str]:
    plain = NOT_FIGURES.sub(" ", line)
    found = {x.lstrip("0") or "0" for x in CODE_NUMBER.findall(plain)}
    for sign, number in re.findall(r"([<>]=?) (\d+)", plain):  # "6 or less" is `< 7`, "7 or more" is `> 6`
        found.add(str(int(number) + (1 if sign in (">", "<=") else -1)))
    return frozenset(found | {WORDS[w] for w in re.findall(r"[a-z]+", line) if w in WORDS})


def forms(number: str) -> set[str]:
    """How rules may write it: tenths and hundredths are whole numbers there."""
    if "." not in number:
        return {number}
    whole, part = number.split(".")
    return {number, (whole + part).lstrip("0"), (whole + part + "0" * (2 - len(part))).lstrip("0")}


@dataclass(frozen=True, slots=True)
class Shelf:
    """All that the definitions of a book state."""

    chapters: dict[str, list[Chapter]]
    titled: list[tuple[re.Pattern[str], list[str]]]
    whole: list[str]
    common: Counter[str]
    """In how many lines a word stands: the rarer it is, the more two lines that share it have in common."""
    steps: set[str]
    """Steps that are numbered like 1.4 are names."""


def shelf(pages: dict[str, str]) -> Shelf:
    read = {name: chapters(text) for name, text in pages.items()}
    titled: dict[str, list[str]] = {}
    for line in (line for page in read.values() for chapter in page for line in chapter.stated):
        titled.setdefault(line.split(" | ")[0], []).append(line)
    names = [
        (re.compile(rf"\b{re.escape(name)}\b"), lines) for name, lines in titled.items() if len(name) > 3
    ]
    whole = [line for lines in titled.values() for line in lines]
    steps = set(re.findall(r"^\W*(\d\.\d) ", "\n".join(pages.values()), re.M))
    return Shelf(read, names, whole, Counter(stem for line in whole for stem in stems(line)), steps)


def holders(on: Shelf, chapter: Chapter, sentence: str, number: str) -> list[str]:
    """The definitions that state the same number of the same thing: at most three, the closest first."""
    words = stems(sentence)
    near = chapter.stated + [x for named, lines in on.titled if named.search(sentence) for x in lines]
    asked, least = (
        (near, 1) if chapter.stated else ([*near, *on.whole], 2)
    )  # a chapter that only teaches tells of all
    found: dict[str, float] = {}
    for line in asked:
        shared = words & stems(line)
        if len(shared) >= least and forms(number) & numbers_of(line):
            title = line.split(" | ")[0].strip()
            found[title] = max(found.get(title, 0), sum(1 / on.common[word] for word in shared))
    return sorted(found, key=lambda title: (-found[title], title))[:3]


def stand(pages: dict[str, str]) -> Iterator[tuple[Figure, list[str]]]:
    """Every figure with what holds it."""
    on = shelf(pages)
    for name, page in on.chapters.items():
        for chapter in page:
            known = chapter.known()
            for line, sentence in chapter.said:
                for number in figures(sentence, known):
                    if number not in on.steps:
                        yield Figure(name, line, number, sentence), holders(on, chapter, sentence, number)


def loose(pages: dict[str, str]) -> Iterator[Figure]:
    """The figures that no definition holds."""
    return (figure for figure, by in stand(pages) if not by)
