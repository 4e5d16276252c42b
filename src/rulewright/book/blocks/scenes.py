"""Scene blocks -> what they say: their story, options, checks and rolls, and where they lead.

In:  the raw lines of the blocks.
Out: Scene objects, from which `staging` makes components.
"""

from __future__ import annotations

import re

from rulewright.book.blocks.parts import Act, Choice, Scene
from rulewright.book.blocks.state import Blocks
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, Line
from rulewright.book.text.tokens import nests
from rulewright.diagnostics import nearest, suggest, warning

WORDS = "Type Lead Condition Narrative Text Options Effect Check Success Failure Transition Note"
KEYS = tuple(WORDS.split())
CRITICAL = {
    "Critical Success (Natural 20)": "critical success",
    "Critical Failure (Natural 1)": "critical failure",
}
LINE = re.compile(
    r"^-?\s*(?P<key>" + "|".join((*KEYS, *(re.escape(k) for k in CRITICAL))) + r")\s*:\s*(?P<rest>.*)$"
)
ROLL = re.compile(r"^Roll\s+(?P<dice>\S+)\s*:\s*(?P<rest>.*)$")
ROW = re.compile(r"^-?\s*(?P<low>\d+)\s*(?:[-–]\s*(?P<high>\d+))?\s*:\s*(?P<rest>.*)$")
OPTION = re.compile(r"^(?P<letter>[A-Z])\)\s*(?P<rest>.*)$")
IF = re.compile(r"^If\s+(?P<test>.+?)\s*:\s*(?P<rest>.*)$")
COST = re.compile(r"\(Cost:\s*(?P<count>\d+)\s+(?P<name>[^()]+)\)")


def read(c: Blocks, d: Definition) -> Scene:
    """Everything the block says; mistakes are reported."""
    return _Reader(c, d).read()


class _Reader:
    def __init__(self, c: Blocks, d: Definition) -> None:
        self.c = c
        self.made = Scene(d)
        self.telling = True
        self.inside: list[Line] | None = None
        """Where a deeper line goes on."""
        self.depth = 0
        self.choice: Choice | None = None
        self.options = False
        self.last: Act | None = None
        self.seen: set[str] = set()

    def read(self) -> Scene:
        for f in self.made.d.fields:
            for line in f.lines:
                self.line(line)
        return self.made

    def line(self, line: Line) -> None:
        text = line.text
        if not text:
            return
        option = OPTION.match(text) if self.options or not self.telling else None
        key = LINE.match(text)
        roll, test = ROLL.match(text), IF.match(text)
        if option and self.options:
            self.option(option, line)
        elif (
            line.column > self.depth
            and self.inside is not None
            and not key
            and not roll
            and not test
            and not ROW.match(text)
        ):
            self.inside.append(line)
        elif (
            self.last is not None
            and self.last.kind == "roll"
            and line.column > self.last.line.column
            and ROW.match(text)
        ):
            self.row(line)
        elif key and (line.column == 0 or not self.telling):
            self.key(key["key"], line.slice(*key.span("rest")), line)
        elif (roll and not self.telling) or (roll and re.fullmatch(r"\d*d\d*", roll["dice"])):
            self.telling = False
            self.add(Act("roll", line, [line.slice(*roll.span("dice"))]))
            if roll["rest"]:
                self.row(line.slice(*roll.span("rest")))
        elif test and not self.telling:
            self.test(test, line)
        elif self.telling:
            self.made.story.append(text)
            self.near(line)
        else:
            keys = [k + ":" for k in (*KEYS, *CRITICAL)]
            help_ = suggest(text.split(":")[0] + ":", keys) if ":" in text else ""
            self.c.problem("unexecutable", line, f"'{text}' is no line of a Scene", help_)

    def near(self, line: Line) -> None:
        """A line of the story may say anything; one that is nearly a key was probably meant to be one."""
        found = re.match(r"([A-Z]?[a-zA-Z]+):(?=\s*(\S?))", line.text) if line.column == 0 else None
        if found is None:
            return
        word, alone = found.group(1), not found.group(2)
        close = nearest(word, KEYS) if alone else next((key for key in KEYS if _slipped(word, key)), None)
        if close:
            at = line.slice(0, text=word)
            what = f"'{line.text.strip()}'" if alone else f"'{word}:'"
            message = f"{what} is part of the story, and so is what follows"
            self.c.problems.append(warning("unknown-field", at.span, message, f"did you mean '{close}:'?"))

    def owner(self, column: int) -> list[Act]:
        """Unindented lines are the scene's, indented ones below a letter the option's."""
        if column == 0:
            self.choice, self.options = None, False
        return self.choice.acts if self.choice is not None else self.made.acts

    def add(self, act: Act) -> None:
        self.owner(act.line.column).append(act)
        self.last, self.inside, self.depth = act, act.lines, act.line.column

    def option(self, match: re.Match[str], line: Line) -> None:
        rest, at = match["rest"], match.start("rest")
        made = Choice(match["letter"], rest, line)
        cost = COST.search(rest)
        if cost:
            name = line.slice(at + cost.start("name"), text=cost["name"].strip())
            made.cost = int(cost["count"]), name.text, name
        odd = re.search(r"\((?:[Cc]osts?|[Rr]equires?)\b", COST.sub("", rest))
        if odd and not re.search(r"\(requires\s+\S", rest):
            message = "what an option takes is `(Cost: NUMBER RESOURCE)` or `(requires CONDITION)`"
            self.c.problem("unexecutable", line, message)
        requires = re.search(r"\(requires\s+", rest)
        if requires:
            end = _closing(rest, requires.start())
            made.requires = line.slice(at + requires.end(), at + end)
            rest = rest[: requires.start()] + rest[end + 1 :]
        made.text = re.sub(r"\s+", " ", COST.sub("", rest)).strip()
        first = next((c.line for c in self.made.choices if c.letter == made.letter), None)
        if first is not None:
            self.c.twice(line, f"the option {made.letter})", first, "stands twice")
        self.made.choices.append(made)
        self.choice, self.last, self.inside, self.depth = made, None, None, line.column

    def key(self, key: str, value: Line, line: Line) -> None:
        made = self.made
        if key == "Narrative":
            self.telling = True
            if value.text:
                made.story.append(value.text)
            return
        if key in ("Type", "Lead", "Condition", "Options") and key in self.seen:
            self.c.problem("duplicate-name", line, f"'{key}:' stands twice in '{made.d.title}'")
        self.seen.add(key)
        match key:
            case "Type":
                kinds = [k.strip() for k in value.text.split("+")]
                if any(k not in ("Narrative", "Choice", "Check") for k in kinds):
                    self.c.problem(
                        "unexecutable", line, "a type is Narrative, Choice, Check, or several joined by +"
                    )
                return
            case "Lead":
                made.lead = value
                if norm(value.text) in self.c.actors:
                    self.c.actors[norm(value.text)].single = True
                return
            case "Condition":
                made.condition = [value]
                self.inside, self.depth = made.condition, line.column
                return
            case "Note":
                self.inside, self.depth = [], line.column
                return
            case "Options":
                self.telling = False
                self.options = True
                return
            case _:
                self.telling = False
        if key in ("Success", "Failure") or key in CRITICAL:
            name = CRITICAL.get(key, key.lower())
            acts = self.owner(line.column)
            check = next((a for a in reversed(acts) if a.kind == "check"), None)
            if check is None:
                self.c.problem("missing-part", line, f"'{key}:' needs a `Check:` before it")
                return
            if name in check.branches:
                self.c.problem("duplicate-name", line, f"'{key}:' stands twice for one check")
            check.branches[name] = [value]
            self.inside, self.depth = check.branches[name], line.column
            return
        self.add(Act(key.lower(), line, [value] if value.text else []))

    def row(self, line: Line) -> None:
        act = self.last
        match = ROW.match(line.text)
        if act is None or match is None:
            self.c.problem("unexecutable", line, f"'{line.text}' is no row: write `1-3: RESULT`")
            return
        value = line.slice(*match.span("rest"))
        act.rows.append((int(match["low"]), int(match["high"] or match["low"]), [value]))
        self.inside, self.depth = act.rows[-1][2], line.column

    def test(self, match: re.Match[str], line: Line) -> None:
        rest = line.slice(*match.span("rest"))
        if match["test"] == "condition not met":
            self.made.skip = rest
            return
        act = Act("if", line, [line.slice(*match.span("test"))])
        act.branches["goto"] = [rest]
        self.add(act)
        self.inside = None


def _slipped(word: str, key: str) -> bool:
    """Is it the key but for its order, or one letter? Somebody who speaks in a story has another name."""
    word, key = word.lower(), key.lower()
    one_less = [{x[:n] + x[n + 1 :] for n in range(len(x))} for x in (word, key)]
    return sorted(word) == sorted(key) or key in one_less[0] or word in one_less[1]


def _closing(text: str, at: int) -> int:
    depth = 0
    for i in range(at, len(text)):
        depth += nests(text[i])
        if depth == 0:
            return i
    return len(text)
