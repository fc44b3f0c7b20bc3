"""The page stamps exactly the words that the server takes for reactions."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from packages.world.tests.demo.playing import demo
from tests.viewer.node import NODE, environment, why_no_node
from turnwright_world.example import yard
from turnwright_world.host.commands import IMMEDIATE, reaction_of, rules_of
from turnwright_world.rules.verbs import Rules

VIEW = Path("packages/world/src/turnwright_world/view")
SCRIPT = """
import { typedReaction } from "KEYS";
import { readReaction } from "MESSAGES";
const given = JSON.parse(process.argv[1]);
const reactions = given.reactions.map(readReaction);
const meant = (word, threatened) => typedReaction(word, reactions, threatened)?.reaction ?? "";
console.log(JSON.stringify(given.words.map((word) => [meant(word, false), meant(word, true)])));
"""


def crowded() -> Rules:
    """Rules in which several names begin alike: of verbs, aliases and reactions."""
    rules = yard()
    rules.verbs["pack"] = rules.verbs["dodger"] = rules.verbs["dig"]
    known = dict(rules.threats.reactions)
    known["parade"] = replace(known["parry"], name="parade")
    rules.threats = replace(rules.threats, reactions=known)
    return rules


@pytest.mark.process
@pytest.mark.parametrize("rules", [demo().rules, yard(), crowded()], ids=["demo", "yard", "crowded"])
def test_the_page_and_the_server_take_the_same_beginnings_for_reactions(rules: Rules) -> None:
    if (why := why_no_node()) is not None:
        pytest.skip(why)
    aliases = {alias for verb in rules.verbs.values() for alias in verb.aliases}
    names = {*rules.threats.reactions, *rules.verbs, *IMMEDIATE, *aliases}
    words = sorted({name[:size] for name in names for size in range(1, len(name) + 1)})
    here = {"KEYS": "keys.js", "MESSAGES": "connection/messages.js"}
    script = SCRIPT
    for mark, file in here.items():
        script = script.replace(mark, (VIEW / file).resolve().as_uri())
    given = json.dumps({"words": words, "reactions": msgspec.to_builtins(rules_of(rules).reactions)})
    done = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script, given],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        timeout=60,
    )
    page = dict(zip(words, json.loads(done.stdout), strict=True))
    server = {
        word: [reaction_of(word, rules, threatened=threatened) for threatened in (False, True)]
        for word in words
    }
    assert page == server
    assert any(one != ["", ""] for one in server.values())
