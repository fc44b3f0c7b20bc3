"""An authoritative turn engine and game server for games whose players are programs."""

from turnwright._version import __version__

__all__ = ["__version__"]
