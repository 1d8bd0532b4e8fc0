"""Starting a game from a phone: players in order, house rules with their reasons, what stands in chalk."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from device.commands.rules import MORE_WARNINGS, card
from device.web.chalk import CHALK, NUMBERS
from device.web.site import Site
from scorer.games import NAMES, game_named
from scorer.presets import PRESETS

FIRST_PRESET = "rulebook"


class NewGame:
    """``/play/new`` and the rule card ``/rules``."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.routes = [Route("/play/new", self._new), Route("/rules", self._rules)]

    def _new(self, request: Request) -> Response:
        site = self._site
        if not site.may_play(request):
            return RedirectResponse("/play", 303)
        words, now = site.words(request), site.table.now
        running = now.session.start
        game = request.query_params.get("game") or (running.game if running else NAMES[0])
        game = game if game in NAMES else NAMES[0]
        presets = PRESETS.get(game, {})
        before = running.preset if running is not None and running.game == game else None
        preset = request.query_params.get("preset") or before or FIRST_PRESET
        preset = preset if preset in presets else next(iter(presets))
        seats = {player.name: player.seat for player in now.view.players} | site.door.here
        return site.html(
            request,
            "new_part.html" if request.query_params.get("part") == "rules" else "new.html",
            game=game,
            games={
                name: (words.say("rules", f"{name}.title"), words.say("rules", f"{name}.summary")) for name in NAMES
            },
            card=card(game, preset, words.language),
            preset=preset,
            cautions=[words.say("rules", f"warnings.{key}") for key in MORE_WARNINGS.get(game, ())],
            chalk=[asdict(field) | {"label": words.say("chalk", field.key)} for field in CHALK.get(game, ())],
            players=[{"name": name, "seat": seats.get(name)} for name in self._likely(request)],
            here=site.door.here,
            least=game_named(game).players[0],
            most=game_named(game).players[-1],
            seq=now.seq,
            is_running=now.view.phase not in ("idle", "over"),
            for_script=self._for_script(request),
        )

    def _likely(self, request: Request) -> list[str]:
        """Those who played last in the order of the table, then who came since."""
        site = self._site
        before = [player.name for player in site.table.now.view.players if "left" not in player.roles]
        return [*before, *(name for name in site.door.here if name not in before)]

    def _for_script(self, request: Request) -> dict[str, Any]:
        words = self._site.words(request)
        keys = ("up", "down", "remove", "drag", "moved", "nobody", "large", "medium", "cancel", "yes", "failed")
        return {key: words.say("remote", key, name="{name}", n="{n}") for key in keys} | {"numbers": NUMBERS}

    def _rules(self, request: Request) -> Response:
        """The card of the game asked for, else of the running one with what this table chose."""
        site = self._site
        words, session = site.words(request), site.table.now.session
        asked = request.query_params.get("game")
        start = session.start
        if asked in NAMES or start is None:
            told = card(asked if asked in NAMES else NAMES[0], None, words.language)
        else:
            told = card(start.game, start.preset, words.language, session.options)
        return site.html(
            request,
            "rules.html",
            card=told,
            is_running=start is not None and asked not in NAMES,
            games={name: words.say("rules", f"{name}.title") for name in NAMES},
        )
