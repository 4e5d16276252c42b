"""Is a book balanced? Everything a report needs, measured.

In:  a Program, options, a seed, how many minutes it may take.
Out: `Balance`: the runs and looks that `findings` puts into sentences and `page` shows.

The bulk of matches is played by the book's own strategy (or at random where it has none), which native code
does very quickly; a ladder of players shows whether better play wins; searches at some positions show how
much there is to choose. How much of each is planned beforehand (`plan`), so the same book gives the same
report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.lab import intervals
from rulewright.lab.better import Gain, gain
from rulewright.lab.choices import Choices, choices
from rulewright.lab.counting import counting
from rulewright.lab.loadouts import Matrix, matrices
from rulewright.lab.plan import TRIALS, Plan, Rung, base_player, plan
from rulewright.lab.report import points_interval
from rulewright.lab.simulate import Run, simulate
from rulewright.players.bots import is_native

PROBE = 200
MEETINGS = 4000

Progress = Callable[[str, int, int], None]
"""Called with what is being measured, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the ladder: who, against whom (nobody where all win together), with its run."""

    player: str
    against: str
    run: Run

    @property
    def points(self) -> float:
        """Points per match of the player."""
        return self.run.points[0] / max(1, self.run.matches)

    @property
    def interval(self) -> intervals.Interval:
        """Of the points: from groups of matches with one seed, or Wilson's where nothing varies."""
        if self.points in (0.0, 1.0):
            return intervals.share(self.run.points[0], self.run.matches)
        return points_interval(self.run)


@dataclass(frozen=True, slots=True)
class Balance:
    """What was measured of a book."""

    program: Program
    options: dict[str, str]
    seed: int
    minutes: float
    plan: Plan
    together: bool
    """Whether all seats win or lose together."""
    plain: Run
    own: Run | None
    """A searching player at every seat."""
    ladder: tuple[Step, ...]
    choices: Choices
    matrices: tuple[Matrix, ...]
    gain: Gain | None = None
    """What single choices of a searching player gain, where whole matches of one take too long."""

    @property
    def runs(self) -> dict[str, Run]:
        """Every run under its name, as `replay --of` takes it."""
        found = {"plain": self.plain}
        if self.own is not None:
            found["own"] = self.own
        found.update((f"ladder-{number}", step.run) for number, step in enumerate(self.ladder))
        return found


def balance(
    program: Program,
    options: Mapping[str, str | int] | None = None,
    seed: int = 0,
    minutes: float = 3.0,
    jobs: int = 1,
    seats: int | None = None,
    progress: Progress | None = None,
) -> Balance:
    """Measure a book. Raises MatchError for what it does not offer."""

    def part(word: str) -> Callable[[int, int], None]:
        def tell(done: int, all_: int) -> None:
            if progress is not None:
                progress(word, done, all_)

        return tell

    chairs = seats or program.seats[0]
    base = base_player(program)
    probe = simulate(program, PROBE, [base] * chairs, options, seed, jobs)
    together = all_together(probe)
    tables = 1 if together else chairs
    sizes = plan(program, max(1.0, probe.decisions / PROBE), tables, minutes, probe.setting.options)
    plain = simulate(
        program, sizes.plain, [base] * chairs, options, seed, jobs, part(f"{base} at every seat")
    )
    own, who = None, sizes.self_play
    if who is not None:
        told = part(f"{who.player} at every seat")
        own = simulate(program, who.matches, [who.player] * chairs, options, seed, jobs, told)
    ladder: list[Step] = []
    below = ""
    for rung in sizes.ladder:
        if together or below:
            step = _step(program, rung, "" if together else below, options, seed, jobs, chairs, part)
            ladder.append(step)
        below = rung.player
    better, short = None, sizes.weighed
    if short is not None:
        told = part(f"single choices of {short.player}")
        better = gain(plain.setting, short.player, short.lines, short.matches, TRIALS, jobs, told)
    looked = choices(plain.setting, sizes.looks, sizes.look_lines, part("how much there is to choose"))
    counts = counting(program, chairs)
    met = matrices(plain.setting, counts, min(sizes.plain, MEETINGS), part("who meets whom"))
    return Balance(
        program,
        dict(plain.setting.options),
        plain.setting.seed,
        minutes,
        sizes,
        together,
        plain,
        own,
        tuple(ladder),
        looked,
        () if together else tuple(met),
        better,
    )


def all_together(run: Run) -> bool:
    """Whether every seat wins whenever one does."""
    return len(run.setting.names) == 1 or (
        len(set(run.wins)) == 1 and sum(run.wins) > run.matches - run.draws
    )


def _step(
    program: Program,
    rung: Rung,
    below: str,
    options: Mapping[str, str | int] | None,
    seed: int,
    jobs: int,
    chairs: int,
    part: Callable[[str], Callable[[int, int], None]],
) -> Step:
    names = [rung.player, *([below] * (chairs - 1))] if below else [rung.player] * chairs
    word = f"{rung.player} against {below}" if below else rung.player
    quick = all(is_native(program, name) for name in names)
    count = max(rung.matches, PROBE) if quick else rung.matches
    run = simulate(program, count, names, options, seed + 1, jobs, part(word), listen=False)
    return Step(rung.player, below, run)
