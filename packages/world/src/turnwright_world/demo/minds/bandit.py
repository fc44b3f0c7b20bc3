"""Asks for money first, then attacks; runs when badly hurt.

Their chief does not run. She wants people to know who it was.
"""

HOME = "camp"
BACK = {"deepwood": "east", "thicket": "east", "ridge": "north", "mouth": "north", "marsh": "south"}
BACK |= {"ford": "east", "crossing": "east", "glade": "east", "oak": "east", "road": "south", "den": "out"}


class Bandit:
    asked = 0

    def plan(self, view, random):
        bleeds = view["threats"] and 5 * view["vitals"]["hp"] < view["vitals"]["maxhp"]
        if bleeds and view["me"]["kind"] != "chief" and random.random() < 0.03:
            return "flee"
        if view["action"]:
            return None
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
        if not people:
            self.asked = 0
            return self.homewards(view["place"], random)
        self.asked += 1
        if self.asked == 2:
            return "speak Your purse or your skin, friend. You may choose."
        return f"attack #{random.choice(people)['id']}" if self.asked > 24 else None

    def homewards(self, place, random):
        """Return a command that leads back to the camp from time to time, otherwise None."""
        if place["id"] == HOME or not place["exits"] or random.random() > 0.05:
            return None
        way = BACK.get(place["id"], "")
        return "go " + (way if way in place["exits"] else random.choice(sorted(place["exits"])))
