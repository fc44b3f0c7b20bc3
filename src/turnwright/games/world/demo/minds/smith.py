"""Works at the forge all day, in heats of twenty blows, and rests between them."""


class Smith:
    heat = 0

    def plan(self, view, random):
        self.heat = (self.heat + 1) % 240
        if self.heat == 1:
            return "emote takes a bar out of the fire, and begins."
        if self.heat == 120:
            return "emote puts the bar back, and wipes her face."
        return None
