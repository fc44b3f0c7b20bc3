"""Compiled structs (msgspec) of observations and intents, for the server.

Each struct is made from the dataclass of the same name in `observation` or `intent`. It has the same fields,
and `isinstance` and type checkers treat it as that dataclass. Making it is about three times faster, and its
JSON has the names and the `type` of Tank Royale's schemas. Bots in the server's process get these structs.
`Frame` and `TankFrame` are only for spectators, so they have no dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from functools import reduce
from operator import attrgetter, or_
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import msgspec

from turnwright_tank import intent as answers
from turnwright_tank import observation as seen

if TYPE_CHECKING:
    from turnwright_tank.intent import TankIntent as TankIntent
    from turnwright_tank.intent import TeamMessage as TeamMessage
    from turnwright_tank.observation import *  # noqa: F403
    from turnwright_tank.observation import Event as Event
else:
    _MADE: dict[Any, Any] = {}

    def _struct(shape: Any, **options: Any) -> Any:
        """Return the struct of a dataclass. `options` are those of `msgspec.defstruct`."""
        hints = get_type_hints(shape)
        made = msgspec.defstruct(
            shape.__name__,
            [
                (one.name, _of_structs(hints[one.name]), *([] if one.default is MISSING else [one.default]))
                for one in fields(shape)
            ],
            rename="camel",
            omit_defaults=True,
            module=__name__,
            namespace={"__doc__": shape.__doc__, "__dataclass_fields__": shape.__dataclass_fields__},
            **options,
        )
        shape.compiled = _MADE[shape] = made
        return made

    def _of_structs(kind: Any) -> Any:
        """Return a type in which structs replace dataclasses."""
        parts = get_args(kind)
        changed = tuple(_of_structs(one) for one in parts)
        if changed == parts:
            return _MADE.get(kind, kind) if isinstance(kind, type) else kind
        origin = get_origin(kind)
        return reduce(or_, changed) if origin is UnionType else origin[changed]

    TeamMessage = _struct(answers.TeamMessage, frozen=True)
    TankIntent = _struct(answers.TankIntent, frozen=True, tag_field="type", tag="BotIntent")
    BulletState = _struct(seen.BulletState, gc=False)
    _EVENTS = {
        one.__name__: _struct(one, gc=False, tag_field="type", tag=True) for one in get_args(seen.Event)
    }
    Event = _of_structs(seen.Event)
    TankState = _struct(seen.TankState, gc=False)
    Observation = _struct(seen.Observation, gc=False, tag_field="type", tag="TickEventForBot")

    def __getattr__(name: str) -> Any:
        """Return the struct of an event, e.g. `BotDeathEvent`."""
        if name not in _EVENTS:
            raise AttributeError(f"module {__name__} has no attribute {name}")
        return _EVENTS[name]


class TankFrame(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """A tank as spectators see it, with the bot's identity and output."""

    id: int
    session_id: str
    name: str
    version: str
    is_droid: bool
    energy: float
    x: float
    y: float
    direction: float
    gun_direction: float
    radar_direction: float
    radar_sweep: float
    speed: float
    turn_rate: float
    gun_turn_rate: float
    radar_turn_rate: float
    gun_heat: float
    enemy_count: int
    is_debugging_enabled: bool
    body_color: str | None = None
    turret_color: str | None = None
    radar_color: str | None = None
    bullet_color: str | None = None
    scan_color: str | None = None
    tracks_color: str | None = None
    gun_color: str | None = None
    std_out: str | None = None
    std_err: str | None = None
    debug_graphics: str | None = None


class Frame(msgspec.Struct, rename="camel", tag_field="type", tag="TickEventForObserver", gc=False):
    """The frame of a turn for spectators. It contains all tanks that were alive when the turn began, all
    bullets, and the public events.
    """

    round_number: int
    turn_number: int
    bot_states: list[TankFrame]
    bullet_states: list[BulletState]
    events: list[Event]


# ---- intents ---------------------------------------------------------------------------------------------


_FIELDS = tuple(field.name for field in fields(answers.TankIntent))
_values = attrgetter(*_FIELDS)


def struct_of(intent: TankIntent) -> TankIntent:
    """Return the intent of a bot as a struct."""
    if type(intent) is TankIntent:
        return intent
    made = TankIntent(*_values(intent))
    if not intent.team_messages:
        return made
    messages = (TeamMessage(one.message, one.message_type, one.receiver_id) for one in intent.team_messages)
    return replace(made, team_messages=tuple(messages))


def merge(first: TankIntent, second: TankIntent) -> TankIntent:
    """Return `first` with every field that `second` sets."""
    said = {}
    for name in _FIELDS:
        value = getattr(second, name)
        said[name] = getattr(first, name) if value is None else value
    return TankIntent(**said)


def without_messages(intent: TankIntent) -> TankIntent:
    """Return an intent without team messages, for a tank without teammates."""
    return intent if intent.team_messages is None else replace(intent, team_messages=None)
