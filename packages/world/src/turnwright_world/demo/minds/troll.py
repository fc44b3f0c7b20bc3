"""Gives a warning, then attacks. It rests when it is alone."""


class Troll:
    seen = 0

    def plan(self, view, random):
        if view["action"] and view["action"]["verb"] != "rest":
            return None
        people = [other for other in view["here"] if other["player"]]
        if view["threats"] or people:
            self.seen += 1
        else:
            self.seen = 0
            hurt = view["vitals"]["hp"] < view["vitals"]["maxhp"]
            return "rest" if hurt and not view["action"] else None
        if view["action"]:
            return "stop"
        if self.seen == 1:
            return "speak Spoon?"
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        return f"attack #{people[0]['id']}" if self.seen > 16 else None
