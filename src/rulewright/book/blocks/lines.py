"""The lines that blocks of a campaign may have: unknown, doubled and misspelt ones are reported.

In:  a block, cut into fields.
Out: problems; which key was probably meant where one is misspelt.
"""

from __future__ import annotations

import re

from rulewright.book.blocks.forms import Field, article
from rulewright.book.blocks.state import Blocks
from rulewright.book.text.lists import well_formed
from rulewright.book.text.source import Definition, Line
from rulewright.diagnostics import nearest, suggest

FIELDS: dict[str, str] = {
    "Actor": "strategy,resources,actions,features,note",
    "Template": "strategy,resources,actions,features,note",
    "Map": "dimensions,origin,picture,legend,regions,deployment zones,"
    "events,event,trigger,effect,features,note",
    "Scene": "body",
    "Ending": "body,note",
    "Strategy": "behavior,priority,when,if,do,then,else,note,plays,prefer,value,body",
    "Action": "range,target,line of sight,limit,features,note,if,do,then,else,declare,requires,let,cost",
    "Reaction": "trigger,range,target,line of sight,limit,features,note,if,do,then,else,declare,requires,"
    "let,cost",
}


def keys_of(c: Blocks, kind: str) -> list[str]:
    """The keys that a block may have: of the language, and those that the framework declares."""
    own = FIELDS.get(kind, "").split(",") if kind in FIELDS else []
    declared = c.kinds.get("Actor" if kind == "Template" else kind)
    return [*own, *(declared.keys if declared else ())]


def check_capitals(c: Blocks, d: Definition) -> None:
    """`if:`, `do:` and so on are written in small letters."""
    for f in d.fields:
        if f.key != f.key.lower() and f.key.lower() in ("if", "do", "then", "else", "when"):
            key = d.key_of(f)
            message, help_ = f"no line is called '{f.key}:'", f"did you mean '{f.key.lower()}:'?"
            c.problem("unknown-field", key, message, help_)


def no_block(c: Blocks, d: Definition) -> None:
    key = re.match(r"([^\W\d_][\w -]*):(?:\s|$)", d.title)
    if key:
        close = nearest(key.group(1), [k for kind in (*FIELDS, *c.kinds) for k in keys_of(c, kind)])
        help_ = f"did you mean '{close}:'?" if close and close != key.group(1).lower() else ""
        c.problem("unknown-field", d.line, f"'{d.title}' belongs to no block", help_)
    else:
        c.problem("unexecutable", d.line, f"'{d.title}' cannot be a name")


def check_keys(c: Blocks, d: Definition) -> None:
    """Keys that the kind does not know, and keys that stand twice."""
    words = keys_of(c, d.kind)
    if not words:
        return
    seen: set[str] = set()
    for f in d.fields:
        low = f.key.lower()
        if low not in words:
            if low == "body":
                for line in f.lines:
                    _stray(c, d, line, words)
                if d.kind == "Action" and any(well_formed(line.text) for line in f.lines):
                    seen = set()  # a name without a blank line before it: what follows is that block's
                    c.rejected.add("action")
                continue
            close = nearest(low, words)
            if close:
                c.meant.add((d.line.number, close))
            key = d.key_of(f)
            c.problem(
                "unknown-field", key, f"{article(d.kind)} has no line '{f.key}:'", suggest(low, words, ":")
            )
        elif d.kind == "Strategy" and low == "behavior":
            seen = set()
        elif low in seen and low not in ("note", "body", "event", "trigger", "effect", "prefer"):
            key = d.key_of(f)
            c.problem("duplicate-name", key, f"'{f.key}:' stands twice in '{d.title}'")
        seen.add(low)


def missing(c: Blocks, d: Definition, f: Field) -> bool:
    """Is a line not there that the kind needs? (Where it is misspelt, that was said.)"""
    said = d.get(f.name, *f.heads)
    if f.optional or (said is not None and said.lines) or c.misspelt(d, f.name.lower()):
        return False
    more = " NAME" if f.shape[:1].isupper() else ""
    c.problem("missing-part", d.line, f"'{d.title}' needs `{f.name}:{more}`")
    return True


def _stray(c: Blocks, d: Definition, line: Line, words: list[str]) -> None:
    key = re.match(r"([^\W\d_][\w -]*):(?:\s|$)", line.text)
    close = nearest(key.group(1).lower(), [w for w in words if w != "body"]) if key else None
    if close:
        c.meant.add((d.line.number, close))
    code = "unknown-field" if key else "unexecutable"
    what = (
        f"{article(d.kind)} has no line '{key.group(1)}:'"
        if key
        else f"'{line.text}' is no line of {article(d.kind)}"
    )
    c.problem(code, line, what, f"did you mean '{close}:'?" if close else "")
