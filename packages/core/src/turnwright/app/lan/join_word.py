"""The join word of a class. It is a secret for bots that people can read aloud."""

from __future__ import annotations

import secrets

_FIRST = (
    "amber", "azure", "brave", "bright", "calm", "clever", "coral", "crisp", "eager", "fast", "fresh",
    "gentle", "golden", "green", "happy", "honest", "jolly", "kind", "lively", "lucky", "merry", "mighty",
    "noble", "orange", "patient", "polite", "proud", "purple", "quick", "quiet", "rapid", "red", "royal",
    "sharp", "shiny", "silent", "silver", "smart", "smooth", "snowy", "solid", "sunny", "super", "tall",
    "tidy", "tiny", "violet", "warm", "white", "wild",
)  # fmt: skip
_SECOND = (
    "apple", "badger", "banjo", "beaver", "bison", "camel", "canoe", "castle", "cherry", "cloud", "comet",
    "dolphin", "dragon", "eagle", "falcon", "ferry", "forest", "garden", "giraffe", "hammer", "island",
    "jaguar", "kettle", "ladder", "lemon", "lion", "magnet", "maple", "meadow", "melon", "monkey", "moon",
    "ocean", "otter", "panda", "parrot", "pencil", "pepper", "piano", "planet", "rabbit", "river",
    "rocket", "salmon", "tiger", "tractor", "tulip", "turtle", "violin", "walnut",
)  # fmt: skip
_NUMBERS = range(10_000, 100_000)


def draw_join_word() -> str:
    """Return a random word such as "quick-otter-40273". There are 225 million possible words, with at most 21
    characters each.
    """
    return f"{secrets.choice(_FIRST)}-{secrets.choice(_SECOND)}-{secrets.choice(_NUMBERS)}"
