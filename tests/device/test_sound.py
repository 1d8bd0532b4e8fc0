"""Sound: one contract for loudspeakers and one for voices, programs that hang or are missing, and the tones."""

from __future__ import annotations

import io
import shutil
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from device.config import LANGUAGES
from device.kept import PartLost
from device.sound import RATE, FakeSpeaker, FakeVoice, Speaker, Voice
from device.sound import aplay as aplay_module
from device.sound.aplay import AplaySpeaker, proved, wav
from device.sound.espeak import EspeakVoice
from device.sound.tones import TONES, tone
from device.sound.words import TONE_OF, plain
from tests.waiting import PATIENCE_S

BEEP = tone("zand")


def program(folder: Path, name: str, lines: str) -> str:
    """A stand-in for a program of the system."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(autouse=True)
def _programs_may_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aplay_module, "GRACE_S", PATIENCE_S)
    monkeypatch.setattr("device.sound.espeak.LIMIT_S", PATIENCE_S)


class TestSpeakerContract:
    @pytest.fixture(params=["fake", "aplay"])
    def made(self, request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Speaker, Callable[[], bytes]]:
        """A loudspeaker, and the samples that last came out of it."""
        if request.param == "fake":
            fake = FakeSpeaker()
            return fake, lambda: fake.played[-1].samples
        out = tmp_path / "out.wav"
        speaker = AplaySpeaker("card", program=program(tmp_path, "aplay", f'[ "$3" = card ] && cat > {out}'))

        def samples() -> bytes:
            with wave.open(io.BytesIO(out.read_bytes())) as file:
                assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
                frames: bytes = file.readframes(file.getnframes())
                return frames

        return speaker, samples

    def test_what_is_played_comes_out(self, made: tuple[Speaker, Callable[[], bytes]]) -> None:
        speaker, samples = made
        for sound in (BEEP, tone("seven")):
            speaker.start(sound).wait()
            assert samples() == sound.samples
        speaker.close()
        speaker.close()

    @pytest.mark.parametrize("kind", ["fake", "aplay"])
    def test_it_can_be_silenced(self, kind: str, tmp_path: Path) -> None:
        made: Speaker = FakeSpeaker(at_once=False)
        if kind == "aplay":
            made = AplaySpeaker(program=program(tmp_path, "aplay", "exec sleep 120"))
        playing = made.start(BEEP)
        threading.Timer(0.05, playing.stop).start()
        began = time.monotonic()
        playing.wait()
        assert time.monotonic() - began < PATIENCE_S / 2
        playing.stop()
        made.close()

    @pytest.mark.parametrize("kind", ["fake", "aplay"])
    def test_a_card_that_fails_is_told(self, kind: str, tmp_path: Path) -> None:
        fake = FakeSpeaker()
        fake.lost = PartLost("no sound: audio open error: Device or resource busy", "sound_failed")
        made: Speaker = fake
        if kind == "aplay":
            lines = 'echo "aplay: main:831: audio open error: Device or resource busy" >&2; exit 1'
            made = AplaySpeaker(program=program(tmp_path, "aplay", lines))
        with pytest.raises(PartLost, match=r"no sound: .*busy"):
            made.start(BEEP).wait()


class TestAplay:
    def test_a_missing_program_is_named(self) -> None:
        with pytest.raises(PartLost, match="no-such-aplay is missing") as lost:
            AplaySpeaker(program="no-such-aplay")
        assert lost.value.key == "sound_software"

    def test_a_card_that_hangs_is_given_up(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(aplay_module, "GRACE_S", -0.1)
        speaker = AplaySpeaker(program=program(tmp_path, "aplay", "exec sleep 120"))
        began = time.monotonic()
        with pytest.raises(PartLost, match="takes nothing"):
            speaker.start(BEEP).wait()
        assert time.monotonic() - began < PATIENCE_S / 2

    def test_a_card_that_is_not_there_is_known_before_anything_is_played(self, tmp_path: Path) -> None:
        broken = program(tmp_path, "aplay", 'echo "audio open error: No such file or directory" >&2; exit 1')
        with pytest.raises(PartLost, match="No such file"):
            proved(AplaySpeaker(program=broken))
        well = AplaySpeaker(program=program(tmp_path, "aplay", "cat > /dev/null"))
        assert proved(well) is well

    def test_the_next_sound_ends_the_last(self, tmp_path: Path) -> None:
        speaker = AplaySpeaker(program=program(tmp_path, "aplay", "exec sleep 120"))
        first = speaker.start(BEEP)
        speaker.start(BEEP).stop()
        first.wait()


class TestVoiceContract:
    @pytest.fixture(params=["fake", "stand-in", "espeak-ng"])
    def voice(self, request: pytest.FixtureRequest, tmp_path: Path) -> Voice:
        if request.param == "fake":
            return FakeVoice()
        if request.param == "stand-in":
            (tmp_path / "said.wav").write_bytes(wav(BEEP))
            return EspeakVoice(program=program(tmp_path, "espeak", f"cat > /dev/null; cat {tmp_path}/said.wav"))
        if shutil.which("espeak-ng") is None:
            pytest.skip("espeak-ng is not installed")
        return EspeakVoice()

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_speaks(self, voice: Voice, language: str) -> None:
        said = voice.speak('Ann: 1, 4, 5. <voice xml:lang="nl">zand</voice>', language)
        assert said.seconds > 0.05
        assert len(said.samples) % 2 == 0
        voice.close()
        voice.close()


class TestEspeak:
    @pytest.mark.parametrize(
        ("lines", "said"),
        [("exit 3", "said nothing"), ("echo 'no voice' >&2; exit 1", "no voice"), ("echo hello", "said nothing")],
    )
    def test_what_goes_wrong_is_told(self, lines: str, said: str, tmp_path: Path) -> None:
        voice = EspeakVoice(program=program(tmp_path, "espeak", f"cat > /dev/null; {lines}"))
        with pytest.raises(PartLost, match=said) as lost:
            voice.speak("Ann", "nl")
        assert lost.value.key == "speech_failed"

    def test_a_voice_that_hangs_is_given_up(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("device.sound.espeak.LIMIT_S", 0.2)
        voice = EspeakVoice(program=program(tmp_path, "espeak", "exec sleep 120"))
        with pytest.raises(PartLost, match=r"more than 0\.2 seconds"):
            voice.speak("Ann", "nl")

    def test_a_missing_program_is_named(self) -> None:
        with pytest.raises(PartLost, match="no-such-espeak is missing") as lost:
            EspeakVoice(program="no-such-espeak")
        assert lost.value.key == "speech_software"

    @pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
    def test_names_are_no_options_and_no_markup(self) -> None:
        voice = EspeakVoice()
        for name in ("-w /tmp/x", "<break time='9s'/>", "[[s'IkrIt]]", "--help", "&amp;"):
            assert 0.1 < voice.speak(plain(name), "en").seconds < 4.0, name


class TestTones:
    def test_they_are_short_soft_and_differ(self) -> None:
        for key in TONES:
            samples = np.frombuffer(tone(key).samples, np.int16)
            assert 0.03 < tone(key).seconds < 0.8, key
            assert abs(samples).max() < 0.5 * 32768, key
            assert abs(samples[0]) < 400 > abs(samples[-1]), key  # no click
        assert len({tone(key).samples for key in TONES}) == len(TONES)
        assert set(TONE_OF.values()) <= set(TONES)

    def test_volume(self) -> None:
        loud, soft = (np.frombuffer(BEEP.louder(f).samples, np.int16).astype(float).std() for f in (1.0, 0.25))
        assert soft == pytest.approx(loud / 4, rel=0.01)
        assert abs(np.frombuffer(BEEP.louder(9.0).samples, np.int16)).max() >= 32767
