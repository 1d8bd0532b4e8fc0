"""What is said, in four languages, and when: only what still holds, never late, and nobody waits for it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from device.buttons.menu import Shown
from device.journal import MemoryJournal
from device.kept import PartLost
from device.snapshot import Eye
from device.sound import FakeSpeaker, FakeVoice, Wave
from device.sound.sounding import MOST_WAITING, Sound
from device.sound.tones import tone
from device.sound.words import heard, plain
from device.table import Table
from device.wording import wording
from tests.waiting import PATIENCE_S, waited

START = {"do": "start", "game": "pietjesbak", "players": ["Ann", "Bob"], "opener": "Ann"}
STOP = {"do": "stop"}


def throw(*dice: int, **more: object) -> dict[str, object]:
    return {"do": "throw", "dice": list(dice), **more}


def said(language: str, *events: Mapping[str, object]) -> tuple[str, str]:
    """The tone and the words of the last of these events."""
    table = Table(MemoryJournal())
    before = table.now
    for event in events:
        before = table.now
        assert table.say(event)[-1].error is None, event
    told = heard(before, table.now, wording(language))
    return told.tone, re.sub(r"<[^>]*>", "", told.words)


class TestWords:
    @pytest.mark.parametrize(
        ("events", "tone", "words"),
        [
            ([START], "", "Ann gooit."),
            ([START, throw(2, 4, 5)], "read", "2, 4, 5. 11."),
            ([START, throw(6, 6, 6)], "zand", "6, 6, 6. zand."),
            ([START, throw(6, 5, 4), STOP], "", "Bob gooit. Te kloppen: soixante-neuf."),
            ([START, throw(5, 5, 5), STOP], "", "Bob gooit. Te kloppen: zand 5."),
            ([START, throw(1, 4, 5), STOP], "", "Bob gooit. Te kloppen: 109."),
            (
                [START, throw(1, 4, 5), STOP, throw(3, 4, 5)],
                "won",
                "3, 4, 5. 12. Ann wint de ronde: -1. Ann: 8 streepjes. Ann gooit.",
            ),
            (
                [START, throw(1, 4, outside=1)],
                "die_outside",
                "1, 4, 1 steen uit de bak. steen uit de bak: Ann +1. Ann: 10 streepjes.",
            ),
            ([START, throw(1, 4, rim=1)], "die_outside", "1, 4, 1 steen op de rand."),
            (
                [START, throw(2, 2, 3), {"do": "correct", "throw": 1, "dice": [2, 2, 4]}],
                "corrected",
                "verbeterd: Ann -1. Ann: 9 streepjes. Ann gooit.",
            ),
            (
                [START, throw(1, 4, 5), {"do": "correct", "throw": 1, "dice": [1, 4, 6]}],
                "corrected",
                "Verbeterd. Ann gooit.",
            ),
            ([START, throw(1, 4, 5), {"do": "undo"}], "corrected", "Hersteld. Ann gooit."),
            ([START, throw(1, 4, 5), {"do": "pause"}], "", "Pauze."),
        ],
    )
    def test_in_dutch(self, events: Sequence[Mapping[str, object]], tone: str, words: str) -> None:
        assert said("nl", *events) == (tone, words)

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("fr", "1, 4, 5. 109. Bob lance. À battre : 109."),
            ("en", "1, 4, 5. 109. Bob throws. To beat: 109."),
            ("de", "1, 4, 5. 109. Bob wirft. Zu schlagen: 109."),
        ],
    )
    def test_dice_worth_and_who_is_next_in_every_language(self, language: str, words: str) -> None:
        thirds = [throw(2, 4, 5), throw(3, 4, 5), throw(1, 4, 5)]
        assert said(language, START, *thirds) == ("read", words)

    def test_game_words_are_said_in_their_own_language(self) -> None:
        table = Table(MemoryJournal())
        table.say(START)
        before = table.now
        table.say(throw(6, 5, 4))
        words = heard(before, table.now, wording("de")).words
        assert '<voice xml:lang="fr">soixante-neuf</voice>' in words

    def test_doubt_and_a_lost_camera_are_told_once(self) -> None:
        table = Table(MemoryJournal())
        table.say(START)
        before = table.now
        table.saw_unsure(("cocked",), (1, 4, None), at=1.0)
        told = heard(before, table.now, wording("en"))
        assert (told.tone, told.words) == ("unsure", "What was this throw? a die leans.")
        assert heard(table.now, table.now, wording("en")).words == ""
        before = table.now
        table.look(Eye.LOST, "absent")
        assert heard(before, table.now, wording("en")).tone == "trouble"
        before = table.now
        table.look(Eye.LOST, "frozen")
        assert heard(before, table.now, wording("en")).words == ""

    def test_a_name_is_never_markup(self) -> None:
        _, words = said("en", {**START, "players": ["<b>&Co", "[[x]]"], "opener": "<b>&Co"})
        assert words == "&lt;b&gt;&amp;Co throws."
        assert len(plain("x" * 1000)) <= 240


class Heard:
    """A table with sound whose thread does not run: `turn` is called by hand."""

    def __init__(self, *, voice: bool = True, volume: int = 60) -> None:
        self.table = Table(MemoryJournal())
        self.t = 0.0
        self.speaker, self.voice = FakeSpeaker(), FakeVoice()
        self.sound = Sound(
            self.table,
            wording("en"),
            lambda: self.speaker,
            (lambda: self.voice) if voice else None,
            volume=volume,
            clock=lambda: self.t,
        )

    def play(self) -> list[str]:
        """All that waits; gives back the words."""
        begun = len(self.voice.spoken)
        while self.sound.turn():
            pass
        return [re.sub(r"<[^>]*>", "", words) for words, _ in self.voice.spoken[begun:]]


class TestSound:
    def test_tones_alone_without_a_voice(self) -> None:
        heard = Heard(voice=False, volume=100)
        heard.table.say(START)
        heard.table.say(throw(6, 6, 6))
        assert heard.play() == []
        assert [sound.samples for sound in heard.speaker.played] == [tone("zand").samples]

    def test_tone_then_words(self) -> None:
        heard = Heard()
        heard.table.say(START)
        assert heard.play() == ["Ann throws."]
        heard.table.say(throw(6, 6, 6))
        assert heard.play() == ["6, 6, 6. zand."]
        assert heard.speaker.played[-1].seconds > tone("zand").seconds + 0.1

    def test_only_the_latest_is_told_and_the_queue_is_short(self) -> None:
        heard = Heard()
        heard.table.say(START)
        for _ in range(200):
            heard.table.say(throw(6, 6, 6))
            heard.table.say({"do": "undo"})
        heard.table.say(throw(2, 2, 4))
        for _ in range(50):
            heard.sound.heard("press")
        assert len(heard.sound._queue) <= MOST_WAITING
        assert heard.play()[:1] in ([], ["2, 2, 4. 8."])

    def test_what_waited_too_long_is_not_said(self) -> None:
        heard = Heard()
        heard.table.say(START)
        heard.sound.heard("press")
        heard.t += 60.0
        assert heard.play() == []
        assert heard.speaker.played == []
        heard.table.say(throw(2, 2, 4))
        assert heard.play() == ["2, 2, 4. 8."]

    @pytest.mark.parametrize(
        "event", [{"do": "correct", "throw": 1, "dice": [1, 4, 6]}, {"do": "undo"}, throw(3, 4, 5), START]
    )
    def test_what_holds_no_more_is_silenced_while_it_is_said(self, event: Mapping[str, object]) -> None:
        heard = Heard()
        heard.speaker = FakeSpeaker(at_once=False)
        heard.table.say(START)
        heard.sound._queue.clear()
        heard.table.say(throw(1, 4, 5))
        playing = threading.Thread(target=heard.sound.turn, daemon=True)
        playing.start()
        assert waited(lambda: heard.sound._playing is not None)
        heard.table.say(event)
        playing.join(PATIENCE_S)
        assert heard.speaker.playing[0].stopped

    def test_a_stop_lets_the_dice_be_said_to_the_end(self) -> None:
        heard = Heard()
        heard.speaker = FakeSpeaker(at_once=False)
        heard.table.say(START)
        heard.sound._queue.clear()
        heard.table.say(throw(1, 4, 5))
        playing = threading.Thread(target=heard.sound.turn, daemon=True)
        playing.start()
        assert waited(lambda: heard.sound._playing is not None)
        heard.table.say(STOP)
        assert not heard.speaker.playing[0].stopped
        heard.speaker.playing[0].over.set()
        playing.join(PATIENCE_S)
        heard.speaker._at_once = True
        assert heard.play() == ["Bob throws. To beat: 109."]

    def test_words_made_for_a_throw_that_was_corrected_meanwhile_are_not_said(self) -> None:
        heard = Heard()
        heard.table.say(START)
        heard.play()
        corrected = {"do": "correct", "throw": 1, "dice": [1, 4, 6]}

        class Slow(FakeVoice):
            def speak(self, ssml: str, language: str) -> Wave:
                said = super().speak(ssml, language)
                if len(self.spoken) == 1:
                    heard.table.say(corrected)  # while espeak-ng works
                return said

        heard.voice = Slow()
        heard.sound._voice = None
        heard.sound = Sound(heard.table, wording("en"), lambda: heard.speaker, lambda: heard.voice)
        before = len(heard.speaker.played)
        heard.table.say(throw(1, 4, 5))
        heard.play()
        assert [words for words, _ in heard.voice.spoken] == ["1, 4, 5. 109.", "Corrected. Ann throws."]
        assert len(heard.speaker.played) == before + 1  # the first was made and never played

    def test_nothing_at_volume_zero_and_louder_with_more(self) -> None:
        heard = Heard(volume=0)
        heard.table.say(START)
        heard.play()
        assert heard.speaker.played == []
        heard.sound.volume = 100
        heard.sound.heard("press")
        heard.sound.turn()
        heard.sound.volume = 30
        heard.sound.heard("press")
        heard.sound.turn()
        loud, soft = (np.frombuffer(sound.samples, np.int16).astype(float).std() for sound in heard.speaker.played)
        assert 0 < soft < loud / 5

    def test_a_menu_is_said_line_by_line(self) -> None:
        heard = Heard()
        for chosen in range(3):
            heard.sound.lay_over(Shown("Menu", ("Pause", "Stop here", "Back"), chosen))
        assert heard.play() == ["Back"]
        heard.sound.lay_over(None)
        assert heard.play() == []

    def test_without_a_loudspeaker_it_is_told_and_it_comes_back(self) -> None:
        heard = Heard()
        heard.table.say(START)
        heard.speaker.lost = PartLost("no sound: busy", "sound_failed")
        heard.play()
        assert heard.sound.health() == {
            "ok": False,
            "message": "no sound: busy",
            "trouble": "sound_failed",
            "volume": 60,
        }
        heard.speaker.lost = None
        heard.t += 60.0
        heard.table.say(throw(1, 4, 5))
        assert heard.play() == ["1, 4, 5. 109."]
        assert heard.sound.health()["ok"] is True

    def test_without_a_voice_the_tones_stay(self) -> None:
        heard = Heard()
        heard.voice.lost = PartLost("no speech: espeak-ng is missing", "speech_software")
        heard.table.say(START)
        heard.table.say(throw(6, 6, 6))
        heard.play()
        assert len(heard.speaker.played) == 1
        assert heard.sound.health()["trouble"] == "speech_software"

    def test_the_table_never_waits(self) -> None:
        let_go = threading.Event()

        class Stuck(FakeSpeaker):
            def start(self, wave: Wave) -> Any:
                let_go.wait()
                return super().start(wave)

        table = Table(MemoryJournal())
        sound = Sound(table, wording("en"), Stuck)
        sound.start()
        began = time.monotonic()
        for _ in range(100):
            table.say(START)
            sound.heard("press")
        assert time.monotonic() - began < PATIENCE_S / 2  # the loudspeaker takes for ever
        let_go.set()
        sound.close()
        sound.close()

    def test_the_thread_plays_and_ends(self) -> None:
        table = Table(MemoryJournal())
        speaker = FakeSpeaker()
        sound = Sound(table, wording("en"), lambda: speaker, clock=lambda: 0.0)
        sound.start()
        sound.heard("press")
        assert waited(lambda: len(speaker.played) == 1)
        sound.close()
        assert speaker.closed
        assert waited(lambda: not sound.turning.alive)

    def test_it_is_switched_on_and_off_while_it_runs(self) -> None:
        at = Heard()
        at.sound.kind = "none"
        at.table.say(START)
        at.play()
        assert (at.speaker.played, at.sound.is_off) == ([], True)
        at.sound.kind = "tones"
        at.table.say({"do": "throw", "dice": [6, 6, 6]})
        assert at.play() == []
        assert len(at.speaker.played) == 1
        at.sound.kind = "speech"
        at.sound.try_out()
        assert len(at.play()) == 1, "a voice is heard when it is tried out"
        assert len(at.speaker.played) == 2

    def test_without_a_voice_a_tone_is_tried_out(self) -> None:
        at = Heard(voice=False)
        at.sound.try_out()
        assert at.play() == []
        assert at.speaker.played[0].samples
