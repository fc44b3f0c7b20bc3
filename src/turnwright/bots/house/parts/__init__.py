"""The parts of Ace: what it knows of an enemy, its guns, its way among bullets, its way among many tanks.

Angles in here are radians (0 east, counter-clockwise), because each is computed thousands of times a second.
"""

from __future__ import annotations
