"""The settings of a client: arguments over environment over defaults."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

import httpx

from ._network import is_reachable
from .errors import PlatformSDKError

DEFAULT_RCS_URL = "http://localhost:8080/rcs"
DEFAULT_VIEWER_URL = "http://localhost:8080"
DEFAULT_TIMEOUT_S = 30.0
DEFAULT_MAX_RETRIES = 2

logger = logging.getLogger("platform_robot_sdk")
logger.addHandler(logging.NullHandler())

# A header takes visible ASCII only; quotation marks come from files that are no shell's.
_KEY = re.compile(r"(?![\"'])[\x21-\x7e]+")
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Settings:
    """Read and checked. Printing it shows no key, and it cannot be pickled."""

    rcs_url: str
    api_key: str = field(repr=False)
    timeout_s: float
    """Longest wait for one HTTP answer, seconds."""
    max_retries: int
    viewer_url: str | None
    """Base of room-key links; None: as the service reports."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client holds an API key and is not pickled. Make one where it is needed.")


def read_settings(
    *,
    rcs_url: str | None = None,
    api_key: str | None = None,
    timeout: float | None = None,
    max_retries: int | None = None,
    viewer_url: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Arguments over environment over defaults.

    Raises PlatformSDKError when there is no API key, or a setting cannot be read; the sentence names the setting, never its
    value.
    """
    env = os.environ if environment is None else environment
    if env.get("PLATFORM_ROBOT_SDK_DEBUG") == "1":
        show_debug_lines()
    viewer = _first(viewer_url, env.get("PLATFORM_ROBOT_VIEWER_URL"), None)
    return Settings(
        rcs_url=http_url(_first(rcs_url, env.get("PLATFORM_RCS_URL"), DEFAULT_RCS_URL), "PLATFORM_RCS_URL (rcs_url)"),
        api_key=_api_key(_first(api_key, env.get("PLATFORM_API_KEY"), "")),
        timeout_s=_number(
            timeout, env.get("PLATFORM_ROBOT_SDK_TIMEOUT"), DEFAULT_TIMEOUT_S, 0.001, "PLATFORM_ROBOT_SDK_TIMEOUT (timeout)"
        ),
        max_retries=math.trunc(
            _number(
                max_retries,
                env.get("PLATFORM_ROBOT_SDK_MAX_RETRIES"),
                DEFAULT_MAX_RETRIES,
                0,
                "PLATFORM_ROBOT_SDK_MAX_RETRIES (max_retries)",
            )
        ),
        viewer_url=http_url(viewer, "PLATFORM_ROBOT_VIEWER_URL (viewer_url)") if viewer is not None else None,
    )


def http_url(address: str, name: str) -> str:
    """The address without slashes at its end. Raises PlatformSDKError when it is not one of http or https."""
    trimmed = address.strip().rstrip("/")
    problem = f"{name} is not an address of the form http://host:port/path. Correct it."
    if not _ADDRESS.fullmatch(trimmed):
        raise PlatformSDKError(problem)
    try:
        if is_reachable(httpx.URL(trimmed)):
            return trimmed
    except (httpx.InvalidURL, UnicodeError):
        pass
    raise PlatformSDKError(problem)


def show_debug_lines() -> None:
    """Writes the library's events to stderr, unless the program handles them already. They hold neither headers nor bodies."""
    logger.setLevel(logging.DEBUG)
    if all(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        logger.addHandler(handler)


D = TypeVar("D", str, None)


def _first(given: str | None, environment: str | None, default: D) -> str | D:
    if given is not None:
        return given
    # An empty variable is how many launchers write "not set".
    return environment if environment and environment.strip() else default


def _api_key(text: str) -> str:
    key = text.strip()
    if not key:
        raise PlatformSDKError("There is no API key. Pass api_key, or set PLATFORM_API_KEY.")
    # httpx would repeat the key in its complaint about it.
    if not _KEY.fullmatch(key):
        raise PlatformSDKError(
            "PLATFORM_API_KEY (api_key) holds characters that a key never has, such as a space or a quotation mark. Copy the "
            "key again."
        )
    return key


def _number(given: float | None, environment: str | None, default: float, least: float, name: str) -> float:
    if given is None and not (environment and environment.strip()):
        return default
    problem = f"{name} is not a number of at least {least:g}."
    try:
        value = float(environment or "") if given is None else float(given)
    except (TypeError, ValueError):
        raise PlatformSDKError(problem) from None
    if not math.isfinite(value) or value < least:
        raise PlatformSDKError(problem)
    return value
