"""Opens a world: a stored one, or a new one."""

from __future__ import annotations

import base64
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from turnwright._version import __version__
from turnwright.errors import SetupError
from turnwright.host.accounts import SALT_BYTES
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import TurnRules
from turnwright.kernel.rng import SEED_MAX
from turnwright_world.game import DT_US, WorldGame
from turnwright_world.host.accounts import Account
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.net.database import FORMAT, Database, Kept
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Rules

_log = logging.getLogger("turnwright")


@dataclass
class OpenedWorld:
    """A world that can run.

    Attributes:
        database: the database that stores it.
        reload: the new hash of the content if it has changed since the world was stored, otherwise None.
    """

    battle: Battle
    database: Database
    salt: bytes
    accounts: list[Account] = field(default_factory=list)
    reload: str | None = None
    minds: list[PlayerMind] = field(default_factory=list)
    kept_turn: int | None = None
    """The turn from which it continues, or None for a new world."""


def open_world(
    game: WorldGame,
    database: Database,
    *,
    seed: int | None = None,
    plan_us: int = 100_000,
    keep_checks: bool = False,
    far: bool = False,
    find: Callable[[str], Rules | None] = lambda content: None,
) -> OpenedWorld:
    """Return the world of a database. If the database has none, make a new world and write it.

    Args:
        seed: the seed of a new world. None means a random seed.
        plan_us: the time for all plans of a turn, in µs. A record has it as the timeout.
        keep_checks: whether the results of checks are stored for a record.
        far: whether creatures far from all players plan.
        find: returns the rules of a content hash that the game does not know, or None.

    Raises:
        SetupError: the data cannot be used, or the database fails.
    """
    with database.opening():
        kept = database.load()
    rules = TurnRules(timeout_ns=plan_us * 1000, on_skip="idle", max_skipped=0)
    made_by = f"turnwright {__version__}"
    if kept is None:
        number = secrets.randbelow(SEED_MAX) if seed is None else seed
        setup = {"open": True, "dt_us": DT_US, "content": game.rules.content_hash, "far": far}
        battle = Battle(game, setup, (), number, rules, keep_checks=keep_checks, made_by=made_by)
        salt = secrets.token_bytes(SALT_BYTES)
        world = battle.state.world
        facts = {"turn": str(world.turn), "now_us": str(world.now_us), "dt_us": str(DT_US)}
        facts |= {"format": FORMAT, "seed": str(number), "salt": salt.hex()}
        with database.opening():
            database.write(battle.state.take_changed(), facts)
        return OpenedWorld(battle, database, salt)
    world, salt = _read(kept)
    content = world.facts.content
    reload = _reload_of(game, content, find)
    packed = base64.b64encode(world.pack()).decode("ascii")
    setup = {"open": True, "dt_us": world.dt_us, "content": content, "world": packed, "far": far}
    battle = Battle(game, setup, (), kept.number("seed"), rules, keep_checks=keep_checks, made_by=made_by)
    return OpenedWorld(battle, database, salt, kept.accounts, reload, kept.minds, world.turn)


def _read(kept: Kept) -> tuple[World, bytes]:
    turn, now_us, dt_us = (kept.number(name) for name in ("turn", "now_us", "dt_us"))
    try:
        return World.of(turn, now_us, dt_us, kept.images), bytes.fromhex(kept.facts.get("salt", ""))
    except (ValueError, TypeError, LookupError) as error:
        raise SetupError(f"the world's data cannot be used: {error}") from error


def _reload_of(game: WorldGame, content: str, find: Callable[[str], Rules | None]) -> str | None:
    """Return the hash of the current content if it has changed since the world was stored, otherwise None.

    If the stored content is not known, log a warning, and add the current rules to `game.library` under its
    hash.
    """
    now = game.rules.content_hash
    if content not in game.library and (known := find(content)) is not None:
        game.library[content] = known
    if content not in game.library:
        game.library[content] = game.rules
        _log.warning(
            "the world was saved with content %s; it continues with content %s", content or "''", now or "''"
        )
        return now
    return now if content != now else None
