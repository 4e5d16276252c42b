"""Explain: the text of the rule behind an event, and why an action is not on offer.

In:  a book's texts, events with their sites, the name of an action.
Out: rich Text for people.

Two things speak for a rule: the lines that run, around the line that the event carries, and the
sentences of the book that state it under the same number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.text import Text

from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import Site
from rulewright.play.arithmetic import Sentence
from rulewright.play.match import Match
from rulewright.play.reasons import why_not as play_why_not
from rulewright.play.tallies import Tally
from rulewright.play.words import name_of

FENCE = re.compile(r"^\s*(?:```|~~~)")
LONGEST = 9
"""Lines of a definition that are shown."""


def block_around(lines: Sequence[str], number: int) -> tuple[int, int]:
    """First and last line (counted from 1) of the definition or paragraph that a line stands in."""
    at = max(1, min(number, len(lines)))

    def inside(n: int) -> bool:
        return 1 <= n <= len(lines) and bool(lines[n - 1].strip()) and not FENCE.match(lines[n - 1])

    first = last = at
    while inside(first - 1):
        first -= 1
    while inside(last + 1):
        last += 1
    if lines[at - 1].lstrip().startswith("|"):
        return (at, at)  # a row of a table says it all
    if last - first >= LONGEST:
        first = max(first, at - LONGEST // 2)
        last = min(last, first + LONGEST - 1)
    return first, last


def excerpt(texts: Mapping[str, str], site: Site) -> list[Text]:
    """The lines of the book around a site, the line itself marked."""
    lines = texts.get(site.file, "").split("\n")
    if not 1 <= site.line <= len(lines) or not lines[0:]:
        return []
    first, last = block_around(lines, site.line)
    found: list[Text] = []
    for number in range(first, last + 1):
        mark = number == site.line
        line = Text(f"{'>' if mark else ' '}{number:>5} | ", style="dim")
        line.append(lines[number - 1].rstrip(), style="bold" if mark else "default")
        found.append(line)
    return found


def statements(texts: Mapping[str, str], rules: Sequence[str], most: int = 2) -> list[Text]:
    """The paragraphs of prose that name these rules."""
    found: list[Text] = []
    for rule in rules[:most]:
        for text in texts.values():
            paragraph = _paragraph(text, rule)
            if paragraph:
                line = Text(f"{rule} ", style="bold")
                line.append(paragraph, style="not bold italic")
                found.append(line)
                break
    return found


def _paragraph(text: str, rule: str) -> str:
    """The first sentence or list item outside fences that carries the number."""
    fenced = False
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if FENCE.match(line):
            fenced = not fenced
        if fenced or rule not in line:
            continue
        if line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            return "; ".join(
                cell.replace(rule, "").strip() for cell in cells if cell.replace(rule, "").strip()
            )
        first = i
        while (
            first > 0
            and lines[first].strip()
            and not re.match(r"\s*(?:[-*]|\d+\.)\s", lines[first])
            and lines[first - 1].strip()
        ):
            first -= 1
        joined = " ".join(part.strip() for part in lines[first : i + 1])
        before = joined[: joined.rindex(rule)].rstrip(" ([,")
        cut = max(
            (m.end() for m in re.finditer(r"\b[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d+[a-z]?[),.]*", before)),
            default=0,
        )
        said = before[cut:].replace("**", "").strip(" -*|")
        if len(said) > 20:
            return said[:600]
    return ""


def why(
    program: Program,
    texts: Mapping[str, str],
    described: str,
    site: int,
    sums: Sequence[Sentence] = (),
    dice: Sequence[Text] = (),
) -> list[Text]:
    """Everything about one event: what happened, its dice and sums, where the book says so, in its words."""
    text, _, _ = described.rpartition(" [")
    found = [Text(text or described, style="bold"), *dice, *map(_sum, sums)]
    sites = program.sheet.sites
    if not 0 < site < len(sites):
        found.append(Text("  no rule of the book: somebody chose it", style="dim"))
        return found
    place = sites[site]
    cited = f" ({', '.join(place.cites[:6])}{' ...' if len(place.cites) > 6 else ''})" if place.cites else ""
    found.append(Text(f"  {place.title or 'the rules'}, {place.file} line {place.line}{cited}", style="cyan"))
    found += excerpt(texts, place)
    found += statements(texts, place.cites)
    return found


def rolled(match: Match, seat: int | None, tally: Tally) -> Text:
    """The dice of a roll, those that count in brackets and those that take away behind a minus; what they
    came to, and against what."""
    log, line = match.log(seat), Text("  ")
    for number, part in tally.dice:
        face = _face(match, log[number])
        line.append({1: f"[{face}] ", 0: f"{face} ", -1: f"-{face} "}[part], style="bold" if part else "dim")
    return line.append(": ".join(filter(None, (tally.text, tally.against))), style="bold green")


def _face(match: Match, event: Event) -> str:
    """What a die or a card shows."""
    program = match.program
    if event.kind != kinds.ROLL:
        return name_of(program, "Card", event.a, match.slots())
    if 0 < event.c <= len(program.sheet.dice):
        return name_of(program, program.sheet.dice[event.c - 1], event.b)
    return str(event.b + 1)


def _sum(sentence: Sentence) -> Text:
    """A test or a sum, and what its numbers are."""
    line = Text(f"  {sentence.title}: " if sentence.title else "  ")
    line.append(sentence.text, style="bold green")
    sources = ", ".join(f"{source.value} {source.what}" for source in sentence.sources)
    line.append(f"   ({sources})" if sources else "", style="dim")
    return line


def why_not(match: Match, texts: Mapping[str, str], wanted: str) -> list[Text]:
    """Why an action is not offered to the seat that decides: who may not, what is missing."""
    reasons = play_why_not(match, wanted)
    found = [Text(told) for told in reasons.told]
    sites = match.program.sheet.sites
    if 0 < reasons.site < len(sites):
        place = sites[reasons.site]
        found.append(Text(f"  {reasons.action}, {place.file} line {place.line}", style="cyan"))
        found += excerpt(texts, place)
    return found
