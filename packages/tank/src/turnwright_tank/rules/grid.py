"""A uniform grid over the arena that finds neighbours. It changes no outcome.

Three grids share the table `cells`, one after the other:

    tanks     fine cells. A tank is in each cell that an object within TANK_REACH of it can be in, so a search
              for tanks within that reach reads only its own cell
    bullets   fine cells. A bullet is in the cell of its next place
    sights    coarse cells, for radars. A tank is in the cell of its place

A cell holds the number of its first object, and each object holds the number of the next object. Numbers
increase over all fillings. An entry below the first number of a filling is old, so cells are never cleared. A
grid only finds candidates. The exact tests, and the order of their results, are the same as without a grid.
"""

from __future__ import annotations

from turnwright_tank.rules.rows import Arena, Rows

TANK_REACH = 37.8
"""u: a tank farther away than this is neither hit by a bullet in one step nor touched by a tank. It is 18 +
19.7 and a margin.
"""
MARGIN = 64.0
"""u: places outside the arena up to this distance have their own cells."""
FINE = 128.0
"""u: the smallest side of a fine cell: more than 2 * TANK_REACH and 2 * BULLET_REACH."""
COARSE = 384.0
CELLS_ACROSS_MAX = 62


def lay_out(arena: Arena) -> int:
    """Choose the cells for the size of an arena, and return the number of cells of all three grids."""
    longer = arena.width if arena.width > arena.height else arena.height
    fine = (longer + 2.0 * MARGIN) / CELLS_ACROSS_MAX
    coarse = fine if fine > COARSE else COARSE
    fine = fine if fine > FINE else FINE
    arena.stamp = 1
    arena.fine = 1.0 / fine
    arena.coarse = 1.0 / coarse
    arena.fine_across = int((arena.width + 2.0 * MARGIN) * arena.fine) + 2
    arena.coarse_across = int((arena.width + 2.0 * MARGIN) * arena.coarse) + 2
    fine_up = int((arena.height + 2.0 * MARGIN) * arena.fine) + 2
    coarse_up = int((arena.height + 2.0 * MARGIN) * arena.coarse) + 2
    arena.bullets_from = arena.fine_across * fine_up
    arena.sights_from = 2 * arena.bullets_from
    return arena.sights_from + arena.coarse_across * coarse_up


def fill_tanks(rows: Rows) -> None:
    """Put the living tanks into the grid of tanks. In each cell they have the order of their seats."""
    arena = rows.arena
    cells = rows.cells
    chain = rows.chain
    across = arena.fine_across
    fine = arena.fine
    base = arena.stamp
    arena.stamp = base + 4 * arena.tanks
    arena.tanks_base = base
    arena.tanks_filled = 1
    low = MARGIN - TANK_REACH
    high = MARGIN + TANK_REACH
    for seat in range(arena.tanks - 1, -1, -1):
        tank = rows.tanks[seat]
        if tank.alive == 0:
            continue
        x = tank.x
        y = tank.y
        left = int((x + low) * fine)
        right = int((x + high) * fine)
        cell = int((y + low) * fine) * across
        top = int((y + high) * fine) * across
        node = 4 * seat
        while True:
            chain[node] = cells[cell + left]
            cells[cell + left] = base + node
            if right != left:
                chain[node + 1] = cells[cell + right]
                cells[cell + right] = base + node + 1
            if cell == top:
                break
            cell = top
            node = node + 2


def tank_cell(arena: Arena, x: float, y: float) -> int:
    """Return the cell that contains all tanks within TANK_REACH of a place."""
    return int((y + MARGIN) * arena.fine) * arena.fine_across + int((x + MARGIN) * arena.fine)


def fill_sights(rows: Rows) -> None:
    """Put the living tanks into the grid for radars."""
    arena = rows.arena
    cells = rows.cells
    across = arena.coarse_across
    coarse = arena.coarse
    base = arena.stamp
    arena.stamp = base + arena.tanks
    arena.sights_base = base
    for tank in rows.tanks:
        if tank.alive != 0:
            cell = (
                arena.sights_from + int((tank.y + MARGIN) * coarse) * across + int((tank.x + MARGIN) * coarse)
            )
            tank.link = cells[cell]
            cells[cell] = base + tank.seat
