"""Progress of long waits, if `tqdm` is installed and the output is visible."""

from __future__ import annotations

import asyncio
import sys
import warnings
from typing import Any, Self

from .waiting import give_up

_FULL = 100
_TICK_S = 1.0


class WaitProgress:
    """A progress bar in a terminal or notebook that names what the program waits for.

    It shows nothing without `tqdm`, or if the output is not visible.
    """

    def __init__(self, *, is_shown: bool | None = None) -> None:
        """`is_shown`: by default True if stderr is a terminal or the program is a notebook."""
        self._tqdm: Any = _find_tqdm() if (_is_watched() if is_shown is None else is_shown) else None
        self._bar: Any = None
        self._ticking: asyncio.Task[None] | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the output is visible."""
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
        """Updates the elapsed time, also while there is no news."""
        while True:
            await asyncio.sleep(_TICK_S)
            if self._bar is not None:
                self._bar.refresh()

    def show(self, what: str, fraction: float | None) -> None:
        """Shows what the program waits for, and the fraction that is done, 0 to 1, if it is known."""
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
            # In a notebook without widgets tqdm writes text; its warning about that is hidden.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _is_watched() -> bool:
    # IPython is only used if the program has already imported it.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None and type(shell).__name__ == "ZMQInteractiveShell":
        return True
    return bool(getattr(sys.stderr, "isatty", lambda: False)())
