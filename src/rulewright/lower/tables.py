"""Tables -> functions: which row it is, what its columns say, what its effect does.

In:  a Table, checked.
Out: a function that picks a row and runs its effect; row_T for what is read from a table.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.dispatch import NUMBERS, block, lowers, number, thing
from rulewright.lower.terms import signature
from rulewright.lower.writer import Writer, absent, both, call, equal, local, param


def table_function(b: Builder, c: t.Component) -> None:
    """Pick a row, log its name, run its effect."""
    assert c.table is not None
    with b.function(b.name_of(c), signature(c), c.definition) as w:
        w.assign("row", _row(b, w, c))
        for i, row in enumerate(c.table.rows):
            with w.if_(equal(local("row"), i)):
                w.site = b.site(row.line, c.definition)
                if row.name:
                    w.event(ev.SAY, b.text(row.name))
                block(b, w, row.effect)
        w.give(0)


def _row(b: Builder, w: Writer, c: t.Component) -> n.Expr:
    """The row now; rolling if the table rolls."""
    table = c.table
    assert table is not None
    picked = table.rolls if table.rolls is not None else table.reads
    value = w.temp(number(b, w, picked), "roll") if picked is not None else ""
    key = w.temp(thing(b, w, table.keyed), "key") if table.keyed is not None else ""
    w.assign("found", -1)
    for i, row in enumerate(table.rows):
        tests: list[n.Expr] = []
        if value:
            if row.low > -(10**6):
                tests.append(local(value) >= _bound(b, row.low, c, row))
            if row.high < 10**6:
                tests.append(local(value) <= _bound(b, row.high, c, row))
        if key:
            tests.append(equal(local(key), row.key if row.key is not None else -1))
        tests.append(absent(local("found")))
        with w.if_(both(tests)):
            w.assign("found", i)
    return local("found")


def _bound(b: Builder, value: int, c: t.Component, row: t.TableRow) -> n.Expr:
    return param(b.layout.number(value, f"{c.name} line {row.line}"))


def row_function(b: Builder, component: t.Component) -> str:
    """row_T(self): the row that a reading table has now."""
    return b.once("row_" + b.name_of(component), ("self",), lambda w: w.give(_row(b, w, component)))


@lowers(NUMBERS, t.ReadTable)
def table_column(b: Builder, w: Writer, e: t.ReadTable) -> n.Expr:
    """`[Outcome Damage]`: the column of the current row."""
    table, column = e.table, e.column
    assert table.table is not None
    key = (f"table {id(table)}", column)
    if key not in b.layout.columns:
        b.layout.columns[key] = len(b.layout.params)
        for value in table.table.columns[column].values:
            b.layout.number(value, f"{column} of {table.name}")
    row = b.closure("row", lambda c: c.give(_row(b, c, table)), w.site)
    return call("entry", b.layout.columns[key], row, 0)
