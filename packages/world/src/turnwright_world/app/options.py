"""The settings of a world's server, checked before it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from turnwright.app.option_fields import option
from turnwright.app.options import AddressOptions, check_seed, record_path
from turnwright.app.times import milliseconds
from turnwright.errors import SetupError
from turnwright_world.rules.creature_index import FAR_TURNS

DATA = Path("world-data") / "world.db"
"""The default file of a world, below the directory in which the server is started."""
DEMO_CONTENT = Path(__file__).parents[1] / "demo"
TELNET_PORT = 4000
TURN_MS_MIN, TURN_MS_MAX = 20, 10_000
TURN_MS_SLOW = 100
"""The shortest turn that people can follow, in ms. Shorter turns need `fast`."""
PLAN_MS = 20
"""The default time of a plan on a reference processor, in ms."""
PLAN_MS_MIN, PLAN_MS_MAX = 1, 1_000
PLAN_SHARE_PERCENT = 75
"""The part of a turn in which minds plan, in percent."""
_SLOWER = 4
"""By default, a plan gets up to this many times `plan_ms` on a slower processor."""
SLOTS = 4
"""The most plans that run at the same time by default. With fewer processors, one plan per processor runs."""
SLOTS_MAX = 64

WhenEmpty = Literal["rest", "run"]


@dataclass(frozen=True, kw_only=True)
class WorldOptions(AddressOptions):
    """The settings of a world's server.

    Attributes:
        port, telnet_port: the ports. 0 means a free port.
        data: where the world is stored: the name of a file, a postgresql:// URL or ":memory:".
        content: a folder of content files.
        turn_ms: the real time of a turn, in ms.
        turn_min_ms, turn_max_ms: the bounds within which the turn adapts to the load. None means `turn_ms`.
        fast: whether turns may be shorter than TURN_MS_SLOW, 100 ms.
        plan_ms: the time that a plan may use on a reference processor.
        plan_min_ms, plan_max_ms: the bounds within which a plan's time adapts to the speed of this processor.
            None means `plan_ms` and four times `plan_ms`.
        jobs: the number of plans that run at the same time. None means one per processor, at most SLOTS.
        when_empty: whether the world rests or runs while it has no players. If it runs, creatures far from
            all players plan, too.
        seed: the seed of a new world. None means a random seed.
        record: a file, or None.
        names, origins, trusted_proxies: see `gate_of`.
        operators: names of registered characters whose players may control time.
        operator_secret: a secret with which programs may control time.

    Raises:
        SetupError: a world cannot be served with these settings. The message is one line.
    """

    port: int = option(
        7654,
        "port for browsers and programs, 0 = a free port (default: {default})",
        "-p",
        "--port",
        metavar="N",
        group="network",
        often=True,
    )
    telnet_port: int = option(
        TELNET_PORT,
        "port for telnet, 0 = a free port (default: {default})",
        metavar="N",
        group="network",
        often=True,
    )
    data: str = option(
        str(DATA),
        "where the world is stored: a file or postgresql://USER:PASSWORD@HOST/DATABASE. :memory: = nowhere"
        " (default: {default})",
        metavar="WHERE",
        often=True,
    )
    content: Path = option(
        DEMO_CONTENT,
        "the folder of the content: *.toml, verbs/*.py, minds/*.py (default: the demo's)",
        metavar="DIR",
        often=True,
    )
    turn_ms: int = option(
        250,
        f"duration of a turn, {TURN_MS_SLOW}ms to {TURN_MS_MAX}ms. With shorter turns the game runs faster"
        " (default: 250ms)",
        "--turn",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
        often=True,
    )
    turn_min_ms: int | None = option(
        None,
        "the duration of a turn at low load. Turns and the time for plans adapt to the load (default:"
        " --turn)",
        "--min-turn",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
    )
    turn_max_ms: int | None = option(
        None,
        "the longest duration of a turn, at high load. Turns and the time for plans adapt to the load"
        " (default: --turn)",
        "--max-turn",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
    )
    fast: bool = option(
        False,
        f"allow turns from {TURN_MS_MIN}ms to {TURN_MS_SLOW}ms, for programs and tests. They are too fast for"
        " people",
        group="turns and plans",
    )
    plan_ms: int = option(
        PLAN_MS,
        "processor time for a creature's plan on a reference processor, at most half of the time for all"
        f" plans (default: {PLAN_MS}ms)",
        "--plan",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
    )
    plan_min_ms: int | None = option(
        None,
        "the shortest time for a plan. The server gives plans less time on a faster processor (default:"
        " --plan)",
        "--min-plan",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
    )
    plan_max_ms: int | None = option(
        None,
        "the longest time for a plan. The server gives plans more time on a slower processor (default: 4"
        " times --plan)",
        "--max-plan",
        metavar="TIME",
        read=milliseconds,
        group="turns and plans",
    )
    jobs: int | None = option(
        None,
        "how many plans run at the same time (default: the number of processors of this process, at most"
        f" {SLOTS})",
        metavar="N",
        group="turns and plans",
    )
    when_empty: WhenEmpty = option(
        "rest",
        "what happens while the world has no players. rest: the turns stop. run: they continue, and"
        " creatures far from"
        f" players plan once in {FAR_TURNS} turns (default: {{default}})",
        group="turns and plans",
    )
    seed: int | None = option(
        None, "random seed of a new world (default: a random number)", "-s", "--seed", metavar="N", often=True
    )
    record: Path | None = option(
        None, "also write a record of this run", metavar="FILE.twr", read=record_path, often=True
    )
    operators: tuple[str, ...] = option(
        (),
        "a registered character whose player may type pause, resume, step and speed (the option may be"
        " repeated)",
        "--operator",
        metavar="NAME",
        many=True,
        group="operators",
        often=True,
    )
    operator_secret: str = option(
        "",
        "a secret. A program that sends this secret may use the operator's commands without a character",
        metavar="TEXT",
        group="operators",
    )

    def __post_init__(self) -> None:
        from turnwright.host.accounts import check_name
        from turnwright.net.http.ports import check_port
        from turnwright_world.host.accounts import RESERVED_NAMES

        check_port(self.port)
        check_port(self.telnet_port)
        if self.port == self.telnet_port != 0:
            raise SetupError(f"--port and --telnet-port are both {self.port}: give two different ports")
        if not TURN_MS_MIN <= self.turn_ms <= TURN_MS_MAX:
            raise SetupError(f"--turn is {self.turn_ms}ms: give {TURN_MS_MIN}ms to {TURN_MS_MAX}ms")
        least, most = self.turn_bounds_ms
        if not TURN_MS_MIN <= least <= self.turn_ms:
            raise SetupError(f"--min-turn is {least}ms: give {TURN_MS_MIN}ms to {self.turn_ms}ms (--turn)")
        if not self.turn_ms <= most <= TURN_MS_MAX:
            raise SetupError(f"--max-turn is {most}ms: give {self.turn_ms}ms (--turn) to {TURN_MS_MAX}ms")
        if least < TURN_MS_SLOW and not self.fast:
            option = "--turn" if self.turn_ms == least else "--min-turn"
            raise SetupError(
                f"{option} is {least}ms: turns below {TURN_MS_SLOW}ms are too fast for people, because"
                f" attacks come faster: add --fast, or give {TURN_MS_SLOW}ms to {TURN_MS_MAX}ms"
            )
        self._check_plans()
        check_seed("--seed", self.seed)
        for name in self.operators:
            if (why := check_name(name, RESERVED_NAMES)[1]) is not None:
                raise SetupError(f"--operator {name}: {why}")
        self.gate()

    def _check_plans(self) -> None:
        least, most = self.plan_bounds_ms
        if not PLAN_MS_MIN <= self.plan_ms <= PLAN_MS_MAX:
            raise SetupError(f"--plan is {self.plan_ms}ms: give {PLAN_MS_MIN}ms to {PLAN_MS_MAX}ms")
        fits_ms = self.turn_ms * PLAN_SHARE_PERCENT // 200
        if self.plan_ms != PLAN_MS and self.plan_ms > fits_ms:
            raise SetupError(
                f"--plan is {self.plan_ms}ms: a plan has at most half of the time for all plans, which is"
                f" {fits_ms}ms with --turn {self.turn_ms}ms: give {fits_ms}ms or less, or a longer --turn"
            )
        if not PLAN_MS_MIN <= least <= self.plan_ms:
            raise SetupError(f"--min-plan is {least}ms: give {PLAN_MS_MIN}ms to {self.plan_ms}ms (--plan)")
        if not self.plan_ms <= most <= PLAN_MS_MAX:
            raise SetupError(f"--max-plan is {most}ms: give {self.plan_ms}ms (--plan) to {PLAN_MS_MAX}ms")
        if self.jobs is not None and not 1 <= self.jobs <= SLOTS_MAX:
            raise SetupError(f"--jobs is {self.jobs}: give 1 to {SLOTS_MAX}")

    @property
    def plan_bounds_ms(self) -> tuple[int, int]:
        """The shortest and the longest time of a plan, which depends on the speed of the processor."""
        least = self.plan_ms if self.plan_min_ms is None else self.plan_min_ms
        usual = max(self.plan_ms, min(PLAN_MS_MAX, _SLOWER * self.plan_ms))
        return least, usual if self.plan_max_ms is None else self.plan_max_ms

    @property
    def turn_bounds_ms(self) -> tuple[int, int]:
        """The shortest and the longest real time of a turn."""
        least = self.turn_ms if self.turn_min_ms is None else self.turn_min_ms
        return least, self.turn_ms if self.turn_max_ms is None else self.turn_max_ms
