"""Follows its master and attacks its master's enemies."""

HUNGRY_FOR_COMPANY = 40


class Companion:
    master = 0
    alone = 0
    way = ""

    def plan(self, view, random):
        here = {other["id"] for other in view["here"]}
        self.alone = 0 if self.master in here else self.alone + 1
        foe = self.notice(view)
        if view["action"]:
            return None
        for threat in view["threats"]:
            if threat["from"] in here:
                return f"attack #{threat['from']}"
        if foe in here:
            return f"attack #{foe}"
        if self.way:
            way, self.way = self.way, ""
            return f"go {way}" if way in view["place"]["exits"] else None
        if self.alone == HUNGRY_FOR_COMPANY:
            return "emote looks around for somebody."
        return None

    def notice(self, view):
        """Remember which way the master goes. Return the id of the master's enemy, or None."""
        foe = None
        for message in view["heard"]:
            if message.get("from") == self.master:
                data = message.get("data", {})
                self.way = data.get("way", self.way)
                foe = data.get("foe", foe)
        return foe
