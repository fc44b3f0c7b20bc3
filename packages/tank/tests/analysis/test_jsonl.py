from __future__ import annotations

import json

from packages.tank.tests.analysis.scenes import fire, idle, told
from turnwright_tank.analysis.jsonl import DIGITS, json_line

PLACES = [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)]


def test_every_line_is_one_object_with_its_kind_and_short_numbers() -> None:
    analysis = told([fire(1.7), idle], PLACES)
    lines = [json_line(fact) for fact in analysis.facts()]
    kinds = [json.loads(line)["kind"] for line in lines]
    assert kinds[0] == "battle"
    assert {"total", "round", "bot", "hit", "death", "timing", "note", "lead"} <= set(kinds)
    numbers = [part for line in lines for part in line.replace("]", ",").split(",") if "." in part]
    assert all(len(part.rpartition(".")[2].rstrip("}")) <= DIGITS for part in numbers if part[-1:].isdigit())
    assert all("\n" not in line for line in lines)


def test_lines_of_the_same_battle_are_the_same() -> None:
    one, two = (told([fire(1.7), idle], PLACES) for _ in range(2))
    assert [json_line(fact) for fact in one.facts()] == [json_line(fact) for fact in two.facts()]
