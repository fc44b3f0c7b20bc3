"""The parts of Ace: memory of an enemy, guns, surfing of waves, melee movement.

Angles in here are radians (0 east, counter-clockwise), because each is computed thousands of times a second.
"""

from __future__ import annotations
