"""A world that runs until it is told to stop: what `turnwright world demo` does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from turnwright.errors import SetupError, VoidBattleError
from turnwright.games.world.game import WorldGame
from turnwright.games.world.land.rules import LandRules
from turnwright.host.gate import GateConfig
from turnwright.host.planning.rules import WORLD, PlanRules
from turnwright.host.world.accounts import check_name, fold
from turnwright.host.world.host import WorldConfig
from turnwright.kernel.streams import SEED_MAX
from turnwright.net import loops
from turnwright.net.archive import Archive, Recorder, one_file, small_gzip
from turnwright.net.bind import check_port
from turnwright.net.clock import now_ns
from turnwright.net.content_files import DEMO, kept_content
from turnwright.net.fronting import gate_of
from turnwright.net.newfile import why_not_writable
from turnwright.net.pages import Pages
from turnwright.net.processors import processors
from turnwright.net.reload import ContentWatch, load_content
from turnwright.net.stopping import stop_on_signals
from turnwright.net.store_sql import open_database
from turnwright.net.viewer_files import load_viewer
from turnwright.net.watching import here_of
from turnwright.net.world import WorldServer
from turnwright.net.world_founding import Founded, found
from turnwright.net.world_planner import ProcessPlanner, longest_plan_us
from turnwright.wire.record.v1 import Encoder
from turnwright.wire.world.content import Content

__all__ = [
    "DATA",
    "PLAN_MS",
    "PLAN_MS_MAX",
    "PLAN_MS_MIN",
    "SLOTS",
    "SLOTS_MAX",
    "TELNET_PORT",
    "TURN_MS_MAX",
    "TURN_MS_MIN",
    "TURN_MS_SLOW",
    "WorldOptions",
    "contents_of",
    "serve_world",
]

DATA = Path("world-data") / "world.db"
"""Where a world is kept unless another place is named: below the directory in which it is started."""
TELNET_PORT = 4000
TURN_MS_MIN, TURN_MS_MAX = 20, 10_000
TURN_MS_SLOW = 100
"""The shortest turn that people can follow; who wants shorter ones says so."""
_PLAN_SHARE_PERCENT = 75
"""Of a turn, what its minds have for their plans."""
PLAN_MS = 20
"""What a plan may use of a usual processor, where nobody says otherwise."""
PLAN_MS_MIN, PLAN_MS_MAX = 1, 1_000
_SLOWER = 4
"""On a processor so many times slower a plan may use as many times more, where nobody says otherwise."""
_WALLS = 3
"""How many times what it may use a plan may take where the machine is busy."""
SLOTS = 4
"""How many plans run at once at most, where nobody says otherwise and there are as many processors."""
SLOTS_MAX = 64
_SHARE = 64
"""How many times the share of a player's creatures those of the content have."""
_PAGE = "world/index.html"

WhenEmpty = Literal["rest", "run"]
_log = logging.getLogger("turnwright")
OnListening = Callable[[str, int], None]


@dataclass(frozen=True)
class WorldOptions:
    """The settings of a world's server.

    port, telnet_port: 0 = free ones. data: a file, or a postgresql:// URL. content: a folder of content
    files. turn_ms: real time of a turn; turn_min_ms, turn_max_ms: within which it follows the machine, None:
    it does not, on that side. fast: turns may be shorter than TURN_MS_SLOW. plan_ms: what a plan may use of a
    usual processor; plan_min_ms (None: plan_ms), plan_max_ms (None: four times as much): within which that
    goes with the speed of this one. slots: plans that run at once; None: as many as there are
    processors, SLOTS at most. when_empty: whether the world rests or runs while nobody is there; then far
    creatures plan, too. seed: of a new world, None: drawn. record: a file, or None. names, origins,
    trusted_proxies: see `gate_of`. operators: names of kept characters that may steer time; operator_secret:
    programs that know it may, too.
    Raises: SetupError, in one line, for what cannot be served.
    """

    port: int = 7654
    telnet_port: int = TELNET_PORT
    host_name: str = "localhost"
    data: str = str(DATA)
    content: Path = DEMO
    turn_ms: int = 250
    turn_min_ms: int | None = None
    turn_max_ms: int | None = None
    fast: bool = False
    plan_ms: int = PLAN_MS
    plan_min_ms: int | None = None
    plan_max_ms: int | None = None
    slots: int | None = None
    when_empty: WhenEmpty = "rest"
    seed: int | None = None
    record: Path | None = None
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    trusted_proxies: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    operator_secret: str = ""

    def __post_init__(self) -> None:
        check_port(self.port)
        check_port(self.telnet_port)
        if self.port == self.telnet_port != 0:
            raise SetupError(f"--port and --telnet-port are both {self.port}: give two different ones")
        if not TURN_MS_MIN <= self.turn_ms <= TURN_MS_MAX:
            raise SetupError(f"--turn {self.turn_ms}: expected {TURN_MS_MIN} to {TURN_MS_MAX} ms")
        least, most = self.turn_bounds_ms
        if not TURN_MS_MIN <= least <= self.turn_ms:
            raise SetupError(f"--turn-min {least}: expected {TURN_MS_MIN} to --turn, {self.turn_ms} ms")
        if not self.turn_ms <= most <= TURN_MS_MAX:
            raise SetupError(f"--turn-max {most}: expected --turn, {self.turn_ms}, to {TURN_MS_MAX} ms")
        if least < TURN_MS_SLOW and not self.fast:
            option = "--turn" if self.turn_ms == least else "--turn-min"
            raise SetupError(
                f"{option} {least}: below {TURN_MS_SLOW} ms people cannot follow: blows come faster,"
                f" reactions do not; give --fast, too, or {TURN_MS_SLOW} to {TURN_MS_MAX} ms"
            )
        self._check_plans()
        if self.seed is not None and not 0 <= self.seed <= SEED_MAX:
            raise SetupError(f"--seed {self.seed}: expected a number from 0 to {SEED_MAX}")
        for name in self.operators:
            if (why := check_name(name)[1]) is not None:
                raise SetupError(f"--operator {name}: {why}")
        self.gate()

    def _check_plans(self) -> None:
        least, most = self.plan_bounds_ms
        if not PLAN_MS_MIN <= self.plan_ms <= PLAN_MS_MAX:
            raise SetupError(f"--plan {self.plan_ms}: expected {PLAN_MS_MIN} to {PLAN_MS_MAX} ms")
        if not PLAN_MS_MIN <= least <= self.plan_ms:
            raise SetupError(f"--plan-min {least}: expected {PLAN_MS_MIN} to --plan, {self.plan_ms} ms")
        if not self.plan_ms <= most <= PLAN_MS_MAX:
            raise SetupError(f"--plan-max {most}: expected --plan, {self.plan_ms}, to {PLAN_MS_MAX} ms")
        if self.slots is not None and not 1 <= self.slots <= SLOTS_MAX:
            raise SetupError(f"--slots {self.slots}: expected 1 to {SLOTS_MAX}")

    @property
    def plan_bounds_ms(self) -> tuple[int, int]:
        """Within which a plan's own time goes with the speed of the processor."""
        least = self.plan_ms if self.plan_min_ms is None else self.plan_min_ms
        usual = max(self.plan_ms, min(PLAN_MS_MAX, _SLOWER * self.plan_ms))
        return least, usual if self.plan_max_ms is None else self.plan_max_ms

    def gate(self) -> GateConfig:
        """Return who may come in. Raises: SetupError."""
        return gate_of(self.host_name, self.names, self.origins, self.trusted_proxies)

    @property
    def turn_bounds_ms(self) -> tuple[int, int]:
        """Within which real time of a turn stays."""
        least = self.turn_ms if self.turn_min_ms is None else self.turn_min_ms
        return least, self.turn_ms if self.turn_max_ms is None else self.turn_max_ms


def serve_world(options: WorldOptions, on_listening: OnListening) -> None:
    """Serve a world until SIGTERM. on_listening: told host and port for browsers and programs, and the
    telnet port, once players can connect.

    Raises: SetupError; VoidBattleError when the world cannot go on; KeyboardInterrupt on SIGINT, when
    everything is kept and stopped.
    """
    loops.run(_serve(options, on_listening))


def contents_of(data: str) -> Path | None:
    """Return the folder in which the contents of a kept world lie, for its records; None beside a server."""
    return None if "://" in data else Path(data).parent / "contents"


async def _serve(options: WorldOptions, on_listening: OnListening) -> None:
    stop = asyncio.Event()
    interrupted: list[bool] = []
    stop_on_signals(stop, lambda: interrupted.append(True))
    content, founded, server, planner = _build(options)
    await server.start()
    watch = asyncio.create_task(_watch(options, content, server, planner).run())
    failed = asyncio.create_task(server.failed.wait())
    stopped = asyncio.create_task(stop.wait())
    try:
        if founded.kept_turn is not None:
            _log.info("the world of %s goes on from turn %d", _shown(options.data), founded.kept_turn)
        else:
            _log.info("a new world, kept in %s", _shown(options.data))
        on_listening(f"{here_of(options.host_name)}:{server.port}", server.telnet_port or 0)
        await asyncio.wait((failed, stopped), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (watch, failed, stopped):
            task.cancel()
        await asyncio.gather(watch, failed, stopped, return_exceptions=True)
        await asyncio.shield(server.stop())
    if server.failed.is_set():
        raise VoidBattleError("the world cannot go on; the log says why")
    if interrupted:
        raise KeyboardInterrupt


def _build(options: WorldOptions) -> tuple[Content, Founded, WorldServer, ProcessPlanner]:
    """Return everything that a world needs to begin. Raises: SetupError."""
    _check_slots(options)
    kept = _folder_for(options.data)
    content = load_content(options.content, kept)
    game = WorldGame(content.rules)
    config = _config(options, content)
    plan_us = config.plan_us
    database = open_database(options.data)
    try:
        founded = found(
            game,
            database,
            seed=options.seed,
            plan_us=config.plan_us_max,
            keep_checks=options.record is not None,
            far=options.when_empty == "run",
            find=lambda hash_: _rules_kept(kept, hash_),
        )
    except BaseException:
        database.close()
        raise
    planner = _planner(options, plan_us, founded.battle.header.seed, content)
    server = WorldServer(
        founded,
        replace(config, salt=founded.salt),
        host_name=options.host_name,
        port=options.port,
        telnet_port=options.telnet_port,
        planner=planner,
        database=database,
        recorder=_recorder(options.record, game),
        pages=Pages(load_viewer(), index=_PAGE),
        gate=options.gate(),
    )
    return content, founded, server, planner


def _check_slots(options: WorldOptions) -> None:
    """Raises: SetupError for more slots than processors."""
    have = max(1, int(processors()))
    if options.slots is not None and options.slots > have:
        raise SetupError(
            f"--slots {options.slots}: this process has {have} processors, by its affinity and CPU quota;"
            f" what runs beyond them only makes turns longer: give 1 to {have}"
        )


def _planner(options: WorldOptions, phase_us: int, seed: int, content: Content) -> ProcessPlanner:
    """Return what lets minds plan."""
    least_ms, most_ms = options.plan_bounds_ms
    plan_us = longest_plan_us(1000 * options.plan_ms, phase_us)
    rules = PlanRules(
        slots=options.slots or SLOTS,
        plan_us=plan_us,
        wall_us=_WALLS * plan_us,
        phase_us=phase_us,
        weights={WORLD: _SHARE},
    )
    bounds_us = 1000 * least_ms, 1000 * most_ms
    return ProcessPlanner(rules, seed, _sources(content), plan_bounds_us=bounds_us, processors=processors)


def _config(options: WorldOptions, content: Content) -> WorldConfig:
    """Return the settings of the host; what minds have is a share of the turn, however long that is."""
    turns_us = [1000 * ms for ms in (options.turn_ms, *options.turn_bounds_ms)]
    plans_us = [us * _PLAN_SHARE_PERCENT // 100 for us in turns_us]
    return WorldConfig(
        banner=content.rules.land.settings.welcome.strip(),
        lives=options.when_empty == "run",
        pace_us=turns_us[0],
        plan_us=plans_us[0],
        pace_us_min=turns_us[1],
        pace_us_max=turns_us[2],
        plan_us_min=plans_us[1],
        operators=frozenset(map(fold, options.operators)),
        secret=options.operator_secret,
        plan_us_max=plans_us[2],
    )


def _folder_for(data: str) -> Path | None:
    """Make the folder of a data file; return where contents are kept."""
    kept = contents_of(data)
    if kept is not None and not Path(data).is_dir():
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SetupError(f"--data {data}: {kept.parent} cannot be made: {error.strerror}") from error
    return kept


def _rules_kept(kept: Path | None, hash_: str) -> LandRules | None:
    """Return the rules of a content that was kept beside the world's data."""
    content = None if kept is None else kept_content(kept, hash_)
    return None if content is None else content.rules


def _watch(
    options: WorldOptions, content: Content, server: WorldServer, planner: ProcessPlanner
) -> ContentWatch:
    """Return what looks for changes of the content."""

    def apply(changed: Content) -> None:
        planner.teach(_sources(changed))
        server.call(lambda: server.host.reload(changed.rules, now_ns()))

    def tell(text: str) -> None:
        server.call(lambda: server.host.announce(text))

    return ContentWatch(
        options.content,
        content.hash,
        apply,
        tell,
        kept=contents_of(options.data),
        awake=lambda: len(server.host.sessions) > 0,
    )


def _sources(content: Content) -> dict[str, tuple[str, str]]:
    return {name: (f"minds/{name}.py", text) for name, text in content.minds.items()}


def _recorder(path: Path | None, game: WorldGame) -> Recorder | None:
    """Return what writes the record. Raises: SetupError where nothing can be written."""
    if path is None:
        return None
    if (why := why_not_writable(path)) is not None:
        raise SetupError(f"--record {path}: {why}; give another place")
    return Recorder(Archive(one_file(path), small_gzip), lambda: Encoder(game.intent_to_data))


def _shown(data: str) -> str:
    """Return where a world is kept, without a password."""
    scheme, mark, rest = data.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if mark else data
