"""Works at the forge for 30 seconds, then rests for 30 seconds."""


class Smith:
    heat = 0

    def plan(self, view, random):
        self.heat = (self.heat + 1) % 240
        if self.heat == 1:
            return "emote takes a bar out of the fire, and begins."
        if self.heat == 120:
            return "emote puts the bar back, and wipes her face."
        return None
