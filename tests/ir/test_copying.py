"""Copies of functions in their callers stay within a budget."""

from __future__ import annotations

from rulewright.ir.copying import GROWTH, copied
from rulewright.ir.nodes import Function
from rulewright.native.module import size_of
from small_programs import functions


def whole(made: dict[str, Function], small: set[str], name: str) -> int:
    """How large a function is when everything that is copied into it is."""
    calls = [other for other in made if f"Call(name='{other}'" in repr(made[name].body)]
    assert len(calls) <= 1
    twice = repr(made[name].body).count("Call(")
    return size_of(made[name]) + sum(twice * whole(made, small, other) for other in calls if other in small)


def test_functions_that_call_the_next_twice_do_not_grow_without_end() -> None:
    count = 40
    text = "".join(f"def f{k}():\n    return f{k + 1}() + f{k + 1}()\n\n" for k in range(count))
    made = dict(functions(text + f"def f{count}():\n    return 1\n"))
    sizes = {name: size_of(function) for name, function in made.items()}
    small = copied(made, sizes, (), 20)
    assert len(small) > count / 2, "each is small by itself, and most are copied"
    assert max(whole(made, small, name) for name in made) <= 3 * GROWTH * 20


def test_what_is_large_or_calls_itself_is_not_copied() -> None:
    made = functions("def f():\n    return f()\n\ndef g():\n    return h() + 1\n\ndef h():\n    return 2\n")
    sizes = {"f": 2, "g": 3, "h": 99}
    assert copied(made, sizes, {"f"}, 20) == {"g"}
