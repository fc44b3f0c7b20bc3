"""Measures the gain of programs that react at once, in fights of the demo.

    python bench/equity.py [--minutes 200]

A defender is struck by one to five creatures, every 2 s each, with blows of several kinds, and meets what it
can with the demo's reactions (stamina comes back at the demo's pace). It perceives a blow after its reaction
time, decides one thing at a time, and presses the cheapest reaction that meets the blow that lands first;
dodge where three are coming. Once with stamina that runs out, once with stamina that never does. Defenders:

    program         at once
    program, 400    by the demo's `react_ms`
    person          after 0.6 s (median, spread of a third), misses 3 % of the blows, hits a wrong key for 4 %
    perfect person  after 0.6 s likewise, and never wrong

Printed: percent of the damage thrown that is suffered. A simulation: no clock is read.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from turnwright.games.world.content.read import read_content
from turnwright.games.world.intent import ReactionInput
from turnwright.games.world.net.content_files import DEMO, read_folder
from turnwright.games.world.rules.entities import Creature, Place, Threat
from turnwright.games.world.rules.fight import insert_threat, land, react
from turnwright.games.world.rules.state import World
from turnwright.games.world.rules.threats import by_landing
from turnwright.games.world.rules.verbs import Rules

S = 1_000_000
DAMAGE = 10
WINDOWS_US = (3 * S, 2 * S, S, S // 2)
KINDS = ("bite", "bite", "blade", "blow", "fire", "venom")
Delay = Callable[[random.Random], float]


class Defender:
    """delay: seconds from a blow until it is perceived; miss, slip: percent."""

    def __init__(
        self, name: str, driver: str, delay: Delay, *, react_us: int = 0, miss: int = 0, slip: int = 0
    ) -> None:
        self.name, self.driver, self.delay = name, driver, delay
        self.react_us, self.miss, self.slip = react_us, miss, slip


def thoughtful(rng: random.Random) -> float:
    return 0.6 * rng.lognormvariate(0, 0.33)


DEFENDERS = (
    Defender("program", "program", lambda rng: 0.0),
    Defender("program, 400", "program", lambda rng: 0.0, react_us=400_000),
    Defender("person", "player", thoughtful, miss=3, slip=4),
    Defender("perfect person", "player", thoughtful),
)


def minute(
    rules: Rules, defender: Defender, foes: int, window_us: int, seed: int, rested: bool
) -> tuple[int, int]:
    """Return damage suffered and thrown in one minute."""
    rng = random.Random(seed)
    world = World(250_000)
    world.add(Place("yard", "Yard", "A yard."))
    me = Creature(world.new_id(), "person", "me", "yard", driver=defender.driver, health=10**9)  # type: ignore[arg-type]
    world.add(me)
    others = [Creature(world.new_id(), "wolf", "wolf", "yard") for _ in range(foes)]
    for other in others:
        world.add(other)
    strikes = [(int(rng.random() * 2 * S) + 2 * S * k, other) for other in others for k in range(30)]
    strikes.sort(key=lambda strike: strike[0])
    policy, thrown, free_us = rules.threats, 0, 0
    seen: dict[int, int] = {}
    for now_us in range(0, 66 * S, 10_000):
        world.reached_us = now_us
        if rested or now_us % (2 * S) == 0:
            me.stamina = min(me.stamina_max, me.stamina + (100 if rested else 4))
        while strikes and strikes[0][0] <= now_us:
            _, other = strikes.pop(0)
            threat = insert_threat(world, rules, other, me, rng.choice(KINDS), DAMAGE, window_us)
            if threat is not None:
                thrown += threat.damage
                noticed = rng.random() * 100 >= defender.miss
                seen[threat.id] = now_us + int(defender.delay(rng) * S) if noticed else 10**12
        for threat in [t for t in me.threats if t.lands_us <= now_us]:
            land(world, rules, me, threat)
        known = [t for t in by_landing(me.threats) if seen[t.id] <= now_us]
        if known and now_us >= max(free_us, me.locked_until_us):
            chosen = choice(rules, me, known, rng, defender.slip)
            if chosen and policy.ready_us(me, chosen, known[0].id) <= now_us:
                react(world, rules, me, ReactionInput(now_us, chosen, known[0].id))
                free_us = now_us + int(defender.delay(rng) * S)
        world.outbox.told.clear()
    return 10**9 - me.health, thrown


def choice(rules: Rules, me: Creature, known: list[Threat], rng: random.Random, slip: int) -> str:
    """Return the reaction that one decides on, "" for none."""
    rows = sorted(rules.threats.reactions.values(), key=lambda row: row.stamina)
    if rng.random() * 100 < slip:
        return rng.choice(rows).name
    if len(known) >= 3 and me.stamina >= rules.threats.reactions["dodge"].stamina:
        return "dodge"
    fit = [row.name for row in rows if row.takes(known[0]) and row.stamina <= me.stamina]
    return fit[0] if fit else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=int, default=200)
    minutes = parser.parse_args().minutes
    print(f"{'percent of the damage suffered':32}" + "".join(f"{one.name:>16}" for one in DEFENDERS))
    known = {us: demo_rules(us) for us in {one.react_us for one in DEFENDERS}}
    cases = [(rested, us, foes) for rested in (False, True) for us in WINDOWS_US for foes in (1, 3, 5)]
    for rested, window_us, foes in cases:
        shares = []
        for one in DEFENDERS:
            rules = known[one.react_us]
            pairs = [minute(rules, one, foes, window_us, seed, rested) for seed in range(minutes)]
            shares.append(100 * sum(pair[0] for pair in pairs) / sum(pair[1] for pair in pairs))
        title = f"{'never tired' if rested else 'tired'}, {window_us / S:g} s, {foes} attacking"
        print(f"{title:32}" + "".join(f"{share:16.1f}" for share in shares), flush=True)


def demo_rules(react_us: int) -> Rules:
    """Return the demo's rules with another least reaction time."""
    files = read_folder(DEMO)
    text = files["settings.toml"]
    files["settings.toml"] = text.replace("react_ms = 400", f"react_ms = {react_us // 1000}")
    return read_content(files).rules


if __name__ == "__main__":
    main()
