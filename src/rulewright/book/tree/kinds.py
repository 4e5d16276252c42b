"""The kinds of things that the language has in every book, and what differs between them.

In:  nothing.
Out: KINDS, by name. Whoever treats one kind in another way than the rest asks its row here for what makes it
     different; how many there are of each and what they are called is in `book.box`. A kind that has no row
     is a list of the book's own words.
"""

from __future__ import annotations

from dataclasses import dataclass

NUMBER = "number"
ACTOR, CARD, SPACE, FACE, SIDE, LINE, PATH, DIRECTION, PLACE = (
    "Actor", "Card", "Space", "Face", "Side", "Line", "Path", "Direction", "Place",
)  # fmt: skip
STATUS, TERRAIN, SEAT = "Status", "Terrain", "Seat"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing."""

    name: str
    nouns: str = ""
    """Words for one and for several of them, as `one/several`; further words for the same after them."""
    nature: str = ""
    """The kind whose words and columns say what one is like, if not its own: a card is of a face."""
    printed: str = ""
    """The field that holds which of these it is; less than 0 while there is no such thing."""
    there: str = ""
    """The field that is more than 0 while one is somewhere."""
    bearer: str = ""
    """Who bears the rules of such things, where they are called by a name of their own."""
    local: str = ""
    """That name."""
    passing: bool = False
    """They are only what they are within one match."""
    carried: bool = False
    """Numbers of one can be carried over into a later match, all the same."""
    owned: bool = False
    """Each is somebody's."""
    piled: bool = False
    """They lie in zones, and moving one is moving it to another."""
    unnamed: bool = False
    """Which of them it is says nothing: what it is like does."""
    countless: bool = False
    """There are too many of them for a mark each."""


KINDS = {
    kind.name: kind
    for kind in (
        Kind(ACTOR, "actor/actors ally/allies enemy/enemies", passing=True, carried=True),
        Kind(
            CARD, "card/cards", nature=FACE, printed="!face", there="!zone", bearer="face", local="card",
            passing=True, carried=True, owned=True, piled=True, unnamed=True, countless=True,
        ),
        Kind(
            SPACE, "space/spaces/tile/tiles", nature=TERRAIN, printed="!terrain",
            passing=True, countless=True,
        ),
        Kind(LINE, "line"),
        Kind(PATH),
        Kind(PLACE, "place/places"),
        Kind(FACE, "face/faces"),
        Kind(SIDE, "side/sides", passing=True),
        Kind(DIRECTION, "direction/directions"),
        Kind(TERRAIN),
        Kind(STATUS, "status/statuses"),
    )
}  # fmt: skip
NOUNS = {
    word: (words.split("/")[0], kind.name)
    for kind in KINDS.values()
    for words in kind.nouns.split()
    for word in words.split("/")
}
"""Nouns that every book knows: the same in the singular, and what they are nouns of."""


def kind_of(name: str) -> Kind:
    """What is particular about a kind; nothing about a list of the book's own."""
    return KINDS.get(name) or Kind(name)


def nature(kind: str) -> str:
    """The kind whose words and columns describe one of this kind; most describe themselves."""
    return kind_of(kind).nature or kind


def locals_of(bearer: str | None = None) -> dict[str, str]:
    """What the rules of a bearer call the thing that bears them; or whatever any rules do."""
    return {k.local: k.name for k in KINDS.values() if k.local and bearer in (None, k.bearer)}
