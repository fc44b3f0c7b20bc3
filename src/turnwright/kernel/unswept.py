"""Keeping the garbage collector out of short work.

In the midst of playing some turns much is alive that is gone at their end. A collection there counts it among
what lasts, and once enough of that has come together Python looks at every object of the process: 60 ms for
120,000 of them, in one seek of 150 in a battle of 100 tanks. Between two seeks there is next to nothing to
count: of 3,000 seeks none was followed by a full collection.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["unswept"]


@contextmanager
def unswept() -> Iterator[None]:
    """Hold off the collector while the block runs; one that was off before stays so.

    For short work alone: what the block leaves in cycles stays until its end.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
