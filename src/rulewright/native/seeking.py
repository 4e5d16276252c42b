"""Many cells at once, in LLVM text: looking through a row of slots, and filling work memory.

In:  the arguments of `seek` and its kin, as values.
Out: the number that was found; and the text of the functions `@rw.seek..` for rows of any length.

A short row of known length is compared without a branch: one bit for each slot, the bits before `first`
shifted out, the lowest one counted. Reading past the row's end is harmless, since the arena goes on after
the state (see `layout.SLACK`), and what is read there is masked out.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.native import layout as at
from rulewright.native.arithmetic import binary
from rulewright.native.writer import BOOK_TAG, STATE_TAG, WORK_TAG, Writer

LANES = 8
SHORT = 32
"""Slots up to which a row is compared without a loop."""

_LOOKS = {"seek": "eq", "seek_not": "ne", "seek_over": "sgt", "seek_either": "eq"}
_ASKED = ("eq", "ne", "sgt")
"""What `seek_both` asks of a row, by number."""
_FUNCTIONS = (*_LOOKS, *(f"seek.{one}.{two}" for one in _ASKED for two in _ASKED))
_VECTOR = f"<{LANES} x i32>"


def seek(writer: Writer, name: str, values: Sequence[str], fits: Sequence[bool]) -> str:
    """The instruction. `fits`: which arguments surely fit a slot."""
    base, first, end, wanted, *rest = values
    second = base
    asked = [_LOOKS.get(name, "eq")]
    narrow = [_narrow(writer, wanted, fits[3])]
    if name == "seek_either":
        narrow.append(_narrow(writer, rest[0], fits[4]))
        asked.append("eq")
    elif name == "seek_both":
        second = rest[0]
        narrow.append(_narrow(writer, rest[1], fits[5]))
        kinds = int(rest[2])
        asked = [_ASKED[kinds // len(_ASKED)], _ASKED[kinds % len(_ASKED)]]
        _check_row(writer, second, end)
    _check_row(writer, base, end)
    if any(bit and how != "eq" for (_, bit), how in zip(narrow, asked, strict=True)):
        raise ValueError(f"'{name}' compares with what may not fit a slot")
    # What does not fit a slot is in none of them.
    whole = [bit for _, bit in narrow if bit]
    if name == "seek_either":
        narrow, whole = _either(writer, *narrow)
    small = [value for value, _ in narrow]
    known = all(value[0] != "%" for value in (base, end, second))
    if known and 0 < int(end) <= SHORT and not writer.cold:
        found = _short(writer, name, asked, int(base), int(second), first, int(end), small)
    else:
        given = "".join(f", i32 {value}" for value in small)
        extra = f", i64 {second}" if name == "seek_both" else ""
        called = name if name != "seek_both" else f"seek.{asked[0]}.{asked[1]}"
        found = writer.let(f"call i64 @rw.{called}(ptr %A, i64 {base}, i64 {first}, i64 {end}{extra}{given})")
    for bit in whole:
        found = writer.let(f"select i1 {bit}, i64 {found}, i64 {end}")
    return found


def fill(writer: Writer, start: str, count: str, value: str) -> None:
    """Cells of work memory, all the same."""
    length = writer.layout.work
    none = writer.let(f"icmp sle i64 {count}, 0")
    low = writer.let(f"icmp ule i64 {start}, {length}")
    high = writer.let(f"icmp sle i64 {count}, {binary(writer, '-', str(length), start)}")
    good = writer.let(f"and i1 {low}, {high}")
    writer.require(writer.let(f"or i1 {good}, {none}"), at.FAULT_BROKEN)
    work = writer.let(f"getelementptr i8, ptr %A, i64 {writer.layout.work_at}")
    first = writer.let(f"getelementptr i64, ptr {work}, i64 {start}")
    writer.do(f"call void @rw.fill(ptr {first}, i64 {count}, i64 {value})")


FILL = f"""
define internal void @rw.fill(ptr %p, i64 %count, i64 %value) nounwind {{
  %v1 = insertelement <4 x i64> poison, i64 %value, i32 0
  %v = shufflevector <4 x i64> %v1, <4 x i64> poison, <4 x i32> zeroinitializer
  %last = sub i64 %count, 4
  br label %many
many:
  %i = phi i64 [0, %0], [%next, %four]
  %room = icmp sle i64 %i, %last
  br i1 %room, label %four, label %few
four:
  %place = getelementptr i64, ptr %p, i64 %i
  store <4 x i64> %v, ptr %place, align 8{WORK_TAG}
  %next = add i64 %i, 4
  br label %many
few:
  %j = phi i64 [%i, %many], [%more, %one]
  %left = icmp slt i64 %j, %count
  br i1 %left, label %one, label %done
one:
  %cell = getelementptr i64, ptr %p, i64 %j
  store i64 %value, ptr %cell, align 8{WORK_TAG}
  %more = add i64 %j, 1
  br label %few
done:
  ret void
}}
"""


def _either(
    writer: Writer, one: tuple[str, str], two: tuple[str, str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """One of two that does not fit a slot is as good as the other one twice."""
    (a, a_fits), (b, b_fits) = one, two
    if a_fits:
        a = writer.let(f"select i1 {a_fits}, i32 {a}, i32 {b}")
    if b_fits:
        b = writer.let(f"select i1 {b_fits}, i32 {b}, i32 {a}")
    whole = [writer.let(f"or i1 {a_fits}, {b_fits}")] if a_fits and b_fits else []
    return [(a, ""), (b, "")], whole


def _check_row(writer: Writer, base: str, end: str) -> None:
    size = writer.layout.size
    if base[0] != "%" and end[0] != "%":
        if int(end) > 0 and not at.CORE <= int(base) <= size - int(end):
            writer.require("false", at.FAULT_BROKEN)
        return
    if end[0] == "%" and base[0] != "%" and at.CORE <= int(base) <= size:
        writer.require(writer.let(f"icmp sle i64 {end}, {size - int(base)}"), at.FAULT_BROKEN)
        return
    moved = binary(writer, "-", base, str(at.CORE))
    inside = writer.let(f"icmp ule i64 {moved}, {size - at.CORE}")
    room = writer.let(f"sub i64 {size}, {base}")
    fits = writer.let(f"icmp sle i64 {end}, {room}")
    none = writer.let(f"icmp sle i64 {end}, 0")
    good = writer.let(f"and i1 {inside}, {fits}")
    writer.require(writer.let(f"or i1 {good}, {none}"), at.FAULT_BROKEN)


def _narrow(writer: Writer, value: str, fits: bool) -> tuple[str, str]:
    """The value as a slot would hold it, and a bit that says whether one could; empty if it surely can."""
    if value[0] != "%":
        small = -(2**31) <= int(value) < 2**31
        return (value, "") if small else ("0", "false")
    small = writer.let(f"trunc i64 {value} to i32")
    if fits:
        return small, ""
    back = writer.let(f"sext i32 {small} to i64")
    return small, writer.let(f"icmp eq i64 {back}, {value}")


def _short(
    writer: Writer,
    name: str,
    asked: Sequence[str],
    base: int,
    second: int,
    first: str,
    end: int,
    values: Sequence[str],
) -> str:
    """All slots of a row at once, without a branch."""
    splats = [_splat(writer, value) for value in values]
    tag = BOOK_TAG if base + end <= writer.layout.stack_base else STATE_TAG
    bits = "0"
    for offset in range(0, end, LANES):
        row = _loaded(writer, base + offset, tag)
        same = writer.let(f"icmp {asked[0]} {_VECTOR} {row}, {splats[0]}")
        if name == "seek_either":
            also = writer.let(f"icmp eq {_VECTOR} {row}, {splats[1]}")
            same = writer.let(f"or <{LANES} x i1> {same}, {also}")
        elif name == "seek_both":
            beside = _loaded(writer, second + offset, STATE_TAG)
            also = writer.let(f"icmp {asked[1]} {_VECTOR} {beside}, {splats[1]}")
            same = writer.let(f"and <{LANES} x i1> {same}, {also}")
        eight = writer.let(f"bitcast <{LANES} x i1> {same} to i{LANES}")
        wide = writer.let(f"zext i{LANES} {eight} to i64")
        if offset:
            wide = writer.let(f"shl i64 {wide}, {offset}")
        bits = binary(writer, "|", bits, wide) if offset else wide
    if end % LANES:
        bits = writer.let(f"and i64 {bits}, {(1 << end) - 1}")
    if first[0] != "%" and not 0 <= int(first) < end:
        return str(end)
    within = writer.let(f"and i64 {first}, 63") if first[0] == "%" else first
    ahead = bits if first == "0" else writer.let(f"lshr i64 {bits}, {within}")
    steps = writer.let(f"call i64 @llvm.cttz.i64(i64 {ahead}, i1 true)")
    place = binary(writer, "+", steps, first)
    some = writer.let(f"icmp ne i64 {ahead}, 0")
    if first[0] == "%":
        some = writer.let(f"and i1 {some}, {writer.let(f'icmp ult i64 {first}, {end}')}")
    return writer.let(f"select i1 {some}, i64 {place}, i64 {end}")


def _splat(writer: Writer, value: str) -> str:
    one = writer.let(f"insertelement {_VECTOR} poison, i32 {value}, i32 0")
    return writer.let(f"shufflevector {_VECTOR} {one}, {_VECTOR} poison, <{LANES} x i32> zeroinitializer")


def _loaded(writer: Writer, slot: int, tag: str) -> str:
    place = writer.let(f"getelementptr i8, ptr %A, i64 {at.STATE + 4 * slot}")
    return writer.let(f"load {_VECTOR}, ptr {place}, align 4{tag}")


def _text(name: str) -> str:
    """One of the functions for rows of any length; the rows themselves were checked by the caller."""
    two = name not in _LOOKS
    asked = name.split(".")[1:] if two else (_LOOKS[name], "eq")
    params = f"{', i64 %second' if two else ''}, i32 %a{', i32 %b' if _values(name) == 2 else ''}"
    also = "%x = or <8 x i1> %m, zeroinitializer"
    if name == "seek_either":
        also = "%n = icmp eq V %v, %bs\n  %x = or <8 x i1> %m, %n"
    elif two:
        also = (
            "%q0 = add i64 %second, %i\n  %q = getelementptr i32, ptr %S, i64 %q0\n"
            f"  %w = load V, ptr %q, align 4{STATE_TAG}\n  %n = icmp {asked[1]} V %w, %bs\n"
            "  %x = and <8 x i1> %m, %n"
        )
    text = f"""
define internal i64 @rw.{name}(ptr %A, i64 %base, i64 %first, i64 %end{params})
    nounwind willreturn memory(read) {{
  %S = getelementptr i8, ptr %A, i64 {at.STATE}
  %a1 = insertelement V poison, i32 %a, i32 0
  %as = shufflevector V %a1, V poison, <8 x i32> zeroinitializer
  %b1 = insertelement V poison, i32 {"%b" if _values(name) == 2 else "0"}, i32 0
  %bs = shufflevector V %b1, V poison, <8 x i32> zeroinitializer
  %low = icmp sge i64 %first, 0
  %high = icmp slt i64 %first, %end
  %inside = and i1 %low, %high
  br i1 %inside, label %look, label %none
look:
  %i = phi i64 [%first, %0], [%next, %again]
  %p0 = add i64 %base, %i
  %p = getelementptr i32, ptr %S, i64 %p0
  %v = load V, ptr %p, align 4{STATE_TAG}
  %m = icmp {asked[0]} V %v, %as
  {also}
  %bits = bitcast <8 x i1> %x to i8
  %hit = icmp ne i8 %bits, 0
  br i1 %hit, label %found, label %again
again:
  %next = add i64 %i, 8
  %more = icmp slt i64 %next, %end
  br i1 %more, label %look, label %none
found:
  %z = call i8 @llvm.cttz.i8(i8 %bits, i1 true)
  %steps = zext i8 %z to i64
  %place = add i64 %i, %steps
  %within = icmp slt i64 %place, %end
  %given = select i1 %within, i64 %place, i64 %end
  ret i64 %given
none:
  ret i64 %end
}}
"""
    return text.replace("V ", f"{_VECTOR} ").replace("V,", f"{_VECTOR},")


def _values(name: str) -> int:
    return 1 if name in ("seek", "seek_not", "seek_over") else 2


def seekers() -> str:
    """All functions for long rows."""
    return "".join(_text(name) for name in _FUNCTIONS) + FILL + BITS


BITS = "declare i64 @llvm.cttz.i64(i64, i1)\ndeclare i8 @llvm.cttz.i8(i8, i1)\n"


def declared() -> str:
    """For parts that do not hold them."""
    found = [
        f"declare i64 @rw.{name}(ptr, i64, i64, i64{', i64' if name not in _LOOKS else ''}"
        f"{', i32' * _values(name)}) nounwind willreturn memory(read)"
        for name in _FUNCTIONS
    ]
    return "\n".join((*found, "declare void @rw.fill(ptr, i64, i64) nounwind", BITS))
