"""The device's own language, which may change while everything that speaks it runs."""

from __future__ import annotations

from device.wording import Wording


class Tongue(Wording):
    """A wording that becomes another one where it stands: page, screen, voice and terminal hold the same object.

    >>> tongue = Tongue("nl")
    >>> tongue.speak("en")
    >>> tongue.language, tongue.say("eye", "lost")
    ('en', 'camera: no picture')
    """

    def speak(self, language: str) -> None:
        """This language from now on."""
        self.__init__(language)  # type: ignore[misc]
