"""The generator inside the state, and the hash of a state.

In:  seeds, state slots, bytes.
Out: SplitMix64 numbers without bias (Lemire's method), FNV-1a hashes.

Native code has its own copy of these few lines; tests compare the two number by number.

Two kinds of seed. One of 64 bits is all there is to a match: fast, for simulation, and whoever sees enough
dice can work it out. A wide seed, of up to 256 bits, is for tables: before the match begins and before every
choice the generator is set anew from HMAC-SHA-256 of the seed and the number of choices so far. What was seen
then says nothing about what comes after the next choice; only within one choice all dice come from the same
64 bits. Engines know nothing of it: it is poked into the state.
"""

from __future__ import annotations

import hashlib
import hmac

from rulewright.ir.program import RNG_HI, RNG_LO

MASK = (1 << 64) - 1
LOW = (1 << 32) - 1
GAMMA = 0x9E3779B97F4A7C15
WIDEST = 256
"""Bits of the widest seed."""
LARGEST_DIE = 1 << 32
"""A draw is one of so many numbers at most."""


def finalize(z: int) -> int:
    """SplitMix64's mixing step: nearby numbers become unrelated ones."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def signed(half: int) -> int:
    """32 bits as a slot holds them."""
    return half - (1 << 32) if half >= 1 << 31 else half


def seed_halves(seed: int) -> tuple[int, int]:
    """What RNG_LO and RNG_HI hold at the start of a match with this seed."""
    state = finalize(seed & MASK)
    return signed(state & LOW), signed(state >> 32)


def is_wide(seed: int) -> bool:
    """Whether it is a seed for a table."""
    return seed > MASK


def step_seed(seed: int, choices: int) -> int:
    """The 64 bits that dice come from after so many choices."""
    if not is_wide(seed):
        return seed
    message = b"rulewright dice %d" % choices
    return int.from_bytes(hmac.digest(seed.to_bytes(WIDEST // 8, "big"), message, "sha256")[:8], "big")


def commitment(seed: int) -> str:
    """What is told of a seed at the opening: it fits this seed and, for all anybody knows, no other."""
    number = seed.to_bytes(WIDEST // 8, "big", signed=seed < 0)
    return hashlib.sha256(b"rulewright seed " + number).hexdigest()


def draw(slots: list[int], n: int) -> int:
    """A uniform number from 0 to n - 1, moving the generator in the slots on."""
    found, state = draw_from(((slots[RNG_HI] & LOW) << 32) | (slots[RNG_LO] & LOW), n)
    slots[RNG_LO], slots[RNG_HI] = signed(state & LOW), signed(state >> 32)
    return found


def draw_from(state: int, n: int) -> tuple[int, int]:
    """A uniform number from 0 to n - 1 from a generator that stands at `state`, and where it stands then."""
    threshold = -1
    while True:
        state = (state + GAMMA) & MASK
        product = (finalize(state) >> 32) * n
        low = product & LOW
        if low < n and threshold < 0:
            threshold = ((1 << 32) - n) % n
        if low >= n or low >= threshold:
            return product >> 32, state


def fnv1a(data: bytes) -> int:
    """64-bit FNV-1a."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value
