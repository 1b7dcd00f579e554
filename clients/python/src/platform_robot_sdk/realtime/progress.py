"""Progress of long waits, where `tqdm` is installed and somebody looks."""

from __future__ import annotations

import asyncio
import sys
import warnings
from typing import Any, Self

from .waiting import give_up

_FULL = 100
_TICK_S = 1.0


class WaitProgress:
    """A bar that says what is waited for, in a terminal or notebook.

    Without `tqdm`, or with nobody who looks, it shows nothing.
    """

    def __init__(self, *, is_shown: bool | None = None) -> None:
        """`is_shown`: absent, when stderr is a terminal or the program is a notebook."""
        self._tqdm: Any = _find_tqdm() if (_is_watched() if is_shown is None else is_shown) else None
        self._bar: Any = None
        self._ticking: asyncio.Task[None] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether somebody sees it."""
        return self._tqdm is not None

    async def __aenter__(self) -> Self:
        if self._tqdm is not None:
            self._ticking = asyncio.ensure_future(self._tick())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._ticking is not None:
            await give_up(self._ticking)
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    async def _tick(self) -> None:
        """The time goes on also while nothing new is to be said."""
        while True:
            await asyncio.sleep(_TICK_S)
            if self._bar is not None:
                self._bar.refresh()

    def show(self, what: str, fraction: float | None) -> None:
        """Shows the thing that is waited for, and the part of it that is done, 0 to 1, where that is known."""
        if self._tqdm is None:
            return
        if self._bar is None:
            self._bar = self._tqdm(total=_FULL, leave=False, bar_format="{desc} {bar} {elapsed}")
        self._bar.set_description_str(what, refresh=False)
        self._bar.n = 0 if fraction is None else round(fraction * _FULL)
        self._bar.refresh()


def _find_tqdm() -> Any | None:  # noqa: ANN401 - a class of a package that need not be there
    try:
        with warnings.catch_warnings():
            # In a notebook without widgets it writes text, and need not say so.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _is_watched() -> bool:
    # IPython is only asked when the program has it already.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None and type(shell).__name__ == "ZMQInteractiveShell":
        return True
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
