"""Functions that make, move, wear and use up items."""

from __future__ import annotations

from turnwright_world.kit.ruleset import fist_of, item_row, land_of
from turnwright_world.kit.schema import BlowRow, Land
from turnwright_world.rules.entities import Creature, Item, Place
from turnwright_world.rules.joining import LITTER_MAX
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act


def make(world: World, land: Land, kind: str, holder: Place | Creature) -> Item:
    """Make an item, put it into a place or a pack, and return it. A full place loses its oldest items."""
    item = Item(world.new_id(), kind, land.items[kind].name)
    world.add(item)
    world.touch(holder)
    holder.items.append(item.id)
    _tidy(world, holder)
    return item


def give_item(act: Act, kind: str, body: Creature | None = None) -> Item:
    """Make an item for a body, by default for the actor, and return the item.

    If the body's pack is full, the item lies on the ground.
    """
    body = body or act.actor
    land = land_of(act)
    full = len(body.items) >= land.settings.carry_max
    holder = act.world.places[body.place] if full else body
    if full:
        act.tell(body, "Your pack is full; it falls to the ground.")
    return make(act.world, land, kind, holder)


def move_item(act: Act, item: Item, source: Place | Creature, target: Place | Creature) -> None:
    """Move an item. If the source wears it, it is taken off."""
    if isinstance(source, Creature):
        take_off(act, source, item)
    act.touch(source)
    act.touch(target)
    source.items.remove(item.id)
    target.items.append(item.id)
    _tidy(act.world, target)


def _tidy(world: World, holder: Place | Creature) -> None:
    """Remove old items from a place that has too many."""
    while isinstance(holder, Place) and len(holder.items) > LITTER_MAX:
        world.remove(world.items[holder.items.pop(0)])


def put_down(act: Act, body: Creature) -> None:
    """Put all items of a body on the ground."""
    for number in list(body.items):
        move_item(act, act.world.items[number], body, act.world.places[body.place])


def use_up(act: Act, item: Item, holder: Place | Creature) -> None:
    """Remove an item from its holder and from the world."""
    if isinstance(holder, Creature):
        take_off(act, holder, item)
    act.touch(holder)
    holder.items.remove(item.id)
    act.world.remove(item)


def count_of(act: Act, kind: str) -> int:
    """Return how many items of a kind the actor has."""
    return [act.world.items[number].kind for number in act.actor.items].count(kind)


def spend(act: Act, kind: str, count: int) -> None:
    """Use up `count` of the actor's items of a kind, or all of them if there are fewer."""
    own = [act.world.items[number] for number in act.actor.items]
    for item in [item for item in own if item.kind == kind][:count]:
        use_up(act, item, act.actor)


def wear(act: Act, body: Creature, item: Item) -> None:
    """Let a body wear an item that it carries, with its effects. An item in the same slot is taken off."""
    row = item_row(act, item.kind)
    before = body.worn.get(row.slot)
    if before is not None:
        take_off(act, body, act.world.items[before])
    act.touch(body)
    body.worn[row.slot] = item.id
    _change(body, item_row(act, item.kind).gives, 1)


def take_off(act: Act, body: Creature, item: Item) -> bool:
    """Let a body take an item off, and return whether it wore the item."""
    slots = [slot for slot, number in body.worn.items() if number == item.id]
    if not slots:
        return False
    act.touch(body)
    for slot in slots:
        del body.worn[slot]
    _change(body, item_row(act, item.kind).gives, -1)
    return True


def _change(body: Creature, gives: dict[str, int], sign: int) -> None:
    for name, points in gives.items():
        body.attributes[name] = body.attributes.get(name, 0) + sign * points


def weapon_of(act: Act, body: Creature) -> BlowRow:
    """Return the blow of the item in a body's hand, or the blow of bare hands."""
    number = body.worn.get("hand")
    item = act.world.items.get(number) if number is not None else None
    blow = item_row(act, item.kind).blow if item is not None else None
    return blow or fist_of(act)
