"""Entry points: what Python calls, in LLVM text.

In:  the policy functions a Program has.
Out: `rw_advance`, `rw_list`, `rw_choose`, `rw_step`, `rw_policy`, `rw_playout`, `rw_batch`, `rw_hash`.

Each entry that runs rules sets the point a fault returns to. A function that does so may be left
twice, so nothing else happens in it: whatever must survive a fault is in the arena.

A batch plays matches START, START, ... with seeds SEED, SEED + 1, ...; a match's dice and its random
player are seeded from its own number alone, so how matches are shared among threads cannot matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ir.program import CHOSEN, RNG_LO, SEAT
from rulewright.native import layout
from rulewright.native.runtime import expand
from rulewright.native.writer import CORE_TAG, OPTION_TAG
from rulewright.play.chance import MASK, finalize

PLAYER_SALT = 0x6A09E667F3BCC909
"""Sets the random player's stream apart from the dice of the same seed."""


def player_seed(seed: int) -> int:
    """The start of the random player's stream in a match with this seed."""
    return finalize((seed ^ PLAYER_SALT) & MASK)


GUARD = """
define i64 @rw_{name}(ptr %A{params}) nounwind {{
  %mark = pointer SETJMP
  %buffer = getelementptr i8, ptr %A, i64 @JUMP@
  %back = call i32 %mark(ptr %buffer) returns_twice
  %first = icmp eq i32 %back, 0
  br i1 %first, label %go, label %failed
go:
  %result = call i64 @rw.{name}(ptr %A{args})
  ret i64 %result
failed:
  ret i64 -1
}}
"""

# The four numbers are read one by one: they were written one by one a moment ago, and a processor must
# wait for the memory where one read spans several writes. `volatile` keeps LLVM from joining them.
_COPIES = "\n".join(
    f"""  %from{k} = getelementptr i8, ptr %row, i64 {4 * k}
  %c{k} = load volatile i32, ptr %from{k}{OPTION_TAG}
  %to{k} = getelementptr i8, ptr %A, i64 {layout.STATE + 4 * (CHOSEN + k)}
  store i32 %c{k}, ptr %to{k}{CORE_TAG}"""
    for k in range(4)
)

_CHOOSE = f"""
define internal void @rw.takeQUIET(ptr %A, i64 %index) INLINE nounwind {{
  %base = fixed OPTIONS
  %offset = shl i64 %index, 4
  %row = getelementptr i8, ptr %base, i64 %offset
{_COPIES}
  %past = cell DECISIONS
  %now = add i32 %past, 1
  cell DECISIONS = %now
  %resume = cell RESUME
  cell PC = %resume
  cell STATUS = @RUNNING@
  %bound = setting BOUND
  %many = sext i32 %now to i64
  %over = icmp sgt i64 %many, %bound
  br i1 %over, label %stop, label %on
stop:
  call void @rw.fault(ptr %A, i64 @FAULT_BOUND@, i64 0) cold
  unreachable
on:
  ret void
}}
"""

_CHECKED = """
define internal i64 @rw.choose(ptr %A, i64 %index) nounwind {
  %count = word OPTION_COUNT
  %there = icmp ult i64 %index, %count
  br i1 %there, label %good, label %bad
good:
  call void @rw.take(ptr %A, i64 %index)
  ret i64 0
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
}
"""

# A decision and all that follows from it, in one call. The state before is kept, so that a fault, or a
# caller that changes its mind, can go back to it.
_STEP = """
define internal i64 @rw.step(ptr %A, i64 %index) noinline nounwind {{
  word BEFORE_BYTES = 0
  %status = cell STATUS
  %asked = icmp eq i32 %status, @DECISION@
  %count = word OPTION_COUNT
  %there = icmp ult i64 %index, %count
  %good = and i1 %asked, %there
  br i1 %good, label %look, label %refuse
refuse:
  ret i64 @STEP_REFUSED@
look:
  %short = cell SP
  %top = sext i32 %short to i64
  %whole = icmp ule i64 %top, {size}
  br i1 %whole, label %save, label %broken
broken:
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
save:
  %bytes = shl i64 %top, 2
  %state = getelementptr i8, ptr %A, i64 @STATE@
  %before = getelementptr i8, ptr %A, i64 {before}
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %before, ptr align 4 %state, i64 %bytes, i1 false)
  word BEFORE_BYTES = %bytes
  %events = word EVENT_COUNT
  word BEFORE_EVENTS = %events
  %used = word SCRIPT_USED
  word BEFORE_USED = %used
  call void @rw.take(ptr %A, i64 %index)
  %after = call i64 @rw.advance(ptr %A)
  %again = icmp eq i64 %after, @DECISION@
  br i1 %again, label %compare, label %over
over:
  %ended = or i64 %after, @LEARNED_BIT@
  ret i64 %ended
compare:
  %old.seat.at = getelementptr i8, ptr %before, i64 {seat}
  %old.seat = load i32, ptr %old.seat.at
  %seat = cell SEAT
  %other = icmp ne i32 %seat, %old.seat
  %old.dice.at = getelementptr i8, ptr %before, i64 {dice}
  %old.dice = load i64, ptr %old.dice.at, align 4
  %dice.at = getelementptr i8, ptr %state, i64 {dice}
  %dice = load i64, ptr %dice.at, align 4
  %rolled = icmp ne i64 %dice, %old.dice
  %learned = or i1 %other, %rolled
  %bit = select i1 %learned, i64 @LEARNED_BIT@, i64 0
  %offered = word OPTION_COUNT
  %high = shl i64 %offered, @COUNT_SHIFT@
  %low = or i64 %after, %bit
  %result = or i64 %high, %low
  ret i64 %result
}}
"""

_ANSWER = """
define internal void @rw.answerQUIET(ptr %A, ptr %ahead) INLINE nounwind {
  %count = word OPTION_COUNT
  %pick = call i64 @rw.toss(ptr %A, i64 %count, ptr %ahead)
  call void @rw.takeQUIET(ptr %A, i64 %pick)
  ret void
}
"""

# Which of the two codes runs is settled once, on the way in.
_EITHER = """
declare void @rw.run.loud(ptr, i64)
define internal void @rw.run(ptr %A, i64 %pc) nounwind {
  %kept = setting RECORDING
  %loud = icmp ne i64 %kept, 0
  br i1 %loud, label %tell, label %hush
tell:
  call void @rw.run.loud(ptr %A, i64 %pc)
  ret void
hush:
  call void @rw.run.quiet(ptr %A, i64 %pc)
  ret void
}
"""

_PLAY = """
define internal i64 @rw.advance(ptr %A) nounwind {
  word FUEL = @STEP_LIMIT@
  word DEPTH = 0
  %pc = cell PC
  %start = sext i32 %pc to i64
  call void @rw.run(ptr %A, i64 %start)
  %status = cell STATUS
  %stuck = icmp eq i32 %status, @RUNNING@
  br i1 %stuck, label %bad, label %good
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
good:
  %result = sext i32 %status to i64
  ret i64 %result
}
define internal i64 @rw.list(ptr %A) nounwind {
  word FUEL = @STEP_LIMIT@
  word DEPTH = 0
  word OPTION_COUNT = 0
  word MODE = @LISTING@
  %pc = cell PC
  %start = sext i32 %pc to i64
  call void @rw.run(ptr %A, i64 %start)
  word MODE = @STEPPING@
  %count = word OPTION_COUNT
  ret i64 %count
}
define internal i64 @rw.playout(ptr %A) noinline nounwind {
  %ahead = alloca i64
  br label %again
again:
  %status = call i64 @rw.advance(ptr %A)
  %asked = icmp eq i64 %status, @DECISION@
  br i1 %asked, label %ask, label %done
ask:
  %seat = cell SEAT
  %wide = sext i32 %seat to i64
  %known = icmp ult i64 %wide, @MAX_SEATS@
  br i1 %known, label %look, label %toss
look:
  %policies = getelementptr i8, ptr %A, i64 @POLICIES@
  %place = getelementptr i32, ptr %policies, i64 %wide
  %policy = load i32, ptr %place
  %random = icmp eq i32 %policy, 0
  br i1 %random, label %toss, label %think
think:
  %which = sext i32 %policy to i64
  %thought = call i64 @rw.policy(ptr %A, i64 %which)
  %chosen = call i64 @rw.choose(ptr %A, i64 %thought)
  br label %again
toss:
  %player = word POLICY_RNG
  %number = call i64 @rw.next(i64 %player)
  store i64 %number, ptr %ahead
  call void @rw.answer(ptr %A, ptr %ahead)
  br label %again
done:
  ret i64 %status
}
"""

# A policy draws from the player's stream: the two generators change places while it thinks.
_POLICY = """
define internal i64 @rw.policy(ptr %A, i64 %which) noinline nounwind {{
  word FUEL = @STEP_LIMIT@
  word DEPTH = 0
  call void @rw.swap(ptr %A)
  switch i64 %which, label %bad [
{cases}
  ]
{blocks}
done:
  %pick = phi i64 {values}
  call void @rw.swap(ptr %A)
  ret i64 %pick
bad:
  call void @rw.swap(ptr %A)
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
}}
define internal void @rw.swap(ptr %A) nounwind {{
  %player = getelementptr i8, ptr %A, i64 @POLICY_RNG@
  %dice = getelementptr i8, ptr %A, i64 {dice}
  %a = load i64, ptr %player
  %b = load i64, ptr %dice, align 4
  store i64 %b, ptr %player
  store i64 %a, ptr %dice, align 4
  ret void
}}
"""

_BATCH = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i64 @rw_batch(ptr %A) nounwind {{
  %mark = pointer SETJMP
  %buffer = getelementptr i8, ptr %A, i64 @JUMP@
  %back = call i32 %mark(ptr %buffer) returns_twice
  call void @rw.matches(ptr %A)
  ret i64 0
}}
define internal void @rw.matches(ptr %A) noinline nounwind {{
  %begun = word STARTED
  %failed = icmp ne i64 %begun, 0
  br i1 %failed, label %after, label %next
next:
  %match = word MATCH
  %matches = word MATCHES
  %more = icmp slt i64 %match, %matches
  br i1 %more, label %play, label %done
play:
  %state = getelementptr i8, ptr %A, i64 @STATE@
  %start = pointer START
  %bytes = word START_BYTES
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %state, ptr align 4 %start, i64 %bytes, i1 false)
  %base = word SEED
  %seed = add i64 %base, %match
  %dice = call i64 @rw.finalize(i64 %seed)
  %generator = getelementptr i8, ptr %A, i64 {dice}
  store i64 %dice, ptr %generator, align 4
  %salted = xor i64 %seed, {salt}
  %player = call i64 @rw.finalize(i64 %salted)
  word POLICY_RNG = %player
  word OPTION_COUNT = 0
  word EVENT_COUNT = 0
  word STARTED = 1
  %ended = call i64 @rw.playout(ptr %A)
  br label %after
after:
  word STARTED = 0
  %played = word MATCH
  call void @rw.score(ptr %A, i64 %played)
  %count = add i64 %played, 1
  word MATCH = %count
  br label %next
done:
  ret void
}}
define internal void @rw.score(ptr %A, i64 %match) noinline nounwind {{
entry:
  %columns = word COLUMNS
  %slots = pointer SLOTS
  %rows = pointer ROWS
  %tally = pointer TALLY
  %before = mul i64 %match, %columns
  br label %next
next:
  %k = phi i64 [0, %entry], [%k1, %counted]
  %more = icmp slt i64 %k, %columns
  br i1 %more, label %column, label %done
column:
  %slotp = getelementptr i64, ptr %slots, i64 %k
  %slot = load i64, ptr %slotp
  %place = getelementptr i8, ptr %A, i64 @STATE@
  %cell = getelementptr i32, ptr %place, i64 %slot
  %short = load i32, ptr %cell
  %value = sext i32 %short to i64
  %kept = icmp ne ptr %rows, null
  br i1 %kept, label %keep, label %fold
keep:
  %index = add i64 %before, %k
  %row = getelementptr i32, ptr %rows, i64 %index
  store i32 %short, ptr %row
  br label %fold
fold:
  %offset = mul i64 %k, @TALLY_BYTES@
  %sum = getelementptr i8, ptr %tally, i64 %offset
  %squares = getelementptr i8, ptr %sum, i64 @TALLY_SQUARES@
  %least = getelementptr i8, ptr %sum, i64 @TALLY_LEAST@
  %greatest = getelementptr i8, ptr %sum, i64 @TALLY_GREATEST@
  %bins = getelementptr i8, ptr %sum, i64 @TALLY_BINS@
  %sum0 = load i64, ptr %sum
  %sum1 = add i64 %sum0, %value
  store i64 %sum1, ptr %sum
  %square = mul i64 %value, %value
  %sq0 = load i64, ptr %squares
  %sq1 = add i64 %sq0, %square
  store i64 %sq1, ptr %squares
  %low0 = load i64, ptr %least
  %low1 = call i64 @llvm.smin.i64(i64 %low0, i64 %value)
  store i64 %low1, ptr %least
  %high0 = load i64, ptr %greatest
  %high1 = call i64 @llvm.smax.i64(i64 %high0, i64 %value)
  store i64 %high1, ptr %greatest
  %binned = icmp ult i64 %value, @BINS@
  br i1 %binned, label %bin, label %counted
bin:
  %binp = getelementptr i64, ptr %bins, i64 %value
  %bin0 = load i64, ptr %binp
  %bin1 = add i64 %bin0, 1
  store i64 %bin1, ptr %binp
  br label %counted
counted:
  %k1 = add i64 %k, 1
  br label %next
done:
  ret void
}}
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
"""

_HASH = """
define i64 @rw_hash(ptr %A) nounwind {
entry:
  %top = cell SP
  %cells = sext i32 %top to i64
  %bytes = shl i64 %cells, 2
  %start = getelementptr i8, ptr %A, i64 @STATE@
  br label %next
next:
  %i = phi i64 [0, %entry], [%i1, %byte]
  %h = phi i64 [-3750763034362895579, %entry], [%h1, %byte]
  %more = icmp slt i64 %i, %bytes
  br i1 %more, label %byte, label %done
byte:
  %p = getelementptr i8, ptr %start, i64 %i
  %b = load i8, ptr %p
  %w = zext i8 %b to i64
  %x = xor i64 %h, %w
  %h1 = mul i64 %x, 1099511628211
  %i1 = add i64 %i, 1
  br label %next
done:
  ret i64 %h
}
"""


def answers(inline: bool) -> str:
    """How a decision is taken, once checking for listeners and once not. With `inline`, it is copied
    into the code that asks."""
    text = (_CHOOSE + _ANSWER).replace("INLINE", "alwaysinline" if inline else "")
    loud = text.replace("QUIET", "")
    return expand(loud + text.replace("QUIET", ".quiet"))


def entries(shape: layout.Layout, policies: Sequence[str], either: bool) -> str:
    """The entry points of a Program with these policy functions. With `either`, there is loud and
    quiet code to choose from."""
    dice = layout.STATE + 4 * RNG_LO
    cases = "\n".join(f"    i64 {k + 1}, label %p{k}" for k in range(len(policies)))
    blocks = "".join(
        f"p{k}:\n  %r{k} = call fastcc i64 {name}(ptr %A)\n  br label %done\n"
        for k, name in enumerate(policies)
    )
    values = ", ".join(f"[%r{k}, %p{k}]" for k in range(len(policies)))
    policy = _POLICY.format(cases=cases, blocks=blocks, values=values, dice=dice)
    if not policies:
        policy = """
define internal i64 @rw.policy(ptr %A, i64 %which) noinline nounwind {
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
}
"""
    step = _STEP.format(size=shape.size, before=shape.before_at, seat=4 * SEAT, dice=4 * RNG_LO)
    text = _CHECKED + _PLAY + step + policy + (_EITHER if either else "")
    text += _BATCH.format(dice=dice, salt=PLAYER_SALT) + _HASH
    for name, params, args in (
        ("advance", "", ""),
        ("list", "", ""),
        ("playout", "", ""),
        ("choose", ", i64 %index", ", i64 %index"),
        ("step", ", i64 %index", ", i64 %index"),
        ("policy", ", i64 %which", ", i64 %which"),
    ):
        text += GUARD.format(name=name, params=params, args=args)
    return expand(text)
