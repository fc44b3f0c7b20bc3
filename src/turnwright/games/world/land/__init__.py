"""A land: what content files describe (places, kinds, items, quests), and what verbs of it share."""
