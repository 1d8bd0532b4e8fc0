"""Speech by espeak-ng, offline, a process for each sentence with a limit to its time."""

from __future__ import annotations

import shutil
import subprocess

from device.kept import PartLost
from device.sound import RATE, Wave

LIMIT_S = 5.0
WORDS_A_MINUTE = 160
HEADER = 44  # bytes before the samples; espeak-ng does not know their number when it writes it
VOICES = {"nl": "nl", "fr": "fr", "en": "en-gb", "de": "de"}


class EspeakVoice:
    """Speaks by `espeak-ng`; raises `PartLost` where that program is missing.

    Words come in by standard input, so that no name can be taken for an option.
    """

    def __init__(self, *, program: str = "espeak-ng") -> None:
        found = shutil.which(program)
        if found is None:
            raise PartLost(f"no speech: the program {program} is missing", "speech_software")
        self._program = found

    def speak(self, ssml: str, language: str) -> Wave:
        call = [self._program, "-m", "-z", "-b", "1", "-s", str(WORDS_A_MINUTE)]
        call += ["-v", VOICES.get(language, language), "--stdin", "--stdout"]
        text = f"<speak>{ssml}</speak>".encode()
        try:
            done = subprocess.run(call, input=text, capture_output=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired as fault:
            raise PartLost(f"no speech: espeak-ng took more than {LIMIT_S:g} seconds", "speech_failed") from fault
        except OSError as fault:
            raise PartLost(f"no speech: {fault}", "speech_failed") from fault
        sound = done.stdout
        if done.returncode or len(sound) < HEADER or sound[:4] != b"RIFF":
            words = done.stderr.decode(errors="replace").strip().splitlines()
            raise PartLost(f"no speech: {words[-1] if words else 'espeak-ng said nothing'}", "speech_failed")
        rate = int.from_bytes(sound[24:28], "little")
        if rate != RATE:
            raise PartLost(f"no speech: espeak-ng speaks at {rate} samples a second, not {RATE}", "speech_failed")
        samples = sound[HEADER:]
        return Wave(samples[: len(samples) // 2 * 2])

    def close(self) -> None:
        """Nothing stays open between two sentences."""
