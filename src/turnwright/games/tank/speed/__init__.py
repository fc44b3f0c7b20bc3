"""The rules in two speeds: interpreted, and compiled with Numba."""

from typing import Literal

__all__ = ["Speed"]

Speed = Literal["auto", "compiled", "interpreted"]
"""The way the rules run. auto: compiled where Numba is installed, interpreted until it has compiled them."""
