"""What a program is told whose message can be read but means nothing."""

from __future__ import annotations

from turnwright.host.world.rendering import clean

__all__ = ["meaningless"]

_NAME_CHARS_MAX = 40
_EXPECTED = {
    "command": '{} has a "text", what a player would type',
    "hello": "{} was said already",
    "combat.react": "{} is for who is in the world: say Hello first, and wait for Welcome",
}
_UNKNOWN = "there is no message {!r} from a program: there are Hello, Command, Combat.React and Time.Ping"


def meaningless(package: str) -> str:
    """Return what to say of a message of this name: what was expected, on one line."""
    return _EXPECTED.get(package.lower(), _UNKNOWN).format(clean(package)[:_NAME_CHARS_MAX])
