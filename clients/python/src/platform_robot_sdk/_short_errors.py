"""Tracebacks of refusals without the library's inside."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from ..errors import RcwRuntimeError

P = ParamSpec("P")
T = TypeVar("T")


def short_refusals(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorates a public method: the traceback of a refusal shows the line of the program that made the call, and one frame
    below it. How the refusal travelled through the library explains nothing about it.
    """

    @functools.wraps(method)
    async def shortened(*args: P.args, **kwargs: P.kwargs) -> T:
        # pytest and IPython leave out this frame, too.
        __tracebackhide__ = True
        try:
            return await method(*args, **kwargs)
        except RcwRuntimeError as refusal:
            refusal.__traceback__ = None
            raise refusal

    return shortened
