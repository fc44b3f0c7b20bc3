"""Waits until a player has been in its place for a while, then attacks."""


class Spider:
    still = 0

    def plan(self, view, random):
        if view["action"]:
            return None
        people = [other for other in view["here"] if other["player"]]
        self.still = self.still + 1 if people else 0
        if view["threats"]:
            return f"attack #{view['threats'][0]['from']}"
        if self.still == 8:
            return "emote lets itself down on a thread, without a sound."
        return f"attack #{people[0]['id']}" if self.still > 14 else None
