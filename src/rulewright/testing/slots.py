"""Names for slots and sites, for people who read a report.

In:  a Program and a number.
Out: words.
"""

from __future__ import annotations

from rulewright.ir import program as header
from rulewright.ir.program import Program
from rulewright.ir.sheet import Field

_HEADER = {
    getattr(header, name): name
    for name in (
        *("PC", "FP", "SP", "RNG_LO", "RNG_HI", "STATUS", "SEAT", "PROMPT", "RESUME", "CHOSEN"),
        *("UNWIND", "RV", "DECISIONS", "FAULT", "SEATS", "STACK_END"),
    )
}


def slot_name(program: Program, slot: int) -> str:
    """What a slot holds, as far as the sheet tells."""
    if slot < header.HEADER:
        return f"slot {slot} ({_HEADER.get(slot, 'header')})"
    if slot >= program.stack_base:
        return f"slot {slot} (stack + {slot - program.stack_base})"
    for field in program.sheet.fields:
        owner = slot - field.base
        if 0 <= owner < _cells(field):
            return f"slot {slot} ({field.name}{f' of {owner}' if field.of else ''})"
    for zone in program.sheet.zones:
        owners = len(program.sheet.things.get(zone.of, ())) if zone.of else 1
        if zone.base <= slot < zone.base + max(1, owners) * max(zone.stride, zone.capacity + 1):
            return f"slot {slot} (zone {zone.name})"
    return f"slot {slot}"


def place_of(program: Program, site: int) -> str:
    """The line of the book, or nothing."""
    if not 0 < site < len(program.sheet.sites):
        return ""
    found = program.sheet.sites[site]
    return f"{found.file}:{found.line}"


def _cells(field: Field) -> int:
    count = 1
    for owners in field.counts:
        count *= owners
    return count
