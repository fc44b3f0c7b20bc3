"""Backends of the rules: the Python interpreter, or the compiled extension."""

from typing import Literal

Speed = Literal["auto", "compiled", "interpreted"]
"""How the rules run. "auto" means compiled if the package has its extension, otherwise interpreted."""
