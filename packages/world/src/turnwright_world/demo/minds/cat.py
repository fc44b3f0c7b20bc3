"""Hunts rats, follows a player who gave it a fish, and sleeps a lot."""

FOND_TURNS = 1200
FISH = {"trout", "blindfish"}


class Cat:
    friend = 0
    fond = 0
    way = ""

    def plan(self, view, random):
        self.remember(view)
        if view["action"]:
            return None
        if view["threats"] and random.random() < (0.1 if self.fond else 0.5):
            return "flee"
        fish = [item for item in view["items"] if item["kind"] in FISH]
        if fish:
            return f"eat {fish[0]['name']}"
        if self.way:
            way, self.way = self.way, ""
            return f"go {way}" if way in view["place"]["exits"] else None
        rats = [other for other in view["here"] if other["kind"] == "rat"]
        if rats and random.random() < 0.2:
            return f"attack #{rats[0]['id']}"
        return self.idle(view, random)

    def remember(self, view):
        """Remember for five minutes which player gave a fish, and where that player goes."""
        self.fond = max(0, self.fond - 1)
        for message in view["heard"]:
            given = message.get("data", {}).get("giver")
            named = [other["id"] for other in view["here"] if other["id"] == given]
            if named:
                self.friend, self.fond, self.way = named[0], FOND_TURNS, ""
            if self.fond and message.get("from") == self.friend:
                self.way = message.get("data", {}).get("way", self.way)

    def idle(self, view, random):
        if random.random() < 0.01 and not self.fond:
            ways = [way for way in view["place"]["exits"] if way not in ("up", "in")]
            return "go " + random.choice(ways) if ways else None
        if random.random() < 0.005:
            friends = [other["name"] for other in view["here"] if self.fond and other["id"] == self.friend]
            purrs = [f"rubs its head against {name}." for name in friends]
            return "emote " + random.choice(
                ["washes a paw.", "sits down exactly in the way.", "purrs.", *purrs]
            )
        return None
