"""Factors between units of time. In all names, the unit of a duration is the last word, e.g. `timeout_ns`."""

from __future__ import annotations

NS_PER_US = 1_000
NS_PER_S = 1_000_000_000
US_PER_MS = 1_000
US_PER_S = 1_000_000
