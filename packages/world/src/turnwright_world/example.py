"""A world of two rooms. It is an example of content in code, and tests use it."""

from __future__ import annotations

from turnwright_world.rules.entities import Item, Place
from turnwright_world.rules.fight import insert_threat
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, CreatureKind, Rules, Verb


class Walk(Verb):
    """Leave by an exit."""

    name, aliases = "go", ("walk",)
    help = "go DIRECTION: leave by an exit"

    def check(self, act: Act) -> str | None:
        """Return a refusal if no exit has this direction, or None."""
        return None if act.text in act.place.exits else f"There is no way {act.text or 'that way'}."

    def finish(self, act: Act) -> None:
        """Move the actor. Bodies in both places see it."""
        act.stimulus("sight", 1.0, "{name} leaves.")
        act.move(act.actor, act.place.exits[act.text])
        act.stimulus("sight", 1.0, "{name} arrives.")


class Say(Verb):
    """Say something to all in the place."""

    name = "say"
    help = "say TEXT: all who are here hear it"

    def finish(self, act: Act) -> None:
        """Send the text to the actor and to all who hear it."""
        act.say(f"You say: {act.text}")
        act.stimulus("sound", 1.0, "{name} says: " + act.text)


class Hit(Verb):
    """Strike a creature. The attack lands some time later."""

    name = "hit"
    help = "hit NAME: strike somebody who is here"

    def check(self, act: Act) -> str | None:
        """Return a refusal if the target is not here, or None."""
        return None if act.find_creature(act.text) else f"There is no {act.text or 'such one'} here."

    def finish(self, act: Act) -> None:
        """Put the attack into the target's queue."""
        target = act.find_creature(act.text)
        assert target is not None
        insert_threat(act.world, act.rules, act.actor, target, "blow", 10 + act.random.below(10))
        act.stimulus("sight", 1.0, "{name} swings at somebody.")


class DigHole(Verb):
    """Dig for some turns. An interrupted dig leaves a hole."""

    name, duration_turns = "dig", 4
    help = "dig: look for something in the ground, for four turns"

    def begin(self, act: Act) -> None:
        """Begin a hole with a depth of 1."""
        act.data["deep"] = 1
        act.say("You begin to dig.")

    def each_turn(self, act: Act) -> None:
        """Make the hole deeper by 1."""
        act.data["deep"] += 1

    def finish(self, act: Act) -> None:
        """Put a stone into the actor's pack."""
        stone = Item(act.world.new_id(), "stone", "stone")
        act.world.add(stone)
        act.touch(act.actor)
        act.actor.items.append(stone.id)
        act.say("You find a stone.")

    def interrupted(self, act: Act) -> None:
        """Add the depth of the hole to the place."""
        act.touch(act.place)
        act.place.data["hole"] = act.place.data.get("hole", 0) + act.data["deep"]
        act.say("You leave a hole.")


class Write(Verb):
    """Write on the wall."""

    name = "write"
    help = "write TEXT: on the wall, for all who come here; the last twenty writings stay"

    def finish(self, act: Act) -> None:
        """Add the first 80 characters of the text to the wall, and keep the last 20 texts."""
        place = act.place
        act.touch(place)
        place.data["wall"] = [*place.data.get("wall", [])[-19:], act.text[:80]]
        act.stimulus("sight", 1.0, "{name} writes on the wall: " + act.text[:80])


YARD_VERBS: tuple[Verb, ...] = (Walk(), Say(), Hit(), DigHole(), Write())


def yard() -> Rules:
    """Return the rules of a world with a yard and a shed."""
    kinds = {"person": CreatureKind("person", "person", attributes={"reaction": 10}, events=("death",))}
    return Rules(verbs={verb.name: verb for verb in YARD_VERBS}, kinds=kinds, build=_build, start="yard")


def _build(world: World, rules: Rules) -> None:
    world.add(Place("yard", "Yard", "A yard with a shed.", area="farm", exits={"in": "shed"}))
    world.add(Place("shed", "Shed", "It is dark in here.", area="farm", exits={"out": "yard"}))
