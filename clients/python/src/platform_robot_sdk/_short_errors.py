"""Tracebacks of errors without the library's internal frames."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from .errors import CallTimeoutError, PlatformSDKError

P = ParamSpec("P")
T = TypeVar("T")

EXPLAINED = (PlatformSDKError, CallTimeoutError)
"""The errors whose message explains them; the library's internal frames add nothing."""


def short_errors(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorates a public method: the traceback of a library error shows the program's calling line and one frame below it."""

    @functools.wraps(method)
    async def shortened(*args: P.args, **kwargs: P.kwargs) -> T:
        # pytest and IPython hide this frame too.
        __tracebackhide__ = True
        try:
            return await method(*args, **kwargs)
        except EXPLAINED as error:
            error.__traceback__ = None
            raise error

    return shortened
