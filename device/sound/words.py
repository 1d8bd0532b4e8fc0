"""What there is to hear when one moment follows another: a tone, and words with their markup. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from device.snapshot import Eye, Snapshot
from device.sound.tones import TONES
from device.web.page import page
from device.wording import Wording

MOST_LETTERS = 240
# game words are said in their own language whatever the others are said in
NATIVE = {"zand": "nl", "three_aces": "nl", "soixante_neuf": "fr"}
MENDED = ("undo", "correct", "insert")
TONE_OF = {
    "die_on_rim": "die_outside",
    "round_won": "won",
    "hold": "won",
    "crossed": "won",
    "field_complete": "out",
    "extra_turn": "won",
    "placed": "won",
    "game_won": "out",
    "third_ace": "zand",
    "sixth_ace": "zand",
    "ninth_ace": "three_aces",
    "payer": "over",
    "bust": "seven",
    "pinched": "seven",
    "fallen": "seven",
    "tie": "barrage",
    "rethrow": "barrage",
}


@dataclass(frozen=True)
class Heard:
    """A tone's key ("" for none) and words in SSML ("" for none)."""

    tone: str = ""
    words: str = ""


def heard(before: Snapshot, now: Snapshot, words: Wording) -> Heard:
    """What to tell of the way from `before` to `now`; nothing where nothing is new to the ear."""
    if now.eye in (Eye.LOST, Eye.BOARD_MOVED):
        same = before.eye is now.eye
        return Heard() if same else Heard("trouble", plain(words.say("eye", now.eye.value)))
    if now.pending is not None:
        if before.pending is not None and before.pending.kind == now.pending.kind and before.held == now.held:
            return Heard()
        return Heard("unsure", _question(now, words))
    if now.refused is not None and now.refused is not before.refused:
        return Heard("refused", plain(page(now, words).notice))
    if now.seq == before.seq:
        return Heard()
    return _game(before, now, words)


def plain(text: str) -> str:
    """A text as words to say: nothing in it is markup, a minus is one, and no phonemes are smuggled in.

    >>> plain("Ann & [[Bob]] −2")
    'Ann &amp; Bob -2'
    """
    said = "".join(char if char.isprintable() and char not in "[]{}" else " " for char in text.replace("−", "-"))
    return escape(" ".join(said.split())[:MOST_LETTERS])


def _game(before: Snapshot, now: Snapshot, words: Wording) -> Heard:
    view, told = now.view, page(now, words)
    mended = view.pattern in MENDED
    thrown = not mended and view.throws > 0 and (now.throw != before.throw)
    parts: list[str] = []
    if thrown:
        parts.append(_dice(now, words))
        parts.append(_worth(now, told.worth))
    if mended and not view.changes:
        parts.append(plain(words.say("speech", view.pattern)))
    if now.seq != before.seq and view.changes != before.view.changes:
        parts += [plain(change) for change in told.changes]
        parts += _figures(now, words)
    turned = _to_throw(before) != _to_throw(now) or view.phase != before.view.phase or mended
    if turned or not thrown:
        parts.append(plain(told.headline))
    if view.phase == "over":
        parts.append(plain(told.detail or ("" if told.headline else words.say("prompt", "game_over"))))
    elif turned and view.prompt.key == "to_beat":
        parts.append(_to_beat(now, words))
    key = "die_outside" if thrown and view.rim else TONE_OF.get(view.pattern, view.pattern)
    if mended:
        key = "corrected"
    elif key not in TONES or not (thrown or view.changes):
        key = "read" if thrown else ""
    return Heard(key, _joined(parts))


def _question(now: Snapshot, words: Wording) -> str:
    pending = now.pending
    assert pending is not None
    thrower = _to_throw(now) or ""
    asked = words.say("doubt", pending.kind, to_throw=thrower, player=pending.player)
    return _joined([plain(asked), *(plain(words.say("doubt", word)) for word in pending.why[:2])])


def _joined(parts: list[str]) -> str:
    """One sentence behind the other."""
    return " ".join(part if part.endswith(("?", "!", ".")) else part + "." for part in parts if part)


def _dice(now: Snapshot, words: Wording) -> str:
    view = now.view
    faces = ", ".join(str(face) for face in view.dice)
    beside = [(view.outside, "outside"), (view.rim, "rim")]
    return ", ".join(
        filter(None, [plain(faces), *(plain(words.say("speech", key, dice=count)) for count, key in beside if count)])
    )


def _worth(now: Snapshot, worth: str) -> str:
    """The class in its own language, or the points."""
    last = now.session.state.get("last")
    kind = last.get("class") if isinstance(last, dict) else None
    native = NATIVE.get(str(kind))
    return f'<voice xml:lang="{native}">{plain(worth)}</voice>' if native and worth else plain(worth)


def _figures(now: Snapshot, words: Wording) -> list[str]:
    """Where those stand now whose figure changed."""
    changed = dict.fromkeys(change.player for change in now.view.changes if change.what in ("strokes", "points"))
    figure = "strokes" if any(player.marks for player in now.view.players) else "points"
    return [
        plain(f"{player.name}: {words.say('figure', figure, number=player.number)}")
        for player in now.view.players
        if player.name in changed and not player.out and not player.lost
    ]


def _to_beat(now: Snapshot, words: Wording) -> str:
    args = now.view.prompt.args
    kind = str(args.get("class"))
    to_beat = plain(words.say("speech", "to_beat"))
    if kind not in NATIVE:
        return f"{to_beat} {args.get('points')}"
    face = str(args.get("dice"))[:1] if kind == "zand" else ""  # a zand of six beats a zand of five
    return f'{to_beat} <voice xml:lang="{NATIVE[kind]}">{plain(words.say("class", kind))}</voice> {face}'.rstrip()


def _to_throw(now: Snapshot) -> str | None:
    return next((player.name for player in now.view.players if player.to_throw), None)
