"""The parts of Ace: memory of an enemy, guns, surfing of waves, melee movement.

Angles in this package are in radians (0 is east, counter-clockwise), because many are computed each second.
"""

from __future__ import annotations
