"""A match at the terminal: people type, bots think, everything is explained.

In:  a match, who sits where, the book's texts; lines of input.
Out: screens; a file when somebody saves.

A saved match is its replay: seed and choices. Loading plays it again, so the log is whole and the file can
be stepped through with `rulewright replay`. Reading and printing go through two callables, so that tests
and pipes use the same code as people.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from rulewright.cli.console import Problem, read_bytes, write_bytes
from rulewright.cli.map_text import MapDrawing
from rulewright.cli.odds import odds_lines
from rulewright.cli.screen import Log, LogLine, draw, log_lines, option_lines, slots_of
from rulewright.cli.sheets import Sheets
from rulewright.cli.why import excerpt, rolled, why, why_not
from rulewright.ir.program import Program
from rulewright.play.arithmetic import looked_back, past
from rulewright.play.match import ChoiceError, Match, MatchError
from rulewright.play.replay import Replay
from rulewright.play.results import standing
from rulewright.play.words import name_of, question
from rulewright.players import bots

YOU = "you"
HELP = """a number         take that option (or type its words)
why              the rule behind what just happened; `why 3`: the third line from below
why not ACTION   what keeps it from being offered
odds             what each option may bring, as far as you can know; `odds 3`: the third one, closely
log              everything that happened; `log all` with every step
map, sheets, options   the whole of what the screen may have cut short
look NAME        what is printed on a card, or the rule of this name
undo             take the last choice back, while nothing was revealed
save FILE        write the match; load FILE goes on with it
keep FILE        at the end: write what is carried over to a later match
help, quit"""


@dataclass(frozen=True, slots=True)
class Book:
    """What the table needs of a book: the Program to play, the texts to quote."""

    program: Program
    texts: Mapping[str, str]


class Quit(Exception):
    """Somebody leaves the table."""


@dataclass
class TerminalTable:
    """One match at one terminal."""

    book: Book
    match: Match
    players: Sequence[str]
    """Who sits at each seat: `you` or the name of a bot."""
    out: Console
    read: Callable[[str], str]
    screen: bool = True
    """Clear and fill the screen; otherwise print one part below the other."""
    keep: str = ""
    """Where to write what is carried over to a later match, when this one ends."""
    viewer: int | None = None
    seen: dict[int | None, int] = field(default_factory=dict[int | None, int])
    """How many lines of the log each seat has read."""
    logs: dict[int | None, Log] = field(default_factory=dict[int | None, Log])
    """What each seat was told so far; told anew when something is taken back."""

    # ------------------------------------------------------------ the loop
    def run(self) -> None:
        """Until the match ends or somebody quits."""
        try:
            while self.match.decision is not None:
                seat = self.match.decision.seat
                if self.players[seat] == YOU:
                    self.turn(seat)
                else:
                    self.choose(bots.think(self.match, self.players[seat]))
        except Quit:
            self.say("You leave the table. `rulewright replay` steps through a match you saved.")
            return
        self.finish()

    def people(self) -> list[int]:
        """Seats where people sit."""
        return [seat for seat, player in enumerate(self.players) if player == YOU]

    def name(self, seat: int) -> str:
        """What the log calls a seat."""
        return self.match.players[seat]

    def choose(self, choice: int | str) -> None:
        """Take an option for whoever decides."""
        self.match.choose(choice)

    def log(self, everything: bool = False) -> list[LogLine]:
        """The log as the viewer may read it."""
        if everything:
            return log_lines(self.match, self.viewer, everything)
        log = self.logs.setdefault(self.viewer, Log(self.viewer))
        return log.follow(self.match)

    def turn(self, seat: int) -> None:
        """Ask a person until an option is taken."""
        if seat != self.viewer:
            self.hand_over(seat)
        self.show()
        while True:
            line = self.ask()
            if self.command(line):
                return

    def hand_over(self, seat: int) -> None:
        """Two people at one keyboard: the next one takes it before anything of theirs is shown."""
        if self.viewer is not None and len(self.people()) > 1:
            if self.screen:
                self.out.clear()
            self.say(f"Hand the keyboard to {self.name(seat)}.")
            self.read("Press Enter. ")
        self.viewer = seat

    def show(self) -> None:
        """Draw the screen: what is new in the log is what happened since this seat last looked."""
        log = self.log()
        fresh = max(0, min(self.seen.get(self.viewer, 0), len(log)))
        recent = log[fresh:] if len(log) - fresh >= 4 else log[-5:]
        height = self.out.height if self.screen else None
        decision = self.match.decision
        title = self.book.program.title
        if decision is not None:
            whose = self.name(decision.seat)
            verb = "decide" if whose == "You" else "decides"
            actor = decision.actor
            whom = f" for {name_of(self.match.program, 'Actor', actor)}" if actor >= 0 else ""
            asked = question(self.match.program, decision.prompt, decision.options)
            title += f"   {whose} {verb}{whom}: {asked}"
        lines = draw(self.out, self.match, self.viewer, recent, height, title)
        if self.screen:
            self.out.clear()
        for line in lines:
            self.out.print(line, no_wrap=True, overflow="ellipsis", crop=True)
        self.seen[self.viewer] = len(log)

    def ask(self) -> str:
        """One line from the person; the end of input leaves the table."""
        hint = "undo, " if self.match.can_undo else ""
        try:
            return self.read(f"number, odds, why, look NAME, {hint}help > ").strip()
        except EOFError:
            raise Quit from None

    def finish(self) -> None:
        """How it ended."""
        self.viewer = self.viewer if len(self.people()) == 1 else None
        self.show()
        found = self.match.result
        assert found is not None
        words = {0: "lose", 1: "win", 2: "draw"}
        scores = ", ".join(
            f"{self.name(i)} {words.get(score, f'score {score}')}{'s' if self.name(i) != 'You' else ''}"
            f"{standing(found, i)}"
            for i, score in enumerate(found.scores)
        )
        self.say(f"The match has ended: {found.ending or 'no ending'}. {scores}")
        if self.keep:
            self.keep_as(self.keep)
        keeps = "keep FILE, " if self.book.program.sheet.keeps is not None else ""
        while self.screen and self.people():
            try:
                line = self.read(f"why, log, save FILE, {keeps}quit > ").strip()
                if not line or self.command(line):
                    return
            except (EOFError, Quit):
                return

    # ------------------------------------------------------------ commands
    def say(self, text: str) -> None:
        """One line to the person."""
        self.out.print(Text(text))

    def print(self, lines: Sequence[Text]) -> None:
        """Several lines, wrapped as needed."""
        for line in lines:
            self.out.print(line)

    def command(self, line: str) -> bool:
        """Do what was typed. True when the decision is made, or another match is on the table."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word.casefold():
            case "":
                self.show()
            case "help" | "?" | "h":
                self.say(HELP)
            case "quit" | "exit" | "q":
                raise Quit
            case "why" if rest.casefold().startswith("not"):
                self.print(why_not(self.match, self.book.texts, rest[3:].strip() or "pass"))
            case "why":
                self.explain(rest)
            case "odds":
                self.print(odds_lines(self.match, rest))
            case "log":
                self.print([entry.shown() for entry in self.log(rest == "all")])
            case "map" | "sheets" | "options" | "look":
                self.show_part(word.casefold(), rest)
            case "undo":
                return self.undo()
            case "save":
                self.save(rest)
            case "load":
                return self.load(rest)
            case "keep":
                self.keep_as(rest)
            case _:
                return self.take(line)
        return False

    def take(self, line: str) -> bool:
        """An option by its number or its words."""
        decision = self.match.decision
        if decision is None:
            self.say("The match has ended.")
            return False
        try:
            if line.isdigit():
                number = int(line)
                if not 1 <= number <= len(decision.options):
                    self.say(f"There are {len(decision.options)} options, counted from 1.")
                    return False
                self.choose(number - 1)
            else:
                self.choose(self.by_words(line))
        except ChoiceError as problem:
            self.say(f"{str(problem)[:1].upper()}{str(problem)[1:]}. `help` lists what you can type.")
            return False
        return True

    def by_words(self, line: str) -> str | int:
        """The option whose text begins with these words, if there is only one."""
        decision = self.match.decision
        assert decision is not None
        wanted = line.casefold()
        begins = [option.index for option in decision.options if option.text.casefold().startswith(wanted)]
        exact = [option.index for option in decision.options if option.text.casefold() == wanted]
        # Options that read alike are copies of one card: any of them will do.
        if exact:
            return exact[0]
        return begins[0] if len(begins) == 1 else line

    def undo(self) -> bool:
        """Take a choice back."""
        try:
            self.match.undo(self.viewer)
        except MatchError as problem:
            self.say(f"Not possible: {problem}.")
            return False
        self.logs.clear()
        self.show()
        return False

    def explain(self, which: str) -> None:
        """The rule behind a line of the log; 1 is the last one that has a rule."""
        lines = [entry for entry in self.log() if entry.site > 0]
        number = int(which) if which.isdigit() and int(which) > 0 else 1
        if number > len(lines):
            self.say(
                "Nothing has happened yet." if not lines else f"The log has {len(lines)} lines with a rule."
            )
            return
        entry = lines[-number]
        event = self.match.event_number(self.viewer, entry.number)
        looked = looked_back(past(self.match), event, self.viewer)
        dice = [rolled(self.match, self.viewer, one) for one in looked.tallies]
        self.print(why(self.book.program, self.book.texts, entry.text, entry.site, looked.sums, dice))

    def show_part(self, part: str, rest: str) -> None:
        """What the screen may have cut short."""
        seen, slots = self.match.view(self.viewer), slots_of(self.match)
        sheets = Sheets(self.match, seen, slots)
        decision = self.match.decision
        if part == "map":
            drawing = MapDrawing(self.book.program, slots, seen)
            self.print(
                [*drawing.lines(self.out.width), drawing.key()]
                if self.book.program.sheet.maps
                else [Text("There is no map.")]
            )
        elif part == "sheets":
            self.print([*sheets.lines(self.out.width, 1000), *sheets.common(self.out.width)])
        elif part == "options":
            self.print(option_lines(decision.options, self.out.width, 1000) if decision else [])
        else:
            self.look(rest)

    def look(self, name: str) -> None:
        """A printed card with its columns, or the text of a rule."""
        sheet = self.book.program.sheet
        wanted = "".join(name.split()).casefold()
        for kind, words in sheet.things.items():
            if kind in ("Actor", "Card", "Space"):
                continue
            for number, word in enumerate(words):
                if "".join(word.split()).casefold() != wanted:
                    continue
                columns = sheet.columns.get(kind, {})
                printed = [
                    f"{key}: {values[number]}"
                    for key, values in columns.items()
                    if number < len(values) and values[number]
                ]
                self.print([Text(word, style="bold"), *(Text(f"  {text}") for text in printed)])
                wanted_site = next(
                    (s for s in sheet.sites if "".join(s.title.split()).casefold() == wanted), None
                )
                self.print(excerpt(self.book.texts, wanted_site) if wanted_site else [])
                return
        found = next(
            (s for s in sheet.sites if wanted and "".join(s.title.split()).casefold() == wanted), None
        )
        self.print(excerpt(self.book.texts, found) if found else [Text(f"Nothing is called '{name}'.")])

    # ------------------------------------------------------------ files
    def save(self, name: str) -> None:
        """Write the replay."""
        if not name:
            self.say("Say where: `save FILE`.")
            return
        try:
            write_bytes(Path(name), self.match.replay.to_json().encode())
            self.say(f"Saved to {name}.")
        except Problem as problem:
            self.say(f"{str(problem)[:1].upper()}{str(problem)[1:]}.")

    def keep_as(self, name: str) -> None:
        """Write what the players take along into a later match."""
        if not name:
            self.say("Say where: `keep FILE`.")
            return
        try:
            write_bytes(Path(name), self.match.keepsake.to_json().encode())
            self.say(f"Kept in {name}. `--carried {name}` brings it into another match.")
        except (Problem, MatchError) as problem:
            self.say(f"{str(problem)[:1].upper()}{str(problem)[1:]}.")

    def load(self, name: str) -> bool:
        """Go on with a saved match; the one on the table stays if the file is no good."""
        if not name:
            self.say("Say which: `load FILE`.")
            return False
        try:
            match = replayed(self.book.program, Replay.from_json(read_bytes(Path(name))))
        except (Problem, MatchError) as problem:
            self.say(f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
            return False
        if len(match.players) != len(self.players):
            self.say(f"That match has {len(match.players)} seats, this table {len(self.players)}.")
            return False
        self.match, self.viewer, self.seen = match, None, {}
        self.logs.clear()
        return True


def replayed(program: Program, replay: Replay, upto: int | None = None) -> Match:
    """A match played again, all of it or so many choices. Raises MatchError."""
    if replay.program != program.digest:
        raise MatchError(f"the file is of another book, or another version of it, than this {program.title}")
    match = Match(program, replay.players, replay.seed, dict(replay.options), carried=replay.carried)
    for number, choice in enumerate(replay.choices[:upto], start=1):
        if match.decision is None:
            raise MatchError(f"the match ended before choice {number} of the file")
        try:
            match.choose(choice)
        except ChoiceError as problem:
            raise MatchError(f"choice {number} of the file: {problem}") from None
    return match


def reader(out: Console) -> Callable[[str], str]:
    """Ask at the terminal, or read lines from a pipe and show them as if they had been typed."""
    if sys.stdin.isatty():
        return input

    def piped(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        out.print(Text(f"{prompt}{line.rstrip()}"))
        return line

    return piped
