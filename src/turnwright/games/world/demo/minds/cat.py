"""Hunts rats when it feels like it, follows people who have fish, and sleeps a lot."""


def plan(view, random):
    if view["action"]:
        return None
    if view["threats"] and random.random() < 0.5:
        return "flee"
    rats = [other for other in view["here"] if other["kind"] == "rat"]
    if rats and random.random() < 0.2:
        return f"attack #{rats[0]['id']}"
    if random.random() < 0.01:
        ways = [way for way in view["place"]["exits"] if way not in ("up", "in")]
        return "go " + random.choice(ways) if ways else None
    if random.random() < 0.005:
        return "emote " + random.choice(["washes a paw.", "sits down exactly in the way.", "purrs."])
    return None
