"""Runs `turnwright world serve`, which serves a world until it is stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from turnwright.app.watch import here_of
from turnwright.errors import SetupError, VoidBattleError
from turnwright.host.accounts import fold
from turnwright.kernel.game import Game
from turnwright.net import loop as loops
from turnwright.net.clock import now_ns
from turnwright.net.files.new_file import why_not_writable
from turnwright.net.files.writer import LineFiles, RecordWriter, SmallGzip, one_file
from turnwright.net.http.pages import Pages
from turnwright.net.http.viewer_files import load_viewer
from turnwright.net.loop import stop_on_signals
from turnwright.net.processes.processors import processors
from turnwright.wire.record.v2 import Encoder
from turnwright_world.app.options import PLAN_SHARE_PERCENT, SLOTS, WorldOptions
from turnwright_world.content.read import Content
from turnwright_world.game import WorldGame
from turnwright_world.host.host import WorldConfig
from turnwright_world.kit.ruleset import LandRules
from turnwright_world.net.content_files import ContentWatch, kept_content, load_content
from turnwright_world.net.database import MEMORY, open_database
from turnwright_world.net.open_world import OpenedWorld, open_world
from turnwright_world.net.server import WorldServer, start_server
from turnwright_world.planning.limits import WORLD, PlanRules
from turnwright_world.planning.net.world_planner import ProcessPlanner, longest_plan_us

_WALLS = 3
"""A plan that waits for a busy processor may take up to this many times its time limit."""
_SHARE = 64
"""The world's own creatures get this many times the planning time of one player."""
_PAGE = "games/world/view/index.html"
_VIEW = Path(__file__).parents[1] / "view" / "main.js"

_log = logging.getLogger("turnwright")
OnListening = Callable[[str, int], None]


def serve_world(options: WorldOptions, on_listening: OnListening) -> None:
    """Serve a world until SIGTERM.

    Args:
        on_listening: called with host and port for browsers and programs, and the telnet port, once
            players can connect.

    Raises:
        SetupError: the world cannot be served.
        VoidBattleError: the world cannot continue.
        KeyboardInterrupt: SIGINT came. The world is saved, and the server has stopped.
    """
    loops.run(_serve(options, on_listening))


def contents_of(data: str) -> Path | None:
    """Return the folder in which the server keeps each content of a world, for replays of its records.

    Return None for a world that is stored in PostgreSQL or only in memory.
    """
    return None if "://" in data or data == MEMORY else Path(data).parent / "contents"


async def _serve(options: WorldOptions, on_listening: OnListening) -> None:
    stop = asyncio.Event()
    interrupted: list[bool] = []
    stop_on_signals(stop, lambda: interrupted.append(True))
    check_jobs(options)
    content = load_content(options.content, _folder_for(options.data))
    config = config_of(options, content)
    opened = _open(options, content, config.plan_us_max)
    planner = new_planner(options, config.plan_us, opened.battle.header.seed, content)
    server = await start_server(
        opened,
        replace(config, salt=opened.salt),
        host_name=options.host_name,
        port=options.port,
        telnet_port=options.telnet_port,
        planner=planner,
        recorder=_recorder(options.record, opened.battle.game),
        pages=Pages(load_viewer("world", _VIEW), index=_PAGE),
        gate=options.gate(),
    )
    watch = asyncio.create_task(_watch(options, content, server, planner).run())
    failed = asyncio.create_task(server.failed.wait())
    stopped = asyncio.create_task(stop.wait())
    try:
        if opened.kept_turn is not None:
            _log.info("the world of %s continues from turn %d", _shown(options.data), opened.kept_turn)
        else:
            where = "which is not stored" if options.data == MEMORY else f"stored in {_shown(options.data)}"
            _log.info("a new world, %s", where)
        on_listening(f"{here_of(options.host_name)}:{server.port}", server.telnet_port or 0)
        await asyncio.wait((failed, stopped), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (watch, failed, stopped):
            task.cancel()
        await asyncio.gather(watch, failed, stopped, return_exceptions=True)
        await asyncio.shield(server.stop())
    if server.failed.is_set():
        raise VoidBattleError("the world cannot continue: read the log for the reason")
    if interrupted:
        raise KeyboardInterrupt


def _open(options: WorldOptions, content: Content, plan_us: int) -> OpenedWorld:
    """Open the world that `options.data` names.

    Raises:
        SetupError: the database cannot be used.
    """
    kept = contents_of(options.data)
    database = open_database(options.data)
    try:
        return open_world(
            WorldGame(content.rules),
            database,
            seed=options.seed,
            plan_us=plan_us,
            keep_checks=options.record is not None,
            far=options.when_empty == "run",
            find=lambda hash_: _rules_kept(kept, hash_),
        )
    except BaseException:
        database.close()
        raise


def check_jobs(options: WorldOptions) -> None:
    """Refuse more plans at once than processors.

    Raises:
        SetupError: `jobs` is larger than the number of processors.
    """
    have = max(1, int(processors()))
    if options.jobs is not None and options.jobs > have:
        raise SetupError(
            f"--jobs is {options.jobs}: give 1 to {have}. This process has {have} processors, by its affinity"
            " and CPU quota, and more plans at once would only make turns longer"
        )


def new_planner(options: WorldOptions, phase_us: int, seed: int, content: Content) -> ProcessPlanner:
    """Return the planner that runs the plans of minds, with `phase_us` for all plans of a turn."""
    least_ms, most_ms = options.plan_bounds_ms
    plan_us = longest_plan_us(1000 * options.plan_ms, phase_us)
    rules = PlanRules(
        slots=options.jobs or SLOTS,
        plan_us=plan_us,
        wall_us=_WALLS * plan_us,
        phase_us=phase_us,
        weights={WORLD: _SHARE},
    )
    bounds_us = 1000 * least_ms, 1000 * most_ms
    return ProcessPlanner(rules, seed, _sources(content), plan_bounds_us=bounds_us, processors=processors)


def config_of(options: WorldOptions, content: Content) -> WorldConfig:
    """Return the settings of the host.

    The time for plans is a fixed share of the turn.
    """
    turns_us = [1000 * ms for ms in (options.turn_ms, *options.turn_bounds_ms)]
    plans_us = [us * PLAN_SHARE_PERCENT // 100 for us in turns_us]
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
    """Create the folder of a data file, and return the folder for contents, or None (`contents_of`)."""
    kept = contents_of(data)
    if kept is not None and not Path(data).is_dir():
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SetupError(f"--data {data}: {kept.parent} cannot be created: {error.strerror}") from error
    return kept


def _rules_kept(kept: Path | None, hash_: str) -> LandRules | None:
    """Return the rules of a content that was stored next to the world's data, or None."""
    content = None if kept is None else kept_content(kept, hash_)
    return None if content is None else content.rules


def _watch(
    options: WorldOptions, content: Content, server: WorldServer, planner: ProcessPlanner
) -> ContentWatch:
    """Return the watch that applies changes of the content to the minds and the host."""

    def apply(changed: Content) -> None:
        planner.teach(_sources(changed))
        server.loop.tell(None, server.host.reload, changed.rules, now_ns())

    return ContentWatch(
        options.content,
        content.hash,
        apply,
        lambda text: server.loop.tell(None, server.host.announce, text),
        kept=contents_of(options.data),
        awake=lambda: len(server.host.sessions) > 0,
    )


def _sources(content: Content) -> dict[str, tuple[str, str]]:
    return {name: (f"minds/{name}.py", text) for name, text in content.minds.items()}


def _recorder(path: Path | None, game: Game) -> RecordWriter | None:
    """Return the writer of the record, or None.

    Raises:
        SetupError: the file cannot be written.
    """
    if path is None:
        return None
    if (why := why_not_writable(path)) is not None:
        raise SetupError(f"--record {path}: {why}; give another file")
    return RecordWriter(LineFiles(one_file(path), SmallGzip), lambda: Encoder(game.write_intent))


def _shown(data: str) -> str:
    """Return the name of a world's storage, without a password."""
    scheme, mark, rest = data.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if mark else data
