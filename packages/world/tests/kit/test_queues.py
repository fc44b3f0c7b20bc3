"""Rules of queues in content: capacity, overflow, window, instinct; by kind."""

from __future__ import annotations

import pytest

from packages.world.tests.worlds import a_world
from turnwright_world.kit.queues import merged, queue_of, threats_of
from turnwright_world.kit.schema import KindRow, Land, QueueRow, Settings
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.fight import insert_threat
from turnwright_world.rules.threats import ThreatPolicy
from turnwright_world.rules.verbs import Rules

OGRE = QueueRow(capacity=2, capacity_max=2, overflow="refuse", window_ms=5_000, instinct_ms=25)


def policy(settings: QueueRow | None = None, **kinds: QueueRow) -> ThreatPolicy:
    rows = {name: KindRow(name, queue=row) for name, row in kinds.items()}
    return threats_of(Land(Settings("yard", "yard", queue=settings or QueueRow()), {}, rows, {}, (), {}, {}))


def body(kind: str = "person", **attributes: int) -> Creature:
    return Creature(1, kind, "ann", "yard", attributes=attributes)


def test_content_that_says_nothing_has_the_numbers_of_the_policy() -> None:
    said, plain = policy(), ThreatPolicy()
    assert (said.window, said.places, said.overflow, said.queues) == (
        plain.window,
        plain.places,
        plain.overflow,
        {},
    )
    assert queue_of(merged(QueueRow())).window == plain.window


def test_a_kind_has_its_own_capacity_overflow_window_and_instinct() -> None:
    said = policy(ogre=OGRE)
    assert (said.capacity(body("ogre", focus=99)), said.capacity(body("person", focus=99))) == (2, 6)
    assert (said.refuses(body("ogre")), said.refuses(body("person"))) == (True, False)
    assert said.window_us(body("ogre")) == 5_000_000
    assert said.window_us(body("ogre", instinct=-40)) == 4_000_000
    assert said.window_us(body("person", instinct=-40)) == 2_400_000


def test_a_kind_inherits_unset_queue_rules() -> None:
    said = policy(QueueRow(window_ms=2_000, overflow="refuse"), ogre=QueueRow(capacity=1))
    assert (said.capacity(body("ogre")), said.capacity(body())) == (1, 3)
    assert said.window_us(body("ogre")) == said.window_us(body()) == 2_000_000
    assert said.refuses(body("ogre"))


def test_without_points_focus_does_nothing() -> None:
    said = policy(QueueRow(focus_points=0))
    assert {said.capacity(body(focus=focus)) for focus in (-100, 0, 100)} == {3}


@pytest.mark.parametrize(("overflow", "health"), [("refuse", 100), ("land", 90)])
def test_a_full_queue_of_a_kind_obeys_its_row(overflow: str, health: int) -> None:
    world = a_world()
    ann, bob = world.creatures[1], world.creatures[2]
    rules = Rules(threats=policy(person=QueueRow(capacity=1, capacity_max=1, overflow=overflow)))
    assert insert_threat(world, rules, bob, ann, "blow", 10) is not None
    assert (insert_threat(world, rules, bob, ann, "blow", 10) is None) is (overflow == "refuse")
    assert (len(ann.threats), ann.health) == (1, health)
