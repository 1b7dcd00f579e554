"""The texts of RPC: payloads that are sent, and replies that are received."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..errors import NOT_CONTROLLER, NotControllerError, RcwRuntimeError
from ..models.actions import ActionMeta, ActionResult
from ..models.runtime import ActionError
from .transport import CallError, Json

M = TypeVar("M", bound=BaseModel)

RPC_PAYLOAD_MAX_BYTES = 15_360
"""Largest payload or reply of an RPC, in bytes of UTF-8."""
FORWARD_ENVELOPE = "runtime.forward_envelope"
TOOLS_CALL = "runtime.tools_call"
CANCEL = "runtime.cancel"
EMERGENCY_STOP = "runtime.emergency_stop"
CONTROL = "runtime.control"
BODY_METHODS = (TOOLS_CALL, CANCEL, EMERGENCY_STOP, CONTROL)
"""The methods that command the body or its lease. An envelope may contain only these."""
_DEEPEST = 64
_SHOWN_CHARACTERS = 80
# One half of a surrogate pair, in the escaped form of JSON.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# Far above what one call carries. LiveKit accepts larger replies, and parsed JSON takes many times the size of its text.
_REPLY_MAX_CHARACTERS = 1024 * 1024


def unsent(stage: str) -> dict[str, Any]:
    """Returns the details of an error that was found before anything was sent."""
    return {"stage": stage, "attempted": False, "world_changed": "no", "retryable": False}


def only_reads(skill: object) -> bool:
    """Whether this skill of the worker only reads. Such a skill needs no signature, and undoes no other call."""
    return skill == "get_state"


def encode_payload(payload: object) -> str:
    """Returns the JSON text of a payload; models and numpy arrays are accepted too.

    Raises:
        RcwRuntimeError: `INVALID_INPUT` for values that JSON cannot express, `PAYLOAD_TOO_LARGE` for more than one RPC
            carries. The runtime would reject both; here the error comes before anything is sent.
    """
    try:
        text = json.dumps(_plain(payload, "", 0), ensure_ascii=False, separators=(",", ":"))
    except RcwRuntimeError:
        raise
    # Arrays, models and mappings run code of their own, and an integer may be too long to write.
    except Exception as error:
        what = f"the payload cannot be turned into JSON ({type(error).__name__}: {error})"
        raise _invalid(what, "send strings, numbers, booleans, lists and dicts") from error
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise _invalid("the payload holds half of a character", "send whole ones") from None
    if size <= RPC_PAYLOAD_MAX_BYTES:
        return text
    raise RcwRuntimeError(
        "PAYLOAD_TOO_LARGE",
        f"The payload has {size} bytes; one call carries {RPC_PAYLOAD_MAX_BYTES} at most. Send less.",
        unsent("input"),
    )


def _plain(value: Json, path: str, depth: int) -> Json:
    if depth > _DEEPEST:
        raise _invalid(f"{path} holds itself, or is nested too deep", "send less")
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _invalid(f"{path or 'the payload'} is {value}", "send a finite number")
        return value
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="python", exclude_none=True), path, depth)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, f"{path}.{key}".lstrip("."), depth + 1) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(inner, f"{path}[{index}]", depth + 1) for index, inner in enumerate(value)]
    as_list = getattr(value, "tolist", None)
    if callable(as_list):
        return _plain(as_list(), path, depth + 1)
    raise _invalid(f"{path or 'the payload'} is of type {type(value).__name__}", "send a string, number, boolean, list or dict")


def _invalid(what: str, remedy: str) -> RcwRuntimeError:
    return invalid_input(f"{what}; {remedy}.")


def invalid_input(sentence: str) -> RcwRuntimeError:
    """Returns the refusal of a call that is not sent."""
    return RcwRuntimeError("INVALID_INPUT", sentence, unsent("input"))


def parse_reply(text: str, method: str, sender: str) -> Json:
    """Returns the reply as data.

    A lone surrogate is replaced by the replacement character, because it could be neither printed nor sent on.

    Raises:
        RcwRuntimeError: `INTERNAL` when the reply is not JSON, or contains values that a program cannot work with;
            `PAYLOAD_TOO_LARGE` when it is far larger than any robot's reply.
    """
    if len(text) > _REPLY_MAX_CHARACTERS:
        raise RcwRuntimeError(
            "PAYLOAD_TOO_LARGE",
            f"The reply to {method} has {len(text)} characters, far more than a robot sends. Check what is in the room as "
            f"{sender}.",
        )
    try:
        reply = json.loads(text, parse_constant=_no_number, parse_int=_whole, parse_float=_finite)
        if not _is_deeper(reply, _DEEPEST):
            return _with_whole_characters(reply) if _SURROGATE.search(text) else reply
        why = "is nested deeper than any robot's"
    except OverflowError:
        why = "holds a number beyond all that a robot sends"
    # The parser reads nested brackets by recursion.
    except (ValueError, RecursionError):
        why = "is not JSON"
    raise RcwRuntimeError("INTERNAL", f"The reply to {method} {why}. Check what is in the room as {sender}.")


def _no_number(name: str) -> None:
    """Rejects NaN and Infinity, which Python accepts and JSON does not define."""
    raise ValueError(name)


def _whole(digits: str) -> int:
    _finite(digits)
    return int(digits)


def _finite(digits: str) -> float:
    """Raises OverflowError for a number that is infinite in 64 bits, because no calculation could use it."""
    number = float(digits)
    if math.isinf(number):
        raise OverflowError
    return number


def _is_deeper(value: Json, levels: int) -> bool:
    level = [value]
    for _ in range(levels):
        holders = [each for each in level if isinstance(each, dict | list)]
        if not holders:
            return False
        level = [inner for each in holders for inner in (each.values() if isinstance(each, dict) else each)]
    return any(isinstance(each, dict | list) for each in level)


def _with_whole_characters(reply: Json) -> Json:
    text = json.dumps(reply, ensure_ascii=False)
    return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def is_guard(reply: object) -> bool:
    """Whether the reply is a guard: the answer to a call that did not become an action."""
    return guard_code(reply) is not None


def guard_code(reply: object) -> str | None:
    """Returns the code of a guard; None for any other reply."""
    if not isinstance(reply, dict) or reply.get("status") != "failed" or reply.get("meta") is not None:
        return None
    error = reply.get("error")
    return _read_error(error)[0] if isinstance(error, dict) else None


def guard_details(reply: object) -> Mapping[str, Any]:
    """Returns the details of a guard, without its code and sentence."""
    return _read_error(reply["error"])[2] if isinstance(reply, dict) and is_guard(reply) else {}


def raise_if_guard(reply: object) -> None:
    """Raises RcwRuntimeError when the reply is a guard."""
    if isinstance(reply, dict) and is_guard(reply):
        code, message, details = _read_error(reply["error"])
        if code == NOT_CONTROLLER:
            raise NotControllerError(message, details)
        raise RcwRuntimeError(code, message, details)


def _read_error(error: Mapping[str, Any]) -> tuple[str, str, Mapping[str, Any]]:
    code, message, details = error.get("code"), error.get("message"), error.get("details")
    return (
        code if isinstance(code, str) else "INTERNAL",
        message if isinstance(message, str) else "The runtime gave no reason.",
        details if isinstance(details, dict) else {},
    )


def is_action_result(reply: object, action_id: str | None = None) -> bool:
    """Whether this is the result of this action; without an id, of any action."""
    if not isinstance(reply, dict) or reply.get("status") not in ("done", "failed"):
        return False
    meta = reply.get("meta")
    found = meta.get("action_id") if isinstance(meta, dict) else None
    return isinstance(found, str) and action_id in (None, found)


def read_action_result(reply: object, action_id: str | None = None) -> ActionResult:
    """Reads the end of an action: of the one whose id the call had; without an id, of any action.

    Raises:
        RcwRuntimeError: the reply is a guard, or does not match the contract.
    """
    raise_if_guard(reply)
    if isinstance(reply, dict) and is_action_result(reply) and reply["status"] == "failed":
        code, message, details = _read_error(reply["error"] if isinstance(reply.get("error"), dict) else {})
        reply = {**reply, "error": {"code": code, "message": message, "details": details or None}}
    result = read_as(ActionResult, reply, "the result of an action")
    if action_id is not None and result.meta.action_id != action_id:
        raise RcwRuntimeError(
            "INTERNAL",
            f"The reply of the runtime to the call of action {action_id} is the end of another "
            f"({shortened(result.meta.action_id)}). What became of {action_id} is not known. Check what is in the room.",
        )
    return result


def failed_by(refusal: RcwRuntimeError, action_id: str) -> ActionResult:
    """Returns a refusal as the end of the action that the call would have become. It has no times, because nothing ran."""
    error = ActionError(code=refusal.code, message=refusal.runtime_message, details=dict(refusal.details))
    return ActionResult(status="failed", error=error, meta=ActionMeta(action_id=action_id))


def read_as(model: type[M], reply: object, what: str) -> M:
    """Returns the reply as a model.

    Raises:
        RcwRuntimeError: `INTERNAL` when the reply has another shape; the message names the wrong fields without their
            values.
    """
    try:
        return model.model_validate(reply)
    except ValidationError as error:
        wrong = "; ".join(
            f"{shortened('.'.join(str(part) for part in each['loc'])) or 'all of it'}: {shortened(each['msg'])}"
            for each in error.errors(include_url=False, include_context=False, include_input=False)[:3]
        )
    raise RcwRuntimeError("INTERNAL", f"The reply of the runtime is not {what} ({wrong}). Check what is in the room.")


_IS_JSON_TEXT = "is a JSON text and must be an object. Pass the dict itself, and do not turn it into text first."


def is_json_text(value: object) -> bool:
    """Whether a value is the JSON text of an object or a list."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return False
    return True


def refuse_json_text(value: object, name: str) -> None:
    """Rejects an object that was turned into text.

    Raises:
        RcwRuntimeError: `INVALID_INPUT`, before anything is sent.
    """
    if is_json_text(value):
        raise invalid_input(f"{name} {_IS_JSON_TEXT}")


def skill_parameters(skill: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the parameters of a skill by name.

    Raises:
        RcwRuntimeError: `INVALID_INPUT` for anything but a mapping.
    """
    if params is None:
        return {}
    refuse_json_text(params, f"The input of {skill}")
    if not isinstance(params, Mapping):
        raise invalid_input(
            f"{skill} takes its parameters by name, as a dict such as {{'vx': 0.2}}; this is a {type(params).__name__}."
        )
    return dict(params)


def shortened(text: str) -> str:
    """Returns the part of a text that an error shows."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def refusal_of(failure: CallError, method: str) -> RcwRuntimeError:
    """Returns the error of a call that the runtime's side rejected without a reply of its own."""
    match failure.reason:
        case "unsupported":
            return RcwRuntimeError("METHOD_NOT_FOUND", f"The runtime in the room has no method {method}.", unsent("input"))
        case "too_large":
            return RcwRuntimeError("PAYLOAD_TOO_LARGE", f"{method}: the payload or its reply is larger than one call carries.")
        case "fault":
            return RcwRuntimeError("INTERNAL", f"{method}: the runtime has a fault of its own.")
        case _:
            return RcwRuntimeError("NOT_READY", f"{method}: the runtime is not in the room.")
