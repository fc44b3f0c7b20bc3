"""A server of any game: snake over the generic protocol, on a manual clock."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from packages.core.tests import card_game
from packages.core.tests.host.support import with_rules
from packages.core.tests.messages import missing, says
from packages.core.tests.simulation.virtual_server import Said, VirtualServer
from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.host.config import HostConfig
from turnwright.host.generic_protocol import GenericProtocol, generic_setup
from turnwright.host.host import Host
from turnwright.host.lobby import REFUSALS_KEPT
from turnwright.host.notices import SLOW_RULES_NS
from turnwright.host.protocol import RemoteAddress, StartMessage
from turnwright.kernel.checked_game import CheckedGame
from turnwright.kernel.game import Game
from turnwright.wire.faults import INVALID_SECRET

MS = 1_000_000
TIMEOUT_US = 10_000
SETTINGS = {"turns": 20, "food": 1}


class Program:
    """A client.

    Attributes:
        heard: the messages that it has received.
        answer: returns its intent for an observation, after `takes_ns`.
    """

    def __init__(self, place: Place, conn: int) -> None:
        self.place, self.conn = place, conn
        self.heard: list[dict[str, Any]] = []
        self.closed: tuple[int, str] | None = None
        self.answer: Callable[[dict[str, Any]], Any] = lambda observation: "up"
        self.takes_ns = MS

    def say(self, kind: str, **fields: Any) -> Program:
        self.place.server.receive(self.conn, msgspec.json.encode({"type": kind, **fields}))
        return self

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]

    def take(self, said: Said) -> None:
        message = msgspec.json.decode(said.data)
        self.heard.append(message)
        reply: dict[str, Any] | None = None
        if message["type"] == "ready" and "seat" in message:
            reply = {"type": "ready"}
        elif message["type"] == "observation" and message["deadlineUs"]:
            reply = {"type": "intent", "turn": message["turn"], "intent": self.answer(message["observation"])}
        if reply is not None:
            at_ns = said.at_ns + (self.takes_ns if reply["type"] == "intent" else 0)
            self.place.server.arrive(self.conn, msgspec.json.encode(reply), at_ns)


class Place:
    """A server of snake and its clients."""

    def __init__(self, game: Game | None = None, **config: Any) -> None:
        played = game or catalog.load("snake")
        self.host = Host(
            HostConfig(
                protocol=GenericProtocol(played, "test 1"),
                new_game=lambda tolerant: played,
                random_bytes=random.Random(1).randbytes,
                **{"tps": -1, "seed": 7, **with_rules(config)},
            )
        )
        self.programs: dict[int, Program] = {}
        self.server = VirtualServer(
            self.host,
            on_said=lambda said: self.programs[said.conn].take(said),
            on_closed=lambda conn, code, reason: setattr(self.programs[conn], "closed", (code, reason)),
        )

    def program(self, role: str, **fields: Any) -> Program:
        conn = len(self.programs) + 1
        program = self.programs[conn] = Program(self, conn)
        self.server.connect(conn)
        return program.say(
            "hello", protocol=1, name=fields.pop("name", f"{role} {conn}"), role=role, **fields
        )

    def start(self, operator: Program, bots: list[Program], **fields: Any) -> None:
        addresses = [{"host": "127.0.0.1", "port": 40_000 + bot.conn} for bot in bots]
        given = {"settings": SETTINGS, "turnTimeoutUs": TIMEOUT_US, **fields}
        operator.say("start", bots=addresses, **given)

    def run(self, until: Callable[[], object]) -> None:
        """Let time pass until a condition holds."""
        for _ in range(20_000):
            if until():
                return
            self.server.run(self.server.now_ns + MS)
        raise AssertionError("it never came")


def over(program: Program) -> Callable[[], object]:
    return lambda: program.of("result")


def test_a_battle_is_played_watched_and_won() -> None:
    place = Place()
    operator, watcher = place.program("operator"), place.program("spectator")
    bots = [place.program("bot", name="Same"), place.program("bot", name="Same")]
    place.start(operator, bots)
    place.run(over(watcher))
    ready, result = watcher.of("ready")[0], watcher.of("result")[0]
    assert [seat["name"] for seat in ready["seats"]] == ["Same", "Same (2)"]
    assert ready["settings"] == {"width": 24, "height": 16, "food": 1, "turns": 20}
    assert "seat" not in ready
    assert [bot.of("ready")[0]["seat"] for bot in bots] == [0, 1]
    turns = [frame["turn"] for frame in watcher.of("frame")]
    assert turns == list(range(len(turns)))
    assert watcher.of("frame")[-1]["events"]
    assert [row["score"] for row in result["rows"]] == sorted(
        (float(snake["lived"] + 5 * snake["eaten"]) for snake in watcher.of("frame")[-1]["frame"]["snakes"]),
        reverse=True,
    )
    assert result == bots[0].of("result")[0] == bots[1].of("result")[0]
    assert place.server.over[0].ending == "over"


HIDDEN_CARDS = ("41", "42")


def told(program: Program) -> str:
    """Return all messages that a program received during and after the battle, without addresses."""
    return " ".join(str(message) for message in program.heard if message["type"] != "bots")


def test_no_spectator_learns_a_hidden_card_while_the_battle_lasts(tmp_path: Path) -> None:
    place = Place(catalog.load(str(card_game.folder(tmp_path / "cards"))), tps=10)
    operator, watcher = place.program("operator"), place.program("spectator")
    bots = [place.program("bot"), place.program("bot")]
    for bot in bots:
        bot.answer = lambda observation: "pass"
    place.start(operator, bots, settings={})
    place.run(lambda: len(watcher.of("frame")) > 2)
    late = place.program("spectator")
    place.run(lambda: len(late.of("frame")) > 1)
    for program in (operator, watcher, late):
        assert not any(card in told(program) for card in HIDDEN_CARDS), told(program)
        assert program.of("frame")[-1]["frame"]["cards"] == [None, None]
        assert program.of("frame")[-1]["events"] == [{"type": "turn"}]
    place.run(over(watcher))
    after = place.program("spectator")
    for program in (watcher, late, after):
        assert sorted(program.of("frame")[-1]["frame"]["cards"]) == [41, 42], "the battle is over"


def test_the_newest_refused_bots_are_remembered() -> None:
    place = Place(bot_secrets=frozenset({"secret"}))
    for number in range(REFUSALS_KEPT + 1):
        place.program("bot", name=f"bot {number}")
    place.program("spectator", secret="none")
    kept = place.host.lobby.refused_bots
    assert [bot.name for bot in kept] == [f"bot {number}" for number in range(1, REFUSALS_KEPT + 1)]
    assert kept[0].reason == INVALID_SECRET


def turns_seen(watcher: Program) -> int:
    return int(watcher.of("frame")[-1]["turn"])


def test_observations_are_numbered_and_the_last_one_awaits_nothing() -> None:
    place = Place()
    operator = place.program("operator")
    bots = [place.program("bot"), place.program("bot")]
    place.start(operator, bots)
    place.run(over(operator))
    for bot in bots:
        seen = bot.of("observation")
        assert [message["turn"] for message in seen] == list(range(len(seen)))
        assert [message["deadlineUs"] for message in seen] == [TIMEOUT_US] * (len(seen) - 1) + [0]


def test_a_bot_that_needs_more_than_its_time_misses_every_turn() -> None:
    place = Place(max_skipped=0)
    operator, watcher = place.program("operator"), place.program("spectator")
    slow, quick = place.program("bot"), place.program("bot")
    slow.takes_ns = TIMEOUT_US * 1000 + MS
    place.start(operator, [slow, quick])
    place.run(over(operator))
    turns = turns_seen(watcher)
    assert place.server.over[0].seats[0].skipped == turns
    assert place.server.over[0].seats[1].skipped == 0
    assert [frame["skipped"] for frame in watcher.of("frame")[1:]] == [[0]] * turns
    told = [message["turn"] for message in slow.of("skipped")]
    assert told == list(range(len(told)))
    assert len(told) in (turns, turns - 1), "of the last turn it is told by the result"


def test_a_result_has_columns_of_the_game_missed_turns_and_departures() -> None:
    place = Place(max_skipped=0, tps=50, record=True)
    operator = place.program("operator")
    slow, quick, leaves = (place.program("bot") for _ in range(3))
    slow.takes_ns = TIMEOUT_US * 1000 + MS
    place.start(operator, [slow, quick, leaves])
    place.run(lambda: len(operator.of("frame")) > 3)
    place.server.disconnect(leaves.conn)
    place.run(over(operator))
    result, turns = operator.of("result")[0], turns_seen(operator)
    rows = {row["seat"]: row for row in result["rows"]}
    assert result["headings"] == ["Eaten"]
    assert [rows[seat]["columns"] for seat in range(3)] == [[one["eaten"]] for one in result["details"]]
    assert (rows[0]["skipped"], rows[1]["skipped"]) == (turns, 0)
    assert rows[2]["skipped"] > 0
    assert [rows[seat]["left"] for seat in range(3)] == [False, False, True]
    record = place.server.battles[1].record
    assert record is not None
    assert record.footer is not None
    kept = [{key: row[key] for key in ("rank", "seat", "name", "score")} for row in result["rows"]]
    assert record.footer.results == kept, "a record holds what it held"


def test_a_value_that_is_not_an_intent_gets_an_error_and_misses_the_turn() -> None:
    place = Place(max_skipped=0)
    operator = place.program("operator")
    wrong, right = place.program("bot"), place.program("bot")
    wrong.answer = lambda observation: "sideways"
    place.start(operator, [wrong, right])
    place.run(over(operator))
    error = wrong.of("error")[0]
    assert (error["code"], error["about"]) == ("wrong-type", "intent")
    assert says(error["message"], "snake … 'sideways'")
    assert place.server.over[0].seats[0].skipped > 0
    assert place.server.over[0].seats[1].skipped == 0


def test_the_error_for_a_huge_intent_is_short() -> None:
    place = Place(max_skipped=0)
    operator = place.program("operator")
    wrong, right = place.program("bot"), place.program("bot")
    wrong.answer = lambda observation: "x" * 900_000
    place.start(operator, [wrong, right])
    place.run(over(operator))
    error = wrong.of("error")[0]
    assert (error["code"], error["about"]) == ("wrong-type", "intent")
    assert len(error["message"]) < 300


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"settings": {"size": 3}}, "snake … 'size' … width, height, food, turns"),
        ({"settings": {"widht": 3}}, "'widht' … width"),
        ({"settings": {"width": 1}}, "width is 1: give 5 or more"),
        ({"settings": {"width": "wide"}}, "width is 'wide': give a whole number"),
        ({"bots": []}, "length >= 1"),
        ({"turnTimeoutUs": 0}, ">= 1"),
        ({"bots": [{"host": "127.0.0.1", "port": 1}]}, "address"),
    ],
)
def test_an_impossible_start_is_refused_in_one_line(fields: dict[str, Any], words: str) -> None:
    place = Place()
    operator, bot = place.program("operator"), place.program("bot")
    addresses = [{"host": "127.0.0.1", "port": 40_000 + bot.conn}]
    operator.say("start", **{"bots": addresses, **fields})
    error = operator.of("error")[0]
    assert says(error["message"], words)
    assert "\n" not in error["message"]
    assert bot.of("ready") == []


def test_an_operator_pauses_steps_and_stops() -> None:
    place = Place(tps=20)
    operator, watcher = place.program("operator"), place.program("spectator")
    bots = [place.program("bot"), place.program("bot")]
    place.start(operator, bots)
    place.run(lambda: len(watcher.of("frame")) > 3)
    operator.say("pause")
    place.run(lambda: watcher.of("paused"))
    held = turns_seen(watcher)
    place.server.run(place.server.now_ns + 1000 * MS)
    assert turns_seen(watcher) == held
    operator.say("step")
    place.server.run(place.server.now_ns + 1000 * MS)
    assert turns_seen(watcher) == held + 1
    operator.say("speed", tps=50)
    operator.say("resume")
    place.run(lambda: turns_seen(watcher) > held + 3)
    assert [message["tps"] for message in watcher.of("speed")] == [20, 50]
    operator.say("stop")
    aborted = {"type": "result", "ending": "aborted", "rows": [], "headings": [], "details": None}
    assert watcher.of("result") == bots[0].of("result") == [aborted]


def test_a_late_spectator_gets_the_current_battle() -> None:
    place = Place(tps=20)
    operator = place.program("operator")
    place.start(operator, [place.program("bot"), place.program("bot")])
    place.run(lambda: len(operator.of("frame")) > 3)
    late = place.program("spectator")
    assert late.of("ready") == operator.of("ready")
    assert late.of("frame") == operator.of("frame")[-1:]


def test_a_frame_has_the_scores_that_the_rules_know() -> None:
    place = Place()
    operator = place.program("operator")
    place.start(operator, [place.program("bot"), place.program("bot")])
    place.run(over(operator))
    frames = operator.of("frame")
    for frame in frames:
        assert frame["scores"] == [snake["lived"] + 5 * snake["eaten"] for snake in frame["frame"]["snakes"]]
    assert frames[0]["scores"] == [0, 0]
    assert frames[-1]["scores"] != [0, 0]


def test_a_frame_of_a_game_without_scores_has_none_before_the_end() -> None:
    place = Place(catalog.load("countdown"))
    operator = place.program("operator")
    place.start(operator, [place.program("bot"), place.program("bot")], settings={"turns": 5})
    place.run(over(operator))
    frames = operator.of("frame")
    assert ["scores" in frame for frame in frames] == [False] * (len(frames) - 1) + [True]


def test_a_client_that_comes_after_the_end_gets_the_last_turn_and_results() -> None:
    place = Place()
    operator = place.program("operator")
    bots = [place.program("bot"), place.program("bot")]
    place.start(operator, bots)
    place.run(over(operator))
    for late in (place.program("spectator"), place.program("operator")):
        assert late.of("ready") == operator.of("ready")
        assert late.of("frame") == operator.of("frame")[-1:]
        assert late.of("result") == operator.of("result")
    again = place.program("spectator")
    again.say("hello", protocol=1, name="again", role="spectator")
    assert len(again.of("result")) == 1, "only once"
    assert place.program("bot").of("result") == []


def test_an_unwatched_battle_is_still_shown_after_its_end() -> None:
    place = Place()
    operator = place.program("operator")
    place.start(operator, [place.program("bot"), place.program("bot")])
    place.server.disconnect(operator.conn)
    place.run(lambda: place.server.over)
    late = place.program("spectator")
    assert late.of("frame")[0]["turn"] == place.server.over[0].turns
    assert len(late.of("result")[0]["rows"]) == 2


def test_a_battle_that_was_stopped_or_that_a_new_one_follows_is_not_shown() -> None:
    place = Place(tps=20)
    operator = place.program("operator")
    bots = [place.program("bot"), place.program("bot")]
    place.start(operator, bots)
    place.run(lambda: len(operator.of("frame")) > 2)
    operator.say("stop")
    assert place.program("spectator").of("ready") == []
    operator.say("speed", tps=-1)
    place.start(operator, bots)
    place.run(lambda: len(operator.of("result")) == 2)
    assert len(place.program("spectator").of("result")) == 1
    operator.say("speed", tps=20)
    place.start(operator, bots)
    place.run(lambda: len(operator.of("ready")) == 3)
    late = place.program("spectator")
    assert (len(late.of("ready")), late.of("result")) == (1, [])


def test_an_unshowable_finished_battle_disconnects_no_client() -> None:
    place = Place(snake_with(frame=lambda state: LONG, observe=lambda state, seat: seat), history_bytes_max=0)
    bots = [place.program("bot"), place.program("bot")]
    addresses = [RemoteAddress("127.0.0.1", 40_000 + bot.conn) for bot in bots]
    times = {"turn_timeout_us": TIMEOUT_US, "ready_timeout_us": 10**6, "bots_min": 2}
    place.host.start_battle(
        generic_setup(catalog.load("snake"), SETTINGS, 2, **times), addresses, place.server.now_ns
    )
    place.server.work()
    place.run(lambda: place.server.over)
    assert place.server.over[0].ending == "over"
    late = [place.program("spectator") for _ in range(2)]
    assert [(one.of("ready"), one.closed) for one in late] == [([], None)] * 2
    said = [log.text for log in place.server.logs if "cannot be shown" in log.text]
    assert len(said) == 1
    assert "snake.live_frame() returned 2,000,056 bytes" in said[0]


def test_each_role_may_send_only_its_own_messages() -> None:
    place = Place()
    bot, watcher = place.program("bot"), place.program("spectator")
    bot.say("pause")
    watcher.say("start", bots=[{"host": "127.0.0.1", "port": 1}])
    assert says(bot.of("error")[0]["message"], "bots … pause")
    assert says(watcher.of("error")[0]["message"], "spectators … start")
    bot.say("hello", protocol=1, name="x", role="operator")
    assert says(bot.of("error")[1]["message"], "role bot … role operator")


def test_a_hello_may_leave_its_session_out_and_may_not_have_another_one() -> None:
    place = Place()
    plain = place.program("bot")
    assert plain.closed is None
    right = place.program("bot", session=plain.heard[0]["session"])
    assert right.closed == (1008, "Missing session id")


def test_a_game_that_cannot_be_set_up_is_refused_before_a_battle() -> None:
    game = catalog.load("snake")
    times = {"turn_timeout_us": 1, "ready_timeout_us": 1, "bots_min": 1}
    assert generic_setup(game, {"food": 0}, 2, **times).settings == {**game.defaults, "food": 0}
    with pytest.raises(SetupError, match=r"40 snakes.*width of 80"):
        generic_setup(game, {}, 40, **times)


def test_a_server_has_settings_that_an_operator_can_change() -> None:
    game = catalog.load("snake")
    protocol = GenericProtocol(game, "test 1", {"width": 12, "turns": 40})
    greeting = msgspec.json.decode(protocol.greeting("s", None, debug_mode=True, breakpoint_mode=True))
    assert greeting["settings"] == {**game.defaults, "width": 12, "turns": 40}
    said = protocol.decode(b'{"type":"start","bots":[{"host":"h","port":1}],"settings":{"turns":7}}', [])
    assert isinstance(said, StartMessage)
    assert protocol.read_setup(said).settings == {**game.defaults, "width": 12, "turns": 7}
    with pytest.raises(SetupError, match=r"snake .*no setting 'wide'.* width"):
        GenericProtocol(game, "test 1", {"wide": 1})


def test_bots_above_the_limit_are_refused_until_one_leaves() -> None:
    place = Place(bots_max=2)
    bots = [place.program("bot") for _ in range(3)]
    place.program("operator")
    assert [bot.closed for bot in bots[:2]] == [None, None]
    assert bots[2].closed is not None
    assert not missing(bots[2].closed[1], "room for 2 bots", "again")
    bots[0].say("hello", protocol=1, name="the same", role="bot")
    assert bots[0].closed is None
    place.server.disconnect(1)
    assert place.program("bot").closed is None


@pytest.mark.parametrize("seat", [2, 900])
def test_a_policy_for_a_missing_seat_is_refused_with_the_existing_seats(seat: int) -> None:
    place = Place()
    operator = place.program("operator")
    operator.say("policy", seat=seat, breakpoints=True)
    place.start(operator, [place.program("bot"), place.program("bot")])
    operator.say("policy", seat=seat, breakpoints=True)
    before, after = (error["message"] for error in operator.of("error"))
    assert not missing(before, f"no seat {seat}", "no battle")
    assert not missing(after, f"no seat {seat}", "seats 0 to 1")


def snake_with(**methods: Any) -> Game:
    """Return snake as a third-party game, with some methods replaced."""
    snake = catalog.load("snake")
    vars(snake).update(methods)
    return CheckedGame(snake)


LONG = "x" * 2_000_000


def test_an_unshowable_first_frame_voids_the_battle_and_operators_learn_why() -> None:
    place = Place(snake_with(frame=lambda state: LONG))
    operator, watcher, bot = (place.program(role) for role in ("operator", "spectator", "bot"))
    place.start(operator, [bot])
    place.run(over(operator))
    said = "battle 1 is void: a turn could not be shown: snake.live_frame() returned 2,000,007 bytes of JSON"
    for one in (operator, watcher):
        assert [error["code"] for error in one.of("error")] == ["void"]
        assert one.of("error")[0]["message"].startswith(said)
    assert place.server.over[0].ending == "void"


def test_a_frame_that_fails_for_a_late_spectator_voids_the_battle_only() -> None:
    place = Place(
        snake_with(frame=lambda state: LONG, observe=lambda state, seat: seat), tps=5, history_bytes_max=0
    )
    bots = [place.program("bot"), place.program("bot")]
    addresses = [RemoteAddress("127.0.0.1", 40_000 + bot.conn) for bot in bots]
    setup = generic_setup(
        catalog.load("snake"),
        SETTINGS,
        2,
        turn_timeout_us=TIMEOUT_US,
        ready_timeout_us=10**6,
        bots_min=2,
    )
    place.host.start_battle(setup, addresses, place.server.now_ns)
    place.server.work()
    place.run(lambda: bots[0].of("observation"))
    watcher = place.program("spectator")
    place.run(over(watcher))
    assert watcher.of("error")[0]["code"] == "void"
    assert watcher.closed is None


def test_invalid_scores_void_the_battle_and_operators_learn_why() -> None:
    place = Place(snake_with(scores=lambda state: [1]))
    operator, bot = place.program("operator"), place.program("bot")
    place.start(operator, [bot, place.program("bot")])
    place.run(over(operator))
    assert "snake.scores() returned 1 scores" in operator.of("error")[0]["message"]
    assert place.server.over[0].ending == "void"


@pytest.mark.parametrize(("took_ns", "times"), [(SLOW_RULES_NS - 1, 0), (SLOW_RULES_NS, 1), (2 * 10**9, 1)])
def test_operators_are_warned_once_of_slow_rules(took_ns: int, times: int) -> None:
    clock_ns = 0
    snake = catalog.load("snake")
    resolve = snake.resolve

    def slow(*args: Any) -> Any:
        nonlocal clock_ns
        clock_ns += took_ns
        return resolve(*args)

    place = Place(snake_with(resolve=slow), stopwatch=lambda: clock_ns)
    operator, bot = place.program("operator"), place.program("bot")
    place.start(operator, [bot, place.program("bot")])
    place.run(over(operator))
    said = f"the rules took {took_ns / 1e9:.1f} s for a turn; the server could not respond meanwhile"
    assert [(error["code"], error["message"]) for error in operator.of("error")] == [("slow", said)] * times
    assert bot.of("error") == []
