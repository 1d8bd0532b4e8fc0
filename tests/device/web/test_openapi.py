"""The server against its own description: what may be sent is answered as it says, and nothing is left unsaid."""

from __future__ import annotations

import json
from typing import Any

import pytest
from at_the_door import START, came_in, own_screen
from hypothesis import HealthCheck, Phase, given, settings
from starlette.routing import Route
from starlette.testclient import TestClient

from device.snapshot import Eye
from device.table import Table
from device.web.app import Web
from device.web.site import HERE
from scorer.games import NAMES
from scorer.wire import _KINDS

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install -e .[dev]")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")
jsonschema_rs = pytest.importorskip("jsonschema_rs", reason="comes with schemathesis")

DESCRIBED = json.loads((HERE / "openapi.json").read_text("utf-8"))
ONCE = settings(
    max_examples=12,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def validator(name: str) -> Any:
    return jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": DESCRIBED["components"]})


def operations(*modes: str, path: str = "/api") -> list[Any]:
    """All but the stream, which has no end; what is sent wrongly only where anything is sent."""
    schema = schemathesis.openapi.from_dict(DESCRIBED)
    found = []
    for result in schema.exclude(path="/api/v1/stream").get_all_operations():
        operation = result.ok()
        sends = list(operation.query) or list(operation.body)
        for mode in modes:
            if operation.path.startswith(path) and (sends or mode == "positive"):
                strategy = operation.as_strategy(generation_mode=schemathesis.GenerationMode(mode))
                found.append(pytest.param(strategy, id=f"{operation.method} {operation.path} {mode}"))
    return found


def answered(case: Any, client: TestClient) -> None:
    """Ask what `case` says and hold the answer against the description.

    The rules ask for more than a schema can say (two players of one name), so what fits it may still be refused; and
    who asks is up to `client`.
    """
    sent = case.as_transport_kwargs(base_url=str(client.base_url))
    sent.pop("cookies", None)
    answer = client.request(sent.pop("method"), sent.pop("url"), **sent)
    case.validate_response(answer, excluded_checks=[checks.positive_data_acceptance, checks.ignored_auth])


@pytest.mark.parametrize("strategy", operations("positive", "negative"))
def test_a_stranger_is_answered_as_described(web: Web, table: Table, strategy: Any) -> None:
    client = own_screen(web)

    @ONCE
    @given(strategy)
    def ask(case: Any) -> None:
        answered(case, client)

    ask()
    assert table.now.seq == 0


@pytest.mark.parametrize(
    "strategy",
    [*operations("positive", "negative", path="/api/v1/events"), *operations("positive", path="/api/v1/me")],
)
def test_a_player_is_answered_as_described(web: Web, table: Table, strategy: Any) -> None:
    client = came_in(own_screen(web))
    table.say(START)
    table.saw_throw((1, 4, 5))

    @ONCE
    @given(strategy)
    def ask(case: Any) -> None:
        if isinstance(case.body, dict) and isinstance(case.body.get("seq"), int) and case.body["seq"] % 2:
            case.body["seq"] = table.now.seq  # else nearly all would be stale
        answered(case, client)

    ask()


def test_everything_served_is_described_and_the_other_way_round(web: Web) -> None:
    served = {
        (route.path, method.lower())
        for route in web.app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if route.path.startswith("/api/") and method != "HEAD"
    }
    described = {(path, method) for path, methods in DESCRIBED["paths"].items() for method in methods}
    assert served == described


def test_every_state_is_as_described(client: TestClient, table: Table) -> None:
    fits = validator("State")
    fits.validate(client.get("/api/v1/state").json())
    for game in NAMES:
        for do in (
            lambda game=game: table.say({**START, "game": game}),
            lambda: table.saw_throw((2, 2, 3)),
            lambda: table.saw_throw((4, 5), outside=1),
            lambda: table.saw_throw((4, 5)),
            lambda: table.saw_unsure(["cocked"], (1, None), missing=1),
            lambda: table.look(Eye.LOST, "frozen"),
            lambda: table.say({"do": "end"}),
        ):
            do()
            told = client.get("/api/v1/state").json()
            fits.validate(told)
    validator("History").validate(client.get("/api/v1/history").json())


def test_every_event_word_is_described(client: TestClient) -> None:
    fits = validator("Event")
    for event in (*EVENTS, {"do": "no_throw"}, {"do": "give_on"}, {"do": "thrown_by", "player": "Ann"}, SEAT):
        fits.validate({**event, "seq": 3})
    for wrong in (
        {"do": "fly", "seq": 1},
        {"do": "throw", "seq": 1},
        {"do": "stop"},
        {"do": "throw", "dice": [7], "seq": 1},
    ):
        assert not fits.is_valid(wrong)
    assert {event["do"] for event in EVENTS} == set(_KINDS)


SEAT = {"do": "seat", "player": "Ann", "degrees": 90}
EVENTS: list[dict[str, Any]] = [
    {**START, "strokes": {"Ann": 3}, "seats": {"Ann": 90}, "options": {"strokes": 7}, "preset": "vlaams"},
    {"do": "throw", "dice": [1, 4], "outside": 1, "rim": 0, "kept": [], "by": "Ann", "at": 2.5},
    {"do": "stop"},
    {"do": "glass_empty"},
    {"do": "settled", "at": 4.0},
    {"do": "choose", "number": 7},
    {"do": "place", "dice": ["G", 2]},
    {"do": "fallen", "dice": 3, "player": "Ann"},
    {"do": "next_game"},
    {"do": "end"},
    {"do": "pause"},
    {"do": "resume"},
    {"do": "leave", "player": "Ann"},
    {"do": "join", "player": "Cas"},
    {"do": "adjust", "player": "Ann", "strokes": 4},
    {"do": "undo"},
    {"do": "undo", "to": 2},
    {"do": "correct", "throw": 1, "dice": [1, 4, 6]},
    {"do": "correct", "throw": 1, "void": True},
    {"do": "correct", "throw": 1, "player": "Bob"},
    {"do": "insert", "after": 1, "dice": [2, 2, 3]},
]
