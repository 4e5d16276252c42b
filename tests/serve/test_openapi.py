"""The description at /openapi.json: schemathesis throws at a real server what it allows, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis import checks as known
from schemathesis.core.failures import FailureGroup

from rulewright.serve import api
from rulewright.serve.errors import CODES
from serve.tables_kit import Seats, Web, client, make_app, sqlite_url

CHECKS = [
    known.not_a_server_error,
    known.status_code_conformance,
    known.content_type_conformance,
    known.response_schema_conformance,
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
bounded = settings(
    max_examples=12,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    deadline=None,
    derandomize=True,
)
ADDRESSES = {
    "/api/tables/{id}/seats/{seat}/token",
    "/api/events",
    "/api/tables/known",
    "/api/tables/{id}/continue",
    "/healthz",
    "/metrics",
    "/api/books",
    "/api/books/{name}",
    "/api/tables",
    "/api/tables/{id}",
    "/api/tables/{id}/choices",
    "/api/tables/{id}/undo",
    "/api/tables/{id}/log",
    "/api/tables/{id}/why/{n}",
    "/api/tables/{id}/whynot",
    "/api/tables/{id}/hint",
    "/api/tables/{id}/estimate",
    "/api/tables/{id}/estimates",
    "/api/tables/{id}/odds",
    "/api/tables/{id}/book",
    "/api/tables/{id}/replay",
    "/api/tables/{id}/at/{n}",
    "/api/tables/{id}/turn",
    "/api/tables/{id}/seats/{seat}",
    "/api/tables/{id}/seats/{seat}/take",
}


def test_the_description_names_every_address(http: Web) -> None:
    found = http.get("/openapi.json").json()
    assert set(found["paths"]) == ADDRESSES
    statuses = {str(status) for status, _ in CODES.values()}
    for path in found["paths"].values():
        for operation in path.values():
            assert operation["description"]
            assert statuses <= set(operation["responses"])


def throw(http: Web, ids: list[str], only: str = "") -> int:
    """Every operation, with fitting and with unfitting data, often with the ids of real tables."""
    calls = 0

    def one(case: schemathesis.Case) -> None:
        nonlocal calls
        calls += 1
        if calls % 3 and "id" in case.path_parameters:
            case.path_parameters["id"] = ids[calls % len(ids)]
        case.call_and_validate(checks=CHECKS, timeout=60)

    for found in schemathesis.openapi.from_url(f"{http.url}/openapi.json").get_all_operations():
        operation = found.ok()
        for mode in MODES if operation.path.startswith(only) else ():
            if mode is GenerationMode.POSITIVE or operation.path_parameters or operation.body:
                bounded(given(operation.as_strategy(generation_mode=mode))(one))()
    return calls


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        running, finished = Seats(http), Seats(http, book="coin", seats=[{"kind": "you"}])
        finished.play()
        before = [running.state(seat) for seat in (0, 1, None)]
        assert throw(http, [running.id, finished.id]) > 100
        # Nothing it guessed was a seat's token, so nothing it did can have moved the table.
        assert [running.state(seat) for seat in (0, 1, None)] == before
        assert http.get("/healthz").json() == {"ok": True}


def test_control_schemathesis_finds_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "why", lambda *_: {"text": 1})
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        with pytest.raises(FailureGroup):
            throw(http, [table.id], "/api/tables/{id}/why")
