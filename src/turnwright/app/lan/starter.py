"""Pages for people with only a browser: a starter bot, the rules, the bot library's reference.

/api/start          what the page shows, as JSON
/get/bot?name=NAME  a bot's program, ready to upload
/get/api            the reference of the bot library, as text
"""

from __future__ import annotations

from functools import cached_property
from typing import Any
from urllib.parse import parse_qs

from turnwright import catalog
from turnwright.app.lan.bot_templates import BotTemplates
from turnwright.app.lan.class_page import GET_PATH, bot_file, bot_name_problem
from turnwright.net.http.request import HttpResponse, text

__all__ = ["StarterPages"]

_NAME_CHARS_MAX = 100


class StarterPages:
    """Answers the requests of people who begin.

    game: its name, or the path of its folder. opponent: the house bot of first battles, or None.
    """

    def __init__(self, game: str, opponent: str | None) -> None:
        self._templates = BotTemplates.of(game)
        self._reference_maker = catalog.find(game).part("bots.docs")
        self._opponent = opponent

    def overview(self) -> dict[str, Any]:
        """Return what the page shows."""
        return {
            "opponent": self._opponent,
            "rules": self._templates.rules(),
            "reference": self._reference_maker is not None,
        }

    def respond(self, path: str) -> HttpResponse | None:
        """Return the answer to a path with its query, or None for another page."""
        page, _, query = path.partition("?")
        if page == f"{GET_PATH}/bot":
            name = parse_qs(query).get("name", [""])[0].strip()[:_NAME_CHARS_MAX]
            problem = bot_name_problem(name)
            return bot_file(name, self._templates.text("py", name)) if problem is None else text(400, problem)
        if page == f"{GET_PATH}/api" and self._reference_maker is not None:
            return text(200, self._reference)
        return None

    @cached_property
    def _reference(self) -> str:
        assert self._reference_maker is not None
        return str(self._reference_maker.render())
