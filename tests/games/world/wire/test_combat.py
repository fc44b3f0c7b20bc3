"""What a client says in a fight is checked before anybody acts on it."""

from __future__ import annotations

import msgspec
import pytest

from turnwright.games.world.wire.messages import React


def test_a_reaction_needs_nothing_but_its_name() -> None:
    assert msgspec.json.decode('{"reaction":"dodge"}', type=React) == React("dodge")
    whole = '{"reaction":"parry","at":81500000,"id":3,"band":200000}'
    assert msgspec.json.decode(whole, type=React) == React("parry", 81_500_000, 3, 200_000)


@pytest.mark.parametrize(
    "text",
    ['{}', '{"reaction":""}', '{"reaction":"' + "x" * 33 + '"}', '{"reaction":7}', '{"reaction":"x","at":-1}',
     '{"reaction":"x","at":1e30}', '{"reaction":"x","id":"3"}', '{"reaction":"x","band":-1}', "[]"],
)  # fmt: skip
def test_what_is_no_reaction_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=React)
