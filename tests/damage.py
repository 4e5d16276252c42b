"""Damage a book in reproducible ways: bytes, words, lines, blocks.

In:  the text of a book and a number; or all files of a book, of which one is damaged.
Out: another text, the same for the same number.
"""

from __future__ import annotations

import random
from pathlib import Path

SIGNS = '[](){}#:;,."=+-*/<>|`1d0x \n\t'


def damaged(text: str, number: int) -> str:
    """One to four mutations."""
    chance = random.Random(number)
    for _ in range(chance.randint(1, 4)):
        text = _once(text, chance)
    return text


def hit(home: Path, number: int) -> tuple[Path, str]:
    """Which file of a book is damaged, longer ones more often, and its text then."""
    files = sorted(home.glob("**/*.md"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    at = random.Random(-1 - number).choices(range(len(files)), [len(text) for text in texts])[0]
    return files[at], damaged(texts[at], number)


def _once(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    other = chance.randrange(len(lines))
    match chance.randrange(10):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = "  " * chance.randrange(4) + lines[at].lstrip()
        case 4:
            words = lines[at].split(" ")
            chance.shuffle(words)
            lines[at] = " ".join(words)
        case 5:
            words = lines[at].split(" ")
            words[chance.randrange(len(words))] = chance.choice(text.split() or [""])
            lines[at] = " ".join(words)
        case 6:
            low, high = sorted((at, other))
            del lines[low : min(high, low + 30)]
        case _:
            position = chance.randrange(len(text)) if text else 0
            made = chance.choice(SIGNS) if chance.random() < 0.7 else chr(chance.randrange(1, 0x2FF))
            return text[:position] + made + text[position + chance.randrange(3) :]
    return "\n".join(lines)
