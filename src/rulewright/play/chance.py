"""The generator inside the state, and the hash of a state.

In:  seeds, state slots, bytes.
Out: SplitMix64 or ChaCha20 numbers without bias (Lemire's method), FNV-1a hashes.

Native code has its own copy of these few lines; tests compare the two number by number.

Two kinds of seed. One of 64 bits is all there is to a match: fast, for simulation, and whoever sees enough
dice can work it out. A wide seed, of up to 256 bits, is for tables: it is the key of ChaCha20 (see `chacha`),
every draw takes the next of its 32-bit words, and the slots of the generator count how many were taken. The
key itself is no part of the state: an engine is told it (`Engine.dice`), and who sees a state, even all of
it, learns nothing about the dice to come.
"""

from __future__ import annotations

import hashlib

from rulewright.ir.program import RNG_HI, RNG_LO
from rulewright.play.chacha import KEY_BYTES, word

MASK = (1 << 64) - 1
LOW = (1 << 32) - 1
GAMMA = 0x9E3779B97F4A7C15
WIDEST = 8 * KEY_BYTES
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
    state = finalize(seed & MASK) if not is_wide(seed) else 0
    return signed(state & LOW), signed(state >> 32)


def is_wide(seed: int) -> bool:
    """Whether it is a seed for a table."""
    return seed > MASK


def key_of(seed: int) -> bytes | None:
    """The key that a wide seed is; None for a seed of 64 bits."""
    return seed.to_bytes(KEY_BYTES, "big") if is_wide(seed) else None


def commitment(seed: int) -> str:
    """What is told of a seed at the opening: it fits this seed and, for all anybody knows, no other."""
    number = seed.to_bytes(KEY_BYTES, "big", signed=seed < 0)
    return hashlib.sha256(b"rulewright seed " + number).hexdigest()


def draw(slots: list[int], n: int) -> int:
    """A uniform number from 0 to n - 1, moving the generator in the slots on."""
    found, state = draw_from(((slots[RNG_HI] & LOW) << 32) | (slots[RNG_LO] & LOW), n)
    slots[RNG_LO], slots[RNG_HI] = signed(state & LOW), signed(state >> 32)
    return found


def draw_keyed(slots: list[int], key: bytes, n: int) -> int:
    """The same from a key, of which the slots say how many words were used."""
    position = ((slots[RNG_HI] & LOW) << 32) | (slots[RNG_LO] & LOW)
    threshold = ((1 << 32) - n) % n
    while True:
        product = word(key, position) * n
        position = (position + 1) & MASK
        if product & LOW >= threshold:
            slots[RNG_LO], slots[RNG_HI] = signed(position & LOW), signed(position >> 32)
            return product >> 32


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
