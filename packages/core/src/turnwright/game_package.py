"""A game and its parts as one object, `GAME` of a package or of the `game.py` in a folder.

    GAME = GamePackage(rules=".game:Chess", bots=".bots:HOUSE", view="view.js")

A part is an object, or the place of one as text, "module:name", which is imported when it is first needed.
A module that begins with a dot lies in the package of the game. So `--help` loads no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ListedCommand = tuple[str, str, str] | tuple[str, str, str, int]
"""A command as a package lists it, see `GamePackage.commands`."""


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """All parts of a game. Only the rules have no default.

    packages/core/docs/add-a-game.md shows a game with many of them.
    """

    rules: Any
    """The class of the rules, derived from `turnwright.kernel.game.Game`."""
    checked: bool = True
    """Whether each call of the rules is checked and watched. A game with its own tests may turn it off."""

    options: Any = None
    """The class of the options of a battle, derived from `app.options.GenericBattleOptions`."""
    serve_options: Any = None
    """The class of the options of a server, derived from `app.options.ServeOptions`."""
    protocol: Any = None
    """Makes the `host.protocol.GameProtocol` of a server from the rules and its options, or None for these.
    Without it programs speak the generic protocol."""
    bots: Any = field(default_factory=dict)
    """Built-in bots: functions by name, or a `net.participants.game_bots.GameBots`."""
    battles: Any = None
    """The class of what differs in its battles, derived from `app.game.battles.GameBattles`."""
    results: Any = None
    """The class of what differs in its results, derived from `app.game.results.GameResults`."""
    records: Any = None
    """The class of what differs in its records, derived from `app.game.records.GameRecords`."""
    recordings: bool = False
    """Whether the class of `records` reads Tank Royale recordings, which name no game."""
    analysis: str = ""
    """The command that tells why a recorded battle went as it did, e.g. "trace". The page of a game that has
    one plays records itself; others get their frames."""

    commands: Mapping[str, ListedCommand] = field(default_factory=dict)
    """Its commands by name: the module with its `COMMAND`, a summary, the heading of the list of commands.
    The commands that most people need have a fourth part: their place in the short list."""
    help: Any = field(default_factory=dict)
    """What it adds to the help of general commands, by their names: `cli.help_text.CommandText`."""
    served_by: str = ""
    """The command that plays it, where `battle` cannot, e.g. "world serve"."""
    display: Any = None
    """The class of the display of a running battle in characters (like `cli.terminal.LiveDisplay`)."""
    replay_text: Any = None
    """Shows a record in the terminal: a function of its path, the speed, the first turn, and `once`."""
    why_interpreted: Any = None
    """Says why the rules are interpreted here, or "" if they are compiled. None: they have one speed."""

    view: str = ""
    """The file of its page in the package: a view such as "view.js", or "view/main.js" of a whole page."""
    templates: str = ""
    """The folder with the first files of a new bot, e.g. "cli/templates"."""
    bot_library: str = ""
    """The module that its bots import, for a class of students. Without it they use `turnwright.client`."""
    reference: Any = None
    """Returns the reference of its bot library, in Markdown."""

    spaces: Any = None
    """The class that makes observations and actions of an environment for learners."""
    environments: Any = field(default_factory=dict)
    """Environments by name: seats, settings and opponents of each."""
