"""The goose of the first lesson waits for the result of an attack, however long that takes."""

from __future__ import annotations

from random import Random
from typing import Any

from turnwright_world.net.content_files import DEMO

PUPIL = {"id": 7, "name": "Anna", "linkdead": False}


def goose() -> Any:
    """Return a goose that has just attacked."""
    space: dict[str, Any] = {}
    exec((DEMO / "minds" / "goose.py").read_text(encoding="utf-8"), space)
    bird = space["Goose"]()
    for _ in range(40):
        if plan(bird) == "strike #7":
            return bird
    raise AssertionError("it attacks nobody")


def plan(bird: Any, *outcomes: str) -> str | None:
    heard = [{"kind": "blow", "why": why} for why in outcomes]
    view = {"memory": {"pupil": 7}, "heard": heard, "action": None, "threats": [], "here": [PUPIL]}
    return bird.plan(view, Random(1))  # type: ignore[no-any-return]  # a mind is untyped


def test_a_goose_whose_attack_takes_long_does_not_attack_again() -> None:
    bird = goose()
    assert {plan(bird) for _ in range(400)} == {None}
    assert (plan(bird, "dodged") or "").startswith("emote")
    assert all((plan(bird) or "emote").startswith("emote") for _ in range(400))


def test_a_goose_whose_attack_was_refused_tries_again_soon() -> None:
    bird = goose()
    view = {
        "memory": {},
        "heard": [],
        "action": None,
        "threats": [],
        "here": [PUPIL],
        "last": [{"ended": "refused"}],
    }
    bird.plan(view, Random(1))
    assert "strike #7" in {plan(bird) for _ in range(9)}


def test_a_goose_that_hears_nothing_of_its_attack_tries_again_in_the_end() -> None:
    bird = goose()
    assert "strike #7" in {plan(bird) for _ in range(1_000)}
