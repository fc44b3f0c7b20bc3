"""Base class of bots, which turns events into handler calls and answers with one intent.

It uses no threads and no sockets.

    from turnwright_tank.bots import Bot

    class MyBot(Bot):
        def on_tick(self, observation):
            self.turn_rate = 5
            self.target_speed = 8

        def on_scanned_bot(self, event):
            self.fire(1)

    if __name__ == "__main__":
        MyBot.main()

`step` plays a turn. It calls the handlers of all events of the turn (and of missed turns), then `on_tick`,
and then returns the intent. No handler runs while another one runs. The same object plays over a socket
(`connection.run`) and in the same process (`player.as_player`).

Rates, target speed, colours and the adjust flags stay until the bot changes them. A shot, a rescan, messages
and printed text belong to one turn. A new round sets rates and speed to 0.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from operator import attrgetter
from typing import Any

from turnwright_tank.bots.attributes import almost, checked_flag, checked_number
from turnwright_tank.bots.geometry import direction_from, distance_between, normalize
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.intent import TankIntent, TeamMessage
from turnwright_tank.observation import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    Event,
    Observation,
    ScannedBotEvent,
    TankState,
    TeamMessageEvent,
    WonRoundEvent,
)
from turnwright_tank.rules.constants import FIREPOWER_MAX

# ---- handlers that a bot may override; each does nothing ------------------------------------------------


class Handlers:
    """All handlers of a bot, in the order in which a game calls them."""

    def on_connected(self) -> None:
        """The bot is connected to the server."""

    def on_game_started(self, info: GameInfo) -> None:
        """A game begins. The server waits until the handler returns, but not longer than the ready
        timeout.
        """

    def on_round_started(self, round_number: int) -> None:
        """A round begins. `round_number` counts from 1."""

    def on_tick(self, observation: Observation) -> None:
        """A turn, after the handlers of its events. Decide here."""

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """My radar swept over a tank."""

    def on_hit_by_bullet(self, event: BulletHitBotEvent) -> None:
        """A bullet hit me."""

    def on_bullet_hit(self, event: BulletHitBotEvent) -> None:
        """My bullet hit a tank."""

    def on_bullet_fired(self, event: BulletFiredEvent) -> None:
        """My gun fired."""

    def on_bullet_hit_bullet(self, event: BulletHitBulletEvent) -> None:
        """My bullet and another bullet destroyed each other."""

    def on_bullet_hit_wall(self, event: BulletHitWallEvent) -> None:
        """My bullet left the arena."""

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """I drove into a wall."""

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """I touched another tank. If event.rammed is true, I drove into it."""

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Another tank died."""

    def on_death(self, event: BotDeathEvent) -> None:
        """I died."""

    def on_won_round(self, event: WonRoundEvent) -> None:
        """I won the round."""

    def on_team_message(self, event: TeamMessageEvent) -> None:
        """A teammate sent a message. event.message is JSON text."""

    def on_skipped_turn(self, turn_number: int) -> None:
        """I missed a turn. On turnwright servers, `skip_reason` has the reason."""

    def on_slow(self, notice: str) -> None:
        """I am often late (turnwright servers only). `notice` is one sentence that contains the number of my
        missed turns.
        """

    def on_round_ended(self, results: Any) -> None:
        """A round is over. `results` is a dict of my rank and scores so far, or None."""

    def on_game_ended(self, results: Any) -> None:
        """The game is over. `results` is a dict of my final rank and scores, or None."""

    def on_game_aborted(self) -> None:
        """The game was stopped without results."""

    def on_disconnected(self, code: int, reason: str) -> None:
        """The connection is closed. `code` and `reason` are from the WebSocket's close message."""


# ---- the handler of each event, in the order of Tank Royale's bot APIs ----------------------------------


EVENT_AGE_MAX = 2
"""The largest age, in turns, of an event of a missed turn that is still delivered."""

ORDER = (
    "on_won_round",
    "on_team_message",
    "on_bot_death",
    "on_bullet_hit_wall",
    "on_bullet_hit_bullet",
    "on_bullet_hit",
    "on_bullet_fired",
    "on_hit_by_bullet",
    "on_hit_wall",
    "on_hit_bot",
    "on_scanned_bot",
    "on_death",
)
"""The handlers of one turn's events in the order of their calls. `on_tick` follows them."""

_RANK = {name: rank for rank, name in enumerate(ORDER)}
OF_ME = {"BulletHitBotEvent": "on_hit_by_bullet", "BotDeathEvent": "on_death"}
"""The handlers of events whose victim is the bot. Events of other victims have another handler."""
_HANDLERS: dict[str, str] = {
    getattr(Handlers, name).__annotations__["event"]: name for name in ORDER if name not in OF_ME.values()
}


def handler_of(event: Event, my_id: int) -> str:
    """Return the name of the handler of an event."""
    name = type(event).__name__  # by name: a server in this process makes compiled events
    if name in OF_ME and event.victim_id == my_id:  # type: ignore[union-attr]
        return OF_ME[name]
    return _HANDLERS[name]


def in_order(events: Iterable[Event], my_id: int) -> list[tuple[str, Event]]:
    """Return (handler, event) for all events.

    They are sorted by turn, then by `ORDER`, then by arrival.
    """
    named = [(handler_of(event, my_id), event) for event in events]
    if len(named) > 1:
        named.sort(key=lambda pair: (pair[1].turn_number, _RANK[pair[0]]))
    return named


MESSAGES_MAX = 64
PRINTED_CHARS_MAX = 8192
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}|#[0-9A-Fa-f]{3}")
_PARTS = ("body", "turret", "radar", "bullet", "scan", "tracks", "gun")


_DEGREES = "in degrees per turn, e.g. 5"
_FIRE = "from 0.1 to 3, e.g. self.fire(1)"
_NUMBERS = {
    "turn_rate": _DEGREES,
    "gun_turn_rate": _DEGREES,
    "radar_turn_rate": _DEGREES,
    "target_speed": "in units per turn, from -8 to 8",
}
"""The attributes that are numbers, each with its unit and range, for messages."""
_FLAGS = (
    "adjust_gun_for_body_turn",
    "adjust_radar_for_body_turn",
    "adjust_radar_for_gun_turn",
    "fire_assist",
)
"""The attributes that are switches."""
_SETTABLE = (*_NUMBERS, *_FLAGS)
_TAKES = {**_NUMBERS, **dict.fromkeys(_FLAGS, "")}
"""The text of each attribute for messages, empty for a switch."""
_AT_REST = dict.fromkeys(_NUMBERS, 0.0)
_set = object.__setattr__
_HANDLER_NAMES = tuple(name for name in vars(Handlers) if name.startswith("on_"))


def _no_colors(tank: TankState) -> tuple[()]:
    """Return no colours."""
    return ()


class Bot(Handlers):
    """A participant.

    Subclass it, set its attributes in the handlers, and call `main` in the script. It is large because
    everything that an author sets, reads and calls is on `self`.

    `observation` and `me` are the newest observation and its tank, from the first tick on. `info` is the
    game. `random` is seeded by BOT_SEED and the bot's id, so a seeded battle can be repeated.
    """

    name: str | None = None
    version: str | None = None
    authors: tuple[str, ...] | str | None = None
    is_droid: bool = False

    turn_rate: float = 0.0
    gun_turn_rate: float = 0.0
    radar_turn_rate: float = 0.0
    target_speed: float = 0.0
    adjust_gun_for_body_turn: bool = False
    adjust_radar_for_body_turn: bool = False
    adjust_radar_for_gun_turn: bool = False
    fire_assist: bool = True

    skip_reason: str = ""
    """The reason for the newest missed turn: no answer, late, refused or released."""
    info: GameInfo
    observation: Observation
    me: TankState
    _firepower: float
    _intent_class = TankIntent
    """The class of the intents that `step` returns. A server in the same process sets its compiled class."""

    def __init__(self) -> None:
        self.info = GameInfo()
        self.random = random.Random()
        self._seed: int | str | None = None
        self._messages: list[TeamMessage] = []
        self._printed = ""
        self._svg: str | None = None
        self._round_number = 0
        self._missed: list[Event] = []
        self._colors: dict[str, str] = {}
        self._colors_shown: Callable[[TankState], Any] = _no_colors
        self._colors_wanted: Any = ()
        self.use_seed(os.environ.get("BOT_SEED"))
        self._begin_round()

    def __init_subclass__(cls, **given: Any) -> None:
        """Refuse a method whose name is a misspelt handler, because the library would never call it."""
        super().__init_subclass__(**given)
        for name in vars(cls):
            if name.lower().startswith("on") and name not in _HANDLER_NAMES:
                meant = almost(name, _HANDLER_NAMES)
                if meant is not None:
                    raise AttributeError(
                        f"{cls.__name__} has a method {name!r}, which the library never calls:"
                        f" did you mean {meant}?"
                    )

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute.

        Attributes of the class may be set. A new attribute may be set unless its name looks misspelt and its
        value is a number or text.

        Raises:
            TypeError: a setting has a value of the wrong type.
            ValueError: a setting is a number that is not finite.
            AttributeError: the name looks like a misspelt setting.
        """
        takes = _TAKES.get(name)
        if takes is None:
            if name not in self.__dict__:
                self._check_name(name, value)
        elif takes:
            if type(value) is not float or not isfinite(value):  # a bot sets several numbers each turn
                value = checked_number(name, value, takes)
        else:
            value = checked_flag(name, value)
        _set(self, name, value)

    def _check_name(self, name: str, value: Any) -> None:
        """Raise AttributeError if the name of a new attribute looks like a mistake."""
        if name == "fire":
            raise AttributeError(f"fire is a method: write self.fire({value!r:.20}), not self.fire = …")
        if not hasattr(type(self), name):
            meant = almost(name, _SETTABLE) if isinstance(value, int | float | str) else None
            if meant is not None:
                error = AttributeError(
                    f"{type(self).__name__} has no attribute {name!r}: did you mean {meant}?"
                )
                error.add_note(f"If {name} is your own attribute, write `{name} = None` in the class.")
                raise error

    # --- what the driver calls -------------------------------------------------------------------------

    def use_seed(self, seed: int | str | None) -> None:
        """Seed `random`. With None the random numbers are unpredictable. The library calls this method before
        the game starts.
        """
        self._seed = seed
        if seed is not None:
            self.random.seed(f"{seed}/{self.info.my_id}")

    def game_started(self, info: GameInfo | Mapping[str, Any]) -> None:
        """Store the settings of the game and call `on_game_started`."""
        self.info = GameInfo.of(info)
        self.use_seed(self._seed)
        self._round_number = 0
        self.on_game_started(self.info)

    def round_started(self, round_number: int) -> None:
        """Reset the state of the last round and call `on_round_started`."""
        self._round_number = round_number
        self._begin_round()
        self.on_round_started(round_number)

    def step(self, observation: Observation) -> TankIntent:
        """Call the handlers of all events, then `on_tick`, and return the intent."""
        if observation.round_number != self._round_number:
            self.round_started(observation.round_number)
        own = self.__dict__  # without the checks of `__setattr__`, which take time
        own["observation"] = observation
        own["me"] = observation.bot_state
        own["_firepower"] = 0.0
        own["_rescan"] = False
        events = observation.events
        if self._missed:
            oldest = observation.turn_number - EVENT_AGE_MAX
            events = [event for event in self._missed if event.turn_number >= oldest] + events
            self._missed = []
        if len(events) == 1:  # as in most turns
            getattr(self, handler_of(events[0], self.info.my_id))(events[0])
        elif events:
            for handler, event in in_order(events, self.info.my_id):
                getattr(self, handler)(event)
        self.on_tick(observation)
        return self._intent()

    def note(self, observation: Observation) -> None:
        """Store the events of an observation without an answer. The next `step` delivers them."""
        if observation.round_number == self._round_number:
            self._missed.extend(observation.events)

    # --- what a handler may do -------------------------------------------------------------------------

    def fire(self, firepower: float) -> None:
        """Fire in the next turn if the gun's heat is 0. The tank must have more energy than `firepower` (0.1
        to 3).
        """
        if type(firepower) is not float or not isfinite(firepower):
            firepower = checked_number("firepower", firepower, _FIRE)
        self.__dict__["_firepower"] = FIREPOWER_MAX if firepower > FIREPOWER_MAX else firepower

    def rescan(self) -> None:
        """Scan in the next turn, even if the tank does not turn or move."""
        self._rescan = True

    def set_colors(self, **colors: str) -> None:
        """Paint parts of the tank, as in `body="#F80"`.

        The parts are body, turret, radar, bullet, scan, tracks and gun. A colour is "#RGB" or "#RRGGBB".
        """
        for part, color in colors.items():
            if part not in _PARTS:
                raise ValueError(f"there is no part {part!r} to paint; parts are {', '.join(_PARTS)}")
            if not _COLOR.fullmatch(color):
                raise ValueError(f"{part} is {color!r}, expected a colour such as '#FF8800'")
            digits = color[1:] if len(color) == 7 else "".join(digit * 2 for digit in color[1:])
            self._colors[f"{part}_color"] = f"#{digits.upper()}"
        if self._colors:
            self._colors_shown = attrgetter(*self._colors)
            wanted = tuple(self._colors.values())
            self._colors_wanted = wanted if len(wanted) > 1 else wanted[0]

    def send_team_message(self, message: Any, receiver_id: int | None = None) -> None:
        """Send JSON values to one teammate, or to all. Teammates receive the message in the next turn."""
        if len(self._messages) >= MESSAGES_MAX:
            raise ValueError(f"a bot sends at most {MESSAGES_MAX} team messages per turn")
        text = json.dumps(message, separators=(",", ":"))
        self._messages.append(TeamMessage(text, type(message).__name__, receiver_id))

    def print(self, *values: object) -> None:
        """Print text like the built-in `print`. The text is also sent with the intent."""
        self._printed = (self._printed + " ".join(map(str, values)) + "\n")[-PRINTED_CHARS_MAX:]

    def draw(self, svg: str) -> None:
        """Show SVG graphics over the arena, if a viewer has switched graphics on for this tank."""
        self._svg = svg

    # --- where things are ------------------------------------------------------------------------------

    def direction_to(self, x: float, y: float) -> float:
        """Return the direction of a point, in [0, 360)."""
        return direction_from(self.me.x, self.me.y, x, y)

    def distance_to(self, x: float, y: float) -> float:
        """Return the distance to a point in units."""
        return distance_between(self.me.x, self.me.y, x, y)

    def bearing_to(self, x: float, y: float) -> float:
        """Return the angle, in [-180, 180), by which the body must turn left to face a point."""
        return normalize(self.direction_to(x, y) - self.me.direction)

    def gun_bearing_to(self, x: float, y: float) -> float:
        """Return the angle, in [-180, 180), by which the gun must turn left to aim at a point."""
        return normalize(self.direction_to(x, y) - self.me.gun_direction)

    def radar_bearing_to(self, x: float, y: float) -> float:
        """Return the angle, in [-180, 180), by which the radar must turn left to aim at a point."""
        return normalize(self.direction_to(x, y) - self.me.radar_direction)

    @staticmethod
    def normalize(angle: float) -> float:
        """Return the same angle in [-180, 180)."""
        return normalize(angle)

    @classmethod
    def main(cls) -> None:
        """Play this bot on the server at SERVER_URL until the connection closes, then end the process."""
        from turnwright_tank.bots.connection import main

        main(cls)

    # --- inside ----------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self.__dict__.update(_AT_REST)
        self._firepower = 0.0
        self._rescan = False
        self._missed = []
        self._messages = []
        self._svg = None

    def _intent(self) -> TankIntent:
        intent = self._intent_class(  # by position, in the order of its fields: half the time that names take
            self.turn_rate,
            self.gun_turn_rate,
            self.radar_turn_rate,
            self.target_speed,
            self._firepower,
            self.adjust_gun_for_body_turn or None,
            self.adjust_radar_for_body_turn or None,
            self.adjust_radar_for_gun_turn or None,
            self._rescan or None,
            None if self.fire_assist else False,
        )
        return replace(intent, **self._one_shots()) if self._has_one_shots() else intent

    def _has_one_shots(self) -> bool:
        """Return whether the intent has a field for one turn, or a colour that the tank does not show yet."""
        if self._messages or self._printed or self._svg is not None:
            return True
        return bool(self._colors_shown(self.me) != self._colors_wanted)

    def _one_shots(self) -> dict[str, Any]:
        """Return the fields for one turn, and the colours that the tank does not show yet."""
        said: dict[str, Any] = {
            part: color for part, color in self._colors.items() if getattr(self.me, part) != color
        }
        if self._messages:
            said["team_messages"] = tuple(self._messages)
            self._messages = []
        if self._printed:
            said["std_out"] = self._printed
            self._printed = ""
        if self._svg is not None:
            said["debug_graphics"] = self._svg if self.me.is_debugging_enabled else None
            self._svg = None
        return said
