"""The description at /openapi.json: schemathesis throws what it allows, and what it does not, at a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.openapi.checks import (
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from rulewright.serve.errors import CODES
from serve.tables_kit import NAMES, OPEN, Seats, Web, client, make_app, program, sqlite_url

EXAMPLES = 15


def test_the_description_names_every_address(http: Web) -> None:
    found = http.get("/openapi.json").json()
    assert set(found["paths"]) == {
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
        "/api/tables/{id}/book",
        "/api/tables/{id}/replay",
        "/api/tables/{id}/at/{n}",
    }
    statuses = {str(status) for status, _ in CODES.values()}
    for path in found["paths"].values():
        for operation in path.values():
            assert operation["description"] or operation["summary"]
            assert statuses <= set(operation["responses"])


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    """Every operation, with fitting and with unfitting data, and with the ids and tokens of a real table."""
    with client(make_app(sqlite_url(tmp_path))) as http:
        running, finished = Seats(http), Seats(http, book="coin", seats=[{"kind": "you"}])
        finished.play()
        before = [running.state(seat) for seat in (0, 1, None)]
        schema = schemathesis.openapi.from_url(f"{http.url}/openapi.json")
        calls = 0

        def one(case: schemathesis.Case) -> None:
            nonlocal calls
            calls += 1
            table = running if calls % 2 else finished
            if calls % 3 and "id" in case.path_parameters:
                case.path_parameters["id"] = table.id
                if calls % 4 == 0 and "{n}" in case.path:
                    case.path_parameters["n"] = calls % 7
            case.call_and_validate(
                headers={"connection": "close"},
                checks=[not_a_server_error, status_code_conformance, response_schema_conformance],
                timeout=60,
            )

        for found in schema.get_all_operations():
            operation = found.ok()
            test = settings(
                max_examples=EXAMPLES,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
                deadline=None,
                derandomize=True,
            )(schemathesis_test(operation, one))
            test()
        assert calls > 14 * EXAMPLES / 2
        # Nothing it guessed was a seat's token, so nothing it did can have moved the table.
        assert [running.state(seat) for seat in (0, 1, None)] == before
        assert http.get("/healthz").json() == {"ok": True}


def schemathesis_test(operation, one):
    from hypothesis import given
    from schemathesis import GenerationMode

    modes = [operation.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)]
    strategy = modes[0] | modes[1]

    @given(case=strategy)
    def run(case):
        one(case)

    return run


def test_tables_that_schemathesis_would_have_to_guess(http: Web) -> None:
    """Requests that fit the description but no table get one of the described errors."""
    schema = http.get("/openapi.json").json()
    assert schema["components"]["schemas"]["Problem"]["required"] == ["error", "message"]
    assert negative_data_rejection is not None
    assert OPEN.rate == 0
    assert program(NAMES[0]).digest
    assert pytest is not None
