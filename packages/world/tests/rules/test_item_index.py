"""The index of places knows each item, from list to list."""

from __future__ import annotations

import pytest

from turnwright_world.rules.entities import Creature, Place
from turnwright_world.rules.item_index import ItemIndex


def test_an_item_moves_from_list_to_list_and_is_in_one_at_a_time() -> None:
    index, yard, anna = ItemIndex(), Place("yard", "Yard", ""), Creature(1, "person", "Anna", "yard")
    keys = ("place", "yard"), ("creature", 1)
    yard.items = [5, 6]
    index.keep(index.changed([(keys[0], yard)], {5, 6}))
    assert index.changed([(keys[0], yard), (keys[1], anna)], {5, 6}) == {}
    anna.items = [5]
    with pytest.raises(ValueError, match="two places"):
        index.changed([(keys[1], anna)], {5, 6})
    yard.items = [6]
    news = index.changed([(keys[0], yard), (keys[1], anna)], {5, 6})
    assert news == {keys[0]: (6,), keys[1]: (5,)}
    index.keep(news)
    with pytest.raises(ValueError, match="creature 1 still has it"):
        index.changed([(("item", 5), None)], {6})
    assert index.changed([(keys[1], None), (("item", 5), None)], {6}) == {keys[1]: ()}


def test_a_missing_or_twice_listed_item_is_refused() -> None:
    index, anna = ItemIndex(), Creature(1, "person", "Anna", "yard", items=[5, 5])
    for there in ({5}, set[int]()):
        with pytest.raises(ValueError, match="item 5"):
            index.changed([(("creature", 1), anna)], there)
