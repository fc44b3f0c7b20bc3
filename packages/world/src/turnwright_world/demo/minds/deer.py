"""Grazes, hears well, and flees."""

RANGE = {"glade", "oak", "crossing", "ford"}
BACK = {"deepwood": "go north", "road": "go south", "marsh": "go west", "hut": "go south"}


def plan(view, random):
    if view["action"]:
        return None
    if view["place"]["id"] in BACK:
        return BACK[view["place"]["id"]]
    danger = [other for other in view["here"] if other["player"] or "wild" in other["tags"]]
    if view["threats"]:
        return "flee"
    ways = sorted(view["place"]["exits"])
    return "go " + random.choice(ways) if ways and random.random() < (0.06 if danger else 0.005) else None
