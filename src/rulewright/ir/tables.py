"""The tables of a Program as JSON, and back.

In:  the frozen dataclasses of `ir.sheet` and the plain fields of `ir.program`.
Out: JSON-able values, and the same dataclasses rebuilt from them by their annotations.

One generic decoder, because a table that is added to the sheet must not need a second place to edit.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def encode(value: Any) -> Any:
    """A dataclass, tuple or dict as JSON values. Fields that hold their default are left out."""
    if isinstance(value, int | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            item: Any = getattr(value, field.name)
            default: Any = field.default
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            if item != default:
                found[field.name] = encode(item)
        return found
    if isinstance(value, tuple | list):
        return [encode(item) for item in cast("tuple[Any, ...]", value)]
    if isinstance(value, dict):
        return {key: encode(item) for key, item in cast("dict[str, Any]", value).items()}
    return value


def decode(kind: type[T], value: Any) -> T:
    """Rebuild what `encode` wrote. Raises ValueError when the value does not fit the kind."""
    return cast(T, _decode(kind, value))


def checked(value: T) -> T:
    """A table that was made by hand, read back: what it holds is what its kind says. Raises ValueError."""
    return decode(type(value), encode(value))


def is_text(value: str) -> bool:
    """Whether it can be written to a file: half a character cannot."""
    return not any("\ud800" <= char <= "\udfff" for char in value)


def _decode(kind: Any, value: Any) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, value)
    if origin is tuple:
        items = cast("list[Any]", _expect(list, value))
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_decode(args[0], item) for item in items)
        if len(items) != len(args):
            raise ValueError(f"expected {len(args)} values, found {len(items)}")
        return tuple(_decode(arg, item) for arg, item in zip(args, items, strict=True))
    if origin is dict:
        table = cast("dict[str, Any]", _expect(dict, value))
        return {_decode(args[0], key): _decode(args[1], item) for key, item in table.items()}
    if origin in (Union, types.UnionType):
        for option in args:
            try:
                return _decode(option, value)
            except ValueError:
                continue
        raise ValueError(f"{type(value).__name__} fits none of {kind}")
    if kind is type(None):
        return _expect(type(None), value)
    if kind is int and isinstance(value, bool):
        raise ValueError("expected int, found bool")
    return _expect(kind, value)


def _dataclass(kind: Any, value: Any) -> Any:
    table = cast("dict[str, Any]", _expect(dict, value))
    hints = get_type_hints(kind)
    unknown = table.keys() - hints.keys()
    if unknown:
        raise ValueError(f"{kind.__name__} has no '{min(unknown)}'")
    try:
        return kind(**{name: _decode(hints[name], item) for name, item in table.items()})
    except TypeError as error:
        raise ValueError(f"{kind.__name__}: {error}") from None


def _expect(kind: type[Any], value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"expected {kind.__name__}, found {type(value).__name__}")
    if isinstance(value, str) and not value.isascii() and not is_text(value):
        raise ValueError("it holds half a character")
    return value
