"""Wakes when a visitor has stayed for a while; attacks in flurries."""


class Bat:
    awake = 0

    def plan(self, view, random):
        people = [other for other in view["here"] if other["player"] and not other["linkdead"]]
        self.awake = self.awake + 1 if people else 0
        if view["action"]:
            return "stop" if random.random() < 0.02 else None
        if people and (view["threats"] or self.awake > 20) and random.random() < 0.06:
            return f"attack #{random.choice(people)['id']}"
        return None
