"""A report as one HTML file that reads without a network.

In:  a Balance.
Out: `page`: the verdict first, then each part with its findings, its picture, its numbers, and the matches
     that findings point at, in words.

The runs are in the file too (without what was counted in them), so `rulewright replay --of REPORT.html:RUN:N`
opens any match of it. Charts are drawn by vega in the reader's browser; its code comes with vl-convert.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib import import_module, resources
from importlib.util import find_spec
from string import Template
from typing import Any

from rulewright.ir import cache
from rulewright.ir import events as kinds
from rulewright.lab import intervals, report
from rulewright.lab.again import again
from rulewright.lab.balance import Balance
from rulewright.lab.charts import altair, charts, ratings
from rulewright.lab.findings import Finding, findings, percent, ranged, seat_points
from rulewright.lab.simulate import Run
from rulewright.play.faults import MatchError
from rulewright.play.match import Match

PARTS = {
    "seats": "Is there an edge by seat?",
    "loadouts": "Is there an edge by what is played with?",
    "skill": "Does better play win?",
    "length": "How long does it take?",
    "endings": "How does it end?",
    "choice": "How much is there to choose?",
    "use": "Does any single thing decide it?",
    "never": "What never happens?",
}
NAV = {
    "seats": "Seats",
    "loadouts": "What is played with",
    "skill": "Skill",
    "length": "Length",
    "endings": "Endings",
    "choice": "Choice",
    "use": "Single things",
    "never": "What never happens",
}
TOGETHER = {"seats": ("Can it be won, and lost?", "Won and lost")}
"""The same where everybody at the table wins together: what they are asked, and their short names."""
TONES = {"good": "Good", "look": "Look at", "bad": "Act on", "note": "Note"}
SHOWN_LINES = 50
MATCHES = 14
QUIET = {kinds.RULE, kinds.STEP}


def require_altair() -> None:
    """Raises MatchError, with what to do, where the optional packages are missing."""
    if altair is None or find_spec("vl_convert") is None:
        raise MatchError('a report needs altair and vl-convert: pip install "rulewright[balance]"')


def page(found: Balance) -> str:
    """The report."""
    require_altair()
    said = findings(found)
    drawn = charts(found)
    places: dict[str, Any] = {}
    parts: list[str] = []
    for part in PARTS:
        question, _ = _asked(found, part)
        mine = [finding for finding in said if finding.part == part]
        if not mine:
            continue
        holders: list[str] = []
        for number, spec in enumerate(drawn.get(part, ())):
            places[f"chart-{part}-{number}"] = spec
            holders.append(
                f'<div class="chart" id="chart-{part}-{number}" role="img" '
                f'aria-label="{escape(question)}"></div>'
            )
        parts.append(_section(part, question, mine, holders, _numbers(found, part)))
    matches = list(_matches(found, said))
    program = found.program
    settings = ", ".join(f"{name}: {word}" for name, word in found.options.items())
    template = Template(resources.files("rulewright.lab").joinpath("balance.html").read_text("utf-8"))
    return template.substitute(
        title=escape(program.title),
        verdict=escape(verdict(found, said)),
        lead=escape(lead(found)),
        nav=" ".join(f'<a href="#{part}">{_asked(found, part)[1]}</a>' for part in NAV if _has(said, part)),
        parts=_verdict(said) + "\n".join(parts) + "\n".join(matches),
        made=escape(
            f"{program.title}, Program {program.digest[:12]}, seed {found.seed}"
            + (f"; {settings}" if settings else "")
            + ". Intervals are 95\N{NO-BREAK SPACE}%, widened where many things are compared at once."
        ),
        runs=_safe([_head(name, run) for name, run in found.runs.items()]),
        charts=_safe(places),
        library=library().replace("</script", "<\\/script"),
    )


def verdict(found: Balance, said: Sequence[Finding]) -> str:
    """The report in a sentence."""
    bad = [finding for finding in said if finding.tone == "bad"]
    look = [finding for finding in said if finding.tone == "look"]
    title = found.program.title
    topics = {"seats": "seats", "loadouts": "what is played with", "skill": "skill", "length": "length"}
    topics |= {"endings": "endings", "choice": "choices", "use": "single cards", "never": "unused rules"}

    def names(rows: Sequence[Finding]) -> str:
        words = list(dict.fromkeys(topics[finding.part] for finding in rows))
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

    if bad:
        return f"{title} is out of balance: {names(bad)}"
    if look:
        return f"{title} holds up; {names(look)} deserve a look"
    return f"{title} is balanced as far as this can tell"


def lead(found: Balance) -> str:
    """What was done."""
    searched = sum(step.run.matches for step in found.ladder) + (found.own.matches if found.own else 0)
    return (
        f"{found.plain.matches:,} matches with {found.plan.base} at every seat, {searched:,} more on a "
        f"ladder of players, and a close look at {found.choices.looked} positions."
    )


def _has(said: Sequence[Finding], part: str) -> bool:
    return any(finding.part == part for finding in said)


def _verdict(said: Sequence[Finding]) -> str:
    order = {"bad": 0, "look": 1, "good": 2, "note": 3}
    rows = sorted((f for f in said if f.tone != "note"), key=lambda f: order[f.tone])
    told = "\n".join(_told(finding, with_part=True) for finding in rows)
    return f'<section id="verdict"><h2>The verdict</h2>{told}</section>\n'


def _asked(found: Balance, part: str) -> tuple[str, str]:
    """The question of a part, and its short name."""
    usual = PARTS[part], NAV[part]
    return TOGETHER.get(part, usual) if found.together else usual


def _section(part: str, question: str, said: Sequence[Finding], holders: Sequence[str], numbers: str) -> str:
    """A part: its first finding is its title."""
    first, *others = said
    rest = "\n".join(_told(finding) for finding in others)
    details = f"<details><summary>The numbers</summary>{numbers}</details>" if numbers else ""
    return (
        f'<section id="{part}"><small>{escape(question)}</small><h2>{escape(first.title)}</h2>'
        f"<p>{_marked(first.detail)} {_link(first)}</p>{''.join(holders)}{rest}{details}</section>"
    )


def _told(finding: Finding, with_part: bool = False) -> str:
    title = escape(finding.title)
    if with_part:
        title = f'<a href="#{finding.part}">{title}</a>'
    return (
        f'<div class="finding {finding.tone}"><span class="tone">{TONES[finding.tone]}</span>'
        f"<p><strong>{title}.</strong> {_marked(finding.detail)} {_link(finding)}</p></div>"
    )


def _marked(text: str) -> str:
    """Words of a finding, commands in them as such; `--minutes` is not broken after its first sign."""

    def command(found: re.Match[str]) -> str:
        words = (f"<span>{word}</span>" if "-" in word else word for word in found[1].split(" "))
        return f"<code>{' '.join(words)}</code>"

    return re.sub("`([^`]*)`", command, escape(text))


def _link(finding: Finding) -> str:
    if finding.match < 0:
        return ""
    return f'<a class="see" href="#match-{finding.run}-{finding.match}">match {finding.match}</a>'


def _matches(found: Balance, said: Sequence[Finding]) -> Iterator[str]:
    """The matches that findings point at: those of native players in words, the others by their command."""
    wanted = list(dict.fromkeys((f.run, f.match) for f in said if f.match >= 0))[:MATCHES]
    if wanted:
        yield '<h2 id="matches">Matches to look at</h2>'
    for name, number in wanted:
        run = found.runs[name]
        words = f"rulewright replay --of REPORT.html:{name}:{number}"
        told = ""
        if name == "plain":
            lines = log_of(run, number)
            if len(lines) > 2 * SHOWN_LINES:
                left = len(lines) - 2 * SHOWN_LINES
                lines = [*lines[:SHOWN_LINES], f"... {left} lines ...", *lines[-SHOWN_LINES:]]
            told = f"<pre>{escape(chr(10).join(lines))}</pre>"
        who = escape(" and ".join(dict.fromkeys(run.setting.names)))
        yield (
            f'<section class="match" id="match-{name}-{number}"><details><summary>Match {number} of the run '
            f"{escape(name)}, played by {who}</summary><p><code>{escape(words)}</code></p>{told}</details>"
            "</section>"
        )


def log_of(run: Run, number: int) -> list[str]:
    """A match of a run in words, as somebody sees it who looks on."""
    replay = again(run.setting, number)
    match = Match(
        run.setting.program, list(replay.players), replay.seed, dict(replay.options), engine="native"
    )
    choosers: list[str] = []
    for choice in replay.choices:
        if match.decision is None:
            break
        choosers.append(match.players[match.decision.seat])
        match.choose(choice)
    lines: list[str] = []
    made = 0
    for event in match.log(None):
        if event.kind in QUIET:
            continue
        text = re.sub(r" \[[^\]]*\]$", "", match.describe(event))
        if event.kind == kinds.CHOSEN:
            who = choosers[made] if made < len(choosers) else "somebody"
            made += 1
            text = f"{who}: {text.removeprefix('chosen: ')}"
        lines.append(text)
    if match.result is not None:
        lines.append(f"ended: {match.result.ending}")
    return lines


def _head(name: str, run: Run) -> dict[str, Any]:
    table = run.setting
    return {
        "name": name,
        "book": table.program.name,
        "program": table.program.digest,
        "matches": run.matches,
        "seats": list(table.names),
        "options": table.options,
        "seed": table.seed,
    }


def _safe(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _numbers(found: Balance, part: str) -> str:
    """The numbers behind a part's picture."""
    match part:
        case "seats" if not found.together:
            rows = [
                [f"seat {seat + 1}", run.setting.names[0], percent(share), ranged(bounds), f"{run.matches:,}"]
                for run in (found.plain, found.own)
                if run is not None
                for seat, (share, bounds) in enumerate(seat_points(run))
            ]
            return _table(("seat", "player", "points", "95 % interval", "matches"), rows)
        case "skill" if found.ladder:
            rows = [
                [s.player, s.against or "the book", percent(s.points), ranged(s.interval), str(s.run.matches)]
                for s in found.ladder
            ]
            text = _table(("player", "against", "points", "95 % interval", "matches"), rows)
            if not found.together:
                text += _table(
                    ("player", "Elo", "95 % interval"),
                    [[n, f"{e:.0f}", f"{lo:.0f} to {hi:.0f}"] for n, e, lo, hi in ratings(found)],
                )
            return text
        case "loadouts":
            return "".join(
                _table(
                    (matrix.name, "against", "points", "95 % interval", "met", "match"),
                    [
                        [
                            matrix.words[mine],
                            matrix.words[foe],
                            percent(cell.points / cell.matches),
                            ranged(intervals.share(cell.points, cell.matches)),
                            str(cell.matches),
                            str(cell.match),
                        ]
                        for (mine, foe), cell in sorted(matrix.cells.items())
                    ],
                )
                for matrix in found.matrices
            )
        case "use":
            rows = [
                [row.name, row.kind, percent(row.share), ranged(row.interval), str(row.seats), str(row.match)]
                for row in sorted(report.used(found.plain), key=lambda row: -row.share)
                if row.seats >= report.LEAST_USED and row.kind != "rule"
            ]
            return (
                _table(("what", "kind", "points", "95 % interval", "seats", "match"), rows[:200])
                if rows
                else ""
            )
        case "never":
            never = report.silent(found.plain)
            return f"<p>{escape(', '.join(never))}</p>" if never else ""
        case _:
            return ""


def library() -> str:
    """What draws the charts; made once on a machine."""
    maker: Any = import_module("vl_convert")
    key = hashlib.sha256(f"vega {maker.__version__}".encode()).hexdigest()
    kept = cache.fetch("vega", key)
    if kept is None:
        made: str = maker.javascript_bundle()
        kept = made.encode()
        cache.keep("vega", key, kept)
    return kept.decode()
