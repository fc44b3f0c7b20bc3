from __future__ import annotations

from packages.league.tests.tournament.play import battle, entries_of
from turnwright_league.tournament.versions import versions_of

OLD, NEW, OTHER, THIRD = entries_of(4)
BOTS = {NEW.id: [OLD, NEW], OTHER.id: [OTHER], THIRD.id: [THIRD]}


def test_a_version_is_measured_against_the_current_versions_of_others_alone() -> None:
    played = [
        battle({OLD.id: 3, OTHER.id: 1}, 1, played_us=10),
        battle({OLD.id: 1, NEW.id: 9}, 2, played_us=20),
        battle({NEW.id: 1, OTHER.id: 1}, 3, played_us=30),
        battle({NEW.id: 1, THIRD.id: 3}, 4, played_us=40),
        battle({NEW.id: 9, THIRD.id: 1}, 5, played_us=50, suspect=("late",)),
    ]
    new, old = versions_of(BOTS, played)[NEW.id]
    assert (old.entry, old.is_current, old.aps, old.opponents, old.battles) == (OLD, False, 75, 1, 1)
    assert (new.entry, new.is_current, new.aps, new.opponents, new.battles) == (NEW, True, 37.5, 2, 2)
    assert (old.first_us, old.last_us) == (10, 20)
    assert (new.first_us, new.last_us) == (20, 40)


def test_a_version_without_a_battle_has_no_share() -> None:
    (other,) = versions_of(BOTS, [])[OTHER.id]
    assert (other.aps, other.opponents, other.battles, other.first_us, other.last_us) == (None, 0, 0, 0, 0)
