"""Pages for people who have only a browser: a starter bot, the rules and the reference of the bot library.

/api/start          the data of the start page, as JSON
/get/bot?name=NAME  a bot's program, ready to upload
/get/api            the reference of the bot library, as text
/manual/            the documentation site, if this installation has it
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

from turnwright.app.lan.bot_templates import BotTemplates
from turnwright.app.lan.class_page import GET_PATH, bot_file, bot_name_problem
from turnwright.catalog import FoundGame
from turnwright.errors import SetupError
from turnwright.net.http.docs_site import ARCHIVE, SITE_INDEX, SITE_POLICY, pages_of_site, read_site
from turnwright.net.http.request import HttpResponse, text
from turnwright.net.http.viewer_files import StaticFile

MANUAL = "/manual/"
"""The beginning of the paths of the documentation site."""

_NAME_CHARS_MAX = 100


class StarterPages:
    """Answers the requests of beginners.

    Args:
        opponent: the built-in bot for first battles, or None.
        archive: the archive of the documentation site. The file may be missing.
    """

    def __init__(self, game: FoundGame, opponent: str | None, archive: Path = ARCHIVE) -> None:
        self._templates = BotTemplates.of(game)
        self._reference_maker = game.part("reference")
        self._opponent, self._archive = opponent, archive

    def overview(self) -> dict[str, Any]:
        """Return the JSON values of the start page: the opponent, the rules, and which pages there are."""
        return {
            "opponent": self._opponent,
            "rules": self._templates.rules(),
            "reference": self._reference_maker is not None,
            "manual": self._archive.is_file(),
        }

    def respond(self, path: str) -> HttpResponse | None:
        """Return the answer to a request, or None if `path` belongs to another page. `path` includes the
        query.
        """
        page, _, query = path.partition("?")
        if page == f"{GET_PATH}/bot":
            name = parse_qs(query).get("name", [""])[0].strip()[:_NAME_CHARS_MAX]
            problem = bot_name_problem(name)
            return bot_file(name, self._templates.text("py", name)) if problem is None else text(400, problem)
        if page == f"{GET_PATH}/api" and self._reference_maker is not None:
            return text(200, self._reference)
        if page.startswith(MANUAL):
            return self._manual(unquote(page.removeprefix(MANUAL)) or SITE_INDEX)
        return None

    def _manual(self, name: str) -> HttpResponse | None:
        found = self._site.get(name)
        if found is None:
            return None
        return HttpResponse(200, found.content, found.content_type, policy=SITE_POLICY)

    @cached_property
    def _site(self) -> Mapping[str, StaticFile]:
        try:
            return pages_of_site(read_site(self._archive))
        except SetupError:
            return {}

    @cached_property
    def _reference(self) -> str:
        assert self._reference_maker is not None
        return str(self._reference_maker())
