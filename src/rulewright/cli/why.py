"""Explain: the text of the rule behind an event, and why an action is not on offer.

In:  a book's texts, events with their sites, the name of an action.
Out: rich Text for people.

Two things speak for a rule: the lines that run, around the line that the event carries, and the
sentences of the book that state it under the same number.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence

from rich.text import Text

from rulewright.ir.program import Program
from rulewright.ir.sheet import Site
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
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
        said = before[cut:].strip(" -*|")
        if len(said) > 20:
            return said[:600]
    return ""


def why(program: Program, texts: Mapping[str, str], described: str, site: int) -> list[Text]:
    """Everything about one event: what happened, where the book says so, in its own words."""
    text, _, _ = described.rpartition(" [")
    found = [Text(text or described, style="bold")]
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


def why_not(match: Match, texts: Mapping[str, str], wanted: str) -> list[Text]:
    """Why an action is not offered to the seat that decides: who may not, what is missing."""
    decision = match.decision
    if decision is None:
        return [Text("The match has ended.")]
    word = _norm(wanted)
    if any(_norm(option.text).startswith(word) for option in decision.options):
        return [Text(f"'{wanted}' is on offer.")]
    action = _action(match.program, wanted)
    if action is None:
        known = ", ".join(sorted(_actions(match.program)))
        return [Text(f"No action is called '{wanted}'. The book has: {known or 'none'}.")]
    name, stem, site = action
    found: list[Text] = []
    for actor in _mine(match, decision.seat):
        reason = _reason(match, stem, actor, wanted[len(name) :].strip(" :"), decision.prompt)
        found.append(Text(f"{name_of(match.program, 'Actor', actor)}: {reason}"))
    place = match.program.sheet.sites[site] if 0 < site < len(match.program.sheet.sites) else None
    if place is not None:
        found.append(Text(f"  {name}, {place.file} line {place.line}", style="cyan"))
        found += excerpt(texts, place)
    return found or [Text("You control nobody who is in play.")]


def _norm(text: str) -> str:
    return "".join(text.split()).replace(":", "").casefold()


def _actions(program: Program) -> dict[str, tuple[str, int]]:
    """Actions by name: the stem of their functions, and the site of their text."""
    found: dict[str, tuple[str, int]] = {}
    for verb in program.sheet.verbs:
        name = verb.text.partition(":")[0].strip()
        clean = "".join(char if char.isalnum() else "_" for char in "".join(name.split()))
        for function in program.functions:
            if re.fullmatch(rf"legal_a_{re.escape(clean)}_\d+", function):
                found[name] = (function.removeprefix("legal_"), verb.site)
    return found


def _action(program: Program, wanted: str) -> tuple[str, str, int] | None:
    """The action whose name the words begin with, the longest one."""
    word = _norm(wanted)
    fits = [
        name for name in _actions(program) if word.startswith(_norm(name)) or _norm(name).startswith(word)
    ]
    if not fits:
        return None
    name = max(fits, key=lambda n: (word.startswith(_norm(n)), len(n)))
    stem, site = _actions(program)[name]
    return name, stem, site


def _mine(match: Match, seat: int) -> list[int]:
    """The actors of a seat that are in play."""
    control, playing = (find_field(match.program, "Actor", name) for name in ("controller", "in play"))
    everyone = range(len(match.program.sheet.things.get("Actor", ())))
    peek = match.engine.peek
    return [
        actor
        for actor in everyone
        if (control is None or peek(control.base + actor) == seat)
        and (playing is None or peek(playing.base + actor))
    ]


def _reason(match: Match, stem: str, actor: int, thing: str, prompt: str) -> str:
    """Which of the tests fails: legality, then declaring and requiring, then whether it is asked for now.

    `thing`: what it should be done with, if that was named.
    """
    engine = match.engine
    if not isinstance(engine, ReferenceEngine):
        twin = ReferenceEngine(match.program)
        twin.load(engine.state())
        engine = twin
    functions = engine.functions
    if not functions[f"legal_{stem}"](actor):
        return "not allowed now: its limit is used up, something forbids it, or it is for others"
    named = _things(match, stem, thing) if thing else []
    with_it = functions.get(f"ok_{stem}_1")
    if named and with_it is not None:
        rest = [-1] * (len(match.program.functions[f"ok_{stem}_1"].params) - 2)
        if not any(with_it(actor, number, *rest) for number in named):
            return f"with {thing} the rest cannot be declared or paid, or what it requires does not hold"
        return f"{thing} is not among what it can be done with now"
    if thing and with_it is not None:
        return f"there is no {thing} to do it with"
    first = functions.get(f"ok_{stem}_0")
    if first is not None and not first(
        actor, *[-1] * (len(match.program.functions[f"ok_{stem}_0"].params) - 1)
    ):
        declares = any(name.startswith(f"ok_{stem}_1") for name in functions)
        missing = "there is nothing it can be done with or to, or " if declares else ""
        return f"{missing}what it requires does not hold"
    return f"it is possible, but now something else is asked{f': {prompt}' if prompt else ''}"


def _things(match: Match, stem: str, wanted: str) -> list[int]:
    """The things with this name that the first declaration of an action could mean."""
    program = match.program
    verb = next(
        (v for v in program.sheet.verbs if v.args and _stem(v.text) == re.sub(r"_\d+$", "", stem)), None
    )
    if verb is None:
        return []
    kind = verb.args[0]
    state = match.engine.state()
    slots = struct.unpack(f"<{len(state) // 4}i", state)
    decision = match.decision
    reader = Knowledge(program, slots, decision.seat if decision else None)
    count = len(program.sheet.things.get(kind, ()))
    return [
        number
        for number in range(count)
        if _norm(name_of(program, kind, number, slots)) == _norm(wanted)
        and (kind != "Card" or reader.knows(number))
    ]


def _stem(text: str) -> str:
    name = "".join(text.partition(":")[0].split())
    return "a_" + "".join(char if char.isalnum() else "_" for char in name)
