"""Analysis of a battle: facts that explain why a bot lost, for the page, the trace and JSON.

turns → shots, energy_ledger, deaths, energy_course, timing → round → battle → findings → report, jsonl.

The analysis does not change a battle, and does not guess. It counts all figures from frames, missed turns and
late answers.
"""
