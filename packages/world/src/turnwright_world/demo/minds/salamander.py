"""Stays still until somebody digs or attacks it, then attacks."""


class Salamander:
    angry = 0

    def plan(self, view, random):
        if view["action"]:
            return None
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        people = [other for other in view["here"] if other["player"]]
        noise = any("Iron rings" in str(message.get("text", "")) for message in view["heard"])
        self.angry = 60 if noise else max(0, self.angry - 1)
        return f"attack #{people[0]['id']}" if people and self.angry else None
