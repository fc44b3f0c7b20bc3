"""Figures: what is remembered has a bound."""

from __future__ import annotations

from turnwright.host.world.figures import OVERRUNS_KEPT, TURNS_KEPT, Figures, Overrun


def test_figures_remember_the_last_turns_and_overruns_and_no_more() -> None:
    figures = Figures()
    for turn in range(TURNS_KEPT + 1):
        figures.late_ns.append(turn)
        figures.used_ns.append(turn)
        figures.overruns.append(Overrun(turn, turn, 0, {}, ()))
    assert (figures.late_ns[0], len(figures.late_ns)) == (1, TURNS_KEPT)
    assert (figures.used_ns[0], len(figures.used_ns)) == (1, TURNS_KEPT)
    assert [one.turn for one in figures.overruns] == list(range(TURNS_KEPT + 1))[-OVERRUNS_KEPT:]
