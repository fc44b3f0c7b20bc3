"""Verbs of fighting: attack, strike, consider, rest."""

from __future__ import annotations

from turnwright_world.kit.combat import (
    attackers,
    find_target,
    next_blow,
    show_fight,
    strike,
    turns_of,
    why_not_strike,
)
from turnwright_world.kit.healing import mend_soon
from turnwright_world.kit.ruleset import blind, kind_of, land_of
from turnwright_world.rules.entities import Action, Creature
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.verbs import Act, Verb


class Strike(Verb):
    name, group = "strike", "fighting"
    help = "strike NAME: attack once; it lands some seconds later"

    def turns(self, act: Act) -> int:
        return turns_of(act, next_blow(act, 0))

    def check(self, act: Act) -> str | None:
        if "foe" in act.data:  # it has begun; a foe who is gone ends it without a word
            foe = self._foe(act)
            return None if foe is None else why_not_strike(act, foe)
        foe = self._meant(act)
        if foe is None and not act.text.strip():
            return blind(act) or self._whom(act)
        return blind(act) or why_not_strike(act, foe)

    def _meant(self, act: Act) -> Creature | None:
        """Return the creature that a name means, or None.

        Without a name, return the attacker whose blow lands first. If no blow is coming, return an attacker
        only if all attackers have the same name.
        """
        if act.text.strip():
            return find_target(act, act.text)
        found = attackers(act)
        sure = bool(act.actor.threats) or len({foe.name for foe in found}) == 1
        return found[0] if found and sure else None

    def _whom(self, act: Act) -> str:
        """Return the question which creature the actor means, with the names of attackers."""
        found = attackers(act)
        names = list(dict.fromkeys(the(foe.name) for foe in found))
        if names:
            return f"{self.name.capitalize()} whom? You are attacked by {', '.join(names)}."
        return f"{self.name.capitalize()} whom? Nobody attacks you. Type {self.name} NAME."

    def begin(self, act: Act) -> None:
        foe = self._meant(act)
        assert foe is not None
        self._turn_to(act, foe, "You prepare to attack")

    def _turn_to(self, act: Act, foe: Creature, how: str) -> None:
        act.data["foe"] = foe.id
        act.say(f"{how} {the(foe.name)}.")
        show_fight(act, "threatens", foe)

    def _foe(self, act: Act) -> Creature | None:
        foe = act.world.creatures.get(act.data["foe"])
        there = foe is not None and foe.died_us is None and foe.place == act.actor.place
        return foe if there else None

    def finish(self, act: Act) -> None:
        foe = self._foe(act)
        if foe is None:
            act.say("There is nobody left to strike.")
        else:
            strike(act, foe, next_blow(act, act.data.get("count", 0)))


class Attack(Strike):
    name, aliases = "attack", ("kill", "fight", "hit")
    help = (
        "attack NAME (or kill): strike until it is over, then whoever attacks you next; attack alone: who"
        " attacks you; stop or flee ends it"
    )

    def begin(self, act: Act) -> None:
        super().begin(act)
        foe = self._foe(act)
        if foe is not None:
            act.tell(foe, f"{the(act.actor.name)} comes at you!", foe=act.actor.id)

    def each_turn(self, act: Act) -> None:
        if self._foe(act) is None:
            self._next(act)

    def finish(self, act: Act) -> None:
        foe = self._foe(act)
        if foe is None:
            self._next(act)
            return
        count = act.data.get("count", 0)
        strike(act, foe, next_blow(act, count))
        act.data["count"] = count + 1
        self._go_on(act)

    def _go_on(self, act: Act) -> None:
        turn = act.world.turn
        again = turn + turns_of(act, next_blow(act, act.data["count"]))
        act.actor.action = Action(self.name, act.text, turn, again, act.data)

    def _next(self, act: Act) -> None:
        """Attack the next attacker of a player's character. A creature's mind decides for itself."""
        foes = attackers(act) if act.actor.is_character else []
        able = [foe for foe in foes if why_not_strike(act, foe) is None]
        act.actor.action = None
        if able:
            act.data["count"] = 0
            self._turn_to(act, able[0], "You now attack")
            self._go_on(act)

    def interrupted(self, act: Act) -> None:
        act.say("You lower your guard and step back.")


class Consider(Verb):
    at_once = True
    name, aliases = "consider", ("con",)
    group = "looking"
    help = "consider NAME: how would a fight end, how does it attack, and which reactions stop that?"

    def check(self, act: Act) -> str | None:
        found = find_target(act, act.text)
        missing = why_not_strike(act, None) if act.text else "Consider whom?"
        return blind(act) or (None if found else missing)

    def finish(self, act: Act) -> None:
        other = find_target(act, act.text)
        assert other is not None
        row = kind_of(act, other)
        name = begun(the(other.name))
        if not row.blows:
            act.say(f"{name} does not look for a fight.")
            return
        kinds = dict.fromkeys((blow.kind, blow.damage) for blow in row.blows)
        blows = "; ".join(f"{kind} for {damage} ({_answers(act, kind)})" for kind, damage in kinds)
        like = sum(one.kind == other.kind for one in act.here()) - 1
        alone = (
            f" There {'is one more like it' if like == 1 else f'are {like} more like it'} here."
            if like
            else ""
        )
        act.say(f"{_odds(act, other)}{alone} {name} attacks: {blows}.")


def _answers(act: Act, kind: str) -> str:
    """Return the reactions that clear a kind of attack, the cheapest first."""
    rows = sorted(land_of(act).reactions.items(), key=lambda row: row[1].stamina)
    return ", ".join(name for name, row in rows if not row.kinds or kind in row.kinds)


def _odds(act: Act, other: Creature) -> str:
    """Return a forecast of the fight if neither side reacts to attacks."""
    me, policy, mine = act.actor, act.rules.threats, next_blow(act, 0)
    blows = kind_of(act, other).blows
    dealt = max(1, policy.suffered(other, policy.struck(me, mine.damage)))
    taken = sum(policy.suffered(me, policy.struck(other, blow.damage)) for blow in blows)
    mine_ms = other.health * mine.rhythm_ms // dealt
    its_ms = me.health * sum(blow.rhythm_ms for blow in blows) // max(1, taken)
    if mine_ms > 3 * its_ms:
        return "This could be your death."
    if mine_ms > its_ms:
        return "This will be hard: react to most of its attacks."
    return "Stay awake, and it should go well." if 3 * mine_ms > its_ms else "An easy one."


class Rest(Verb):
    name, aliases, duration_turns = "rest", ("sit", "sleep"), 80
    group = "fighting"
    help = "rest: sit down; health comes back much faster, until you stop or somebody attacks"

    def check(self, act: Act) -> str | None:
        me = act.actor
        if me.threats:
            return "Not in the middle of a fight!"
        whole = me.health == me.health_max and me.stamina == me.stamina_max
        return "You are rested already." if whole and me.action is None else None

    def begin(self, act: Act) -> None:
        mend_soon(act, act.actor)
        act.say("You sit down and breathe slowly.")
        act.stimulus("sight", 1.0, "{name} sits down to rest.")

    def each_turn(self, act: Act) -> None:
        me = act.actor
        if me.threats:
            me.action = None
            act.say("You are on your feet at once!")
        elif me.health == me.health_max and me.stamina == me.stamina_max:
            me.action = None
            act.say("You get up, rested.")

    def finish(self, act: Act) -> None:
        act.say("You get up.")

    def interrupted(self, act: Act) -> None:
        act.say("You get up.")
