from __future__ import annotations

from dataclasses import fields, replace

import pytest

from turnwright.app.options import (
    LAN_SPECTATORS_MAX,
    PATIENT,
    GenericBattleOptions,
    MissedTurnOptions,
    ServeOptions,
)
from turnwright.cli.parser import parse
from turnwright.host.admission import AdmissionConfig, RateLimiter, crowding
from turnwright.net.http.callers import Callers

SHARED = ("on_late", "on_skip", "max_skipped", "max_silence_us", "on_disconnect")


def test_battle_and_serve_share_one_declaration_of_their_policies() -> None:
    declared = fields(MissedTurnOptions)
    assert {one.name for one in declared} == set(SHARED)
    for cls in (GenericBattleOptions, ServeOptions):
        found = {one.name: one.metadata for one in fields(cls)}
        assert all(found[one.name] is one.metadata for one in declared)


@pytest.mark.parametrize("command", ["battle", "serve"])
def test_each_can_be_chosen(command: str) -> None:
    words = [
        "--on-late=next",
        "--on-skip=idle",
        "--max-skipped=0",
        "--max-silence=9s",
        "--on-disconnect=official",
    ]
    found = parse([command, "--game", "snake", *words, *["Greedy"] * (command == "battle")])
    assert not isinstance(found, int)
    assert [found.given.values[name] for name in SHARED] == ["next", "idle", 0, 9_000_000, "official"]


def test_a_patient_battle_has_longer_limits_and_given_ones_win() -> None:
    patient = GenericBattleOptions(("Greedy",), game="snake", patient=True)
    assert {name: getattr(patient, name) for name in PATIENT} == PATIENT
    assert replace(patient, seed=3) == replace(patient, seed=3, patient=True), "more of it changes nothing"
    given = {
        "turn_timeout_us": 50_000,
        "opening_timeout_us": 1,
        "max_skipped": 0,
        "ready_timeout_us": 1,
        "connect_timeout_s": 1.5,
    }
    both = GenericBattleOptions(("Greedy",), game="snake", patient=True, **given)  # type: ignore[arg-type]
    assert {name: getattr(both, name) for name in PATIENT} == given
    impatient = GenericBattleOptions(("Greedy",), game="snake")
    assert not any(getattr(impatient, name) == value for name, value in PATIENT.items())


def test_the_longest_wait_for_a_bot_that_hangs_is_a_minute() -> None:
    assert PATIENT["turn_timeout_us"] * PATIENT["max_skipped"] <= 60_000_000


def test_a_battle_can_be_patient() -> None:
    found = parse(["battle", "--patient", "A", "B"])
    assert not isinstance(found, int)
    assert found.given.values["patient"] is True


def test_thirty_pages_behind_one_address_load_all_their_files_simultaneously() -> None:
    gate = ServeOptions(lan=True).gate()
    limiter = RateLimiter(gate.new_per_address_per_s, gate.new_per_address_burst)
    assert all(limiter.allow(0) for _ in range(30 * 120))


def test_laptops_that_open_all_connections_that_they_can_leave_room_for_bots_and_the_operator() -> None:
    gate = ServeOptions(lan=True).gate()
    callers = Callers(gate)

    def connects(address: str) -> bool:
        caller = callers.enter(address, 0)
        if crowding(caller, gate) is None:
            return True
        callers.leave(address)
        return False

    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3"):
        while connects(address):
            pass
    assert all(connects(f"10.0.1.{laptop}") for laptop in range(60) for _ in range(7))
    assert connects("127.0.0.1")


def test_a_class_behind_one_address_may_watch_and_play_simultaneously() -> None:
    gate = ServeOptions(lan=True).gate()
    laptops, pages, bots, files = 60, 2, 1, 6
    assert laptops * pages <= LAN_SPECTATORS_MAX // 4
    assert laptops * (pages + bots + files) <= gate.connections_per_address_max - LAN_SPECTATORS_MAX
    assert gate.connections_max - gate.connections_reserved >= 2 * LAN_SPECTATORS_MAX


def test_a_server_without_a_class_keeps_the_limits_of_one_visitor() -> None:
    assert ServeOptions().gate() == AdmissionConfig()
