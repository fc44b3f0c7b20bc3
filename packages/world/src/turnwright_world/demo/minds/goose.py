"""Comes to one new player, hisses, then bites."""

TRIES_MAX = 3
NOBODY = -1
OUTCOME_TURNS_MAX = 600
IDLE = ["emote preens a wing.", "emote tries to eat a cobble."]


class Goose:
    pupil = None
    watched = 0
    tries = 0
    wait = 0

    def plan(self, view, random):
        if self.pupil is None:
            self.pupil = view["memory"].get("pupil", NOBODY)
        self.wait = max(0, self.wait - 1)
        outcomes = [message["why"] for message in view["heard"] if message.get("kind") == "blow"]
        if outcomes:
            self.tries += 1
            self.wait = 8
            if outcomes[-1] != "landed" or self.tries >= TRIES_MAX:
                return self.let_be(outcomes[-1])
        if any(deed["ended"] == "refused" for deed in view.get("last", ())):
            self.wait = min(self.wait, 8)
        if view["action"] or self.wait:
            return None
        if view["threats"] and any(other["id"] == view["threats"][0]["from"] for other in view["here"]):
            return self.strike(view["threats"][0]["from"])
        pupil = next((o for o in view["here"] if o["id"] == self.pupil and not o["linkdead"]), None)
        if pupil is None:
            return random.choice(IDLE) if random.random() < 0.003 else None
        self.watched += 1
        if self.watched == 12:
            return f"emote hisses at {pupil['name']}, and lowers her neck."
        return self.strike(pupil["id"]) if self.watched >= 24 else None

    def strike(self, body):
        """Strike once, and wait for the outcome.

        The goose prepares the strike for three seconds. The attack then lands after another four seconds.
        """
        self.wait = OUTCOME_TURNS_MAX
        return f"strike #{body}"

    def let_be(self, outcome):
        """Leave the new player alone."""
        self.pupil = NOBODY
        if outcome == "landed":
            return "emote has made her point, and turns her back."
        return "emote bites into nothing, and looks away as if nothing had been."
