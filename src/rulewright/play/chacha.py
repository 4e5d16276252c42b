"""ChaCha20: the generator of tables, whose numbers nobody can foretell.

In:  a key of 256 bits, the number of a block.
Out: the sixteen 32-bit words of that block.

D. J. Bernstein's cipher as it is used for streams: 20 rounds, a 64-bit count of blocks, a nonce of 0 (a key
is used for one match and no other). Where the count fits 32 bits it gives what RFC 8439 says; tests compare.
No way is known to tell its words from chance without the key, let alone to wind it back. Native code has the
same rounds in `native.chacha`. A block takes Python a fraction of a millisecond, so the last ones are kept.
"""

from __future__ import annotations

import functools
import struct

CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
WORDS = 16
"""Of a block."""
ROUNDS = 10
"""Of the eight quarters below: twenty rounds, as each column round is followed by a diagonal one."""
QUARTERS = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)
KEY_BYTES = 32
_MASK = 0xFFFFFFFF


@functools.lru_cache(maxsize=256)
def block(key: bytes, number: int) -> tuple[int, ...]:
    """The words of one block."""
    start = (*CONSTANTS, *struct.unpack("<8I", key), number & _MASK, number >> 32 & _MASK, 0, 0)
    words = list(start)
    for _ in range(ROUNDS):
        for a, b, c, d in QUARTERS:
            for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                words[first] = words[first] + words[second] & _MASK
                mixed = words[third] ^ words[first]
                words[third] = (mixed << turn | mixed >> 32 - turn) & _MASK
    return tuple(word + begun & _MASK for word, begun in zip(words, start, strict=True))


def word(key: bytes, position: int) -> int:
    """Word number `position` of everything the key gives."""
    return block(key, position // WORDS)[position % WORDS]
