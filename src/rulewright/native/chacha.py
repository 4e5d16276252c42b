"""ChaCha20 in LLVM text, for the dice of tables.

In:  the same rounds as `play.chacha`.
Out: `@rw.keyed`: a number below n from a key and a position in what it gives, and the position after it.

It touches no memory but its own: the key comes in four words and the position goes out, so that code which
might call it, and in a simulation never does, keeps what it has in registers.
"""

from __future__ import annotations

from rulewright.play.chacha import CONSTANTS, QUARTERS, ROUNDS

KEYS = ", ".join(f"i64 %k{n}" for n in range(4))


def _signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word


def _begun() -> list[str]:
    """The sixteen words a block starts from."""
    lines: list[str] = []
    for n, word in enumerate(CONSTANTS):
        lines.append(f"%s{n} = add i32 0, {_signed(word)}")
    for n in range(4):
        lines += [
            f"%s{4 + 2 * n} = trunc i64 %k{n} to i32",
            f"%h{n} = lshr i64 %k{n}, 32",
            f"%s{5 + 2 * n} = trunc i64 %h{n} to i32",
        ]
    lines += ["%s12 = trunc i64 %block to i32", "%upper = lshr i64 %block, 32"]
    return [*lines, "%s13 = trunc i64 %upper to i32", "%s14 = add i32 0, 0", "%s15 = add i32 0, 0"]


def _rounds() -> tuple[list[str], list[str]]:
    """Two rounds, and the names of the words after them."""
    names = [f"%w{n}" for n in range(16)]
    lines: list[str] = []
    for place in QUARTERS:
        a, b, c, d = place
        for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            step = f"{len(lines)}"
            lines.append(f"%a{step} = add i32 {names[first]}, {names[second]}")
            lines.append(f"%x{step} = xor i32 {names[third]}, %a{step}")
            lines.append(f"%t{step} = call i32 @llvm.fshl.i32(i32 %x{step}, i32 %x{step}, i32 {turn})")
            names[first], names[third] = f"%a{step}", f"%t{step}"
    return lines, names


def chacha() -> str:
    """All of it."""
    mixed, names = _rounds()
    phis = [f"%w{n} = phi i32 [%s{n}, %entry], [{names[n]}, %again]" for n in range(16)]
    sums = [
        line
        for n in range(16)
        for line in (
            f"%z{n} = add i32 {names[n]}, %s{n}",
            f"%p{n} = getelementptr i32, ptr %words, i64 {n}",
            f"store i32 %z{n}, ptr %p{n}",
        )
    ]
    body = [
        "entry:",
        "%words = alloca [16 x i32]",
        "%block = lshr i64 %position, 4",
        *_begun(),
        "br label %again",
        "again:",
        "%round = phi i32 [0, %entry], [%next, %again]",
        *phis,
        *mixed,
        "%next = add i32 %round, 1",
        f"%more = icmp ult i32 %next, {ROUNDS}",
        "br i1 %more, label %again, label %done",
        "done:",
        *sums,
        "%index = and i64 %position, 15",
        "%place = getelementptr i32, ptr %words, i64 %index",
        "%found = load i32, ptr %place",
        "%word = zext i32 %found to i64",
        "ret i64 %word",
    ]
    text = "\n  ".join(body)
    return f"""
declare i32 @llvm.fshl.i32(i32, i32, i32)
define internal i64 @rw.word(i64 %position, {KEYS}) noinline cold nounwind memory(none) {{
{text}
}}
{_KEYED}"""


_KEYED = f"""
define internal {{i64, i64}} @rw.keyed(i64 %position, i64 %n, {KEYS}) noinline cold nounwind memory(none) {{
entry:
  %room = sub i64 4294967296, %n
  %least = urem i64 %room, %n
  br label %draw
draw:
  %at = phi i64 [%position, %entry], [%after, %draw]
  %after = add i64 %at, 1
  %r = call i64 @rw.word(i64 %at, {KEYS})
  %m = mul i64 %r, %n
  %low = and i64 %m, 4294967295
  %redraw = icmp ult i64 %low, %least
  br i1 %redraw, label %draw, label %done
done:
  %face = lshr i64 %m, 32
  %half = insertvalue {{i64, i64}} poison, i64 %face, 0
  %pair = insertvalue {{i64, i64}} %half, i64 %after, 1
  ret {{i64, i64}} %pair
}}
"""
