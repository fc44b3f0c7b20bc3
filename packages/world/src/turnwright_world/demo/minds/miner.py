"""Stays, drinks, and tells about the mine."""

WORDS = [
    "emote shakes the bottle, listens, and puts it down again.",
    "speak Thirty years. And all the time it was on the other side of the wall.",
    "emote turns the wick down, then up again.",
]


def plan(view, random):
    company = any(other["player"] for other in view["here"])
    return random.choice(WORDS) if company and random.random() < 0.006 else None
