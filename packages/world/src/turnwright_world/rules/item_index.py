"""Index of items by holder and place. It is derived and not part of the state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from turnwright_world.rules.entities import Creature, Entity, Place

_Key = tuple[str, int | str]
_Lists = dict[_Key, tuple[int, ...]]


class ItemIndex:
    """The holder of each item, as of the last `keep`."""

    def __init__(self) -> None:
        self._lists: _Lists = {}
        self._of: dict[int, _Key] = {}

    def changed(self, found: Iterable[tuple[_Key, Entity | None]], items: Collection[int]) -> _Lists:
        """Return the lists of items that have changed, by holder.

        Args:
            found: the touched entities, None for a removed one.
            items: all items.

        Raises:
            ValueError: an item would be in two lists, or a list has an item that does not exist.
        """
        news: _Lists = {}
        gone: list[int] = []
        for key, entity in found:
            if key[0] == "creature" or key[0] == "place":
                now = tuple(entity.items) if isinstance(entity, Creature | Place) else ()
                if now != self._lists.get(key, ()):
                    news[key] = now
            elif entity is None and key[0] == "item":
                gone.append(int(key[1]))
        if news or gone:
            self._check(news, gone, items)
        return news

    def _check(
        self, news: Mapping[_Key, tuple[int, ...]], gone: Iterable[int], items: Collection[int]
    ) -> None:
        taken = set[int]()
        for key, now in news.items():
            for number in now:
                if number not in items:
                    raise ValueError(f"{key[0]} {key[1]} has item {number}, which does not exist")
                before = self._of.get(number)
                if number in taken or (before is not None and before not in news):
                    raise ValueError(f"item {number} is in two places at once; take it out of the first")
                taken.add(number)
        for number in gone:
            before = self._of.get(number)
            if before is not None and before not in news:
                raise ValueError(f"item {number} is gone, and {before[0]} {before[1]} still has it")

    def keep(self, news: Mapping[_Key, tuple[int, ...]]) -> None:
        """Store lists that `changed` has returned."""
        for key in news:
            for number in self._lists.pop(key, ()):
                if self._of.get(number) == key:
                    del self._of[number]
        for key, now in news.items():
            if now:
                self._lists[key] = now
                self._of.update(dict.fromkeys(now, key))
