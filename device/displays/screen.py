"""One moment of the table as the picture of a small screen: whose turn, strokes or board, dice, what to beat.

Pure: the same moment gives the same picture on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from device.access_point import joined
from device.buttons.menu import Shown
from device.displays.boards import ROOMY, Area, board
from device.displays.ink import Canvas, Format
from device.displays.letters import HANG, HEIGHT, fitted, width, wrapped, write
from device.displays.marks import EYE, die, throws
from device.snapshot import Eye, Snapshot
from device.web.page import Die, Page, page, refusal
from device.web.qr import modules
from device.wording import Wording

LINE = HEIGHT + HANG + 1
MOST_SQUARES = 5  # throws of a turn that are counted in squares


@dataclass(frozen=True)
class Around:
    """What a screen shows besides the game.

    `shown`: what a button laid over it; `fresh`: whether what just happened is still news; `phone`: the address that
    its QR code leads to; `buttons`: whether there are buttons to answer with.
    """

    shown: Shown | None = None
    fresh: bool = True
    phone: str = ""
    buttons: bool = False


def paint(now: Snapshot, words: Wording, form: Format, around: Around = Around()) -> Image.Image:
    """The picture of this moment, black and white or RGB as the format says."""
    canvas = Canvas(form)
    shown = around.shown
    if shown is not None and shown.lines:
        _menu(canvas, shown)
    else:
        told = page(now, words)
        notice = _notice(now, told, around.buttons)
        if told.idle and not notice:
            _welcome(canvas, told, around.phone)
        else:
            _game(canvas, now, told, notice, fresh=around.fresh)
        if shown is not None:
            _over(canvas, shown.title)
    return canvas.picture


def sleeping(form: Format, step: int) -> Image.Image:
    """All dark but a small eye, which is elsewhere at each step."""
    canvas = Canvas(form)
    room = canvas.width - len(EYE[0]), canvas.height - len(EYE)
    canvas.dots(step * 37 % room[0], step * 23 % room[1], EYE, canvas.inks.quiet)
    return canvas.picture


def _game(canvas: Canvas, now: Snapshot, told: Page, notice: tuple[str, ...], *, fresh: bool) -> None:
    head, rest = (notice[0], "") if notice else _headline(canvas, told)
    top = _header(canvas, now, head, warns=bool(notice))
    lines = (
        [line for line in notice[1:] if line] if notice else [*filter(None, [rest]), *_lines(now, told, fresh=fresh)]
    )
    foot = _roomy_foot if canvas.height >= ROOMY else _foot
    bottom = foot(canvas, told, lines, warns=bool(notice), news=fresh and bool(told.changes))
    board(canvas, Area(0, top, canvas.width, bottom - top - 1), now.view, told)


def _headline(canvas: Canvas, told: Page) -> tuple[str, str]:
    """The headline, and what of it has to go below where it is too long."""
    if width(told.headline) > canvas.width - 12:
        first, _, rest = told.headline.partition(" – ")
        return first, rest
    return told.headline, ""


def _header(canvas: Canvas, now: Snapshot, text: str, *, warns: bool) -> int:
    """Whose turn and the throws left, or what is wrong; gives back where the board may begin."""
    roomy = canvas.height >= ROOMY
    size = 2 if roomy and width(text, 2) <= canvas.width - (4 if warns else 40) else 1
    high = HEIGHT * 2 + 4 if roomy else LINE
    y = (high - HEIGHT * size) // 2
    if warns:
        canvas.box(0, 0, canvas.width, high, canvas.inks.warning)
        write(canvas, 2, y, fitted(text, canvas.width - 4, size), canvas.inks.ground, size)
        return high + 1
    right = canvas.width
    view = now.view
    if view.throws_left is not None and 0 < view.throws_used + view.throws_left <= MOST_SQUARES:
        right = throws(canvas, right, (high - 5) // 2, view.throws_used, view.throws_left, canvas.inks.strong) - 2
    write(canvas, 1, y, fitted(text, right - 2, size), canvas.inks.text, size)
    canvas.box(0, high, canvas.width, 1, canvas.inks.line)
    return high + 2


def _foot(canvas: Canvas, told: Page, lines: list[str], *, warns: bool, news: bool) -> int:
    """Small screens: dice at the left, two lines beside them; what is asked has a line for each thing."""
    top = canvas.height - 18
    x = _dice(canvas, told.dice, Area(0, top, canvas.width - 44, 18), most=9 if warns else 12)
    ink = canvas.inks.warning if warns else canvas.inks.text
    left = x + 3 if x else 1
    room = canvas.width - left
    if warns and len(lines) > 1:
        fitting = [fitted(line, room) for line in lines]
    else:
        fitting = []
        for line in lines if warns or news or not told.dice else filter(None, [told.worth, *lines]):
            fitting += wrapped(line, room, 2 - len(fitting)) if len(fitting) < 2 else []
    for n, line in enumerate(fitting[:2]):
        write(canvas, left, top + n * 9 + 1, line, ink)
    return top


def _roomy_foot(canvas: Canvas, told: Page, lines: list[str], *, warns: bool, news: bool) -> int:
    """Larger screens: dice and their worth, below them the lines."""
    ink = canvas.inks.warning if warns else canvas.inks.text
    shown: list[str] = []
    for line in lines:
        shown += wrapped(line, canvas.width - 2, 3 - len(shown)) if len(shown) < 3 else []
    y = canvas.height - LINE * max(1, len(shown))
    for n, line in enumerate(shown):
        write(canvas, 1, y + n * LINE, line, canvas.inks.strong if news and n == 0 else ink)
    if not told.dice:
        return y - 2
    top = y - 21
    x = _dice(canvas, told.dice, Area(0, top, canvas.width, 20))
    size = 2 if width(told.worth, 2) <= canvas.width - x - 4 else 1
    worth = fitted(told.worth, canvas.width - x - 5, size)
    write(canvas, x + 4, top + (20 - HEIGHT * size) // 2, worth, canvas.inks.text, size)
    return top - 2


def _dice(canvas: Canvas, dice: tuple[Die, ...], area: Area, most: int = 17) -> int:
    """The dice side by side, as large as fits, or as figures; gives back where they end."""
    for edge in (17, 12, 9):
        if edge <= min(most, area.height) and len(dice) * (edge + 2) <= area.width:
            for n, one in enumerate(dice):
                die(canvas, area.x + n * (edge + 2), area.y + (area.height - edge + 1) // 2, edge, one.face, one.place)
            return area.x + len(dice) * (edge + 2)
    text = " ".join(str(one.face or "?") for one in dice)
    for n, line in enumerate(wrapped(text, area.width, 2)):
        write(canvas, area.x, area.y + n * 9 + 1, line, canvas.inks.text)
    return area.x + min(area.width, max(width(line) for line in wrapped(text, area.width, 2)))


def _lines(now: Snapshot, told: Page, *, fresh: bool) -> list[str]:
    """The sentences below, the most important first."""
    lines = [told.eye] if now.eye in (Eye.READING, Eye.TOUCHED) else []
    lines += told.changes[:2] if fresh else ()
    args = now.view.prompt.args
    if now.view.prompt.key == "to_beat":
        kind, dice = str(args.get("class")), str(args.get("dice", ""))
        value = str(args.get("points"))
        if told.wording.has("display", kind):
            value = told.wording.say("display", kind, face=dice[:1])
        lines.append(told.wording.say("display", "to_beat", value=value))
    elif told.detail:
        lines.append(told.detail)
    if now.view.game not in ("pietjesbak", "azen", "bataclan"):
        lines += told.figures
    return lines


def _notice(now: Snapshot, told: Page, buttons: bool) -> tuple[str, ...]:
    """What is wrong or asked in one short line, and more lines on it; nothing where all is well."""
    words = told.wording
    if now.eye in (Eye.LOST, Eye.BOARD_MOVED):
        trouble = now.trouble or ""
        return words.say("eye", now.eye.value), words.say("trouble", trouble) if words.has(
            "trouble", trouble
        ) else trouble
    pending = now.pending
    if pending is not None:
        thrower = next((player.name for player in told.players if player.to_throw), "")
        asked = words.say("display", f"asks_{pending.kind}", to_throw=thrower, player=pending.player)
        why = [words.say("doubt", word) for word in pending.why if word != pending.kind]
        held = [words.say("doubt", "held", held=now.held)] if now.held else []
        answer = words.say("display", f"answer_{pending.kind}", player=pending.player, to_throw=thrower)
        return asked, " · ".join([*why, *held]), answer if buttons else words.say("display", "answer_phone")
    if now.refused is not None:
        return refusal(now.refused, words), told.headline
    return (words.say("display", "storage"), words.say("page", "storage")) if now.fault is not None else ()


def _welcome(canvas: Canvas, told: Page, phone: str) -> None:
    """Before the first game: how to join by phone, or the eye alone.

    A small screen has no room for a QR code that holds the table's code too: it stands beside it, to be typed.
    `phone` may be the text that joins the device's own Wi-Fi instead of an address.
    """
    roomy = canvas.height >= ROOMY
    left, top = 1, 2
    own = joined(phone)
    address, _, query = phone.partition("?") if own is None else (phone, "", "")
    number = query.partition("=")[2]
    if phone:
        dark = modules(phone if roomy else address)
        foot = 2 * LINE + 2 if roomy else 0
        size = max(1, min(canvas.height - foot, canvas.width * 6 // 10) // dark.shape[0])
        edge = dark.shape[0] * size
        top = (canvas.height - foot - edge) // 2
        canvas.box(0, top, edge, edge, canvas.inks.text)
        for row, column in np.argwhere(dark).tolist():
            canvas.box(column * size, top + row * size, size, size, canvas.inks.ground)
        left = edge + 4
    room = canvas.width - left - 1
    canvas.dots(left + (room - len(EYE[0])) // 2, top, EYE, canvas.inks.strong)
    y = top + len(EYE) + 5
    lines: list[str] = []
    told_so = told.wording.say("display", "join") if own is None else told.wording.say("first", "wifi")
    for text in [told_so] if phone else [told.headline, told.detail]:
        lines += wrapped(text, room, 4)
    code = [told.wording.say("display", "code", code=number)] if number else []
    host = address.partition("://")[2].partition("/")[0]
    if not roomy:
        ip, colon, port = host.rpartition(":")
        lines += [*(own or (*code, ip, colon + port))] if phone else []
    for line in lines:
        if y + HEIGHT <= canvas.height:
            write(canvas, left, y, fitted(line, room), canvas.inks.text)
        y += LINE
    if roomy and phone:
        foot_lines = own or (*code, host)
        for n, line in enumerate(foot_lines):
            at = canvas.height - LINE * (len(foot_lines) - n)
            write(canvas, 1, at, fitted(line, canvas.width - 2), canvas.inks.quiet)


def _menu(canvas: Canvas, shown: Shown) -> None:
    """The items round the chosen one, what the buttons do at the bottom."""
    hints = wrapped(shown.hint, canvas.width - 2, 2)
    bottom = canvas.height - LINE * len(hints)
    canvas.box(0, 0, canvas.width, LINE, canvas.inks.strong)
    write(canvas, 2, 1, fitted(shown.title, canvas.width - 40), canvas.inks.ground)
    count = f"{shown.chosen + 1}/{len(shown.lines)}"
    write(canvas, canvas.width - width(count) - 2, 1, count, canvas.inks.ground)
    pitch = LINE + (4 if canvas.height >= ROOMY else 0)
    rows = max(1, (bottom - LINE - 2) // pitch)
    first = max(0, min(shown.chosen - rows // 2, len(shown.lines) - rows))
    for n, line in enumerate(shown.lines[first : first + rows]):
        y = LINE + 2 + n * pitch
        chosen = first + n == shown.chosen
        if chosen:
            canvas.box(0, y - 1, canvas.width, LINE, canvas.inks.text)
        ink = canvas.inks.ground if chosen else canvas.inks.text
        write(canvas, 3, y, fitted(line, canvas.width - 6), ink)
    for n, line in enumerate(hints):
        write(canvas, 1, bottom + n * LINE + 1, line, canvas.inks.quiet)


def _over(canvas: Canvas, text: str) -> None:
    """A box over the middle, for a few seconds."""
    lines = wrapped(text, canvas.width - 16, 3)
    high = LINE * len(lines) + 5
    y = (canvas.height - high) // 2
    canvas.box(2, y - 1, canvas.width - 4, high + 2, canvas.inks.ground)
    canvas.frame(3, y, canvas.width - 6, high, canvas.inks.strong)
    for n, line in enumerate(lines):
        write(canvas, (canvas.width - width(line)) // 2, y + 4 + n * LINE, line, canvas.inks.text)
