"""The settings of a world's host."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["WorldConfig"]


@dataclass(frozen=True, slots=True)
class WorldConfig:
    """pace_us: real time of a turn; plan_us: of it, for plans; linkdead_turns: how long a body stays.

    pace_us_min, pace_us_max, plan_us_min, plan_us_max: within which these follow the machine: they grow while
    it has too much to do, and fall when it is calm; 0: no further than they are.
    operators: folded names of accounts that may steer time; secret: a program that knows it may; "" = none.
    name: of the world; banner: what a terminal sees first; salt: random bytes of this world.
    lives: turns go on while nobody is there.
    """

    name: str = "turnwright"
    banner: str = "Welcome."
    pace_us: int = 250_000
    plan_us: int = 100_000
    pace_us_min: int = 0
    pace_us_max: int = 0
    plan_us_min: int = 0
    plan_us_max: int = 0
    linkdead_turns: int = 240
    salt: bytes = b""
    operators: frozenset[str] = frozenset()
    secret: str = ""
    lives: bool = False
