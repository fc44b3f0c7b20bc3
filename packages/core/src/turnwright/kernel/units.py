"""Factors between units of time: a duration's unit is the last word of its name."""

from __future__ import annotations

NS_PER_US = 1_000
NS_PER_S = 1_000_000_000
US_PER_MS = 1_000
US_PER_S = 1_000_000
