"""Patrols between places; attacks outlaws and beasts on sight."""

ENEMIES = {"outlaw", "wild"}


class Guard:
    route = None
    step = 0
    wait = 40

    def plan(self, view, random):
        if self.route is None:
            self.route = list(view["memory"].get("route", []))
        if view["action"]:
            return None
        for other in view["here"]:
            if ENEMIES & set(other["tags"]):
                return f"attack #{other['id']}"
        for threat in view["threats"]:
            if any(other["id"] == threat["from"] for other in view["here"]):
                return f"attack #{threat['from']}"
        self.wait -= 1
        if self.wait > 0:
            return None
        self.wait = 30 + random.randrange(20)
        return self.walk(view["place"]["exits"])

    def walk(self, exits):
        """Return the command that leads to the next place of the route one step away, or None."""
        ways = {place: way for way, place in exits.items()}
        for _ in self.route:
            target = self.route[self.step % len(self.route)]
            self.step += 1
            if target in ways:
                return "go " + ways[target]
        return None
