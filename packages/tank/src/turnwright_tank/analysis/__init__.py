"""Analysis of a battle: facts that say why a bot lost, for page, trace and JSON.

turns → shots, energy_ledger, deaths, energy_course, timing → round → battle → findings → report, jsonl.

Nothing here decides anything of a battle, or guesses: every sentence is counted from frames and from who was
skipped or late.
"""
