"""check_game finds the game that breaks its contract: one broken promise at a time."""

from __future__ import annotations

import random
import struct

import pytest

from turnwright.errors import SetupError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.game import Outcome, SeatInfo, StateTable
from turnwright.testing.check_game import check_game


def take(rng):
    return rng.choice((1, 2, 3))


class GlobalRandom(Countdown):
    def resolve(self, state, intents, streams):
        state.pile += random.randrange(3)
        return super().resolve(state, intents, streams)


class Remembers(Countdown):
    turns = 0

    def resolve(self, state, intents, streams):
        type(self).turns += 1
        state.pile += self.turns % 7
        return super().resolve(state, intents, streams)


class LooksAndTouches(Countdown):
    def observe(self, state, seat):
        state.taken[seat] += 1
        return {}


class SeesOtherwiseEachTime(Countdown):
    looks = 0

    def frame(self, state):
        type(self).looks += 1
        return {"looks": self.looks}


class CountsWhoLooks(Countdown):
    """A game whose observations depend on the number of battles before."""

    battles = 0

    def setup(self, setup, seats, streams):
        type(self).battles += 1
        return super().setup(setup, seats, streams)

    def frame(self, state):
        return {"battles": self.battles}


class OrderOfArrival(Countdown):
    def asked(self, state):
        return super().asked(state)[::-1]


class AsksStrangers(Countdown):
    def asked(self, state):
        return [*super().asked(state), 7]


class AwaitsMore(Countdown):
    def awaited(self, state):
        return [*super().awaited(state), len(state.out)] if state.turn else []


class Fickle(Countdown):
    """A game that returns another outcome for the second call."""

    calls = 0

    def outcome(self, state):
        type(self).calls += 1
        return Outcome((float(self.calls),) * 3) if super().outcome(state) else None


class Unfinite(Countdown):
    def outcome(self, state):
        return Outcome((1.0, float("nan"), 2.0)) if super().outcome(state) else None


class TwoScores(Countdown):
    def outcome(self, state):
        return Outcome((1.0, 2.0)) if super().outcome(state) else None


class ForgetsInItsSnapshot(Countdown):
    def snapshot(self, state):
        return struct.pack("<q", state.pile % 2)


class NamesTwice(Countdown):
    def tables(self, state):
        yield from super().tables(state)
        yield StateTable("state", ("pile",), bytes(8))


class FieldsThatNeverChange(Countdown):
    def tables(self, state):
        yield StateTable("table", ("pile",), bytes(8))

    def snapshot(self, state):
        return struct.pack("<2q", state.pile, state.turn)


class LosesIntents(Countdown):
    write_intent = staticmethod(lambda intent: min(intent, 2))


class TakesAnything(Countdown):
    read_intent = staticmethod(lambda data: data if isinstance(data, int) else 1)


class NeverRetires(Countdown):
    def retire(self, state, seat):
        pass


class PlaysWithNobody(Countdown):
    open_ended = True


class ChangesItsSettings(Countdown):
    def setup(self, setup, seats, streams):
        setup["pile"] += 1
        return super().setup(setup, seats, streams)


class MissesAreLuck(Countdown):
    def default_intent(self, state, seat, on_skip):
        return random.choice((1, 2, 3))


class FailsNow(Countdown):
    def faults(self, state):
        return [("take", "Oops")]


class RaisesOnSomeIntents(Countdown):
    def resolve(self, state, intents, streams):
        if sum(intents.values()) == 9:
            raise RuntimeError("nine")
        return super().resolve(state, intents, streams)


class ForgetsWhatItSaved(Countdown):
    def restore(self, state, data):
        super().restore(state, data)
        state.last = [1] * len(state.last)


class SeesWhatIsNotSaved(Countdown):
    """A game whose observations contain a count of turns that is missing in its saved state."""

    def setup(self, setup, seats, streams):
        self.states = getattr(self, "states", {})
        return super().setup(setup, seats, streams)

    def resolve(self, state, intents, streams):
        self.states[id(state)] = (state, self.states.get(id(state), (state, 0))[1] + 1)
        return super().resolve(state, intents, streams)

    def frame(self, state):
        return {"turns": self.states.get(id(state), (state, 0))[1]}


class SavesTwoLines(Countdown):
    def save(self, state):
        return super().save(state).replace(b",", b",\n", 1)


class BelievesAnything(Countdown):
    def restore(self, state, data):
        state.turn = 7


class ScoresOneSeat(Countdown):
    def scores(self, state):
        return [1.0]


class ScoresWithoutEnd(Countdown):
    def scores(self, state):
        return [float("inf")] * len(state.taken)


class ScoresOtherwiseAtTheEnd(Countdown):
    def scores(self, state):
        return [0.0] * len(state.taken)


class ScoresAndTouches(Countdown):
    def scores(self, state):
        state.pile += 1
        return list(map(float, state.taken))


class OrderOfASet(Countdown):
    def resolve(self, state, intents, streams):
        for name in {"ash", "birch", "cedar", "elm", "fir", "oak", "pine"}:
            state.pile = (state.pile * 3 + len(name)) % 401 + 1
        return super().resolve(state, intents, streams)


class HashOfAText(Countdown):
    def resolve(self, state, intents, streams):
        state.pile += hash("x") % 101
        return super().resolve(state, intents, streams)


BROKEN = [
    (OrderOfASet, r"in another process .*turn 1, .*pile.*order of a set.*hash\(\)"),
    (HashOfAText, r"in another process .*turn 1\b.*order of a set.*hash\(\)"),
    (ScoresOneSeat, "expected one for each of 3 seats"),
    (ScoresWithoutEnd, r"scores of scores\(\) must be finite"),
    (ScoresOtherwiseAtTheEnd, r"those of outcome\(\)"),
    (ScoresAndTouches, "looking at a state changes it|two looks"),
    (ForgetsWhatItSaved, r"save\(\) differs after restore"),
    (SeesWhatIsNotSaved, "observations of a restored battle differ"),
    (SavesTwoLines, "return one line"),
    (BelievesAnything, r"save\(\) differs after restore"),
    (GlobalRandom, "differ|asks other seats"),
    (Remembers, "differ|asks other seats"),
    (LooksAndTouches, "looking at a state changes it|two looks"),
    (SeesOtherwiseEachTime, "two looks at one state differ"),
    (CountsWhoLooks, "observations of a battle differ"),
    (OrderOfArrival, "in order"),
    (AsksStrangers, "there are 3 seats"),
    (AwaitsMore, "only seats that are asked"),
    (Fickle, "when it is called again"),
    (Unfinite, "finite"),
    (TwoScores, "one for each of 3 seats"),
    (ForgetsInItsSnapshot, "equal snapshots must have equal tables"),
    (NamesTwice, "different names"),
    (FieldsThatNeverChange, r"tables\(\) does not"),
    (LosesIntents, "comes back changed"),
    (TakesAnything, "raise a ValueError for data that is not an intent"),
    (NeverRetires, "a seat that has retired"),
    (PlaysWithNobody, "without seats"),
    (ChangesItsSettings, "changes the settings"),
    (MissesAreLuck, "differ"),
    (FailsNow, "a stage of the rules failed|differ"),
    (RaisesOnSomeIntents, "nine"),
]


@pytest.mark.parametrize(("broken", "said"), BROKEN, ids=[b.__name__ for b, _ in BROKEN])
def test_a_game_that_breaks_its_contract_is_reported(broken, said):
    with pytest.raises(Exception, match=said):
        check_game(broken(), take, {"pile": 400, "turns": 40})


def test_a_game_that_keeps_it_passes_with_any_number_of_seats():
    for count in (1, 2, 9):
        check_game(
            Countdown(), take, {"pile": 90}, seats=[SeatInfo(f"s{k}") for k in range(count)], seeds=(4,)
        )


class ForTwo(Countdown):
    def setup(self, setup, seats, streams):
        if len(seats) != 2:
            raise ValueError("for two seats")
        return super().setup(setup, seats, streams)


@pytest.mark.parametrize("seats", [None, 2])
def test_a_game_for_two_is_checked_with_two_seats(seats):
    check_game(ForTwo(), take, {"pile": 90}, seats=seats, seeds=(4,))


def test_a_number_of_seats_that_the_game_refuses_is_named_with_its_reason():
    with pytest.raises(SetupError, match=r"4 seats: for two seats.*seats=.*setup=") as caught:
        check_game(ForTwo(), take, {"pile": 90}, seats=4)
    assert "1 to 8" not in str(caught.value)


def test_a_battle_in_which_seats_are_asked_once_is_enough():
    check_game(Countdown(), take, {"pile": 90, "turns": 2}, seeds=range(5))
    with pytest.raises(AssertionError, match=r"asked\(\) names no seat .*setup="):
        check_game(Countdown(), take, {"pile": 90, "turns": 1})


def test_a_class_that_no_other_process_can_load_is_reported():
    class Inside(Countdown):
        pass

    with pytest.warns(UserWarning, match="another process: .*Inside"):
        check_game(Inside(), take, {"pile": 90}, seeds=(4,))


def test_settings_that_cannot_be_played_are_the_callers_mistake():
    class Refuses(Countdown):
        def setup(self, setup, seats, streams):
            raise SetupError("never")

    with pytest.raises(SetupError):
        check_game(Refuses(), take)
