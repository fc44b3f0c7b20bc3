"""Backends that run the rules: the Python interpreter, or Numba's compiled code."""

from typing import Literal

__all__ = ["Speed"]

Speed = Literal["auto", "compiled", "interpreted"]
"""The way the rules run. auto: compiled where Numba is installed, interpreted until it has compiled them."""
