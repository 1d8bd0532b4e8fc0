"""The device's own Wi-Fi: when it opens, when it makes way, what NetworkManager is asked, what phones are told."""

from __future__ import annotations

import stat
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import access_point, network
from device.access_point import AccessPoint
from device.chosen import Chosen
from device.config import load
from device.network import LOOK_ANEW_S, LOST_S, Keeper, kept_password, settings, wanted
from device.place import journal_file
from device.radio import ADDRESS, NAME, FakeRadio, Link, NetworkManager, RadioFault
from device.web.qr import modules

WLAN, CABLE = Link("wlan0", "wifi"), Link("eth0", "ethernet")
HOME = Link("wlan0", "wifi", "home")


@pytest.fixture
def told(tmp_path: Path) -> Path:
    return tmp_path / "access_point.json"


class Looks(threading.Event):
    """Stops the watching after one look, or after as many more as it is told what to do between."""

    def __init__(self, *between: Callable[[], object]) -> None:
        super().__init__()
        self._between = list(between)

    def wait(self, timeout: float | None = None) -> bool:
        if self._between:
            self._between.pop(0)()
        else:
            self.set()
        return self.is_set()


def ticked(
    keeper: Keeper, begin: float, end: float, mode: str = "auto", ssid: str = "Oog", word: str = "drieazen"
) -> None:
    for now in range(int(begin), int(end) + 1, 5):
        keeper.tick(float(now), mode, ssid, word)


def test_it_opens_where_no_known_network_comes(told: Path) -> None:
    radio = FakeRadio([WLAN, CABLE])
    keeper = Keeper(radio, told)
    ticked(keeper, 0, LOST_S - 5)
    assert radio.done == []
    assert access_point.told(told) is None
    ticked(keeper, LOST_S, LOST_S)
    assert radio.done == ["open wlan0 Oog"]
    assert access_point.told(told) == AccessPoint("Oog", "drieazen", ADDRESS)
    assert stat.S_IMODE(told.stat().st_mode) == 0o640


@pytest.mark.parametrize("links", [[HOME], [WLAN, Link("eth0", "ethernet", "Wired connection 1")], [CABLE], []])
def test_it_stays_shut_where_a_network_is_or_no_wifi_is(told: Path, links: list[Link]) -> None:
    radio = FakeRadio(links)
    ticked(Keeper(radio, told), 0, 10 * LOST_S)
    assert radio.done == []


def test_a_network_that_comes_and_goes_is_waited_for_anew(told: Path) -> None:
    radio = FakeRadio([WLAN])
    keeper = Keeper(radio, told)
    ticked(keeper, 0, LOST_S - 10)
    radio.there = [HOME]
    ticked(keeper, LOST_S - 5, LOST_S - 5)
    radio.there = [WLAN]
    ticked(keeper, LOST_S, 2 * LOST_S - 5)
    assert radio.done == []


def test_it_makes_way_for_a_known_one_but_not_under_phones(told: Path) -> None:
    radio = FakeRadio([WLAN], phones=2)
    keeper = Keeper(radio, told)
    ticked(keeper, 0, LOST_S + LOOK_ANEW_S + 60)
    assert radio.done == ["open wlan0 Oog"]
    radio.phones = 0
    ticked(keeper, 800, 800)
    assert radio.done[1:] == ["close"]
    assert not told.exists()
    ticked(keeper, 805, 800 + LOST_S)
    assert radio.done[2:] == ["open wlan0 Oog"], "none came back"


def test_a_cable_that_is_plugged_in_closes_it(told: Path) -> None:
    radio = FakeRadio([WLAN, CABLE])
    keeper = Keeper(radio, told)
    ticked(keeper, 0, LOST_S)
    radio.there[1] = Link("eth0", "ethernet", "Wired connection 1")
    ticked(keeper, 60, 60)
    assert radio.done == ["open wlan0 Oog", "close"]


def test_always_is_always_and_never_is_never(told: Path) -> None:
    radio = FakeRadio([HOME], phones=0)
    keeper = Keeper(radio, told)
    ticked(keeper, 0, 2 * LOOK_ANEW_S, "always")
    assert radio.done == ["open wlan0 Oog"]
    ticked(keeper, 1300, 1300, "never")
    assert radio.done[1:] == ["close"]
    ticked(keeper, 1305, 2000, "never")
    assert radio.done[2:] == []


def test_another_name_or_password_opens_it_anew(told: Path) -> None:
    radio = FakeRadio([WLAN], phones=3)
    keeper = Keeper(radio, told)
    ticked(keeper, 0, 5, "always")
    ticked(keeper, 10, 15, "always", ssid="Bak")
    ticked(keeper, 20, 25, "always", ssid="Bak", word="soixante9")
    assert radio.done == ["open wlan0 Oog", "close", "open wlan0 Bak", "close", "open wlan0 Bak"]


def test_one_left_from_before_a_restart_is_closed_first(told: Path) -> None:
    radio = FakeRadio([Link("wlan0", "wifi", NAME)])
    ticked(Keeper(radio, told), 0, 5, "always")
    assert radio.done == ["close", "open wlan0 Oog"]


def test_one_that_somebody_took_down_is_no_longer_told(told: Path) -> None:
    radio = FakeRadio([WLAN])
    keeper = Keeper(radio, told)
    ticked(keeper, 0, LOST_S)
    radio.there = [HOME]
    ticked(keeper, 60, 60)
    assert access_point.told(told) is None


def test_a_radio_that_refuses_is_asked_again(told: Path) -> None:
    radio = FakeRadio([WLAN], broken="no")
    keeper = Keeper(radio, told)
    with pytest.raises(RadioFault):
        keeper.tick(0.0, "always", "Oog", "drieazen")
    assert access_point.told(told) is None
    radio.broken = None
    ticked(keeper, 5, 5, "always")
    assert access_point.told(told) is not None
    keeper.end()
    assert radio.done[-1] == "close"
    assert not told.exists()


# -- NetworkManager


class Nmcli:
    """Answers as nmcli does, and remembers what it was asked."""

    def __init__(self, device: str = "") -> None:
        self.device, self.asked = device, list[str]()

    def __call__(self, command: Sequence[str]) -> str:
        self.asked.append(" ".join(command))
        if command[0] == "iw":
            return "Station 02:00:00:00:01:00 (on wlan0)\n\trx bytes: 1\nStation 02:00:00:00:02:00 (on wlan0)\n"
        return self.device if command[-1] == "device" else ""


def test_links_are_read_from_its_terse_lines(tmp_path: Path) -> None:
    lines = [
        r"wlan0:wifi:connected:Caf\:é \\ bar",
        "eth0:ethernet:unavailable:",
        "eth1:ethernet:connected (externally):lan",
        "lo:loopback:connected (externally):lo",
        "p2p-dev-wlan0:wifi-p2p:disconnected:",
    ]
    radio = NetworkManager(tmp_path, Nmcli("\n".join(lines) + "\n"))
    assert radio.links() == [
        Link("wlan0", "wifi", "Caf:é \\ bar"),
        Link("eth0", "ethernet"),
        Link("eth1", "ethernet", "lan"),
    ]
    assert radio.guests("wlan0") == 2


def test_the_password_stands_in_a_private_file_and_on_no_command_line(tmp_path: Path) -> None:
    nmcli = Nmcli()
    NetworkManager(tmp_path, nmcli).open("wlan0", "Café; 2", r" ge\heim123")
    file = tmp_path / f"{NAME}.nmconnection"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    told = dict(line.split("=", 1) for line in file.read_text("utf-8").splitlines() if "=" in line)
    assert bytes(int(byte) for byte in told["ssid"].strip(";").split(";")).decode() == "Café; 2"
    assert told["psk"] == r"\sge\\heim123"
    assert (told["mode"], told["method"]) == ("ap", "disabled")
    assert nmcli.asked == [f"nmcli connection load {file}", f"nmcli --wait 30 connection up {NAME}"]


def test_a_machine_without_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*args: object, **kwargs: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", "nmcli")

    monkeypatch.setattr(subprocess, "run", missing)
    assert network.main(["--config", "nowhere.toml", "--once"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "nmcli does not answer" in said
    assert NetworkManager().guests("wlan0") == 1, "phones that nobody can count are not sent away"


# -- settings and password


def test_the_settings_are_those_of_the_service(tmp_path: Path) -> None:
    file = tmp_path / "pietjesoog.toml"
    file.write_text('[network]\naccess_point = "always"\nssid = "De Bak"\npassword = "zandzand"\n')
    assert wanted(settings(file).config, "own") == ("always", "De Bak", "zandzand")


@pytest.mark.parametrize("journal", ["", "scores/journal.db"])
def test_what_was_chosen_on_the_page_is_heard_of_wherever_the_scores_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journal: str
) -> None:
    """Beside the scores, as the service keeps it; systemd tells this program another folder than the service."""
    file, state = tmp_path / "pietjesoog.toml", tmp_path / "service"
    file.write_text(f'[journal]\nfile = "{tmp_path / journal}"\n' if journal else "")
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    scores = journal_file(load(file))
    monkeypatch.setenv("STATE_DIRECTORY", str(state))
    Chosen.beside(scores, load(file)).set(network__access_point="always")
    assert wanted(settings(file).config, "own")[0] == "always"
    radio = FakeRadio([HOME])
    network.watch(Keeper(radio, tmp_path / "told.json"), file, Looks(), tmp_path)
    assert radio.done == ["open wlan0 Pietjesoog", "close"]


def test_a_choice_made_while_it_runs_holds_at_the_next_look(tmp_path: Path) -> None:
    file, radio = tmp_path / "pietjesoog.toml", FakeRadio([HOME])
    file.write_text(f'[journal]\nfile = "{tmp_path}/scores/journal.db"\n')

    def choose() -> None:
        assert radio.done == []
        Chosen.beside(tmp_path / "scores" / "journal.db", load(file)).set(network__access_point="always")

    network.watch(Keeper(radio, tmp_path / "told"), file, Looks(choose), tmp_path)
    assert radio.done == ["open wlan0 Pietjesoog", "close"]


def test_a_choice_made_while_the_settings_are_read_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, radio = tmp_path / "pietjesoog.toml", FakeRadio([HOME])

    def read(file: Path) -> Chosen:
        chosen = settings(file)
        if not chosen.names:
            Chosen.beside(tmp_path / "journal.db", chosen.config).set(network__access_point="always")
        return chosen

    monkeypatch.setattr(network, "settings", read)
    network.watch(Keeper(radio, tmp_path / "told"), file, Looks(lambda: None), tmp_path)
    assert radio.done == ["open wlan0 Pietjesoog", "close"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('ssid = ""', ("auto", "Pietjesoog", "own")),
        ('ssid = "ééééééééééééééééé"', ("auto", "Pietjesoog", "own")),
        ('password = "kort"', ("auto", "Pietjesoog", "own")),
        ('password = "café café"', ("auto", "Pietjesoog", "own")),
        ('access_point = "maybe"', ("auto", "Pietjesoog", "own")),
        ("= =", ("auto", "Pietjesoog", "own")),
    ],
)
def test_what_cannot_be_is_told_and_the_default_taken(
    tmp_path: Path, line: str, expected: tuple[str, str, str], caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "pietjesoog.toml"
    file.write_text(f"[network]\n{line}\n")
    assert wanted(settings(file).config, "own") == expected
    assert caplog.records


def test_the_own_password_is_drawn_once_and_private(tmp_path: Path) -> None:
    file = tmp_path / "password"
    drawn = kept_password(file)
    assert len(drawn) == 10
    assert kept_password(file) == drawn
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_password(tmp_path / "other") != drawn


def test_it_is_never_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    file, radio = tmp_path / "pietjesoog.toml", FakeRadio([WLAN])
    file.write_text('[network]\naccess_point = "always"\npassword = "zandzand"\n')
    keeper = Keeper(radio, tmp_path / "told.json")
    network.watch(keeper, file, Looks(), tmp_path)
    assert radio.done == ["open wlan0 Pietjesoog", "close"]
    assert "zandzand" not in caplog.text
    assert kept_password(tmp_path / "password") not in caplog.text


# -- what phones scan


def test_a_phone_can_scan_it() -> None:
    text = AccessPoint("Pietjes;oog", "a:b,c\\d", ADDRESS).wifi
    drawn = np.kron(np.where(modules(text), 0, 255), np.ones((8, 8))).astype(np.uint8)
    assert cv2.QRCodeDetector().detectAndDecode(drawn)[0] == r"WIFI:T:WPA;S:Pietjes\;oog;P:a\:b\,c\\d;;"


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"ssid": "x"}', "\x00\xff"])
def test_a_torn_file_is_no_access_point(told: Path, torn: str) -> None:
    told.write_text(torn, "latin-1")
    assert access_point.told(told) is None
