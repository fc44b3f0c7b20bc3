"""Asks for your money first. Whoever stays, or strikes, gets the knife; one that bleeds badly runs."""


class Bandit:
    asked = 0

    def plan(self, view, random):
        if view["threats"] and 5 * view["vitals"]["hp"] < view["vitals"]["maxhp"] and random.random() < 0.03:
            return "flee"
        if view["action"]:
            return None
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
        if not people:
            self.asked = 0
            if view["place"]["id"] != "camp" and view["place"]["exits"] and random.random() < 0.05:
                return "go " + random.choice(sorted(view["place"]["exits"]))
            return None
        self.asked += 1
        if self.asked == 2:
            return "speak Your purse or your skin, friend. You may choose."
        return f"attack #{random.choice(people)['id']}" if self.asked > 24 else None
