"""No test asserts how long its own process took: it counts, or has a manual clock. bench/ measures."""

from __future__ import annotations

import re

from tests.house.source import ROOT

_MEASURES = re.compile(
    r"assert\b.*\b(perf_counter|monotonic|process_time|thread_time|time\.time)(_ns)?\(\) - "
)
_DIFFERENCES = re.compile(r"^\s*(\w+) = time\.(perf_counter|monotonic|process_time|thread_time)(_ns)?\(\) - ")


def test_no_test_asserts_how_long_something_took() -> None:
    wrong = []
    for file in sorted([*(ROOT / "tests").rglob("test_*.py"), *ROOT.glob("packages/*/tests/**/test_*.py")]):
        text = file.read_text(encoding="utf-8")
        names = {found[1] for line in text.splitlines() if (found := _DIFFERENCES.match(line))}
        claims = [_MEASURES, *(re.compile(rf"assert {name} <") for name in names)]
        wrong += [
            f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
            for number, line in enumerate(text.splitlines(), 1)
            if any(claim.search(line) for claim in claims)
        ]
    assert not wrong, "\n".join(wrong)
