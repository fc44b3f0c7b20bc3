"""A coward: bites when cornered or when there are many of it, and scurries about."""


def plan(view, random):
    if view["action"]:
        return None
    hurt = 2 * view["vitals"]["hp"] < view["vitals"]["maxhp"]
    if view["threats"]:
        if hurt and random.random() < 0.1:
            return "flee"
        return f"attack #{view['threats'][0]['from']}"
    people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
    if people and random.random() < 0.03:
        return f"attack #{random.choice(people)['id']}"
    if view["place"]["id"] == "alley" and random.random() < 0.02:
        return "go down"
    return None
