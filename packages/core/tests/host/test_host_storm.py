"""Clients of a host do anything at any time, and its promises hold after each step."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from packages.core.tests.host.support import MS, TIMEOUT, Room, S, start_game
from turnwright.host.config import HANDSHAKE_TIMEOUT_NS
from turnwright.host.lifecycle import Phase
from turnwright.kernel.on_late_drop import SILENCE_NS_MIN

ROLES = ("bot", "spectator", "operator")
COMMANDS = ("stop", "pause", "pause", "step", "resume", "step", "debug on", "debug off")
WATCHES = {"hello", "bots", "error", "frame", "paused", "policies", "ready", "result", "resumed", "speed"}
MAY_HEAR = {
    "bot": {"hello", "ready", "observation", "skipped", "result", "error"},
    "spectator": WATCHES,
    "operator": WATCHES | {"token", "directories"},
}
SPEEDS = (-1, 0, 1, 30, 1000, 5000)
MOSTLY = st.sampled_from((True, True, True, False))
ACTIVE = (Phase.RUNNING, Phase.PAUSED)


class Storm(RuleBasedStateMachine):
    """One host; clients of every role come, speak and go."""

    clients = Bundle("clients")

    @initialize(
        target=clients,
        tps=st.sampled_from((-1, 0, 30, 1000)),
        policy=st.sampled_from(("skip", "dead", "official")),
        most=st.sampled_from((0, 1, 5)),
        alarm_first=st.booleans(),
    )
    def begin(self, tps, policy, most, alarm_first):
        self.room = Room(tps=tps, on_disconnect=policy, max_skipped=most, record=True)
        self.room.server.alarm_first = lambda: alarm_first
        self.checked = 0
        self.shown = {}
        bots = self.room.bots(3)
        for bot in bots:
            bot.answer = lambda seen: {"intent": 3}
        self.boss = self.room.operator()
        self.room.start(self.boss, bots, rounds=3)
        return multiple(*bots, self.boss)

    # ---- what can happen -------------------------------------------------------------------------------

    @rule(target=clients, role=st.sampled_from(ROLES))
    def join(self, role):
        return self.room.stranger().hello(role)

    @rule(target=clients)
    def connect_and_say_nothing(self):
        return self.room.stranger()

    @rule(client=clients, role=st.sampled_from(ROLES))
    def shake_hands(self, client, role):
        if client.conn in self.room.server.open:
            client.hello(role)

    @rule(client=clients)
    def leave(self, client):
        client.leave()

    def operator(self, client, boss):
        """Return the connection that sends a command, mostly one that is allowed to."""
        if boss and self.boss.conn not in self.room.server.open:
            self.boss = self.room.operator()
        return self.boss if boss else client

    @rule(client=clients, boss=MOSTLY, readies=st.booleans(), rounds=st.integers(1, 2))
    def start(self, client, boss, readies, rounds):
        bots = [self.room.clients[c.conn] for c in self.room.host.lobby.bots()]
        for bot in bots:
            bot.readies = readies
        self.operator(client, boss).say("start", **start_game(bots, rounds=rounds, turns=9))

    @rule(client=clients)
    def get_ready(self, client):
        client.say("ready")

    @rule(client=clients, boss=MOSTLY, command=st.sampled_from(COMMANDS))
    def command(self, client, boss, command):
        kind, _, on = command.partition(" ")
        self.operator(client, boss).say(kind, **({"on": on == "on"} if on else {}))

    @rule(client=clients, boss=MOSTLY, tps=st.sampled_from(SPEEDS))
    def change_tps(self, client, boss, tps):
        self.operator(client, boss).say("speed", tps=tps)

    @rule(client=clients, boss=MOSTLY, seat=st.integers(0, 4), on=st.booleans(), what=st.booleans())
    def policy(self, client, boss, seat, on, what):
        field = "breakpoints" if what else "debugging"
        self.operator(client, boss).say("policy", seat=seat, **{field: on})

    @rule(client=clients, number=st.none() | st.integers(0, 5), fits=st.booleans())
    def intend(self, client, number, fits):
        client.say("intent", intent=1 if fits else -1, **({} if number is None else {"turn": number}))

    @rule(client=clients, data=st.sampled_from((b"", b"{", b'{"type":"Nonsense"}', b'{"type":"speed"}')))
    def babble(self, client, data):
        client.send(data)

    @rule(client=clients, answers=st.booleans(), after_ns=st.integers(0, 2 * TIMEOUT))
    def play_by_itself(self, client, answers, after_ns):
        client.answer = (lambda seen: {"intent": 3}) if answers else None
        client.after_ns = after_ns

    @rule(ns=st.sampled_from((0, 1, MS, TIMEOUT, TIMEOUT + 1, 100 * MS, 2 * S)))
    def wait(self, ns):
        self.room.server.run(self.room.now_ns + ns, rounds_max=300)

    @rule(ns=st.integers(0, 3 * TIMEOUT))
    def stall(self, ns):
        self.room.server.stall(ns)

    @rule()
    def resume_and_expect_turns(self):
        """No pause is stuck: after the release of bots that wait at a breakpoint, turns continue."""
        battle_room = self.room.host.room
        if battle_room.phase not in ACTIVE:
            return
        operator = self.room.operator()
        for seat in range(len(battle_room.clients)):
            operator.say("policy", seat=seat, breakpoints=False)
        operator.say("speed", tps=1000)
        operator.say("resume")
        turns, number = battle_room.turns_total, battle_room.number
        self.room.server.run(self.room.now_ns + 3 * TIMEOUT + SILENCE_NS_MIN, rounds_max=300)
        assert (
            battle_room.turns_total > turns
            or battle_room.number > number
            or battle_room.phase is Phase.STOPPED
        )
        operator.leave()

    # ---- what must hold --------------------------------------------------------------------------------

    @invariant()
    def everybody_gets_what_it_may_and_each_turn_once(self):
        for client in self.room.clients.values() if hasattr(self, "room") else ():
            fresh, client.heard[1:] = client.heard[1:], []
            del client.stamps_ns[1:]
            for message in fresh:
                self.see(client, message)

    def see(self, client, message):
        kind = message["type"]
        assert kind in MAY_HEAR[client.role or "bot"], (client.role, kind)
        if kind == "ready":
            self.shown.pop(client.conn, None)
        shown = message.get("observation") or message.get("frame")
        if kind == "skipped" and client.conn in self.shown:
            round_, turn = self.shown[client.conn]
            if message["turn"] == turn + 1:  # its observation was withheld, because the bot is behind
                self.shown[client.conn] = round_, turn + 1
        if shown is None:
            return
        now, before = (shown["round"], shown["turn"]), self.shown.get(client.conn)
        self.shown[client.conn] = now
        if before is not None:
            following = (before[0], before[1] + 1)
            assert now == following or (now[0] > before[0] and now[1] == 1), (before, now)

    @invariant()
    def turns_are_recorded_one_by_one(self):
        if hasattr(self, "room"):
            for battle in self.room.server.battles.values():
                turns = [e.turn for e in battle.record.turns] if battle.record else []
                assert turns == list(range(1, len(turns) + 1))

    @invariant()
    def the_phase_fits_what_is_going_on(self):
        if not hasattr(self, "room"):
            return
        battle_room = self.room.host.room
        assert (battle_room.battle is not None) == (battle_room.phase in ACTIVE) == battle_room.playing
        assert (battle_room.phase is Phase.PAUSED) >= self.room.host.at_breakpoint
        if battle_room.phase is Phase.RUNNING:
            assert not battle_room.pace.paused
            assert battle_room.tps == battle_room.pace.tps != 0
        gathering = battle_room.phase is Phase.WAITING_FOR_READY
        assert bool(battle_room.clients) == (battle_room.playing or gathering)
        seated = [c for c in self.room.host.lobby.clients.values() if c.seat is not None]
        assert all(battle_room.clients[c.seat] is c for c in seated)

    @invariant()
    def something_will_happen_whenever_something_is_due(self):
        """Without an alarm, nothing can become due by itself; with one, it is not too late."""
        if not hasattr(self, "room"):
            return
        server, battle_room = self.room.server, self.room.host.room
        due = list(self.room.host.lobby.silent.values())
        due = [since + HANDSHAKE_TIMEOUT_NS for since in due]
        if battle_room.phase is Phase.WAITING_FOR_READY:
            due.append(battle_room.ready_room.deadline_ns)
        battle = battle_room.battle
        if battle is not None and not server.busy:
            assert battle.is_open
            if battle.collecting.inbox.collected_ns is None:
                assert battle.collecting.inbox.missing
                ahead = battle.collecting.inbox.next_deadline_ns(battle_room.run.collector.drain.checked_ns)
                assert ahead is not None or self.room.host.at_breakpoint
                due += [ahead + 1] if ahead is not None else []
            elif battle_room.pace.due_ns() is not None:
                due.append(
                    battle.collecting.inbox.held_until_ns(
                        max(
                            battle_room.pace.due_ns(),
                            battle_room.run.collector.turn.not_before_ns,
                            battle.collecting.inbox.collected_ns,
                        )
                    )
                )
        if due:
            assert server.alarm_ns is not None
            assert server.alarm_ns <= max(min(due), self.room.now_ns)

    @invariant()
    def nothing_failed(self):
        if hasattr(self, "room"):
            assert not any(s.ending == "void" for s in self.room.server.over)
            logs = self.room.server.logs[self.checked :]
            self.checked = len(self.room.server.logs)
            assert not any("failed" in line.text for line in logs)


Storm.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
test_storm = Storm.TestCase
