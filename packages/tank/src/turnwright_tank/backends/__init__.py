"""Backends of the rules: the Python interpreter, or the compiled extension."""

from typing import Literal

Speed = Literal["auto", "compiled", "interpreted"]
"""The way the rules run. auto: compiled where the package has its extension."""
