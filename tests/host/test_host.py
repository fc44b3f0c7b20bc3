"""Who may say what, and what the server makes of everything else."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.host.support import MS, TIMEOUT, US, Room, S, duel, game_setup, start_game
from tests.messages import missing
from turnwright.games.tank.wire.royale import messages as m
from turnwright.games.tank.wire.royale.limits import STRANGER_BYTES_MAX
from turnwright.host import effects as fx
from turnwright.host.host import STRANGER_FAULTS_MAX
from turnwright.host.lobby import LIST_GAP_NS

BODIES = {
    "BotHandshake": {"name": "x", "version": "1", "authors": []},
    "ObserverHandshake": {"name": "x", "version": "1"},
    "ControllerHandshake": {"name": "x", "version": "1"},
    "BotReady": {},
    "BotIntent": {"targetSpeed": 8, "firepower": 3},
    "StartGame": {"gameSetup": game_setup(), "botAddresses": [{"host": "127.0.0.1", "port": 40_002}]},
    "StopGame": {},
    "PauseGame": {},
    "ResumeGame": {},
    "NextTurn": {},
    "ChangeTps": {"tps": 1},
    "BotPolicyUpdate": {"botId": 1, "debuggingEnabled": True, "breakpointEnabled": True},
    "EnableDebugMode": {},
    "DisableDebugMode": {},
    "ListDirectories": {},
    "BootBots": {"ids": ["MyBot"]},
}
ROLES = ("bot", "observer", "controller", None)
FORBIDDEN = [
    (role, kind)
    for role in ROLES
    for kind in BODIES
    if kind not in {m.type_name(t) for t in m.MAY_SEND.get(role, ())}
    and not (role is None and kind.endswith("Handshake"))
]


def everything(room):
    """Return all that a message could change."""
    table = room.table
    people = [(c.role, c.seat, c.debugging, c.breakpoint) for c in room.host.lobby.clients.values()]
    battle = table.battle
    game = (battle.turn, battle.game.snapshot(battle.state), set(battle.missing)) if battle else None
    return room.phase, table.tps, table.debug_mode, table.pace.paused, table.pace.stepping, people, game


def listening(room, *but):
    return [c for c in room.clients.values() if c not in but]


# ---- handshakes ----------------------------------------------------------------------------------------


def test_the_server_speaks_first_and_says_who_it_is():
    room = Room(debug_mode=False)
    (hello,) = room.stranger().heard
    assert hello["variant"] == "Tank Royale"
    assert hello["version"].split(".")[0] == "1"
    assert hello["gameTypes"] == ["classic", "1v1", "twinduel", "melee", "custom"]
    assert hello["features"] == {"debugMode": False, "breakpointMode": True}
    assert "gameSetup" not in hello


def test_every_connection_gets_its_own_session_id():
    room = Room()
    assert len({room.stranger().session for _ in range(50)}) == 50


@pytest.mark.parametrize("role", ["bot", "observer", "controller"])
def test_the_session_id_of_another_socket_is_refused(role):
    room = Room()
    one, two = room.stranger(), room.stranger()
    two.hello(role, sessionId=one.session)
    assert two.closed == (1008, "Missing session id")
    assert room.host.lobby.clients[two.conn].role is None
    assert one.hello(role).closed is None


@pytest.mark.parametrize("role", ["bot", "observer", "controller"])
def test_a_wrong_secret_is_refused_and_stands_in_no_log(role):
    room = Room(bot_secrets=frozenset({"right"}), controller_secrets=frozenset({"right"}))
    client = room.stranger().hello(role, secret="guess-äöü")
    assert client.closed == (1008, "Invalid secret")
    assert "guess" not in room.log
    assert "right" not in room.log


@pytest.mark.parametrize("role", ["bot", "observer", "controller"])
def test_the_right_secret_opens_and_nobody_is_told_it(role):
    room = Room(bot_secrets=frozenset({"pässword"}), controller_secrets=frozenset({"pässword"}))
    watcher = room.controller(secret="pässword")
    client = room.stranger().hello(role, secret="pässword")
    assert client.closed is None
    assert room.host.lobby.clients[client.conn].role == role
    told = json.dumps([c.heard for c in (watcher, client)], ensure_ascii=False)
    assert "pässword" not in told + room.log + repr(room.host.lobby.clients)


def test_who_is_being_closed_can_do_nothing_more():
    room = Room(bot_secrets=frozenset({"b"}))
    client = room.stranger().hello("bot", secret="wrong")
    client.hello("bot", secret="b")
    assert room.host.lobby.clients[client.conn].role is None
    assert client.kinds() == ["ServerHandshake"]


@pytest.mark.parametrize("first", ["bot", "observer", "controller"])
@pytest.mark.parametrize("second", ["bot", "observer", "controller"])
def test_a_role_is_for_life(first, second):
    room = Room()
    client = room.stranger().hello(first, turnwright=1).hush()
    client.hello(second)
    assert room.host.lobby.clients[client.conn].role == first
    assert client.closed is None
    if first != second:
        assert client.last("ErrorReply")["code"] == "not-your-role"


def test_a_repeated_handshake_replaces_what_is_known_and_lists_the_bots_again():
    room = Room()
    watcher, bot = room.observer(), room.bot("before")
    bot.hello("bot", name="after")
    room.run(LIST_GAP_NS)
    assert [[b["name"] for b in u["bots"]] for u in watcher.of("BotListUpdate")] == [
        [],
        ["before"],
        ["after"],
    ]


@pytest.mark.parametrize("role", ["observer", "controller"])
@pytest.mark.parametrize("frames", [None, 1])
def test_who_watches_and_introduces_itself_again_is_told_the_bots_and_not_the_whole_game(role, frames):
    room, *_ = duel()
    watcher = room.stranger().hello(role, frames=frames)
    assert "GameStartedEventForObserver" in watcher.kinds()
    watcher.hush()
    for _ in range(5):
        watcher.hello(role, name="again", frames=frames)
    assert watcher.kinds()[1:] == ["BotListUpdate"] * 5
    assert "again" in room.host.lobby.clients[watcher.conn].name
    room.run(3 * TIMEOUT)
    assert watcher.of("TickEventForObserver", "Delta")


def test_a_bot_that_plays_stays_who_it_is_until_the_game_is_over():
    room, _, one, _ = duel()
    one.hello("bot", name="other", teamId=2, turnwright=1)
    assert room.host.lobby.clients[one.conn].name.startswith("bot one")
    assert "not-now" in room.log
    assert room.phase == "running"


def test_spectators_are_told_the_bots_at_once_and_whenever_one_comes_or_goes():
    room = Room()
    watcher = room.observer()
    one = room.bot()
    two = room.run(LIST_GAP_NS).bot()
    room.run(LIST_GAP_NS)
    one.leave()
    names = [[b["name"] for b in u["bots"]] for u in watcher.of("BotListUpdate")]
    assert names == [[], ["bot 2"], ["bot 2", "bot 3"], ["bot 3"]]
    assert two.kinds() == ["ServerHandshake"]


def test_the_newest_setup_is_in_every_later_handshake():
    room, *_ = duel(setup={"arenaWidth": 777})
    assert room.stranger().heard[0]["gameSetup"]["arenaWidth"] == 777
    room.clients[1].say("StopGame")
    assert room.stranger().heard[0]["gameSetup"]["arenaWidth"] == 777


# ---- silence -------------------------------------------------------------------------------------------


def test_a_connection_that_says_nothing_is_closed_after_five_seconds():
    room = Room()
    silent, speaker = room.stranger(), room.observer()
    room.run(5 * S - 1)
    assert silent.closed is None
    room.run(1)
    assert silent.closed == (1008, "no handshake within 5 s")
    assert speaker.closed is None
    room.run(3600 * S)
    assert room.server.alarm_ns is None


def test_faults_are_no_handshake_and_buy_no_time():
    room = Room()
    chatter = room.stranger()
    for _ in range(6):
        room.run(S - 1)
        chatter.say("PauseGame")
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
def test_what_a_role_may_not_say_changes_nothing(role, kind):
    room, _boss, one, two = duel()
    ours = room.stranger()
    if role is not None:
        ours.hello(role, turnwright=1)
    for client in listening(room):
        client.hush()
    before = everything(room)
    body = {**BODIES[kind], "sessionId": ours.session} if kind.endswith("Handshake") else BODIES[kind]
    ours.say(kind, **body)
    assert everything(room) == before
    assert all(c.kinds() == ["ServerHandshake"] for c in listening(room, ours))
    code = "no-handshake" if role is None else "not-your-role"
    assert [m["code"] for m in ours.of("ErrorReply")] == ([] if role is None else [code])
    assert code in room.logged("warning")[-1]
    for bot in (one, two):
        bot.say("BotIntent")
    assert room.run().table.battle.turn == 2


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_stranger_gets_no_reply_and_is_not_trusted_to_be_ours(kind):
    room, *_ = duel()
    stranger = room.stranger()
    if not kind.endswith("Handshake"):
        stranger.say(kind, **BODIES[kind])
        assert stranger.kinds() == ["ServerHandshake"]


def test_a_bot_that_is_not_chosen_may_answer_as_it_likes_and_counts_for_nothing():
    room, _boss, _one, _two = duel()
    other = room.bot()
    before = everything(room)
    other.say("BotReady")
    other.say("BotIntent", targetSpeed=8)
    assert everything(room) == before


def test_what_an_operator_commands_is_logged_with_its_name():
    room, boss, *_ = duel(operator={"name": "judge", "turnwright": 1})
    boss.say("PauseGame")
    assert any("judge" in line and "PauseGame" in line for line in room.logged("info"))


# ---- StartGame -----------------------------------------------------------------------------------------

BAD_SETUPS = [
    ("numberOfRounds", 0),
    ("numberOfRounds", -1),
    ("arenaWidth", 0),
    ("arenaWidth", 10**8),
    ("arenaHeight", -5),
    ("minNumberOfParticipants", 0),
    ("turnTimeout", 0),
    ("readyTimeout", 0),
    ("turnTimeout", 10**13),
    ("gameType", "chess"),
    ("gunCoolingRate", 1e7),
]


@pytest.mark.parametrize(("field", "value"), BAD_SETUPS)
def test_a_setup_that_cannot_be_played_is_refused_with_what_was_wrong(field, value):
    room = Room()
    boss, bots = room.controller(turnwright=1), room.bots(2)
    room.start(boss, bots, **{field: value})
    reply = boss.last("ErrorReply")
    assert (reply["code"], reply["refersTo"]) == ("bad-setup", "StartGame")
    assert field in reply["message"]
    assert field in room.logged("warning")[-1]
    assert boss.closed is None
    assert room.phase == "waiting for participants"
    assert all(bot.kinds() == ["ServerHandshake"] for bot in bots)
    assert "gameSetup" not in room.stranger().heard[0]
    assert room.start(boss, bots).phase == "running"


MISSING = [
    ({"botAddresses": []}, "botAddresses is empty"),
    ({"botAddresses": [{"host": "127.0.0.1", "port": 1}]}, "newest list of bots"),
    ({"gameSetup": None}, "gameSetup"),
]


@pytest.mark.parametrize(("changes", "said"), MISSING)
def test_a_start_without_bots_or_setup_is_refused(changes, said):
    room = Room()
    boss, bots = room.controller(turnwright=1), room.bots(2)
    boss.say("StartGame", **{**start_game(bots), **changes})
    assert said in boss.last("ErrorReply")["message"]
    assert room.phase == "waiting for participants"


@pytest.mark.parametrize("phase", ["waiting for ready", "running", "paused"])
def test_a_start_over_a_game_is_refused_and_the_game_goes_on(phase):
    room = Room()
    boss, rival = room.controller(turnwright=1), room.controller(name="rival", turnwright=1)
    stranger = room.controller(name="not ours")
    one, two = room.bots(2)
    for bot in (one, two):
        bot.readies = phase != "waiting for ready"
    room.start(boss, [one, two])
    if phase == "paused":
        boss.say("PauseGame")
    before = everything(room)
    for client in (rival, stranger):
        room.start(client.hush(), [two], arenaWidth=1234)
    assert room.phase == phase
    assert everything(room) == before
    assert "a game is running" in rival.last("ErrorReply")["message"]
    assert stranger.heard[1:] == []
    assert rival.closed is None
    assert stranger.closed is None
    assert "StartGame of controller rival" in room.log
    assert room.stranger().heard[0]["gameSetup"]["arenaWidth"] != 1234


@pytest.mark.parametrize("gone", ["gunCoolingRate", "defaultTurnsPerSecond", "turnTimeout", "gameType"])
def test_a_setup_with_a_field_missing_is_answered_and_nothing_starts(gone):
    room = Room()
    boss, bots = room.controller(turnwright=1), room.bots(2)
    message = start_game(bots)
    del message["gameSetup"][gone]
    boss.say("StartGame", **message)
    assert boss.last("ErrorReply")["code"] == "missing-field"
    assert gone in boss.last("ErrorReply")["message"]
    assert boss.closed is None
    assert room.start(boss, bots).phase == "running"


def test_of_several_operators_that_start_at_once_one_wins():
    room = Room()
    bots = room.bots(4)
    rivals = [room.controller(name=f"c{k}", turnwright=1) for k in range(5)]
    for rival in rivals:
        room.start(rival, bots)
    assert [len(r.of("ErrorReply")) for r in rivals] == [0, 1, 1, 1, 1]
    assert room.phase == "running"


def test_the_seats_are_in_the_order_of_the_addresses():
    room = Room()
    boss, bots = room.controller(), room.bots(4)
    room.start(boss, [bots[2], bots[0], bots[3]])
    assert [b.of("GameStartedEventForBot")[0]["myId"] for b in (bots[2], bots[0], bots[3])] == [1, 2, 3]
    assert bots[1].of("GameStartedEventForBot") == []
    participants = boss.last("GameStartedEventForObserver")["participants"]
    assert [(p["id"], p["name"]) for p in participants] == [(1, "bot 4"), (2, "bot 2"), (3, "bot 5")]


def test_the_turn_timeout_is_capped_and_everybody_is_told_so():
    room, boss, one, _ = duel(turn_timeout_cap_us=2_000)
    assert boss.last("GameStartedEventForObserver")["gameSetup"]["turnTimeout"] == 2_000
    assert one.last("GameStartedEventForBot")["gameSetup"]["turnTimeout"] == 2_000
    room.run(2 * MS)
    assert room.table.battle.turn == 1
    room.run(1)
    assert room.table.battle.turn == 2


# ---- other commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tps", [-2, 1001, 10**9])
def test_a_speed_that_does_not_exist_is_refused(tps):
    room, boss, *_ = duel()
    before = everything(room)
    boss.hush().say("ChangeTps", tps=tps)
    assert boss.kinds() == ["ServerHandshake", "ErrorReply"]
    assert everything(room) == before


def test_a_policy_for_a_bot_that_is_not_there_is_refused():
    room, boss, *_ = duel()
    wrong = (0, -1, 3, 10**6)
    for bot_id in wrong:
        boss.say("BotPolicyUpdate", botId=bot_id, breakpointEnabled=True)
    replies = zip(boss.of("ErrorReply"), wrong, strict=True)
    assert [missing(reply["message"], f"no bot {n}", "bots 1 to 2") for reply, n in replies] == [[]] * 4
    assert not any(c.breakpoint for c in room.host.lobby.clients.values())


def test_abort_ends_a_game_and_is_nothing_without_one():
    room, boss, *_ = duel()
    room.host.abort("the server is closing")
    room.server.work()
    assert boss.kinds()[-1] == "GameAbortedEvent"
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
    (b'"BotIntent"', "malformed"),
    (b"{}", "no-type"),
    (b'{"type":null}', "no-type"),
    (b'{"type":{}}', "no-type"),
    (b'{"type":"Nonsense"}', "unknown-type"),
    (b'{"type":"TickEventForBot"}', "server-only"),
    (b'{"type":"BotIntent","turnRate":"fast"}', "wrong-type"),
    (b'{"type":"ChangeTps"}', "missing-field"),
    (b'{"type":"BotIntent","stdOut":"\xff"}', "not-utf8"),
    (b"[" * 5000 + b"]" * 5000, "too-deep"),
    (b'{"type":"BotIntent","stdOut":"' + b"x" * (1 << 20) + b'"}', "too-big"),
]


@pytest.mark.parametrize(("data", "code"), BAD_INPUT, ids=[c for _, c in BAD_INPUT])
@pytest.mark.parametrize("role", ["bot", "observer", "controller", None])
def test_malformed_input_is_answered_and_survived(role, data, code):
    room, _boss, one, two = duel()
    if role == "bot":
        client = one
        room.host.lobby.clients[one.conn].ours = True
    else:
        client = room.stranger()
        if role:
            client.hello(role, turnwright=1)
    client.send(data)
    if role is not None:
        assert client.last("ErrorReply")["code"] == code
    assert code in room.logged("warning")[-1]
    closes = {"too-big": 1009, "not-utf8": 1007}.get(code)
    assert (client.closed or (None,))[0] == closes
    two.say("BotIntent")
    if client is not one or closes is None:
        one.say("BotIntent")
    assert room.run(TIMEOUT + 1).table.battle.turn >= 2


@pytest.mark.parametrize(("size", "closes"), [(STRANGER_BYTES_MAX, None), (STRANGER_BYTES_MAX + 1, 1009)])
def test_who_has_not_said_who_it_is_may_not_say_much(size, closes):
    room, *_ = duel()
    stranger, observer = room.stranger(), room.stranger().hello("observer")
    data = b'{"type":"BotIntent","stdOut":"' + b"x" * (size - 32) + b'"}'
    assert len(data) == size
    stranger.send(data)
    observer.send(data)
    assert (stranger.closed or (None,))[0] == closes
    assert not observer.closed


def test_a_stranger_that_makes_too_many_mistakes_is_sent_away():
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
        one.send(b'{"type":"BotIntent","turnRate":"x","stdOut":"' + b"x" * 100_000 + b'"}')
    assert room.host.faults_total == {"wrong-type": 5, "too-many": 25}
    assert not one.closed


def test_a_part_that_is_wrong_is_dropped_and_the_rest_counts():
    room, boss, one, two = duel(operator={"turnwright": 1})
    room.host.lobby.clients[one.conn].ours = True
    one.send(b'{"type":"BotIntent","targetSpeed":NaN,"turnRate":5}')
    assert one.last("ErrorReply")["code"] == "bad-number"
    assert room.table.battle.missing == {1}
    two.say("BotIntent", turnRate=5)
    room.run()
    speeds = [(b["speed"], b["turnRate"]) for b in boss.last("TickEventForObserver")["botStates"]]
    assert speeds == [(0, 5), (0, 5)]


def test_colours_that_are_none_do_not_stop_the_game():
    room, boss, one, _two = duel(plays=True)
    colours = ["red", "#12345", "#GGGGGG", "", " ", "#FF000080", "#" * 999]
    one.answer = lambda tick: {"bodyColor": colours[tick["turnNumber"] % len(colours)]}
    room.run(20 * MS)
    assert boss.ticks[-1] == (1, 21)


def test_faults_are_logged_up_to_a_bound_and_always_counted():
    room, _boss, one, _ = duel()
    for _ in range(100):
        one.send(b"rubbish")
    assert sum("malformed" in line for line in room.logged("warning")) == 20
    assert room.host.faults_total["malformed"] == 100
    assert room.table.seat_timing[0].malformed == 100


# ---- floods --------------------------------------------------------------------------------------------


def test_a_flood_is_closed_and_nobody_else_feels_it():
    """100,000 messages a second for ten seconds, in the middle of a game."""
    room, _, one, _ = duel(plays=True, tps=30)
    quiet, *_ = duel(plays=True, tps=30)
    data, receive = b'{"type":"BotIntent","turnRate":1}', room.host.receive
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
    assert room.table.battle.skips.seats[1].skipped == 0
    played = room.table.battle.turn
    assert played == quiet.table.battle.turn
    assert played > 300
    room.run(S)
    assert room.table.battle.turn == played + 30


def assert_flooded(client):
    """Assert that a connection was closed because of too many messages."""
    code, reason = client.closed
    assert code == 1008
    assert not missing(reason, "too many messages", "second")


def test_a_flood_of_rubbish_is_closed_too():
    room, _boss, _one, _two = duel(plays=True)
    stranger = room.observer()
    now = room.now_ns
    for k in range(11 * 1000):
        room.host.receive(stranger.conn, b"{", now + k * MS)
    room.server.work()
    assert_flooded(stranger)


def honest_and_one_behind(**number):
    """Return a fast game in which seat 0 is always one answer behind, and sends one a turn."""
    room, _, one, two = duel(max_skipped=0, tps=1000)
    two.answer = lambda tick: {}
    one.after_ns = two.after_ns = 100 * US
    two.say("BotIntent")
    room.run(11 * MS)
    assert room.table.battle.turn == 2
    one.say("BotIntent"), one.say("BotIntent"), two.say("BotIntent")
    one.answer = lambda tick: number
    return room, one


@pytest.mark.parametrize("number", [{}, {"turnNumber": 1}], ids=["kept", "stale"])
def test_a_bot_that_answers_every_turn_is_no_flood_whatever_its_answers_are_worth(number):
    room, one = honest_and_one_behind(**number)
    room.run(15 * S)
    assert room.table.battle is None or room.table.battle.turn > 1400
    assert one.closed is None
    assert "too-many" not in room.log


def test_messages_of_an_unknown_connection_are_nothing():
    room, *_ = duel()
    before = everything(room)
    room.host.receive(99, b'{"type":"StopGame"}', room.now_ns)
    room.host.disconnect(99, room.now_ns)
    assert everything(room) == before
    assert room.host.take() == []


def test_an_operator_may_ask_for_bot_directories_and_boot_from_them_and_nobody_else_may() -> None:
    room = Room()
    controller, observer = room.controller(), room.observer(turnwright=1)
    for client in (observer, controller):
        client.say("ListDirectories")
        client.say("BootBots", ids=["MyBot", "Others"])
    listed, started = room.server.boots
    assert isinstance(listed, fx.ShowDirectories)
    assert isinstance(started, fx.StartBots)
    assert (listed.conn, msgspec.json.decode(listed.none)["entries"]) == (controller.conn, [])
    assert (started.conn, started.ids) == (controller.conn, ("MyBot", "Others"))
    assert not missing(started.refused.decode(), "server", "starts no bots")
    assert [m["code"] for m in observer.of("ErrorReply")] == ["not-your-role"] * 2


@pytest.mark.parametrize("ids", [[], [""], ["x" * 201], ["x"] * 101], ids=["none", "blank", "long", "many"])
def test_bots_to_boot_are_named_within_bounds(ids: list[str]) -> None:
    room = Room()
    room.controller(turnwright=1).say("BootBots", ids=ids)
    assert room.server.boots == []
    assert room.clients[1].last("ErrorReply")["code"] == "out-of-bounds"
