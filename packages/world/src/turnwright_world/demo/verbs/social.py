"""Verbs of talk: talk, quests, speak, emote, shout, howl."""

from __future__ import annotations

from turnwright_world.kit.combat import find_target
from turnwright_world.kit.quests import hand_in, offered, progress, state_of, take_quest
from turnwright_world.kit.ruleset import kind_of, land_of
from turnwright_world.kit.schema import Quest
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import a, begun, counted, the
from turnwright_world.rules.verbs import Act, Verb

_CHARS_MAX = 300


class Talk(Verb):
    name, aliases = "talk", ("ask", "greet")
    group = "talking"
    help = "talk NAME, or talk NAME about TOPIC: hear what somebody knows, take and hand in quests"

    def _parts(self, act: Act) -> tuple[str, str]:
        text = act.text.removeprefix("to ").strip()
        who, _, topic = text.partition(" about ")
        if not topic and find_target(act, who) is None:
            who, _, topic = text.partition(" ")
        return who.strip(), topic.strip().lower()

    def check(self, act: Act) -> str | None:
        other = self._other(act)
        if other is None:
            there = ", ".join(each.name for each in act.here() if self._answers(act, each))
            return f"Talk to whom? Here: {there}." if there else "There is nobody here who talks."
        return None if self._answers(act, other) else f"{begun(the(other.name))} does not answer."

    def _answers(self, act: Act, other: Creature) -> bool:
        row = kind_of(act, other)
        gives = any(quest.giver == other.kind for quest in land_of(act).quests.values())
        return bool(row.greets or row.says) or gives

    def _other(self, act: Act) -> Creature | None:
        """Return the creature that a name means.

        Without a name, return a creature if only one kind here talks, waits for the actor, or has topics.
        Otherwise return None.
        """
        if act.text.strip():
            return find_target(act, self._parts(act)[0])
        talking = [other for other in act.here() if self._answers(act, other)]
        for few in (
            talking,
            [other for other in talking if self._waits(act, other)],
            [other for other in talking if kind_of(act, other).says],
        ):
            if len({other.kind for other in few}) == 1:
                return few[0]
        return None

    def _waits(self, act: Act, other: Creature) -> bool:
        quests = land_of(act).quests.items()
        mine = [name for name, quest in quests if quest.giver == other.kind]
        return any(state_of(act.actor, name) == "open" for name in mine) or bool(offered(act, other.kind))

    def finish(self, act: Act) -> None:
        topic, other = self._parts(act)[1], self._other(act)
        assert other is not None
        act.stimulus("sight", 1.0, f"{{name}} talks with {the(other.name)}.", apart=[other])
        row = kind_of(act, other)
        if topic:
            found = next((text for name, text in row.says.items() if name.startswith(topic)), None)
            act.say(f"{the(other.name)} says: {found or 'I know nothing of that.'}")
            if found is None:
                self._topics(act, other)
            return
        if hand_in(act, other.kind, the(other.name)):
            if offered(act, other.kind):
                word = other.name.split()[-1].lower()
                act.say(f"({begun(the(other.name))} has another quest for you: talk {word}.)")
        elif not (self._offer(act, other) or self._remind(act, other)):
            act.say(f"{the(other.name)} says: {row.greets or 'Good day.'}")
        self._topics(act, other)

    def _topics(self, act: Act, other: Creature) -> None:
        """Tell the actor the topics of a creature, and how to ask about them."""
        says = kind_of(act, other).says
        if says:
            word = other.name.split()[-1].lower()
            act.say(f"(Ask about {', '.join(says)}: talk {word} about {next(iter(says))}.)")

    def _offer(self, act: Act, other: Creature) -> bool:
        names = offered(act, other.kind)
        for name in names[:1]:
            take_quest(act, name, the(other.name))
        return bool(names)

    def _remind(self, act: Act, other: Creature) -> bool:
        quests = land_of(act).quests
        mine = [n for n, q in quests.items() if q.giver == other.kind and state_of(act.actor, n) == "open"]
        for name in mine:
            far = f"{progress(act, name)} of {quests[name].count}"
            act.say(f"{the(other.name)} says: {quests[name].text} (Quest: {quests[name].name}, {far}.)")
        return bool(mine)


class Quests(Verb):
    at_once = True
    name, aliases = "quests", ("journal", "quest", "tasks")
    group = "looking"
    help = "quests: what you have taken on, how far you are, and who has work; quests WORD: all about one"

    def check(self, act: Act) -> str | None:
        found = not act.text.strip() or self._of(act)
        return None if found else f"You have no quest called {act.text.strip()}."

    def _of(self, act: Act) -> dict[str, Quest]:
        """Return the actor's quests that the text means, or all quests without a text."""
        wanted, quests = f" {act.text.strip().lower()}", land_of(act).quests
        mine = {name: quests[name] for name in act.actor.quests if name in quests}
        return {name: quest for name, quest in mine.items() if wanted in f" {quest.name.lower()}"}

    def finish(self, act: Act) -> None:
        mine, one = self._of(act), act.text.strip()
        now = {name: quest for name, quest in mine.items() if state_of(act.actor, name) == "open"}
        lines = [f"{quest.name}: {_goal(act, name)}" for name, quest in now.items()]
        if one:
            lines = [
                f"{quest.name}: {quest.text.strip()}\nTo do: {_goal(act, name)} {_pay(act, quest)}"
                for name, quest in mine.items()
            ]
        done = ", ".join(quest.name for name, quest in mine.items() if name not in now)
        lines += [f"Done: {done}."] if done and not one else []
        lines += ["" if one else _work(act)]
        act.say("\n".join(line for line in lines if line))


def _goal(act: Act, name: str) -> str:
    """Return the next step of a quest of the actor."""
    land, quest = land_of(act), land_of(act).quests[name]
    who = f"{land.kinds[quest.giver].name} ({_home(act, quest.giver)})"
    if state_of(act.actor, name) == "done":
        return "nothing; it is done."
    if progress(act, name) >= quest.count:
        return f"go and talk to {who}; all else is done."
    far = f", {progress(act, name)} of {quest.count}" if quest.count > 1 else ""
    if quest.visit:
        return f"see {land.places[quest.visit].name}; for {who}."
    row = land.items[quest.bring] if quest.bring else land.kinds[quest.slay]
    what = f"{'bring' if quest.bring else 'kill'} {counted(row.name, quest.count)}"
    return f"{what}{far}; for {who}."


def _pay(act: Act, quest: Quest) -> str:
    """Return the reward of a quest in words."""
    parts = [f"{quest.money} coins"] if quest.money else []
    parts += [a(land_of(act).items[quest.item].name)] if quest.item else []
    return f"It brings {', '.join([*parts, f'{quest.xp} xp'])}."


def _home(act: Act, kind: str) -> str:
    """Return the name of the place where a kind of creature lives, or "somewhere" if no spawn has it."""
    spawns = (spawn.place for spawn in land_of(act).spawns if spawn.kind == kind)
    return next((land_of(act).places[place].name for place in spawns), "somewhere")


def _work(act: Act) -> str:
    """Return a line with the creatures that offer the actor a quest, in places that the actor has seen.

    For an actor that never had a quest, the first of these creatures is named in any case. If there is none,
    such an actor gets advice, and any other actor "".
    """
    land, seen = land_of(act), {*act.actor.data.get("seen", []), act.actor.place}
    givers = list(dict.fromkeys(quest.giver for quest in land.quests.values() if offered(act, quest.giver)))
    homes = {spawn.kind: spawn.place for spawn in land.spawns}
    begins = givers[:0] if act.actor.quests else givers[:1]
    known = [giver for giver in givers if homes.get(giver) in seen or giver in begins]
    names = [f"{land.kinds[giver].name} ({_home(act, giver)})" for giver in known]
    if not names:
        return "" if act.actor.quests else "You have no quest. Talk to people; some need help."
    return f"Quests available from: {', '.join(names)}."


class Speak(Verb):
    name = "speak"
    group = "talking"
    help = "speak TEXT: say it so that the creatures here hear it, too"

    def check(self, act: Act) -> str | None:
        return None if act.text.strip() else "Speak what?"

    def finish(self, act: Act) -> None:
        text = act.text.strip()[:_CHARS_MAX].replace("{name}", "")
        act.say(f"You say: {text}")
        act.stimulus("sound", 1.0, "{name} says: " + text, said=text)


class Emote(Verb):
    name, aliases = "emote", ("em", "pose")
    group = "talking"
    help = "emote TEXT: show what you do, e.g. emote scratches his head"

    def check(self, act: Act) -> str | None:
        return None if act.text.strip() else "Emote what?"

    def finish(self, act: Act) -> None:
        text = act.text.strip()[:_CHARS_MAX].replace("{name}", "")
        act.say(f"{act.actor.name} {text}")
        act.stimulus("sight", 1.0, "{name} " + text)


class Shout(Verb):
    name, aliases = "shout", ("yell",)
    group = "talking"
    help = "shout TEXT: all in this part of the land hear it"

    def check(self, act: Act) -> str | None:
        return None if act.text.strip() else "Shout what?"

    def finish(self, act: Act) -> None:
        text = act.text.strip()[:_CHARS_MAX].replace("{name}", "")
        act.say(f"You shout: {text}")
        for place in act.world.places.values():
            if place.area == act.place.area:
                act.stimulus("sound", 4.0, "{name} shouts: " + text, place=place.id, said=text)


class Howl(Verb):
    name = "howl"
    group = "talking"
    help = "howl: wolves do it; all in this part of the land hear it, and some come"

    def finish(self, act: Act) -> None:
        act.say("You howl, long and low.")
        for place in act.world.places.values():
            if place.area == act.place.area:
                near = (
                    "{name} howls, long and low."
                    if place.id == act.actor.place
                    else "Somewhere a wolf howls."
                )
                act.stimulus("sound", 4.0, near, place=place.id)
