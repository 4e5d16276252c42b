"""docs/http.md says what the server does: addresses, codes, and every example is run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rulewright.serve.errors import CODES
from serve.tables_kit import Web

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http.md").read_text("utf-8")


def fits(found: Any, said: Any) -> bool:
    """`...` stands for anything: a value, further keys, further items."""
    if said == "...":
        return True
    if isinstance(said, dict):
        more = "..." in said
        keys = set(said) - {"..."}
        return (
            isinstance(found, dict)
            and (set(found) >= keys if more else set(found) == keys)
            and all(fits(found[key], said[key]) for key in keys)
        )
    if isinstance(said, list):
        if not isinstance(found, list):
            return False
        if said and said[-1] == "..." and len(said) > 1:
            return len(found) >= len(said) - 1 and all(map(fits, found, said[:-1]))
        return len(found) == len(said) and all(map(fits, found, said))
    return type(found) is type(said) and found == said


def test_every_address_has_a_section(http: Web) -> None:
    paths = http.get("/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    there |= {"GET /openapi.json", "WebSocket /api/tables/{id}/live"}
    assert set(re.findall(r"^### (.*)$", PAGE, re.M)) == there


def test_every_code_has_a_row() -> None:
    rows = {
        code: (int(status), text)
        for code, status, text in re.findall(r"^\| `(\S+/\S+)` \| (\d+) \| (.*?) \|$", PAGE, re.M)
    }
    assert rows == dict(CODES)


def test_every_example_is_what_happens(http: Web) -> None:
    examples = re.findall(r"^```http\n(.*?)^```$", PAGE, re.M | re.S)
    assert len(examples) > 12
    names: dict[str, str] = {}
    for example in examples:
        request, _, answer = example.partition("\n\n")
        first, _, body = request.partition("\n")
        for name, value in names.items():
            first, body = first.replace(name, value), body.replace(name, value)
        method, _, path = first.partition(" ")
        sent = {"content": body, "headers": {"content-type": "application/json"}} if body else {}
        got = http.request(method, path, **sent)
        status, _, said = answer.partition("\n")
        assert got.status_code == int(status), (first, got.text)
        assert fits(got.json(), json.loads(said)), (first, got.text)
        if got.status_code == 201:
            made = got.json()
            names = {"TABLE": made["table"], "TOKEN": made["seats"][0]["token"]}


def test_control_examples_that_differ_are_caught() -> None:
    assert fits({"a": 1, "b": [1, 2]}, {"a": "...", "b": [1, "..."]})
    assert fits({"a": 1, "b": 2}, {"a": 1, "...": "..."})
    assert not fits({"a": 1, "b": 2}, {"a": 1})
    assert not fits({"a": 1}, {"a": 1, "b": "..."})
    assert not fits({"a": 1}, {"a": True})
    assert not fits([1, 2], [1])
    assert not fits([], [1, "..."])
    assert not fits(None, {})
