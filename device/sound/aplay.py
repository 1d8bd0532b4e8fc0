"""The sound card through ALSA's own player, a process of its own: what hangs there hangs nobody here."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import wave

from device.kept import PartLost
from device.sound import RATE, Speaker, Wave

SILENCE = Wave(bytes(RATE // 50 * 2))
GRACE_S = 3.0  # a card may take so much longer than the sound lasts


class AplaySpeaker:
    """Plays on ALSA's card `device` by `aplay`; raises `PartLost` where that program is missing."""

    def __init__(self, device: str = "default", *, program: str = "aplay") -> None:
        found = shutil.which(program)
        if found is None:
            raise PartLost(f"no sound: the program {program} is missing (package alsa-utils)", "sound_software")
        self._call = [found, "-q", "-D", device, "-"]
        self._last: AplayPlaying | None = None

    def start(self, wave: Wave) -> AplayPlaying:
        self.close()
        try:
            with tempfile.TemporaryFile() as sound:
                sound.write(wav(wave))
                sound.seek(0)
                process = subprocess.Popen(
                    self._call, stdin=sound, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, close_fds=True
                )
        except OSError as fault:
            raise PartLost(f"no sound: {fault}", "sound_failed") from fault
        self._last = AplayPlaying(process, wave.seconds + GRACE_S)
        return self._last

    def close(self) -> None:
        if self._last is not None:
            self._last.stop()


class AplayPlaying:
    """One run of the player."""

    def __init__(self, process: subprocess.Popen[bytes], limit_s: float) -> None:
        self._process, self._limit_s = process, limit_s
        self._stopped = False

    def wait(self) -> None:
        try:
            _, said = self._process.communicate(timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            self.stop()
            self._process.communicate()
            raise PartLost("no sound: the sound card takes nothing", "sound_failed") from None
        if self._process.returncode and not self._stopped:
            words = said.decode(errors="replace").strip().splitlines()
            why = words[-1] if words else f"aplay ended with {self._process.returncode}"
            raise PartLost(f"no sound: {why}", "sound_failed")

    def stop(self) -> None:
        self._stopped = True
        if self._process.poll() is None:
            self._process.kill()


def proved(speaker: Speaker) -> Speaker:
    """The speaker, once it has played a moment of silence; raises `PartLost` where there is no card or it is busy."""
    speaker.start(SILENCE).wait()
    return speaker


def wav(sound: Wave) -> bytes:
    """The sound as a WAV file."""
    told = io.BytesIO()
    with wave.open(told, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(sound.samples)
    return told.getvalue()
