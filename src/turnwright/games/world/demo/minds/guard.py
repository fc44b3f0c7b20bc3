"""Walks a round, and goes for outlaws and beasts on sight."""

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
        if self.wait > 0 or not self.route:
            return None
        self.wait = 30 + random.randrange(20)
        way = self.route[self.step % len(self.route)]
        self.step += 1
        return "go " + way if way in view["place"]["exits"] else None
