"""Sings, and attacks listeners who stay."""


class Ghost:
    verse = 0

    def plan(self, view, random):
        if view["action"]:
            return None
        people = [other for other in view["here"] if other["player"]]
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        self.verse = self.verse + 1 if people else 0
        if self.verse == 6:
            return "speak Down, down, the lamps are out, and who will count the men?"
        return f"attack #{people[0]['id']}" if self.verse > 40 else None
