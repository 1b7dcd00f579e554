"""Tracebacks of errors without the library's inside."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from .errors import CallTimeoutError, PlatformSDKError

P = ParamSpec("P")
T = TypeVar("T")

EXPLAINED = (PlatformSDKError, CallTimeoutError)
"""The errors whose sentence explains them: how they travelled through the library adds nothing."""


def short_errors(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Decorates a public method: the traceback of an error of the library shows the line of the program that made the call, and
    one frame below it.
    """

    @functools.wraps(method)
    async def shortened(*args: P.args, **kwargs: P.kwargs) -> T:
        # pytest and IPython leave out this frame, too.
        __tracebackhide__ = True
        try:
            return await method(*args, **kwargs)
        except EXPLAINED as error:
            error.__traceback__ = None
            raise error

    return shortened
