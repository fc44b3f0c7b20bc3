"""Fights back, and sometimes attacks a player while no other rat does."""


def plan(view, random):
    if view["action"]:
        return None
    hurt = 2 * view["vitals"]["hp"] < view["vitals"]["maxhp"]
    if view["threats"]:
        if hurt and random.random() < 0.1:
            return "flee"
        return f"attack #{view['threats'][0]['from']}"
    people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
    fighting = any(other["kind"] == "rat" and other["doing"] for other in view["here"])
    if people and not fighting and random.random() < 0.01:
        return f"attack #{random.choice(people)['id']}"
    if view["place"]["id"] == "alley" and random.random() < 0.02:
        return "go down"
    return None
