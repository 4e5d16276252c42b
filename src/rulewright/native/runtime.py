"""What compiled code needs around it: options, events, faults; and dice, from `dice`.

In:  the arena's layout.
Out: LLVM text of the `@rw.*` functions that translated code calls.

The text uses short forms, expanded by `expand`, because LLVM spells every field access as two
instructions: `%x = word NAME` and `word NAME = %x` for control words, `%x = cell SLOT` and
`cell SLOT = %x` for 32-bit state slots; `pointer` is a word that holds an address; `setting` and
`fixed` are a word and an address that only Python changes, between runs. Names are those of `layout`
and `ir.program`.

A fault leaves by longjmp to the entry point: nothing between has to look for it, and what was written
before it is exactly what the reference has written before its exception.
"""

from __future__ import annotations

import re

from rulewright.ir import events, program
from rulewright.native import layout
from rulewright.native.dice import dice
from rulewright.native.seeking import declared, seekers
from rulewright.native.writer import CONSTANT_TAG, CONTROL_TAG, CORE_TAG, EVENT_TAG, OPTION_TAG, STATE_TAG

_FORM = re.compile(
    r"^\s*(?:(%[\w.]+) = (word|cell|pointer|setting|fixed) (\w+)|(word|cell|pointer) (\w+) = (\S+))$"
)


def expand(text: str) -> str:
    """Replace the short forms, and `@NAME@` by the number that name has."""
    text = re.sub(r"@([A-Z_]+)@", lambda found: str(_number(found[1])), text)
    lines: list[str] = []
    for count, line in enumerate(text.splitlines()):
        found = _FORM.match(line)
        if found is None:
            lines.append(line)
            continue
        result, read, source, write, target, value = found.groups()
        kind, name = read or write, source or target
        place = f"%at.{name}.{count}"
        if kind == "cell":
            slot = int(getattr(program, name))
            tag = CORE_TAG if slot < layout.CORE else STATE_TAG
            offset, shape = layout.STATE + 4 * slot, "i32"
        else:
            tag = CONSTANT_TAG if kind in ("setting", "fixed") else CONTROL_TAG
            offset, shape = int(getattr(layout, name)), "ptr" if kind in ("pointer", "fixed") else "i64"
        lines.append(f"{place} = getelementptr i8, ptr %A, i64 {offset}")
        if result:
            lines.append(f"{result} = load {shape}, ptr {place}{tag}")
        else:
            lines.append(f"store {shape} {value}, ptr {place}{tag}")
    return "\n".join(lines) + "\n"


def _number(name: str) -> int:
    for place in (layout, program, events):
        if hasattr(place, name):
            return int(getattr(place, name))
    raise KeyError(name)


FAULTS = """
define internal void @rw.fault(ptr %A, i64 %code, i64 %site) noinline cold noreturn nounwind {
  %short = trunc i64 %code to i32
  cell STATUS = @FAULTED@
  cell FAULT = %short
  word FAULT_SITE = %site
  %leave = pointer LONGJMP
  %buffer = getelementptr i8, ptr %A, i64 @JUMP@
  call void %leave(ptr %buffer, i32 1) noreturn
  unreachable
}
define internal i64 @rw.floor(i64 %a, i64 %b) nounwind {
  %minus = icmp eq i64 %b, -1
  br i1 %minus, label %negate, label %divide
negate:
  %negative = sub i64 0, %a
  ret i64 %negative
divide:
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %rest = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %down = and i1 %rest, %differ
  %less = zext i1 %down to i64
  %floor = sub i64 %q, %less
  ret i64 %floor
}
define internal i64 @rw.modulo(i64 %a, i64 %b) nounwind {
  %minus = icmp eq i64 %b, -1
  br i1 %minus, label %nothing, label %divide
nothing:
  ret i64 0
divide:
  %r = srem i64 %a, %b
  %rest = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %lift = and i1 %rest, %differ
  %more = select i1 %lift, i64 %b, i64 0
  %floor = add i64 %r, %more
  ret i64 %floor
}
"""

_GROW = """
define internal void @rw.grow.events(ptr %A) noinline cold nounwind {
  %room = word EVENT_ROOM
  %double = shl i64 %room, 1
  %small = icmp ule i64 %double, @EVENT_LIMIT@
  br i1 %small, label %grow, label %bad
grow:
  %size = mul i64 %double, @EVENT_BYTES@
  %old = pointer EVENTS
  %resize = pointer REALLOC
  %new = call ptr %resize(ptr %old, i64 %size)
  %none = icmp eq ptr %new, null
  br i1 %none, label %bad, label %good
good:
  pointer EVENTS = %new
  word EVENT_ROOM = %double
  ret void
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_BOUND@, i64 0) cold
  unreachable
}
"""

OFFERS = """
define internal void @rw.opt(ptr %A, i64 %verb, i64 %a, i64 %b, i64 %c) {attributes} nounwind {{
  %count = word OPTION_COUNT
  %fits = icmp ult i64 %count, @OPTION_ROOM@
  br i1 %fits, label %put, label %full
full:
  call void @rw.fault(ptr %A, i64 @FAULT_BOUND@, i64 0) cold
  unreachable
put:
  %verb.short = trunc i64 %verb to i32
  %a.short = trunc i64 %a to i32
  %b.short = trunc i64 %b to i32
  %c.short = trunc i64 %c to i32
  %verb.back = sext i32 %verb.short to i64
  %a.back = sext i32 %a.short to i64
  %b.back = sext i32 %b.short to i64
  %c.back = sext i32 %c.short to i64
  %verb.lost = xor i64 %verb, %verb.back
  %a.lost = xor i64 %a, %a.back
  %b.lost = xor i64 %b, %b.back
  %c.lost = xor i64 %c, %c.back
  %lost.0 = or i64 %verb.lost, %a.lost
  %lost.1 = or i64 %b.lost, %c.lost
  %lost = or i64 %lost.0, %lost.1
  %whole = icmp eq i64 %lost, 0
  br i1 %whole, label %store, label %wide
wide:
  call void @rw.fault(ptr %A, i64 @FAULT_RANGE@, i64 0) cold
  unreachable
store:
  %base = fixed OPTIONS
  %offset = shl i64 %count, 4
  %p0 = getelementptr i8, ptr %base, i64 %offset
  %p1 = getelementptr i8, ptr %p0, i64 4
  %p2 = getelementptr i8, ptr %p0, i64 8
  %p3 = getelementptr i8, ptr %p0, i64 12
  store i32 %verb.short, ptr %p0{OPTION}
  store i32 %a.short, ptr %p1{OPTION}
  store i32 %b.short, ptr %p2{OPTION}
  store i32 %c.short, ptr %p3{OPTION}
  %more = add i64 %count, 1
  word OPTION_COUNT = %more
  ret void
}}
define internal i64 @rw.option(ptr %A, i64 %index, i64 %part) {attributes} nounwind {{
  %count = word OPTION_COUNT
  %there = icmp ult i64 %index, %count
  %known = icmp ult i64 %part, 4
  %both = and i1 %there, %known
  br i1 %both, label %good, label %bad
good:
  %base = fixed OPTIONS
  %row = shl i64 %index, 2
  %at = add i64 %row, %part
  %place = getelementptr i32, ptr %base, i64 %at
  %short = load i32, ptr %place{OPTION}
  %value = sext i32 %short to i64
  ret i64 %value
bad:
  call void @rw.fault(ptr %A, i64 @FAULT_BROKEN@, i64 0) cold
  unreachable
}}
"""

# No other code here looks at the events or how many there are: see `dice` on memory of that kind.
EMIT = f"""
define internal void @rw.emit(ptr %A, i64 %kind, i64 %site, i64 %a, i64 %b, i64 %c, i64 %d,
    i64 %by, i64 %who, i64 %knows)
    noinline cold nounwind memory(read, inaccessiblemem: readwrite) {{
  %count = word EVENT_COUNT
  %room = word EVENT_ROOM
  %fits = icmp ult i64 %count, %room
  br i1 %fits, label %put, label %grow
grow:
  call void @rw.grow.events(ptr %A)
  br label %put
put:
  %base = pointer EVENTS
  %offset = mul i64 %count, @EVENT_BYTES@
  %p0 = getelementptr i8, ptr %base, i64 %offset
  %p1 = getelementptr i8, ptr %p0, i64 8
  %p2 = getelementptr i8, ptr %p0, i64 16
  %p3 = getelementptr i8, ptr %p0, i64 24
  %p4 = getelementptr i8, ptr %p0, i64 32
  %p5 = getelementptr i8, ptr %p0, i64 40
  %p6 = getelementptr i8, ptr %p0, i64 48
  %p7 = getelementptr i8, ptr %p0, i64 56
  %p8 = getelementptr i8, ptr %p0, i64 64
  store i64 %kind, ptr %p0{EVENT_TAG}
  store i64 %site, ptr %p1{EVENT_TAG}
  store i64 %a, ptr %p2{EVENT_TAG}
  store i64 %b, ptr %p3{EVENT_TAG}
  store i64 %c, ptr %p4{EVENT_TAG}
  store i64 %d, ptr %p5{EVENT_TAG}
  store i64 %by, ptr %p6{EVENT_TAG}
  store i64 %who, ptr %p7{EVENT_TAG}
  store i64 %knows, ptr %p8{EVENT_TAG}
  %more = add i64 %count, 1
  word EVENT_COUNT = %more
  ret void
}}
"""


SHARED = """
declare void @rw.fault(ptr, i64, i64) noreturn nounwind
declare i64 @rw.floor(i64, i64) nounwind
declare i64 @rw.modulo(i64, i64) nounwind
declare i64 @rw.rnd(ptr, i64) nounwind
declare i64 @rw.mix(ptr, i64) nounwind
declare void @rw.opt(ptr, i64, i64, i64, i64) nounwind
declare i64 @rw.option(ptr, i64, i64) nounwind
declare void @rw.emit(ptr, i64, i64, i64, i64, i64, i64, i64, i64, i64)
    nounwind memory(read, inaccessiblemem: readwrite)
""" + declared()
"""What translated code calls, for parts that do not hold it themselves."""


def shared(text: str) -> str:
    """The same text with those functions visible to other parts."""
    for name in re.findall(r"@(rw\.[\w.]+)\(", SHARED):
        text = re.sub(rf"define internal (\w+) @{re.escape(name)}\(", rf"define \1 @{name}(", text)
    return text


def runtime(inline: bool) -> str:
    """All of it. With `inline`, dice and offers are copied into the code that uses them."""
    attributes = "alwaysinline" if inline else ""
    offers = OFFERS.format(attributes=attributes, OPTION=OPTION_TAG)
    return expand(FAULTS + dice(attributes) + _GROW + offers + EMIT) + seekers()
