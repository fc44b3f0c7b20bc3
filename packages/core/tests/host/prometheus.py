"""Prometheus' text format, parsed."""

from __future__ import annotations

import re

SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.eE+-]+|NaN|[+-]Inf)")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')


def parse(text):
    """Return {(name, labels): value} and {family: kind}; strict about the format."""
    assert text.endswith("\n")
    kinds, helped, samples = {}, set(), {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, said = line[7:].split(" ", 1)
            assert said
            assert name not in helped
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert kind in ("counter", "gauge", "summary", "histogram")
            assert name not in kinds
            kinds[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, inner, value = match.groups()
            labels = dict(LABEL.findall(inner or ""))
            assert ",".join(f'{k}="{v}"' for k, v in labels.items()) == (inner or "")
            key = (name, tuple(sorted(labels.items())))
            assert key not in samples
            samples[key] = float(value)
            family = re.sub("_(sum|count)$", "", name) if name not in kinds else name
            assert family in kinds
            assert family in helped
    return samples, kinds
