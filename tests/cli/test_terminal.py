"""The table in the terminal: what a person sees and types."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.console import Console

from rulewright.cli.map_text import MapDrawing, short_names
from rulewright.cli.play import read_seats, seat_names
from rulewright.cli.screen import Log, draw, log_lines, option_lines, side_by_side, slots_of
from rulewright.cli.terminal import Book, Quit, TerminalTable, replayed
from rulewright.cli.why import block_around, excerpt, statements
from rulewright.compiler import check, compile_checked
from rulewright.ir.sheet import Site
from rulewright.play.match import Match, Option
from rulewright.shelf import shelf

BOOK = Path(__file__).parents[1] / "testing" / "everything.md"


@pytest.fixture(scope="module")
def book() -> Book:
    checked = check(BOOK)
    return Book(compile_checked(checked), checked.texts)


class Person:
    """Types prepared lines, and keeps what was printed."""

    def __init__(
        self, book: Book, lines: str, players: tuple[str, ...] = ("you", "random"), seed: int = 1
    ) -> None:
        self.out = Console(width=100, height=40, record=True, force_terminal=False, emoji=False, markup=False)
        self.left = [line.strip() for line in lines.strip().split("\n")]
        match = Match(book.program, seat_names(list(players)), seed)
        self.table = TerminalTable(book, match, list(players), self.out, self.read, screen=False)

    def read(self, prompt: str) -> str:
        if not self.left:
            raise EOFError
        return self.left.pop(0)

    def run(self) -> str:
        self.table.run()
        return self.out.export_text()


def test_a_screen_has_everything(book: Book) -> None:
    text = Person(book, "quit").run()
    assert "Everything   You decide for Ada: choose an action" in text
    assert "Initiative: [Ada] > Bo" in text
    assert "Ada (You) at (0,0)" in text
    assert "Health █████░░░░░ 10/20" in text
    assert "  1 Hit: Bo" in text
    assert "pass" in text
    assert "You leave the table." in text


def test_numbers_words_and_mistakes(book: Book) -> None:
    text = Person(book, "99\nsing\nGuard\nguard\npa\nlog\nquit").run()
    assert "There are 4 options, counted from 1." in text
    assert "'sing' is not on offer now." in text
    assert "You: Guard" in text
    assert "'guard' is not on offer now." in text
    assert "You: pass" in text


def test_why_and_why_not(book: Book) -> None:
    text = Person(
        book,
        "Guard\nwhy\nwhy not Guard\nwhy not Throw Away\nwhy not Hit\nwhy not Sing\nwhy not Play: Lunge\nquit",
    ).run()
    assert "Ada: Shielded" in text
    assert "self becomes Shielded" in text
    assert "Ada: only once per Turn" in text
    assert "Ada: there is no card in Hand" in text
    assert "'Hit' is on offer." in text
    assert "No action is called 'Sing'. The book has: " in text
    assert "there is no Lunge to do it with" in text


def test_undo(book: Book) -> None:
    person = Person(book, "Guard\nundo\nundo\nquit")
    text = person.run()
    assert "Not possible: nothing to take back" in text
    assert person.table.match.replay.choices == ()
    assert person.table.match.replay.choices == ()


def test_save_and_load(book: Book, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    person = Person(
        book,
        f"Guard\nsave {file}\nsave\nsave {tmp_path}\npass\n"
        f"load {file}\nload\nload {tmp_path}/none\nlog\nquit",
    )
    text = person.run()
    assert f"Saved to {file}." in text
    assert "Say where: `save FILE`." in text
    assert "Cannot write" in text
    assert "Cannot read" in text
    assert person.table.match.replay.choices == (1,)
    assert len(person.table.match.replay.choices) == 1


def test_map_sheets_options_look_log_help(book: Book) -> None:
    text = Person(
        book, "map\nsheets\noptions\nlook Lunge\nlook Guard\nlook Nothing\nlog all\nhelp\n?\nquit"
    ).run()
    assert "Ad Ada" in text
    assert ". Clear  # Wall" in text
    assert "Force: 3" in text
    assert "Limit: once per Turn" in text
    assert "Nothing is called 'Nothing'." in text
    assert "Turn, Ready" in text
    assert "why not ACTION" in text


def test_two_people_hand_over_the_keyboard(book: Book) -> None:
    person = Person(book, "pass\n\npass\n\nquit", ("you", "you"))
    text = person.run()
    assert "Hand the keyboard to Player 2." in text
    assert "Hand the keyboard to Player 1." in text


def test_those_who_choose_at_the_same_time_are_asked_in_turn_and_told_together() -> None:
    checked = check(BOOK.parents[1] / "bluff" / "signs.md")
    signs = Book(compile_checked(checked), checked.texts)
    person = Person(signs, "Shears\n\nlog\nSheet\n\nquit", ("you", "you"))
    before, _, after = person.run().rpartition("Hand the keyboard to Player 1.")
    theirs = before.partition("Hand the keyboard to Player 2.")[2]
    assert "Player 2 decides" in theirs
    assert "Player 1 has chosen" in theirs
    assert "Shown Shears" not in theirs
    assert "Player 1: Shears" not in theirs
    assert "Player 1: Shears" in after
    assert "Player 2: Sheet" in after


def test_a_whole_match_between_bots(book: Book) -> None:
    person = Person(book, "", ("random", "random"), seed=5)
    assert "The match has ended: Plain Sailing." in person.run()


def test_the_end_tells_ranks_and_numbers() -> None:
    checked = check(BOOK.parents[1] / "bluff" / "sealed-bids.md")
    person = Person(Book(compile_checked(checked), checked.texts), "", ("random",) * 3, seed=5)
    told = re.search(r"The match has ended: Closing\.(.*)", person.run(), re.S)
    result = person.table.match.result
    assert told is not None
    assert result is not None
    assert result.points is not None
    for rank, number in zip(result.ranks, result.points, strict=True):
        assert re.search(rf"\((rank {rank}, )?{number}\)", told[1]), told[1]


def test_hidden_cards_are_not_drawn(book: Book) -> None:
    person = Person(book, "quit")
    match = person.table.match
    from rulewright.testing.position import Position

    Position(match.engine).give("Bo: Hand Lunge, Rest; Deck top Lunge", enter=False)
    person.table.viewer = 0
    person.table.show()
    text = person.out.export_text()
    assert "Lunge" not in text
    assert "Hand 2" in text


def test_a_log_that_was_followed_is_the_whole_log(book: Book) -> None:
    match = Match(book.program, seed=4)
    logs = {seat: Log(seat) for seat in (0, 1, None)}
    made = 0
    while match.decision is not None and made < 40:
        made += 1
        match.choose(made % len(match.decision.options))
        for seat, log in logs.items():
            assert log.follow(match) == log_lines(match, seat)
    assert len(logs[None].lines) > 20


def test_what_is_taken_back_leaves_the_log(book: Book) -> None:
    person = Person(book, "Guard\nundo\nquit")
    person.run()
    table = person.table
    assert not table.match.replay.choices
    assert table.log() == log_lines(table.match, table.viewer)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 12)])
def test_a_screen_fits_its_terminal(book: Book, width: int, height: int) -> None:
    out = Console(width=width, height=height, force_terminal=False)
    match = Match(book.program, seed=2)
    lines = draw(out, match, 0, log_lines(match, 0), height, "Title")
    assert len(lines) <= height
    assert all(line.cell_len <= width for line in lines)


def test_map_of_squares(book: Book) -> None:
    match = Match(book.program, seed=2)
    lines = [
        line.plain.rstrip() for line in MapDrawing(book.program, slots_of(match), match.view(0)).lines(60)
    ]
    assert lines == ["  1 .   .   #", "  0 Ad  .   Bo", "    0   1   2"]


def test_seats(book: Book) -> None:
    assert read_seats(book.program, []) == ["you", "random"]
    assert read_seats(book.program, [], 99) == ["you", *["random"] * (book.program.seats[1] - 1)]
    assert read_seats(book.program, ["random", "YOU,you"]) == ["random", "you", "you"]
    assert seat_names(["you", "random"]) == ["You", "Random bot"]
    assert seat_names(["you", "you", "random"]) == ["Player 1", "Player 2", "Random bot"]


def test_short_names_are_all_different() -> None:
    names = ["Ada", "Adam", "Wolf 1", "Wolf 2", "Wolf 12", "Bo", "Boris", "X"]
    found = short_names(names)
    assert len(set(found)) == len(names)
    assert found[2:5] == ["W1", "W2", "W12"]


def test_options_in_columns() -> None:
    options = [Option(i, 0, (), f"option number {i}") for i in range(40)]
    lines = option_lines(options, 80, 8)
    assert len(lines) == 8
    assert "more: type `options`" in "".join(line.plain for line in lines)
    assert len(option_lines(options, 80, 1000)) >= 10


def test_blocks_stand_side_by_side() -> None:
    from rich.text import Text

    lines = side_by_side([Text("a"), Text("bbb")], [Text("1"), Text("2"), Text("3")], gap=1)
    assert [line.plain for line in lines] == ["a   1", "bbb 2", "    3"]


def test_excerpts_and_statements() -> None:
    prose = "Prose that says what one may do, at length. AB-XY-01\n\n"
    text = prose + "```rules\nX (Effect)  AB-XY-01\ndo: a\n    b\n```\n"
    texts = {"a.md": text}
    assert block_around(text.split("\n"), 5) == (4, 6)
    assert [line.plain for line in excerpt(texts, Site("a.md", 5))] == [
        "     4 | X (Effect)  AB-XY-01",
        ">    5 | do: a",
        "     6 |     b",
    ]
    assert [line.plain for line in statements(texts, ["AB-XY-01"])] == [
        "AB-XY-01 Prose that says what one may do, at length."
    ]
    assert excerpt(texts, Site("none.md", 5)) == []


def test_replayed_refuses_what_does_not_fit(book: Book) -> None:
    from dataclasses import replace

    from rulewright.play.match import MatchError

    match = Match(book.program, seed=2)
    match.choose(0)
    replay = match.replay
    assert replayed(book.program, replay).hash == match.hash
    with pytest.raises(MatchError, match="another"):
        replayed(book.program, replace(replay, program="x"))
    with pytest.raises(MatchError, match="choice 1"):
        replayed(book.program, replace(replay, choices=(99,)))


def test_quit_is_an_exception_of_the_loop_only(book: Book) -> None:
    with pytest.raises(Quit):
        Person(book, "").table.command("quit")


def test_why_shows_which_dice_counted() -> None:
    checked = check(next(entry.path for entry in shelf() if entry.name == "raven-road"))
    road = Book(compile_checked(checked), checked.texts)
    text = Person(road, "1\nwhy\nquit", ("you",), seed=5).run()
    assert re.search(r"\[\d+\] \d+ \+ \d+ = \d+ against \d+", text), text[-1500:]
