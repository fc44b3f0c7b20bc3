"""Options of the commands: patience as in `battle`, and durations with a unit."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import says
from turnwright.cli.parser import parse
from turnwright.errors import SetupError


@pytest.mark.parametrize("command", [["compare", "A", "B"], ["tournament", "run", "cup"]])
def test_each_command_that_plays_can_be_patient(command: list[str]) -> None:
    found = parse([*command, "--patient"])
    assert not isinstance(found, int)
    assert found.given.values["patient"] is True


def test_a_duration_without_a_unit_is_refused_with_both_readings() -> None:
    with pytest.raises(SetupError) as caught:
        parse(["tournament", "run", "x", "--for", "90"])
    assert says(str(caught.value), "--for … '90' … unit … 90s or 90m?")
