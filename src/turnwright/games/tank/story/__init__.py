"""The story of a battle: what spectators could see, turned into facts and a page to read.

moment → shots, energy, deaths, course, timing → chapter (a round) → story (the battle) → notes → page.

Nothing here decides anything of a battle, or guesses: every sentence is counted from frames and from who was
skipped or late.
"""
