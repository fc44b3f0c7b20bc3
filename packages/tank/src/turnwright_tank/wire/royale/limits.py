"""The limits on all input over the Royale protocol, by name.

Each limit names its source. "schema" means the published message schemas, and "official 1.4" the limits on
team messages since 1.4.0. "ours" means that the official server has no limit or does not check it.
"""

from __future__ import annotations

from turnwright.wire.faults import MESSAGE_BYTES_MAX as MESSAGE_BYTES_MAX
from turnwright.wire.faults import REASON_BYTES_MAX as REASON_BYTES_MAX
from turnwright.wire.faults import STRANGER_BYTES_MAX as STRANGER_BYTES_MAX

VALUES_MAX = 20_000
"""Commas in a message that the typed decoder refused (ours). Decoding a longer message again would take too
long.
"""

NAME_CHARS_MAX = 30
"""A name of a bot or a team, code points (schema)."""
CLIENT_NAME_CHARS_MAX = 200
"""A name or version of an observer or controller, code points (ours)."""
VERSION_CHARS_MAX = 20
"""A version of a bot or a team, code points (schema)."""
AUTHORS_MAX = 20
AUTHOR_CHARS_MAX = 50
DESCRIPTION_CHARS_MAX = 250
HOMEPAGE_CHARS_MAX = 150
COUNTRY_CODES_MAX = 20
COUNTRY_CODE_CHARS_MAX = 2
GAME_TYPES_MAX = 10
GAME_TYPE_CHARS_MAX = 20
LANGUAGE_CHARS_MAX = 30
PLATFORM_CHARS_MAX = 100
"""Platform of a bot, code points (ours). The schema has 30, but the default text of the official Java API is
longer.
"""
SESSION_ID_CHARS_MAX = 64
"""A session id (ours). A session id of the official server has 22 characters."""
SECRET_CHARS_MAX = 1_024
"""A secret (ours)."""

TEAM_MEMBER_NAME_CHARS_MAX = 120
"""Full name of a team member (ours). The published schema of 1.1 has no such field."""
TEAM_ID_MAX = 2**31 - 1
"""The largest team id. The official server has the same range. Its negative ids are solo bots."""
POSITION_MAX = 1e9
"""The absolute value of a number in an initial position (ours)."""
HOST_CHARS_MAX = 255
"""A host name or address in a BotAddress (DNS)."""
PORT_MAX = 65_535

OUTPUT_BYTES_MAX = 8_192
"""stdOut or stdErr of a turn, UTF-8 bytes (ours). A longer text is cut and ends with the mark."""
TRUNCATED_MARK = "[truncated]"
DEBUG_GRAPHICS_BYTES_MAX = 65_536
"""The SVG text of a turn, UTF-8 bytes (ours). A longer text is dropped."""
COLOR_CHARS_MAX = 2_048
"""The text of a colour (ours). A longer text is dropped. So a message of at most this length needs no check
of any text.
"""

TEAM_MESSAGES_MAX = 64
"""Packets in an intent (official 1.4)."""
BATCH_MESSAGES_MAX = 128
"""Messages in an intent, where each entry of a batch counts (official 1.4)."""
TEAM_MESSAGE_BYTES_MAX = 49_152
"""One packet's text, UTF-8 bytes (official 1.4)."""
TEAM_MESSAGES_BYTES_MAX = 262_144
"""All packets as compact JSON, UTF-8 bytes (official 1.4)."""

BOTS_MAX = 1_000
"""Addresses in a StartGame (ours)."""
BOOTS_MAX = 100
"""Entries of a BootBots (ours)."""
DIRECTORY_ID_CHARS_MAX = 200
"""The id of a bot directory, code points (ours)."""
