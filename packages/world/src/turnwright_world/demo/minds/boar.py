"""Warns once, then charges a player who stays."""


class Boar:
    warned = 0

    def plan(self, view, random):
        if view["action"]:
            return None
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
        if not people:
            self.warned = 0
            return None
        self.warned += 1
        if self.warned == 4:
            return "emote grunts and paws the ground. It does not want you here."
        return f"attack #{people[0]['id']}" if self.warned > 28 else None
