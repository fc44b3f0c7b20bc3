"""Fairness between owners: order, grants, savings and debts."""

from __future__ import annotations

from turnwright_world.planning.fair_share import BANK_TURNS, FairShare, OwnerUsage, Ready, in_order
from turnwright_world.planning.limits import Asked
from turnwright_world.planning.penalties import PenaltyState


def _open(shares: FairShare, turn: int, *owners: str, bodies: int = 1, capacity_us: int = 100_000) -> None:
    queues = [(o, 1, 1, [_ready(n, o) for n in range(bodies)]) for o in owners]
    shares.open(turn, queues, capacity_us, 0)


def _ready(body: int, owner: str) -> Ready:
    return Ready(Asked(body, owner, "m"), PenaltyState(owner), 0)


def _pop_all(shares: FairShare) -> list[OwnerUsage]:
    popped = []
    while (account := shares.pop()) is not None:
        account.waiting.clear()
        account.served = 1
        popped.append(account)
    return popped


def test_the_owner_who_used_least_goes_first() -> None:
    shares = FairShare()
    _open(shares, 0, "ada", "bob", "cyd")
    for account, used_us in zip(_pop_all(shares), (5_000, 20_000, 100), strict=True):
        account.balance_us -= used_us
    shares.close()
    _open(shares, 1, "ada", "bob", "cyd")
    assert [account.owner for account in _pop_all(shares)] == ["cyd", "ada", "bob"]


def test_equal_owners_go_in_the_order_they_came() -> None:
    shares = FairShare()
    _open(shares, 0, "cyd", "ada", "bob")
    assert [account.owner for account in _pop_all(shares)] == ["cyd", "ada", "bob"]


def test_unused_time_is_saved_for_some_turns_only() -> None:
    shares = FairShare()
    for turn in range(50):
        _open(shares, turn, "ada", "bob", capacity_us=1_000)
        accounts = _pop_all(shares)
        shares.close()
    assert [account.balance_us for account in accounts] == [BANK_TURNS * 500] * 2


def test_debts_fade_by_two_percent_a_turn() -> None:
    shares = FairShare()
    _open(shares, 0, "ada", capacity_us=0)
    (account,) = _pop_all(shares)
    account.balance_us = -100_000
    shares.close()
    _open(shares, 10, "ada", capacity_us=0)
    assert -82_000 < account.balance_us < -81_000


def test_an_owner_of_weight_three_gets_three_shares() -> None:
    shares = FairShare()
    shares.open(0, [("world", 3, 2, [_ready(1, "world")]), ("ada", 1, 1, [_ready(2, "ada")])], 4_000, 0)
    granted = {account.owner: account.balance_us for account in _pop_all(shares)}
    assert granted == {"world": 3_000, "ada": 1_000}


def test_an_owner_with_less_time_than_its_next_plan_costs_is_beyond_its_share() -> None:
    shares = FairShare(lambda asked: 1_000)
    _open(shares, 0, "ada", "bob", capacity_us=2_000)
    assert [account.beyond for account in _pop_all(shares)] == [False, False]
    shares.close()
    _open(shares, 1, "ada", "bob", "cyd", capacity_us=2_000)
    assert {account.owner: account.beyond for account in _pop_all(shares)} == {
        "ada": False,
        "bob": False,
        "cyd": True,
    }


def test_among_equals_the_owners_who_got_nothing_go_first() -> None:
    shares = FairShare()
    for turn in range(10):
        _open(shares, turn, "ada", "bob", "cyd")
        _pop_all(shares)
        shares.close()
    _open(shares, 10, "ada", "bob", "cyd")
    for _ in range(2):
        account = shares.pop()
        assert account is not None
        account.waiting.clear()
        account.served = 1
    assert {asked.owner for asked in shares.close()} == {"cyd"}
    _open(shares, 11, "ada", "bob", "cyd")
    assert [account.owner for account in _pop_all(shares)] == ["cyd", "ada", "bob"]


def test_getting_nothing_does_not_pay_for_debts() -> None:
    shares = FairShare()
    _open(shares, 0, "ada", "bob")
    ada = shares.pop()
    assert ada is not None
    ada.balance_us = -1_000_000
    assert {asked.owner for asked in shares.close()} == {"ada", "bob"}
    _open(shares, 1, "ada", "bob")
    assert [account.owner for account in _pop_all(shares)] == ["bob", "ada"]


def test_one_process_an_owner_means_one_place_in_the_queue() -> None:
    shares = FairShare()
    _open(shares, 0, "ada", bodies=5)
    account = shares.pop()
    assert account is not None
    account.running = 1
    shares.push(account)
    assert shares.pop() is None


def test_an_account_whose_balance_fell_while_it_waited_goes_back_in_the_queue() -> None:
    shares = FairShare()
    _open(shares, 0, "ada", "bob")
    ada = shares.pop()
    assert ada is not None
    shares.push(ada)
    ada.balance_us -= 1_000
    assert [account.owner for account in _pop_all(shares)] == ["bob", "ada"]


def test_owners_long_gone_are_forgotten() -> None:
    shares = FairShare()
    shares.open(0, [(f"o{n}", 1, 1, []) for n in range(5_000)], 0, 0)
    shares.close()
    _open(shares, 1_000, "ada")
    assert len(shares) == 1


def _body(number: int, cost_us: int, balance_us: int = 0, last_turn: int = -1) -> Ready:
    standing = PenaltyState("kim", balance_us=balance_us, granted_turn=0, last_turn=last_turn)
    return Ready(Asked(number, "kim", "m"), standing, cost_us)


def _ids(rows: list[Ready], grant_us: int, turn: int = 1) -> list[int]:
    return [asked.id for asked in in_order(rows, turn, grant_us, 20_000)]


def test_bodies_within_their_part_go_in_order_of_waiting_time() -> None:
    rows = [_body(1, 18_000), _body(2, 500, last_turn=7), _body(3, 500, last_turn=3)]
    assert _ids(rows, 3_000) == [3, 2, 1]


def test_bodies_beyond_their_part_go_in_order_of_debt() -> None:
    rows = [_body(1, 18_000, -9_000), _body(2, 18_000, -1_000), _body(3, 18_000, 4_000)]
    assert _ids(rows, 3_000) == [3, 2, 1]


def test_a_body_saves_for_one_long_plan_and_owes_at_most_one() -> None:
    saver, debtor = _body(1, 18_000), _body(2, 18_000, -900_000)
    for turn in range(1, 18):
        in_order([saver, debtor], turn, 2_000, 20_000)
    assert saver.standing.balance_us == 17_000
    assert debtor.standing.balance_us == -3_000
    for turn in range(18, 60):
        in_order([saver, debtor], turn, 2_000, 20_000)
    assert saver.standing.balance_us == debtor.standing.balance_us == 21_000


def test_a_body_that_was_not_asked_has_saved_the_time_of_those_turns() -> None:
    row = _body(1, 500)
    in_order([row], 4, 1_000, 20_000)
    assert row.standing.balance_us == 4_000
