"""Numbers by chance, in LLVM text: for dice, for shuffles and for the random player.

In:  where a generator lies in the arena.
Out: `@rw.rnd`, `@rw.mix` and `@rw.toss`: a number below n, and the generator has moved on.

SplitMix64 and Lemire's reduction, as in `play.chance`, or for tables ChaCha20 (see `chacha`), whichever the
arena has been given a key for; the short forms are those of `runtime`. Whatever
the rules do next hangs on the number drawn, which no processor can guess, so two things are kept off that
path. Drawing again, which a die needs once in a hundred million times, is a function apart that touches
no memory. And the random player's number is worked out one draw ahead, while the rules are still busy.
"""

from __future__ import annotations

from rulewright.ir import program
from rulewright.native import layout
from rulewright.native.chacha import chacha
from rulewright.native.writer import CONTROL_TAG, CORE_TAG
from rulewright.play.chance import GAMMA

# 64-bit constants are written as LLVM reads them, signed.
_STEP = GAMMA - 2**64

_GENERATOR = f"""
define internal i64 @rw.finalize(i64 %z0) alwaysinline nounwind {{
  %a = lshr i64 %z0, 30
  %b = xor i64 %z0, %a
  %c = mul i64 %b, -4658895280553007687
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, -7723592293110705685
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}}
define internal i64 @rw.next(i64 %state) alwaysinline nounwind {{
  %after = add i64 %state, {_STEP}
  %mixed = call i64 @rw.finalize(i64 %after)
  ret i64 %mixed
}}
define internal i64 @rw.scaled(i64 %state, i64 %n) noinline cold nounwind memory(none) {{
  %mixed = call i64 @rw.finalize(i64 %state)
  %r = lshr i64 %mixed, 32
  %m = mul i64 %r, %n
  ret i64 %m
}}
define internal i64 @rw.settled(i64 %state, i64 %n) noinline cold nounwind memory(none) {{
entry:
  %room = sub i64 4294967296, %n
  %least = urem i64 %room, %n
  br label %draw
draw:
  %before = phi i64 [%state, %entry], [%after, %draw]
  %after = add i64 %before, {_STEP}
  %m = call i64 @rw.scaled(i64 %after, i64 %n)
  %low = and i64 %m, 4294967295
  %redraw = icmp ult i64 %low, %least
  br i1 %redraw, label %draw, label %done
done:
  ret i64 %after
}}
"""

_UNIFORM = f"""
define internal i64 @rw.{{name}}(ptr %A, i64 %n{{params}}) {{attributes}} nounwind {{{{
entry:
  {{scripted}}
usual:
  %over = sub i64 %n, 2
  %fits = icmp ult i64 %over, 4294967295
  br i1 %fits, label %draw, label %odd
odd:
  %one = icmp sle i64 %n, 1
  br i1 %one, label %zero, label %bad
zero:
  ret i64 0
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_RANGE@, i64 0) cold
  unreachable
draw:
  %place = getelementptr i8, ptr %A, i64 {{place}}
  %before = load i64, ptr %place, align 4{{tag}}
  {{keyed}}
  %after = add i64 %before, {_STEP}
  store i64 %after, ptr %place, align 4{{tag}}
  {{mixed}}
  %r = lshr i64 %mixed, 32
  %first = mul i64 %r, %n
  %low = and i64 %first, 4294967295
  %close = icmp ult i64 %low, %n
  br i1 %close, label %check, label %done, !prof !2
check:
  %room = sub i64 4294967296, %n
  %least = urem i64 %room, %n
  %redraw = icmp ult i64 %low, %least
  br i1 %redraw, label %again, label %done, !prof !2
again:
  %last = call i64 @rw.settled(i64 %after, i64 %n)
  store i64 %last, ptr %place, align 4{{tag}}
  {{renewed}}
  %final = call i64 @rw.scaled(i64 %last, i64 %n)
  br label %done
done:
  %m = phi i64 [%first, %quick], [%first, %check], [%final, %again]
  %result = lshr i64 %m, 32
  ret i64 %result
}}}}
"""

_MIXED = "%mixed = call i64 @rw.finalize(i64 %after)"

_AHEAD = """%mixed = load i64, ptr %ahead
  %later = call i64 @rw.next(i64 %after)
  store i64 %later, ptr %ahead"""

_AHEAD_AGAIN = """%renewed = call i64 @rw.next(i64 %last)
  store i64 %renewed, ptr %ahead"""

_KEYED = """%keyed = setting KEYED
  %plain = icmp eq i64 %keyed, 0
  br i1 %plain, label %quick, label %slow
slow:
  %k0 = setting KEY_0
  %k1 = setting KEY_1
  %k2 = setting KEY_2
  %k3 = setting KEY_3
  %pair = call {i64, i64} @rw.keyed(i64 %before, i64 %n, i64 %k0, i64 %k1, i64 %k2, i64 %k3)
  %face = extractvalue {i64, i64} %pair, 0
  %moved = extractvalue {i64, i64} %pair, 1
  store i64 %moved, ptr %place, align 4TAG
  ret i64 %face
quick:"""

_PLAIN = "br label %quick\nquick:"

_SCRIPTED = """%script = setting SCRIPT
  %free = icmp eq i64 %script, 0
  br i1 %free, label %usual, label %told
told:
  %given = call i64 @rw.told(ptr %A, i64 %n)
  ret i64 %given"""

# It writes one word that no other code here looks at, so what is in registers may stay there; LLVM calls
# such memory inaccessible. Whatever a fault leaves behind must have been written before: it reads all.
_SCRIPTS = """
define internal i64 @rw.told(ptr %A, i64 %n) noinline cold nounwind
    memory(read, inaccessiblemem: readwrite) {
  %single = icmp sle i64 %n, 1
  br i1 %single, label %sure, label %ask
sure:
  ret i64 0
ask:
  %used = word SCRIPT_USED
  %length = word SCRIPT_LENGTH
  %left = icmp ult i64 %used, %length
  br i1 %left, label %take, label %bad
take:
  %script = pointer SCRIPT
  %place = getelementptr i64, ptr %script, i64 %used
  %face = load i64, ptr %place
  %next = add i64 %used, 1
  word SCRIPT_USED = %next
  %fits = icmp ult i64 %face, %n
  br i1 %fits, label %good, label %bad
good:
  ret i64 %face
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_SCRIPT@, i64 0) cold
  unreachable
}
"""


def dice(attributes: str) -> str:
    """All of it; `attributes` are those of the functions that draw."""
    state = {"place": layout.STATE + 4 * program.RNG_LO, "tag": CORE_TAG, "attributes": attributes}
    plain = {"params": "", "mixed": _MIXED, "renewed": "", "keyed": _KEYED.replace("TAG", CORE_TAG)}
    rolls = _UNIFORM.format(name="rnd", scripted=_SCRIPTED, **state, **plain)
    shuffles = _UNIFORM.format(name="mix", scripted="br label %usual", **state, **plain)
    player = _UNIFORM.format(
        name="toss",
        params=", ptr %ahead",
        attributes=attributes,
        scripted="br label %usual",
        place=layout.POLICY_RNG,
        tag=CONTROL_TAG,
        mixed=_AHEAD,
        renewed=_AHEAD_AGAIN,
        keyed=_PLAIN,
    )
    return chacha() + _GENERATOR + rolls + shuffles + player + _SCRIPTS
