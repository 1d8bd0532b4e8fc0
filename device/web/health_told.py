"""How the device fares, in words: one line for each thing that can be well or not, and what went wrong lately."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from device.faults import FaultWatch
from device.sight import Sight
from device.wording import Wording
from vision.reading import DieReading, Pose, Problem, Where

PARTS = ("lights", "display", "buttons", "sound")


@dataclass(frozen=True)
class Line:
    """What is told of one thing; `state`: ok, warning, fault, or '' where nothing can be wrong."""

    label: str
    told: str
    state: str = ""


def health_told(
    health: Mapping[str, Any], faults: FaultWatch | None, words: Wording, now: float
) -> tuple[list[Line], list[Line]]:
    """All lines of the health, then the faults of late with how long ago they were."""
    lines = [Line(words.say("health", key), told, state) for key, told, state in _lines(health, words)]
    lately = [] if faults is None else faults.faults()
    return lines, [
        Line(
            _name(fault.section, fault.key, fault.message, words),
            words.say("health", "lasts", time=lasting(now - fault.began, words))
            if fault.ended is None
            else words.say("health", "was", time=lasting(now - fault.ended, words)),
            "fault" if fault.ended is None else "",
        )
        for fault in lately
    ]


def seen_told(sight: Sight, words: Wording) -> str:
    """What is seen now, for whoever cannot see the picture: the board, and each die with how sure it is."""
    glance, rate = sight.now(), sight.rate()
    if glance is None:
        return words.say("settings", "no_picture")
    told = [words.say("settings", "board_seen" if glance.board is not None else "board_not_seen")]
    if glance.reading is not None:
        told += [_die(die, words) for die in sorted(glance.reading.dice, key=lambda die: die.face or 7)]
        told += [_problem(problem, words) for problem in glance.reading.problems if glance.reading.dice]
    if rate is not None:
        told.append(words.say("health", "fps", rate=decimal(rate, words)))
    return " · ".join(told)


def decimal(value: float, words: Wording, places: int = 1) -> str:
    """A number as it is written in this language.

    >>> from device.wording import wording
    >>> decimal(14.96, wording("nl")), decimal(14.96, wording("en"), 2)
    ('15,0', '14.96')
    """
    return f"{round(value, places) + 0.0:.{places}f}".replace(".", words.say("health", "decimal")).replace("-", "−")


def lasting(seconds: float, words: Wording) -> str:
    """So many seconds in words, in the largest two units that say something.

    >>> from device.wording import wording
    >>> lasting(93_784, wording("nl")), lasting(61, wording("en"))
    ('1 dag 2 uur', '1 minute')
    """
    left, told = max(0, int(seconds)), list[str]()
    for key, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)):
        many, left = divmod(left, size)
        if many and not (key == "seconds" and told):
            told.append(words.say("health", key, n=many))
    return " ".join(told[:2]) or words.say("health", "seconds", n=0)


def _problem(problem: Problem, words: Wording) -> str:
    return words.say("eye", "unsure") if problem is Problem.UNSURE else words.say("doubt", problem.value)


def _die(die: DieReading, words: Wording) -> str:
    sure = words.say("settings", "die", face=die.face or "?", sure=decimal(100 * die.confidence, words))
    if die.where in (Where.OUTSIDE, Where.RIM):
        return f"{sure} ({words.say('page', f'die_{die.where.value}')})"
    return sure if die.pose is Pose.FLAT else f"{sure} ({words.say('doubt', die.pose.value)})"


def _lines(health: Mapping[str, Any], words: Wording) -> Iterator[tuple[str, str, str]]:
    """Key of the label, what is told, and its state."""
    unknown = words.say("health", "unknown")
    yield "camera", *_camera(health.get("camera") or {}, words)
    for part in PARTS:
        yield part, *_part(health.get(part), words)
    yield "storage", *_storage(health.get("storage") or {}, words)
    machine: Mapping[str, Any] = health.get("machine") or {}
    heat = machine.get("temperature_c")
    told = unknown if heat is None else f"{decimal(heat, words)} °C"
    yield "temperature", told, "warning" if machine.get("hot") else ""
    yield "supply", *_supply(machine, words)
    disk = machine.get("disk")
    if disk:
        room = words.say("health", "free", free=disk["free_mb"], total=disk["total_mb"])
        yield "disk", room, "ok" if disk["ok"] else "fault"
    else:
        yield "disk", unknown, ""
    memory = machine.get("memory_mb")
    yield "memory", unknown if memory is None else f"{decimal(memory, words, 0)} MB", ""
    for key, seconds in (("up_program", health.get("uptime_s")), ("up_machine", machine.get("up_s"))):
        yield key, unknown if seconds is None else lasting(float(seconds), words), ""
    yield "model", str(machine.get("model") or unknown), ""
    yield "version", " · ".join(str(health.get(key) or "?") for key in ("version", "rules")), ""


def _camera(camera: Mapping[str, Any], words: Wording) -> tuple[str, str]:
    state = str(camera.get("state") or "none")
    told = [words.say("eye", state)]
    if state in ("lost", "board_moved"):
        trouble = str(camera.get("trouble") or "")
        return " – ".join([*told, _name("trouble", trouble, trouble, words)] if trouble else told), "fault"
    if camera.get("fps") is not None:
        told.append(words.say("health", "fps", rate=decimal(float(camera["fps"]), words)))
    if camera.get("restarts"):
        told.append(words.say("health", "restarts", n=camera["restarts"]))
    return " · ".join(told), "" if state == "none" else "ok"


def _part(part: Mapping[str, Any] | None, words: Wording) -> tuple[str, str]:
    if not part:
        return words.say("health", "not_set"), ""
    if part.get("ok"):
        return words.say("health", "well"), "ok"
    return _name("fault", str(part.get("trouble") or ""), str(part.get("message") or ""), words), "fault"


def _storage(storage: Mapping[str, Any], words: Wording) -> tuple[str, str]:
    if storage.get("ok") is False:
        return words.say("page", "storage"), "fault"
    if storage.get("set_aside"):
        return words.say("health", "set_aside", name=storage["set_aside"]), "warning"
    return words.say("health", "durable" if "ok" in storage else "unknown"), "ok" if "ok" in storage else ""


def _supply(machine: Mapping[str, Any], words: Wording) -> tuple[str, str]:
    if machine.get("under_voltage") or machine.get("under_voltage_now"):
        return words.say("health", "under_voltage"), "fault"
    if machine.get("under_voltage_seen"):
        return words.say("health", "under_voltage_seen"), "warning"
    known = any(machine.get(key) is not None for key in ("under_voltage", "under_voltage_now"))
    return words.say("health", "well" if known else "unknown"), "ok" if known else ""


def _name(section: str, key: str, message: str, words: Wording) -> str:
    """The words of a fault, its own sentence where there are none."""
    return words.say(section, key) if words.has(section, key) else message or key
