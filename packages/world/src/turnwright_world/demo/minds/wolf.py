"""Hunts in a pack. Wolves come to a howl and attack the same prey."""

HOME = {"deepwood", "thicket", "den", "crossing"}
TOWARDS = {"den": "out", "thicket": "east", "deepwood": "west", "crossing": "south"}


class Wolf:
    calm = 0
    away = 0

    def plan(self, view, random):
        if view["action"]:
            return None
        prey = [other for other in view["here"] if other["player"] or other["kind"] == "deer"]
        fought = [other for other in prey if other["state"] != "unhurt"]
        if view["threats"]:
            prey = [other for other in prey if other["id"] == view["threats"][0]["from"]] or prey
        self.calm += 1
        if fought or (prey and (view["threats"] or self.calm > 12)):
            self.calm = 0
            return f"attack #{(fought or prey)[0]['id']}"
        if not prey:
            self.calm = 0
        howl = [m for m in view["heard"] if "howls" in str(m.get("text", ""))]
        if not prey and howl and random.random() < 0.3:
            return self.roam(view, random)
        if prey and random.random() < 0.04:
            return "howl"
        if not prey and random.random() < 0.004:
            return self.roam(view, random)
        return None

    def roam(self, view, random):
        if view["place"]["id"] not in HOME:
            ways = sorted(view["place"]["exits"])
            return "go " + random.choice(ways) if ways else None
        if random.random() < 0.7:
            return "go " + TOWARDS[view["place"]["id"]]
        ways = sorted(way for way, place in view["place"]["exits"].items() if place in HOME)
        return "go " + random.choice(ways) if ways else None
