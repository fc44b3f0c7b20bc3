"""A game with its parts as one object. The object is `GAME` in a package or in the `game.py` of a folder.

    GAME = GamePackage(rules=".game:Chess", bots=".bots:BOTS", view="view.js")

A part is an object, or text that says where the object is: "module:name". Text is imported when the part is
first needed, so `--help` loads no rules. A module name that begins with a dot is relative to the game's
package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ListedCommand = tuple[str, str, str] | tuple[str, str, str, int]
"""A command as a package lists it (see `GamePackage.commands`)."""


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """All parts of a game. Only the rules are required."""

    rules: Any
    """The class of the rules, a subclass of `turnwright.kernel.game.Game`."""
    checked: bool = True
    """Whether turnwright checks each call of the rules and limits the duration of the call. A well-tested
    game can turn the checks off.
    """

    options: Any = None
    """The class of a battle's options, a subclass of `app.options.BattleOptions`."""
    serve_options: Any = None
    """The class of a server's options, a subclass of `app.options.ServeOptions`."""
    protocol: Any = None
    """A function that takes the rules and the options, and returns a `host.protocol.GameProtocol`. If the
    options are None, the function uses the default options. Without this function, programs use the generic
    protocol.
    """
    bots: Any = field(default_factory=dict)
    """The built-in bots. This is a dictionary of functions by name, or a
    `net.participants.game_bots.GameBots`.
    """
    battles: Any = None
    """A class that changes how battles are played, derived from `app.game.battles.GameBattles`."""
    results: Any = None
    """A class that changes what results contain, derived from `app.game.results.GameResults`."""
    records: Any = None
    """A class that changes what records contain, derived from `app.game.records.GameRecords`."""
    recordings: bool = False
    """Whether the class of `records` reads Tank Royale recordings, which do not name a game."""
    analysis: str = ""
    """The command that explains a recorded battle, e.g. "trace". If a game has such a command, the game's
    page replays records itself. Otherwise the page receives the frames.
    """

    commands: Mapping[str, ListedCommand] = field(default_factory=dict)
    """The game's commands by name. Each value has the module that contains `COMMAND`, a summary, and the
    heading in the list of commands. A command that most people need has a fourth part, its position in the
    short list of commands.
    """
    help: Any = field(default_factory=dict)
    """The help that the game adds to general commands: by name of the command, a
    `cli.help_text.CommandText`.
    """
    served_by: str = ""
    """The command that plays the game, if `battle` cannot play it, e.g. "world serve"."""
    display: Any = None
    """A class that shows a running battle in the terminal, like `cli.terminal.LiveDisplay`."""
    replay_text: Any = None
    """A function that shows a record in the terminal. It takes the path of the record, the speed, the first
    turn, and `once`.
    """
    why_interpreted: Any = None
    """A function that returns why the rules are interpreted, or "" if they are compiled. None means that the
    rules cannot be compiled."""

    view: str = ""
    """The path, in the package, of the file that draws the game's page. The file is a view, such as
    "view.js", or a complete page, such as "view/main.js".
    """
    templates: str = ""
    """The folder with the first files of a new bot, e.g. "cli/templates"."""
    bot_library: str = ""
    """The module that the game's bots import. A server for a class offers this module to students. If the
    game has no such module, bots use `turnwright.client`.
    """
    reference: Any = None
    """A function that returns the reference of the bot library, in Markdown."""

    spaces: Any = None
    """The class that converts observations and actions for learners. None means that the rules do this."""
    environments: Any = field(default_factory=dict)
    """The environments by name, each with its seats, settings and opponents."""
