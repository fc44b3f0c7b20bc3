"""Fishes and talks about it."""

THOUGHTS = [
    "speak They are there. They are only not here.",
    "emote draws in his line, looks at the hook, and throws it out again.",
    "speak My father caught one as long as this pier. That was a shorter pier.",
]


def plan(view, random):
    return random.choice(THOUGHTS) if random.random() < 0.005 else None
