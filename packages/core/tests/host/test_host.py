"""The server accepts messages by role, and refuses everything else."""

from __future__ import annotations

import json

import msgspec
import pytest

from packages.core.tests.host.support import MS, TIMEOUT, US, Room, S, duel, start_game
from packages.core.tests.messages import missing
from turnwright.host import effects as fx
from turnwright.host.lobby import LIST_GAP_NS
from turnwright.host.mistakes import STRANGER_FAULTS_MAX
from turnwright.wire.faults import STRANGER_BYTES_MAX
from turnwright.wire.generic_protocol import BATTLE_BOTS_MAX

BODIES = {
    "hello": {"protocol": 1, "name": "x", "role": "bot"},
    "ready": {},
    "intent": {"intent": 8},
    "start": {"bots": [{"host": "127.0.0.1", "port": 40_002}]},
    "stop": {},
    "pause": {},
    "resume": {},
    "step": {},
    "speed": {"tps": 1},
    "policy": {"seat": 0, "debugging": True, "breakpoints": True},
    "debug": {"on": True},
    "directories": {},
    "boot": {"ids": ["MyBot"]},
}
ROLES = ("bot", "spectator", "operator", None)
MAY_SAY = {
    "bot": {"hello", "ready", "intent"},
    "spectator": {"hello"},
    "operator": BODIES.keys() - {"ready", "intent"},
    None: {"hello"},
}
FORBIDDEN = [(role, kind) for role in ROLES for kind in BODIES if kind not in MAY_SAY[role]]


def everything(room):
    """Return all that a message could change."""
    battle_room = room.host.room
    people = [(c.role, c.seat, c.debugging, c.breakpoint) for c in room.host.lobby.clients.values()]
    battle = battle_room.battle
    game = (
        (battle.turn, battle.game.snapshot(battle.state), set(battle.collecting.inbox.missing))
        if battle
        else None
    )
    pace = battle_room.tps, battle_room.pace.paused, battle_room.pace.stepping
    return room.phase, pace, battle_room.debug_mode, people, game


def listening(room, *but):
    return [c for c in room.clients.values() if c not in but]


# ---- handshakes ----------------------------------------------------------------------------------------


def test_every_connection_gets_its_own_session_id():
    room = Room()
    assert len({room.stranger().session for _ in range(50)}) == 50


@pytest.mark.parametrize("role", ["bot", "spectator", "operator"])
def test_the_session_id_of_another_socket_is_refused(role):
    room = Room()
    one, two = room.stranger(), room.stranger()
    two.hello(role, session=one.session)
    assert two.closed == (1008, "Missing session id")
    assert room.host.lobby.clients[two.conn].role is None
    assert one.hello(role).closed is None


@pytest.mark.parametrize("role", ["bot", "spectator", "operator"])
def test_a_wrong_secret_is_refused_and_never_logged(role):
    room = Room(bot_secrets=frozenset({"right"}), controller_secrets=frozenset({"right"}))
    client = room.stranger().hello(role, secret="guess-äöü")
    assert client.closed == (1008, "Invalid secret")
    assert "guess" not in room.log
    assert "right" not in room.log


@pytest.mark.parametrize("role", ["bot", "spectator", "operator"])
def test_the_right_secret_opens_a_role_and_is_never_revealed(role):
    room = Room(bot_secrets=frozenset({"pässword"}), controller_secrets=frozenset({"pässword"}))
    watcher = room.operator(secret="pässword")
    client = room.stranger().hello(role, secret="pässword")
    assert client.closed is None
    assert room.host.lobby.clients[client.conn].role == role
    told = json.dumps([c.heard for c in (watcher, client)], ensure_ascii=False)
    assert "pässword" not in told + room.log + repr(room.host.lobby.clients)


def test_a_client_that_is_being_closed_can_do_nothing():
    room = Room(bot_secrets=frozenset({"b"}))
    client = room.stranger().hello("bot", secret="wrong")
    client.hello("bot", secret="b")
    assert room.host.lobby.clients[client.conn].role is None
    assert client.kinds() == ["hello"]


@pytest.mark.parametrize("first", ["bot", "spectator", "operator"])
@pytest.mark.parametrize("second", ["bot", "spectator", "operator"])
def test_a_role_is_for_life(first, second):
    room = Room()
    client = room.stranger().hello(first).hush()
    client.hello(second)
    assert room.host.lobby.clients[client.conn].role == first
    assert client.closed is None
    if first != second:
        assert client.last("error")["code"] == "not-your-role"


def test_a_repeated_handshake_replaces_the_data_and_lists_the_bots_again():
    room = Room()
    watcher, bot = room.spectator(), room.bot("before")
    bot.hello("bot", name="after")
    room.run(LIST_GAP_NS)
    assert [[b["name"] for b in u["bots"]] for u in watcher.of("bots")] == [
        [],
        ["before"],
        ["after"],
    ]


def test_one_bot_has_a_name_where_that_is_asked_for_and_again_when_it_has_left():
    room = Room(one_bot_a_name=True, bot_secrets=frozenset({"word"}))
    first, other = room.bot("Ace", secret="word"), room.bot("Bee", secret="word")
    again = room.bot("Ace", secret="word")
    assert again.closed is not None
    assert not missing(again.closed[1], "Ace", "take another name")
    assert first.hello("bot", name="Ace", secret="word").closed is None
    assert other.hello("bot", name="Ace", secret="word").closed is not None
    first.leave()
    assert room.bot("Ace", secret="word").closed is None


def test_spectators_are_limited_by_address_and_in_total_and_operators_are_not():
    room = Room(spectators_max=5, spectators_per_address_max=3, controller_secrets=frozenset({"boss"}))

    def watch(address):
        return room.stranger(address).hello("spectator", secret="boss")

    first = [watch("10.0.0.1") for _ in range(3)]
    assert [one.closed for one in first] == [None] * 3
    refused = watch("10.0.0.1")
    assert refused.closed is not None
    assert not missing(refused.closed[1], 3, "spectators", "address")
    assert first[0].hello("spectator", secret="boss").closed is None
    others = [watch("10.0.0.2") for _ in range(2)]
    assert [one.closed for one in others] == [None] * 2
    last = watch("10.0.0.3")
    assert last.closed is not None
    assert not missing(last.closed[1], 5, "spectators")
    assert room.stranger("10.0.0.1").hello("operator", secret="boss").closed is None
    assert room.stranger("10.0.0.1").hello("bot").closed is None
    first[0].leave()
    assert watch("10.0.0.1").closed is None


def test_only_bots_that_the_server_starts_may_share_a_name():
    own = frozenset({"own.0", "own.1"})
    secrets = {"bot_secrets": own | {"word"}, "own_bot_secrets": own}
    room = Room(one_bot_a_name=True, **secrets)
    shown = ("own.0", "own.1", "own.0")
    assert [room.bot("Ace", secret=secret).closed for secret in shown] == [None] * 3
    assert room.bot("Ace", secret="word").closed is not None
    assert room.bot("Bee", secret="word").closed is None
    assert room.bot("Bee", secret="own.0").closed is not None
    unknown = Room(one_bot_a_name=True)
    assert unknown.bot("Ace").closed is None
    assert unknown.bot("Ace").closed is not None


def test_a_playing_bot_keeps_its_identity_until_the_game_is_over():
    room, _, one, _ = duel()
    one.hello("bot", name="other", teamId=2)
    assert room.host.lobby.clients[one.conn].name.startswith("bot one")
    assert "not-now" in room.log
    assert room.phase == "running"


def test_spectators_get_the_bots_immediately_and_at_every_change():
    room = Room()
    watcher = room.spectator()
    one = room.bot()
    two = room.run(LIST_GAP_NS).bot()
    room.run(LIST_GAP_NS)
    one.leave()
    names = [[b["name"] for b in u["bots"]] for u in watcher.of("bots")]
    assert names == [[], ["bot 2"], ["bot 2", "bot 3"], ["bot 3"]]
    assert two.kinds() == ["hello"]


def test_the_newest_setup_is_in_every_later_handshake():
    room, *_ = duel(setup={"turns": 777})
    assert room.stranger().heard[0]["settings"]["turns"] == 777
    room.clients[1].say("stop")
    assert room.stranger().heard[0]["settings"]["turns"] == 777


# ---- silence -------------------------------------------------------------------------------------------


def test_a_connection_that_says_nothing_is_closed_after_five_seconds():
    room = Room()
    silent, speaker = room.stranger(), room.spectator()
    room.run(5 * S - 1)
    assert silent.closed is None
    room.run(1)
    assert silent.closed == (1008, "no handshake within 5 s")
    assert speaker.closed is None
    room.run(3600 * S)
    assert room.server.alarm_ns is None


def test_faults_do_not_extend_the_time_for_a_handshake():
    room = Room()
    chatter = room.stranger()
    for _ in range(6):
        room.run(S - 1)
        chatter.say("pause")
    assert chatter.closed is not None


def test_each_silent_connection_has_its_own_five_seconds():
    room = Room()
    first = room.stranger()
    room.run(3 * S)
    second = room.stranger()
    room.run(2 * S)
    assert (first.closed is None, second.closed is None) == (False, True)
    room.run(3 * S)
    assert second.closed is not None


# ---- roles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "kind"), FORBIDDEN, ids=[f"{r}-{k}" for r, k in FORBIDDEN])
def test_a_message_that_a_role_may_not_send_changes_nothing(role, kind):
    room, _boss, one, two = duel()
    ours = room.stranger()
    if role is not None:
        ours.hello(role)
    for client in listening(room):
        client.hush()
    before = everything(room)
    ours.say(kind, **BODIES[kind])
    assert everything(room) == before
    assert all(c.kinds() == ["hello"] for c in listening(room, ours))
    code = "no-handshake" if role is None else "not-your-role"
    assert [error["code"] for error in ours.of("error")] == ([] if role is None else [code])
    assert code in room.logged("warning")[-1]
    for bot in (one, two):
        bot.say("intent")
    assert room.run().host.room.battle.turn == 2


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_client_without_a_handshake_gets_no_reply(kind):
    room, *_ = duel()
    stranger = room.stranger()
    if kind != "hello":
        stranger.say(kind, **BODIES[kind])
        assert stranger.kinds() == ["hello"]


def test_messages_of_a_bot_that_is_not_chosen_count_for_nothing():
    room, _boss, _one, _two = duel()
    other = room.bot()
    before = everything(room)
    other.say("ready")
    other.say("intent", intent=8)
    assert everything(room) == before


def test_commands_of_an_operator_are_logged_with_its_name():
    room, boss, *_ = duel(operator={"name": "judge", "turnwright": 1})
    boss.say("pause")
    assert any("judge" in line and "pause" in line for line in room.logged("info"))


# ---- StartGame -----------------------------------------------------------------------------------------

MISSING = [
    ({"bots": []}, "bots"),
    ({"bots": [{"host": "127.0.0.1", "port": 1}]}, "newest list"),
    ({"settings": None}, "settings"),
    ({"settings": {"size": 1}}, "'size'"),
    ({"settings": {"rounds": 0}}, "rounds 0"),
]


@pytest.mark.parametrize(("changes", "said"), MISSING)
def test_a_start_without_bots_or_setup_is_refused(changes, said):
    room = Room()
    boss, bots = room.operator(), room.bots(2)
    boss.say("start", **{**start_game(bots), **changes})
    assert said in boss.last("error")["message"]
    assert room.phase == "waiting for participants"


@pytest.mark.parametrize("phase", ["waiting for ready", "running", "paused"])
def test_a_start_during_a_game_is_refused_and_the_game_continues(phase):
    room = Room()
    boss, rival = room.operator(), room.operator(name="rival")
    one, two = room.bots(2)
    for bot in (one, two):
        bot.readies = phase != "waiting for ready"
    room.start(boss, [one, two])
    if phase == "paused":
        boss.say("pause")
    before = everything(room)
    room.start(rival.hush(), [two], turns=1234)
    assert room.phase == phase
    assert everything(room) == before
    assert "a game is running" in rival.last("error")["message"]
    assert rival.closed is None
    assert not missing(room.logged("warning")[-1], "start", "rival", "stop")
    assert room.stranger().heard[0]["settings"]["turns"] != 1234


def test_one_of_several_simultaneous_starts_wins():
    room = Room()
    bots = room.bots(4)
    rivals = [room.operator(name=f"c{k}") for k in range(5)]
    for rival in rivals:
        room.start(rival, bots)
    assert [len(r.of("error")) for r in rivals] == [0, 1, 1, 1, 1]
    assert room.phase == "running"


def test_the_seats_are_in_the_order_of_the_addresses():
    room = Room()
    boss, bots = room.operator(), room.bots(4)
    room.start(boss, [bots[2], bots[0], bots[3]])
    assert [b.of("ready")[0]["seat"] for b in (bots[2], bots[0], bots[3])] == [0, 1, 2]
    assert bots[1].of("ready") == []
    assert [seat["name"] for seat in boss.last("ready")["seats"]] == ["bot 4", "bot 2", "bot 5"]


def test_the_turn_timeout_is_capped_and_every_client_gets_the_cap():
    room, boss, one, _ = duel(turn_timeout_cap_us=2_000)
    assert boss.last("ready")["turnTimeoutUs"] == 2_000
    assert one.last("ready")["turnTimeoutUs"] == 2_000
    room.run(2 * MS)
    assert room.host.room.battle.turn == 1
    room.run(1)
    assert room.host.room.battle.turn == 2


# ---- other commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tps", [1001, 10**9])
def test_a_speed_that_does_not_exist_is_refused(tps):
    room, boss, *_ = duel()
    before = everything(room)
    boss.hush().say("speed", tps=tps)
    assert boss.kinds() == ["hello", "error"]
    assert everything(room) == before


@pytest.mark.parametrize("tps", [-2, -(10**9)])
def test_every_negative_speed_of_an_operator_means_no_waiting(tps):
    room, boss, *_ = duel(tps=30)
    boss.hush().say("speed", tps=tps)
    assert boss.last("speed")["tps"] == room.host.room.tps == room.host.room.pace.tps == -1


def test_a_server_that_begins_with_a_negative_speed_reports_minus_one():
    room, boss, *_ = duel(tps=-7)
    assert boss.last("speed")["tps"] == room.host.room.tps == -1


def test_a_policy_for_a_missing_bot_is_refused():
    room, boss, *_ = duel()
    for seat in (2, 900):
        boss.say("policy", seat=seat, breakpoints=True)
    assert [
        missing(reply["message"], seat, "0 to 1")
        for seat, reply in zip((2, 900), boss.of("error"), strict=True)
    ] == [[], []]
    assert not any(c.breakpoint for c in room.host.lobby.clients.values())


def test_abort_ends_a_game_and_is_nothing_without_one():
    room, boss, *_ = duel()
    room.host.abort("the server is closing")
    room.server.work()
    assert boss.kinds()[-1] == "result"
    assert room.server.over[0].why == "the server is closing"
    boss.hush()
    room.host.abort("again")
    room.server.work()
    assert boss.heard[1:] == []


# ---- malformed input -----------------------------------------------------------------------------------

BAD_INPUT = [
    (b"", "malformed"),
    (b"{", "malformed"),
    (b"[]", "malformed"),
    (b"null", "malformed"),
    (b'"intent"', "malformed"),
    (b"{}", "no-type"),
    (b'{"type":null}', "no-type"),
    (b'{"type":{}}', "no-type"),
    (b'{"type":"nonsense"}', "unknown-type"),
    (b'{"type":"observation"}', "server-only"),
    (b'{"type":"speed","tps":"fast"}', "wrong-type"),
    (b'{"type":"speed"}', "missing-field"),
    (b'{"type":"intent","intent":"\xff"}', "not-utf8"),
    (b"[" * 5000 + b"]" * 5000, "too-deep"),
    (b'{"type":"intent","intent":"' + b"x" * (1 << 20) + b'"}', "too-big"),
]


@pytest.mark.parametrize(("data", "code"), BAD_INPUT, ids=[c for _, c in BAD_INPUT])
@pytest.mark.parametrize("role", ["bot", "spectator", "operator", None])
def test_malformed_input_is_answered_and_survived(role, data, code):
    room, _boss, one, two = duel()
    if role == "bot":
        client = one
    else:
        client = room.stranger()
        if role:
            client.hello(role)
    client.send(data)
    if role is not None:
        assert client.last("error")["code"] == code
    assert code in room.logged("warning")[-1]
    closes = {"too-big": 1009}.get(code)
    assert (client.closed or (None,))[0] == closes
    two.say("intent")
    if client is not one or closes is None:
        one.say("intent")
    assert room.run(TIMEOUT + 1).host.room.battle.turn >= 2


@pytest.mark.parametrize(("size", "closes"), [(STRANGER_BYTES_MAX, None), (STRANGER_BYTES_MAX + 1, 1009)])
def test_a_client_without_a_handshake_may_send_only_small_messages(size, closes):
    room, *_ = duel()
    stranger, spectator = room.stranger(), room.spectator()
    data = b'{"type":"intent","intent":"' + b"x" * (size - 29) + b'"}'
    assert len(data) == size
    stranger.send(data)
    spectator.send(data)
    assert (stranger.closed or (None,))[0] == closes
    assert not spectator.closed


def test_a_client_without_a_handshake_is_disconnected_after_too_many_mistakes():
    room, *_ = duel()
    stranger, bot = room.stranger(), room.bot()
    for number in range(STRANGER_FAULTS_MAX):
        assert not stranger.closed, number
        for client in (stranger, bot):
            client.send(b"rubbish")
    assert stranger.closed is not None
    assert stranger.closed[0] == 1008
    assert not bot.closed


def test_long_mistakes_are_soon_too_many():
    room, _boss, one, _two = duel()
    for _ in range(30):
        one.send(b'{"type":"speed","tps":"' + b"x" * 100_000 + b'"}')
    assert room.host.mistakes.total == {"wrong-type": 5, "too-many": 25}
    assert not one.closed


def test_faults_are_logged_up_to_a_bound_and_always_counted():
    room, _boss, one, _ = duel()
    for _ in range(100):
        one.send(b"rubbish")
    assert sum("malformed" in line for line in room.logged("warning")) == 20
    assert room.host.mistakes.total["malformed"] == 100
    assert room.host.room.seat_timing[0].malformed == 100


# ---- floods --------------------------------------------------------------------------------------------


def test_a_flood_is_closed_without_effect_on_others():
    """100,000 messages a second for ten seconds, in the middle of a game."""
    room, _, one, _ = duel(plays=True, tps=30)
    quiet, *_ = duel(plays=True, tps=30)
    data, receive = b'{"type":"intent","intent":1}', room.host.receive
    began = now = room.now_ns
    while one.closed is None:
        for k in range(1000):
            receive(one.conn, data, now + k * 10 * US)
            if k % 10 == 9:
                room.server.now_ns = max(room.now_ns, now + k * 10 * US)
                room.server.work()
        now += 10 * MS
        room.server.run(now)
        quiet.server.run(now)
    assert_flooded(one)
    assert 10 * S < now - began < 11 * S
    assert room.host.room.battle.referee.skips.seats[1].skipped == 0
    played = room.host.room.battle.turn
    assert played == quiet.host.room.battle.turn
    assert played > 300
    room.run(S)  # the battle waits for its answers, as long as it has patience
    played = room.host.room.battle.turn
    room.run(S // 2)
    assert room.host.room.battle.turn == played + 15


@pytest.mark.parametrize("size", [1, 400])
def test_twenty_thousand_simultaneous_intents_cost_no_turn_and_no_pause(size):
    """They come in reads of 16 KiB. The first intent of each turn is its answer, so no turn waits."""
    room, _, one, _ = duel(plays=True, tps=-1)
    pauses, take = [], room.host.take

    def taking():
        effects = take()
        pauses.extend(e for e in effects if type(e) is fx.PauseReading)
        return effects

    room.host.take = taking
    room.run(100 * MS)
    began, one.answer = room.host.room.battle.turn, None
    data = b'{"type":"intent","intent":1%s}' % (b" " * size)
    a_read, turns = 16_384 // len(data), 0
    for first in range(0, 20_000, a_read):
        for _ in range(min(a_read, 20_000 - first)):
            room.host.receive(one.conn, data, room.now_ns)
        room.server.work()
        room.run(MS)  # the other bot answers after so long
        turns += 1
    assert room.host.room.battle.turn >= began + turns - 1
    assert [seat.skipped for seat in room.host.room.battle.referee.skips.seats] == [0, 0]
    assert pauses == []


def assert_flooded(client):
    """Assert that a connection was closed because of too many messages."""
    code, reason = client.closed
    assert code == 1008
    assert not missing(reason, "too many messages", "second")


def test_a_flood_of_rubbish_is_closed_too():
    room, _boss, _one, _two = duel(plays=True)
    stranger = room.spectator()
    now = room.now_ns
    for k in range(11 * 1000):
        room.host.receive(stranger.conn, b"{", now + k * MS)
    room.server.work()
    assert_flooded(stranger)


def honest_and_one_behind(**number):
    """Return a fast game in which seat 0 is always one answer behind, and sends one a turn."""
    room, _, one, two = duel(max_skipped=0, tps=1000)
    two.answer = lambda seen: {}
    one.after_ns = two.after_ns = 100 * US
    two.say("intent")
    room.run(11 * MS)
    assert room.host.room.battle.turn == 2
    one.say("intent"), one.say("intent"), two.say("intent")
    one.answer = lambda seen: number
    return room, one


@pytest.mark.parametrize("number", [{}, {"turnNumber": 1}], ids=["kept", "stale"])
def test_a_bot_that_answers_every_turn_is_never_a_flood(number):
    room, one = honest_and_one_behind(**number)
    room.run(15 * S)
    assert room.host.room.battle is None or room.host.room.battle.turn > 1400
    assert one.closed is None
    assert "too-many" not in room.log


def test_messages_of_an_unknown_connection_are_nothing():
    room, *_ = duel()
    before = everything(room)
    room.host.receive(99, b'{"type":"stop"}', room.now_ns)
    room.host.disconnect(99, room.now_ns)
    assert everything(room) == before
    assert room.host.take() == []


def test_only_an_operator_may_list_bot_directories_and_boot_from_them() -> None:
    room = Room()
    operator, spectator = room.operator(), room.spectator()
    for client in (spectator, operator):
        client.say("directories")
        client.say("boot", ids=["MyBot", "Others"])
    listed, started = room.server.boots
    assert isinstance(listed, fx.ShowDirectories)
    assert isinstance(started, fx.StartBots)
    assert (listed.conn, msgspec.json.decode(listed.none)["entries"]) == (operator.conn, [])
    assert (started.conn, started.ids) == (operator.conn, ("MyBot", "Others"))
    assert not missing(started.refused.decode(), "server", "starts no bots")
    assert [error["code"] for error in spectator.of("error")] == ["not-your-role"] * 2


@pytest.mark.parametrize("ids", [["x" * 401], ["x"] * (BATTLE_BOTS_MAX + 1)], ids=["long", "many"])
def test_bots_to_boot_are_named_within_bounds(ids: list[str]) -> None:
    room = Room()
    room.operator().say("boot", ids=ids)
    assert room.server.boots == []
    assert room.clients[1].last("error")["code"] == "out-of-bounds"
