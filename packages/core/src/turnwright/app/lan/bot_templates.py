"""Makes the first file of a new bot from the templates of its game."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pprint import pformat
from string import Template
from typing import Any

from turnwright.catalog import FoundGame
from turnwright.errors import GameError, SetupError
from turnwright.kernel.game import Game, SeatInfo
from turnwright.kernel.rng import Streams

_DRAWN, _INTENTS_MAX, _INTENTS_COLUMNS = 100, 8, 100
"""For the template that fits any game: the number of random intents that are drawn, the number that the bot's
file contains, and the width of their lines in characters.
"""


@dataclass(frozen=True)
class BotTemplates:
    """The templates of a bot.

    Attributes:
        folder, stem: the folder of the templates STEM.py.txt and STEM.json.txt.
        words: by name, the texts that replace placeholders of the templates, in addition to the bot's name.
    """

    folder: Traversable
    stem: str
    words: dict[str, str]

    @classmethod
    def of(cls, game: FoundGame) -> BotTemplates:
        """Return the game's templates, or the templates for any game if it has none.

        Raises:
            GameError: the game cannot be loaded.
        """
        if game.package.templates and (own := game.file(game.package.templates)) is not None:
            return cls(own, "bot", {})
        rules = game.rules()
        words = {"game": rules.name, "intents": pformat(_intents_of(rules), width=_INTENTS_COLUMNS)}
        return cls(files("turnwright.cli") / "templates", "generic_bot", words)

    def rules(self) -> list[str]:
        """Return the lines of a short description of the rules, or an empty list if the game has none."""
        file = self.folder / "rules.txt"
        return file.read_text("utf-8").splitlines() if file.is_file() else []

    def text(self, suffix: str, name: str) -> str:
        """Return the content of a file of a new bot.

        Args:
            suffix: "py" or "json".
            name: the name of the bot.
        """
        template = Template((self.folder / f"{self.stem}.{suffix}.txt").read_text("utf-8"))
        return template.substitute({"name": name, **self.words})


def class_bot(templates: BotTemplates, name: str, url: str, word: str) -> str:
    """Return the program of a bot that contains the server's address and the join word.

    Environment variables take precedence. A server sets them when it starts a bot, so the file also works on
    another server.
    """
    program = templates.text("py", name)
    first = ast.parse(program).body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = program.splitlines(keepends=True)
    after = first.end_lineno if is_docstring and first.end_lineno is not None else 0
    where = (
        "\nimport os\n\n"
        f'os.environ.setdefault("SERVER_URL", {_literal(url)})\n'
        f'os.environ.setdefault("SERVER_SECRET", {_literal(word)})  # the join word\n'
    )
    return "".join([*lines[:after], where, *lines[after:]])


def _literal(text: str) -> str:
    """Return a text as a Python literal. It is in double quotes if it contains no quotes."""
    literal = repr(text)
    return literal if "'" in text or '"' in text else f'"{literal[1:-1]}"'


def _intents_of(game: Game) -> list[Any]:
    """Return some intents of a game as JSON values. If random intents cannot be drawn from the game's type
    `Intent`, return a list with only None, which means no answer.
    """
    streams = Streams(0)
    found: list[Any] = []
    try:
        state = game.setup(game.defaults, [SeatInfo("A"), SeatInfo("B")], streams)
        for number in range(_DRAWN):
            intent = game.write_intent(game.random_intent(state, 0, streams.stream("intents", number)))
            if intent not in found and len(found) < _INTENTS_MAX:
                found.append(intent)
    except (GameError, SetupError, ValueError):
        return found or [None]
    return sorted(found) if all(isinstance(one, str) for one in found) else found
