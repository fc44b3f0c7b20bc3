"""The effects of the world's host are plain values, as those of every host."""

from __future__ import annotations

import dataclasses
import typing

import pytest

from turnwright_world.host import effects as fx


@pytest.mark.parametrize("kind", typing.get_args(fx.Effect))
def test_no_effect_carries_a_function(kind: type) -> None:
    assert not [field.name for field in dataclasses.fields(kind) if "Callable" in str(field.type)]
