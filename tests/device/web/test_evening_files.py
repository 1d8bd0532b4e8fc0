"""Evenings to take along: as the API's description says, safe for spreadsheets, with a name to keep them by."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from starlette.testclient import TestClient
from test_openapi import validator

from device.journal import MemoryJournal
from device.table import Table

FORMULAS = ("=cmd|' /C calc'!A0", "+1", "-1", "@sum")


def say(table: Table, do: str, **more: Any) -> None:
    told = table.say({"do": do, **more})
    assert told[0].error is None, told[0].error


@pytest.fixture
def played(table: Table) -> Table:
    say(table, "start", game="pietjesbak", players=["Ann", "Bob"], opener="Ann")
    say(table, "throw", dice=[6, 6, 6])
    say(table, "throw", dice=[1, 4], outside=1)
    say(table, "correct", throw=1, dice=[4, 5, 6])
    say(table, "start", game="pietjesbak", players=[*FORMULAS], opener="-1")
    say(table, "throw", dice=[2, 2, 3])
    return table


def sheet(told: str, separator: str = ";") -> list[dict[str, str]]:
    assert told.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(told.removeprefix("\ufeff")), delimiter=separator))


def test_the_list_and_an_evening_are_as_described(stranger: TestClient, played: Table) -> None:
    listed = stranger.get("/api/v1/evenings").json()
    (evening,) = listed["evenings"]
    validator("Evening").validate(evening)
    assert listed["more"] is False
    told = stranger.get(f"/api/v1/evenings/{evening['evening']}").json()
    for one in (told, *told["games"]):
        validator("Numbers").validate(one)
    validator("Evening").validate(told)
    assert told["numbers"]["soixante_neuf"] == 1
    assert told["numbers"]["faces"] == {"1": 1, "2": 2, "3": 1, "4": 2, "5": 1, "6": 1}
    assert told["people"]["Ann"]["outside"] == 1
    assert told["games"][0]["figures"] == {"Ann": 10, "Bob": 9}
    assert told["fairness"]["verdict"] == "too_few"


def test_one_game_alone(stranger: TestClient, played: Table) -> None:
    told = stranger.get("/api/v1/evenings/1?game=5").json()
    assert [game["number"] for game in told["games"]] == [5]
    assert told["numbers"]["throws"] == 1
    assert len(sheet(stranger.get("/api/v1/evenings/1/throws.csv?game=1").text)) == 2


def test_throws_as_they_stand(stranger: TestClient, played: Table) -> None:
    first, second, third = sheet(stranger.get("/api/v1/evenings/1/throws.csv").text)
    assert (first["player"], first["class"], first["dice"]) == ("Ann", "soixante_neuf", "3")
    assert [first[f"die_{n}"] for n in (1, 2, 3)] == ["4", "5", "6"]
    assert (second["outside"], second["dice"], second["die_3"]) == ("1", "2", "")
    assert (third["game"], third["throw"], third["class"]) == ("5", "1", "seven")


def test_players_and_games(stranger: TestClient, played: Table) -> None:
    rows = sheet(stranger.get("/api/v1/evenings/1/players.csv").text)
    assert len(rows) == 6
    assert (rows[0]["player"], rows[0]["throws"], rows[0]["at_end"], rows[0]["figure"]) == ("Ann", "2", "10", "strokes")
    games = sheet(stranger.get("/api/v1/evenings.csv").text)
    assert [game["game"] for game in games] == ["1", "5"]
    assert (games[0]["players"], games[0]["soixante_neuf"], games[0]["face_4"]) == ("Ann, Bob", "1", "2")


@pytest.mark.parametrize(
    "path", ["/api/v1/evenings.csv", "/api/v1/evenings/1/throws.csv", "/api/v1/evenings/1/players.csv"]
)
def test_no_cell_is_a_formula(stranger: TestClient, played: Table, path: str) -> None:
    for language, separator in (("nl", ";"), ("en", ",")):
        told = stranger.get(f"{path}?lang={language}").text
        cells = [cell for row in sheet(told, separator) for cell in row.values() if cell]
        assert any(cell.startswith("'") for cell in cells)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("/api/v1/evenings", "pietjesoog-evenings.json", "application/json"),
        ("/api/v1/evenings.csv", "pietjesoog-games.csv", "text/csv; charset=utf-8"),
        ("/api/v1/evenings/1", "pietjesoog-evening-1.json", "application/json"),
        ("/api/v1/evenings/1/throws.csv", "pietjesoog-evening-1-throws.csv", "text/csv; charset=utf-8"),
        ("/api/v1/evenings/1/players.csv", "pietjesoog-evening-1-players.csv", "text/csv; charset=utf-8"),
    ],
)
def test_they_come_as_files(stranger: TestClient, played: Table, path: str, name: str, kind: str) -> None:
    answer = stranger.get(path)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("/api/v1/evenings/2", 404, "not_found"),
        ("/api/v1/evenings/x", 404, "not_found"),
        ("/api/v1/evenings/-1/throws.csv", 404, "not_found"),
        ("/api/v1/evenings/99999999999999999999999/players.csv", 404, "not_found"),
        ("/api/v1/evenings/1?game=2", 404, "not_found"),
        ("/api/v1/evenings/1?game=x", 400, "bad_value"),
        ("/api/v1/evenings?before=x", 400, "bad_value"),
        ("/api/v1/evenings?limit=", 400, "bad_value"),
    ],
)
def test_what_is_not_there(stranger: TestClient, played: Table, path: str, status: int, reason: str) -> None:
    answer = stranger.get(path)
    assert (answer.status_code, answer.json()["error"]["reason"]) == (status, reason)


def test_pages_of_the_list(stranger: TestClient, journal: MemoryJournal, played: Table) -> None:
    assert stranger.get("/api/v1/evenings?limit=0").json()["evenings"]
    assert stranger.get("/api/v1/evenings?limit=999999999999999999999").json()["evenings"]
    assert stranger.get("/api/v1/evenings?before=1").json() == {"evenings": [], "more": False}
    assert sheet(stranger.get("/api/v1/evenings.csv").text)
    assert len(stranger.get("/api/v1/evenings.csv").text.splitlines()) == 3
