"""A game and its parts as one object, `GAME` of a package or of the `game.py` in a folder.

    GAME = GamePackage(rules=".game:Chess", bots=".bots:HOUSE", view="view.js")

A part is an object, or the place of one as text, "module:name", which is imported when it is first needed.
A module that begins with a dot lies in the package of the game. So `--help` loads no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class GamePackage:
    """All parts of a game. Only the rules have no default.

    docs/how-to/add-a-game.md shows a game with many of them.
    """

    rules: Any
    """The class of the rules, derived from `turnwright.kernel.game.Game`."""
    checked: bool = True
    """Whether each call of the rules is checked and watched. A game with tests of its own may do without."""

    protocol: Any = None
    """Makes the protocol of a server from its options (or None): a `host.protocol.GameProtocol`."""
    options: Any = "turnwright.app.options:GenericBattleOptions"
    """The class of the options of a battle: an `app.options.BattleOptions`."""
    serve_options: Any = "turnwright.app.options:ServeOptions"
    """The class of the options of a server."""
    bots: Any = field(default_factory=dict)
    """Built-in bots: functions by name, or a `net.participants.game_bots.GameBots`."""
    parts: Any = None
    records: Any = None

    commands: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    """Its commands by name: the module with its `COMMAND`, a summary, the heading of the list of commands."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names that commands had before: the name now."""
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
    reference: Any = None
    """Returns the reference of its bot library, in Markdown."""

    spaces: Any = None
    """The class that makes observations and actions of an environment for learners."""
    environments: Any = field(default_factory=dict)
    """Environments by name: seats, settings and opponents of each."""
