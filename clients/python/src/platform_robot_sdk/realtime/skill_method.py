"""The decorator of the methods that are named after skills."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, cast

from .._short_errors import short_errors
from ..errors import RcwRuntimeError
from ..models.actions import ActionResult
from .wire import invalid_input, shortened

if TYPE_CHECKING:
    from .shortcuts import SkillShortcuts

P = ParamSpec("P")

# The options of `invoke`, which every method accepts.
_OPTIONS = ("timeout_s", "action_id", "deadline_s", "on_event", "cancel_on_abandon")


def skill_method(method: Callable[P, Coroutine[Any, Any, ActionResult]]) -> Callable[P, Coroutine[Any, Any, ActionResult]]:
    """Decorates a method that is named after a skill: a call that does not fit its parameters is rejected with
    `INVALID_INPUT`, like a wrong argument.
    """
    signature = inspect.signature(method)
    name = method.__name__

    @functools.wraps(method)
    async def checked(*args: P.args, **kwargs: P.kwargs) -> ActionResult:
        try:
            signature.bind(*args, **kwargs)
        except TypeError as wrong:
            refusal = _refusal(name, signature, args[1:], kwargs, wrong)
        else:
            return await method(*args, **kwargs)

        def refuse() -> Mapping[str, Any]:
            raise refusal

        session = cast("SkillShortcuts", args[0])
        return await session._shortcut(name, name, refuse, **{key: kwargs[key] for key in _OPTIONS if key in kwargs})

    return short_errors(checked)


def _refusal(
    name: str, signature: inspect.Signature, args: Sequence[object], kwargs: Mapping[str, object], wrong: TypeError
) -> RcwRuntimeError:
    """Returns what does not fit, and what to write instead."""
    parameters = [each for each in signature.parameters.values() if each.name not in ("self", *_OPTIONS)]
    positional = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
    named = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
    form = ", ".join([*positional, *(f"{each}=…" for each in named)])
    unknown = [each for each in kwargs if each not in signature.parameters]
    spare = args[len(positional) :]
    free = [each for each in named if each not in kwargs]
    if unknown:
        what = f"has no argument {shortened(', '.join(unknown))}"
    elif spare and len(spare) <= len(free):
        what = f"takes {', '.join(named)} by name"
        given = [shortened(repr(each)) for each in args[: len(positional)]]
        form = ", ".join([*given, *(f"{key}={shortened(repr(value))}" for key, value in zip(free, spare, strict=False))])
    else:
        what = f"cannot be called this way: {wrong}"
    return invalid_input(f"{name} {what}. Write {name}({form}).")
