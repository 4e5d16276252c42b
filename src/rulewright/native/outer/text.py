"""How the outer library reaches the match it runs, in LLVM text.

In:  control words of the outer arena, which Python sets (see `host`).
Out: the functions of `names`, as LLVM functions of the outer arena.

The guest is another arena, of a book: its entry points are called through addresses, so this library is
compiled once for all books. Slots, options and events are checked against their number before they are
touched, as everywhere.
"""

from __future__ import annotations

from rulewright.ir.program import RNG_LO
from rulewright.native import layout
from rulewright.native.entries import PLAYER_SALT

GUEST, CELLS = 256, 264
ADVANCE, LIST, CHOOSE, POLICY, PLAYOUT = 272, 280, 288, 296, 304
READY, READY_BYTES = 312, 320
"""The state that `restart` goes back to."""

_DICE = layout.STATE + 4 * RNG_LO


def _word(name: str, place: int, kind: str = "i64", base: str = "%A") -> str:
    return (
        f"  %{name}.at = getelementptr i8, ptr {base}, i64 {place}\n  %{name} = load {kind}, ptr %{name}.at\n"
    )


def _function(name: str, params: str, body: str) -> str:
    given = "".join(f", i64 %{param}" for param in params.split())
    return f"define internal fastcc i64 @f.{name}(ptr %A{given}) nounwind {{\n{body}}}\n"


def _called(name: str, entry: int, params: str = "") -> str:
    """A call of an entry point of the guest."""
    given = "".join(f", i64 %{param}" for param in params.split())
    body = _word("B", GUEST, "ptr") + _word("entry", entry, "ptr")
    body += f"  %result = call i64 %entry(ptr %B{given})\n  ret i64 %result\n"
    return _function(name, params, body)


def _stored(name: str, params: str, place: int, value: str) -> str:
    body = _word("B", GUEST, "ptr")
    body += (
        f"  %place = getelementptr i8, ptr %B, i64 {place}\n  store i64 {value}, ptr %place\n  ret i64 0\n"
    )
    return _function(name, params, body)


_CHECKED = """  %there = icmp ult i64 %{index}, %{end}
  br i1 %there, label %good, label %bad
bad:
  ret i64 0
good:
"""

_PEEK = (
    _word("B", GUEST, "ptr")
    + _word("cells", CELLS)
    + _CHECKED.format(index="slot", end="cells")
    + f"  %state = getelementptr i8, ptr %B, i64 {layout.STATE}\n"
    + "  %place = getelementptr i32, ptr %state, i64 %slot\n"
)

_RESTART = (
    _word("B", GUEST, "ptr")
    + _word("from", READY, "ptr")
    + _word("bytes", READY_BYTES)
    + f"""  %state = getelementptr i8, ptr %B, i64 {layout.STATE}
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %state, ptr align 4 %from, i64 %bytes, i1 false)
  %listed = getelementptr i8, ptr %B, i64 {layout.OPTION_COUNT}
  store i64 0, ptr %listed
  ret i64 0
"""
)

_SEEDED = f"""  %generator = getelementptr i8, ptr %B, i64 {_DICE}
  store i64 %dice, ptr %generator, align 4
  %stream = getelementptr i8, ptr %B, i64 {layout.POLICY_RNG}
  store i64 %player, ptr %stream
  ret i64 0
"""

_SEED = (
    _word("B", GUEST, "ptr")
    + f"""  %dice = call i64 @rw.finalize(i64 %seed)
  %salted = xor i64 %seed, {PLAYER_SALT}
  %player = call i64 @rw.finalize(i64 %salted)
"""
    + _SEEDED
)

# Two draws of 32 bits each for the dice, one number mixed from them for the players.
_RESEED = (
    _word("B", GUEST, "ptr")
    + """  %a = call i64 @rw.mix(ptr %A, i64 4294967296)
  %b = call i64 @rw.mix(ptr %A, i64 4294967296)
  %high = shl i64 %a, 32
  %dice = or i64 %high, %b
"""
    + f"  %salted = xor i64 %dice, {PLAYER_SALT}\n  %player = call i64 @rw.finalize(i64 %salted)\n"
    + _SEEDED
)

_SIT = (
    _word("B", GUEST, "ptr")
    + f"  %seats = add i64 {layout.MAX_SEATS}, 0\n"
    + _CHECKED.format(index="seat", end="seats")
    + f"""  %row = getelementptr i8, ptr %B, i64 {layout.POLICIES}
  %place = getelementptr i32, ptr %row, i64 %seat
  %short = trunc i64 %which to i32
  store i32 %short, ptr %place
  ret i64 0
"""
)

_OFFER = (
    _word("B", GUEST, "ptr")
    + _word("count", layout.OPTION_COUNT, base="%B")
    + _CHECKED.format(index="index", end="count")
    + _word("rows", layout.OPTIONS, "ptr", "%B")
    + """  %row = shl i64 %index, 2
  %low = and i64 %part, 3
  %cell = add i64 %row, %low
  %place = getelementptr i32, ptr %rows, i64 %cell
  %short = load i32, ptr %place
  %value = sext i32 %short to i64
  ret i64 %value
"""
)

_EVENT = (
    _word("B", GUEST, "ptr")
    + _word("count", layout.EVENT_COUNT, base="%B")
    + _CHECKED.format(index="index", end="count")
    + _word("rows", layout.EVENTS, "ptr", "%B")
    + f"""  %row = mul i64 %index, {layout.EVENT_BYTES // 8}
  %fits = icmp ult i64 %part, {layout.EVENT_BYTES // 8}
  %low = select i1 %fits, i64 %part, i64 0
  %cell = add i64 %row, %low
  %place = getelementptr i64, ptr %rows, i64 %cell
  %value = load i64, ptr %place
  ret i64 %value
"""
)


def reach() -> str:
    """All of it."""
    shown = "  %short = load i32, ptr %place\n  %value = sext i32 %short to i64\n  ret i64 %value\n"
    changed = "  %short = trunc i64 %value to i32\n  store i32 %short, ptr %place\n  ret i64 0\n"
    counted = "  ret i64 %count\n"
    mode = "  %mode = select i1 %yes, i64 1, i64 0\n"
    answering = (
        _word("B", GUEST, "ptr")
        + "  %yes = icmp ne i64 %on, 0\n"
        + mode
        + f"  %place = getelementptr i8, ptr %B, i64 {layout.MODE}\n"
        + "  store i64 %mode, ptr %place\n  ret i64 0\n"
    )
    square = """  %wide = sitofp i64 %value to double
  %half = call double @llvm.sqrt.f64(double %wide)
  %whole = fptosi double %half to i64
  ret i64 %whole
"""
    return "\n".join(
        (
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare double @llvm.sqrt.f64(double)",
            _function("peek", "slot", _PEEK + shown),
            _function("poke", "slot value", _PEEK + changed),
            _function("restart", "", _RESTART),
            _function("seed_match", "seed", _SEED),
            _function("reseed", "", _RESEED),
            _called("advance", ADVANCE),
            _called("relist", LIST),
            _called("choose", CHOOSE, "index"),
            _called("policy", POLICY, "which"),
            _called("playout", PLAYOUT),
            _function("sit", "seat which", _SIT),
            _function("answering", "on", answering),
            _function(
                "offers",
                "",
                _word("B", GUEST, "ptr") + _word("count", layout.OPTION_COUNT, base="%B") + counted,
            ),
            _function("offer", "index part", _OFFER),
            _function(
                "events",
                "",
                _word("B", GUEST, "ptr") + _word("count", layout.EVENT_COUNT, base="%B") + counted,
            ),
            _function("event", "index part", _EVENT),
            _stored("forget_events", "", layout.EVENT_COUNT, "0"),
            _function("root", "value", square),
        )
    )
