"""Stays in one place (a shop, an inn, a chapel …) and makes small gestures."""

DOING = {
    "shopkeeper": ["trims a wick.", "writes a number into a book, and crosses it out.", "climbs the ladder."],
    "innkeeper": ["dries a mug.", "pokes the fire until it spits.", "listens to somebody's story."],
    "priest": [
        "lays a hand on the bell, and it hums.",
        "counts bandages.",
        "lights a candle at another one.",
    ],
    "captain": ["moves a pin on the map.", "looks out of the window.", "tests an edge with her thumb."],
    "hermit": ["carves a wing.", "talks to an owl that is not carved.", "stirs a pot that smells of moss."],
}


def plan(view, random):
    if any(person["player"] for person in view["here"]) and random.random() < 0.008:
        return "emote " + random.choice(DOING.get(view["me"]["kind"], ["looks around."]))
    return None
