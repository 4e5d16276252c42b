"""What cards and laid spaces were called while a choice was carried out.

In:  the state before a choice, the events that it caused, the state after it.
Out: for each event the numbers of a state in which things have the names that they had then.

Most names never change. But a card that goes back into the box has no face any more, and spaces that are
taken up may lie elsewhere later: an event that stands before that is named as before the choice. Whoever may
read the event has been told which card it is; what it was called then is no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import Field
from rulewright.play.knowledge import find_field

NOBODY = -1
"""A card without a face; in a laying, all spaces at once."""


class Called:
    """Remembers what things were called at the last decision of one match."""

    def __init__(self, program: Program) -> None:
        self.faces = find_field(program, "Card", "face")
        places = (find_field(program, "Space", name) for name in ("x", "y"))
        self.places = [field for field in places if field is not None]
        self.before: dict[int, Sequence[int]] = {}
        """By the base of a field, its numbers."""

    @property
    def changes(self) -> bool:
        """Whether anything may be called otherwise later."""
        return self.faces is not None or bool(self.places)

    def learn(self, slots: Sequence[int]) -> None:
        """What things are called from now on."""
        fields = [*self.places, self.faces] if self.faces else self.places
        self.before = {field.base: tuple(slots[_range(field)]) for field in fields}

    def then(self, events: Sequence[Event], slots: Sequence[int]) -> list[Sequence[int]]:
        """The numbers to name each event with; `slots` are those after all of them."""
        if not self.before or not any(self._ends(event) for event in events):
            return [slots] * len(events)
        found: list[Sequence[int]] = []
        now = slots
        for count in range(len(events), 0, -1):
            if self._ends(events[count - 1]):
                now = self._restored(events[:count], now)
            found.append(now)
        return found[::-1]

    def _ends(self, event: Event) -> bool:
        """Whether something loses its name with this event."""
        if event.kind == kinds.CARD:
            return self.faces is not None and event.a >= 0 and event.c <= 0
        return event.kind == kinds.LAY and event.a < 0 and bool(self.places)

    def _restored(self, events: Sequence[Event], now: Sequence[int]) -> Sequence[int]:
        """With the names from before the last of these events. A space that was laid by one of them had no
        name before it."""
        made, event = list(now), events[-1]
        if event.kind == kinds.CARD and self.faces is not None:
            face = self.before[self.faces.base][event.a]
            if face != NOBODY:
                made[self.faces.base + event.a] = face
        if event.kind == kinds.LAY:
            laid = {one.a for one in events if one.kind == kinds.LAY}
            for field in self.places:
                for space, value in enumerate(self.before[field.base]):
                    if space not in laid:
                        made[field.base + space] = value
        return made


def _range(field: Field) -> slice:
    return slice(field.base, field.base + prod(field.counts))
