"""Segments and circles. Source: tank-rules.md#radars, #segments-and-circles."""

from __future__ import annotations


def segment_meets_circle(
    x1: float, y1: float, x2: float, y2: float, cx: float, cy: float, radius_squared: float
) -> bool:
    """Return whether a segment touches a circle.

    The segment goes from (x1, y1) to (x2, y2). Its length must not be 0.
    """
    px = x1 - cx
    py = y1 - cy
    if px * px + py * py <= radius_squared:
        return True
    px = x2 - cx
    py = y2 - cy
    if px * px + py * py <= radius_squared:
        return True
    dx = x2 - x1
    dy = y2 - y1
    along = ((cx - x1) * dx + (cy - y1) * dy) / (dx * dx + dy * dy)
    if along < 0.0 or along > 1.0:
        return False
    px = (x1 + along * dx) - cx
    py = (y1 + along * dy) - cy
    return px * px + py * py <= radius_squared


def segments_meet(
    ax1: float,
    ay1: float,
    ax2: float,
    ay2: float,
    bx1: float,
    by1: float,
    bx2: float,
    by2: float,
) -> bool:
    """Return whether two segments have a point in common.

    Segment a goes from (ax1, ay1) to (ax2, ay2), and segment b from (bx1, by1) to (bx2, by2).

    Parallel segments meet only if they lie on exactly the same line and overlap. The original does the same
    (scenario bullet_hits_bullet, turn 61).
    """
    ax = ax2 - ax1
    ay = ay2 - ay1
    bx = bx1 - bx2
    by = by1 - by2
    cx = ax1 - bx1
    cy = ay1 - by1
    alpha = by * cx - bx * cy
    common = ay * bx - ax * by
    if common > 0.0:
        if alpha < 0.0 or alpha > common:
            return False
    elif common < 0.0 and (alpha > 0.0 or alpha < common):
        return False
    beta = ax * cy - ay * cx
    if common > 0.0:
        return 0.0 <= beta <= common
    if common < 0.0:
        return common <= beta <= 0.0
    if ax1 * (ay2 - by1) + ax2 * (by1 - ay1) + bx1 * (ay1 - ay2) != 0.0:
        return False
    return overlap(ax1, ax2, bx1, bx2) and overlap(ay1, ay2, by1, by2)


def overlap(a1: float, a2: float, b1: float, b2: float) -> bool:
    """Return whether the range between a1 and a2 and the range between b1 and b2 have a number in common."""
    return between(a1, b1, b2) or between(a2, b1, b2) or between(b1, a1, a2)


def between(value: float, one: float, two: float) -> bool:
    """Return whether `value` is `one`, `two` or between them."""
    return one <= value <= two or two <= value <= one
