"""Guards the square: hisses at newcomers, then bites them."""

KNOWN_MAX = 40
TRIES_MAX = 3
IDLE = ["emote preens a wing.", "emote tries to eat a cobble."]


class Goose:
    known = None
    watched = 0
    tries = 0
    wait = 0

    def plan(self, view, random):
        self.known = self.known or []
        self.wait = max(0, self.wait - 1)
        new = [o for o in view["here"] if o["player"] and not o["linkdead"] and o["id"] not in self.known]
        outcomes = [message["why"] for message in view["heard"] if message.get("kind") == "blow"]
        if outcomes:
            self.tries += 1
            self.wait = 8
            if new and (outcomes[-1] != "landed" or self.tries >= TRIES_MAX):
                return self.let_be(new[0], outcomes[-1])
        if view["action"] or self.wait:
            return None
        if view["threats"] and any(other["id"] == view["threats"][0]["from"] for other in view["here"]):
            return self.strike(view["threats"][0]["from"])
        if not new:
            self.watched = self.tries = 0
            return random.choice(IDLE) if random.random() < 0.003 else None
        self.watched += 1
        if self.watched == 20:
            return f"emote hisses at {new[0]['name']}, and lowers her neck."
        return self.strike(new[0]["id"]) if self.watched >= 32 else None

    def strike(self, body):
        """Strike once, and wait for what comes of it.

        Three seconds of wings, four until it lands.
        """
        self.wait = 32
        return f"strike #{body}"

    def let_be(self, other, outcome):
        """Remember somebody, and find something else to be angry about."""
        self.known = [*self.known, other["id"]][-KNOWN_MAX:]
        self.watched = self.tries = 0
        if outcome == "landed":
            return "emote has made her point, and turns her back."
        return "emote bites into nothing, and looks away as if nothing had been."
