"""Puts the tests' own folder on the path, so that test files can share helpers by package name."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
