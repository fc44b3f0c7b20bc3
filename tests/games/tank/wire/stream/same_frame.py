"""Compares frames by what spectators see."""

from __future__ import annotations

from turnwright.games.tank import observation as view

EXACT = ("id", "is_droid", "enemy_count", "is_debugging_enabled", "std_out", "std_err", "debug_graphics")
CIRCLE = ("direction", "gun_direction", "radar_direction")
NEAR = {
    **dict.fromkeys(("x", "y", "speed", *CIRCLE), 0.0501),
    **dict.fromkeys(("energy", "gun_heat"), 0.0101),
    **{"radar_sweep": 0.1501, "turn_rate": 0.1501, "gun_turn_rate": 0.2501, "radar_turn_rate": 0.2501},
}
BULLET_NEAR = 0.05


def near(one: float, other: float, by: float, modulus: float = 0.0) -> bool:
    """Return whether two numbers, of a circle if it has a length, are so close."""
    off = abs(one - other)
    return min(off, modulus - off if modulus else off) <= by


def same_bullet(shown: view.BulletState, meant: view.BulletState) -> None:
    assert (shown.bullet_id, shown.owner_id, shown.color) == (meant.bullet_id, meant.owner_id, meant.color)
    assert near(shown.x, meant.x, BULLET_NEAR)
    assert near(shown.y, meant.y, BULLET_NEAR)
    assert near(shown.power, meant.power, 1e-5)
    assert near(shown.direction, meant.direction, 1e-4, 360)


def same_tank(shown: view.TankFrame, meant: view.TankFrame) -> None:
    colors = [name for name in view.TankFrame.__struct_fields__ if name.endswith("_color")]
    assert [getattr(shown, n) for n in colors] == [getattr(meant, n) for n in colors]
    for name in EXACT:
        if name != "is_droid":
            assert (getattr(shown, name) or None) == (getattr(meant, name) or None), name
    for name, by in NEAR.items():
        circle = 360.0 if name in CIRCLE else 0.0
        assert near(getattr(shown, name), getattr(meant, name), by, circle), name
    assert (shown.energy > 0) == (meant.energy > 0)
    assert (shown.energy < 0) == (meant.energy < 0)


def same_event(shown: view.Event, meant: view.Event) -> None:
    assert type(shown) is type(meant)
    for name in type(meant).__struct_fields__:
        one, other = getattr(shown, name), getattr(meant, name)
        if isinstance(other, view.BulletState):
            same_bullet(one, other)
        elif isinstance(other, float):
            assert near(one, other, 0.0501, 360.0 if name == "direction" else 0.0), (name, shown, meant)
        else:
            assert one == other


def same_frame(shown: view.Frame, meant: view.Frame) -> None:
    """Assert that a frame shows what is meant, as exactly as the stream writes it."""
    assert (shown.round_number, shown.turn_number) == (meant.round_number, meant.turn_number)
    assert len(shown.bot_states) == len(meant.bot_states)
    assert len(shown.events) == len(meant.events)
    for one, other in zip(shown.bot_states, meant.bot_states, strict=True):
        same_tank(one, other)
    bullets = sorted(meant.bullet_states, key=lambda b: b.bullet_id)
    for bullet, flying in zip(sorted(shown.bullet_states, key=lambda b: b.bullet_id), bullets, strict=True):
        same_bullet(bullet, flying)
    for event, happened in zip(shown.events, meant.events, strict=True):
        same_event(event, happened)
