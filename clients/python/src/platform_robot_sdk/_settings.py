"""The settings of a client: arguments first, then the environment, then defaults."""

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

# A header accepts only visible ASCII. Quotation marks come from settings files that a shell did not read.
_KEY = re.compile(r"(?![\"'])[\x21-\x7e]+")
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, read and checked. Printing them does not show the key, and they cannot be pickled."""

    rcs_url: str
    api_key: str = field(repr=False)
    timeout_s: float
    """Longest wait for one HTTP answer, seconds."""
    max_retries: int
    viewer_url: str | None
    """Base of room-key links; None: the service's own."""

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client holds an API key and cannot be pickled. Create one where it is needed.")


def read_settings(
    *,
    rcs_url: str | None = None,
    api_key: str | None = None,
    timeout: float | None = None,
    max_retries: int | None = None,
    viewer_url: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Reads the settings: arguments first, then the environment, then defaults.

    Raises PlatformSDKError when the API key is missing or a setting is invalid. The sentence names the setting, never its
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
    """Returns the address without trailing slashes. Raises PlatformSDKError when it is not an http or https address."""
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
    """Writes the library's log to stderr, unless the program handles it already. It contains no headers and no bodies."""
    logger.setLevel(logging.DEBUG)
    if all(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        logger.addHandler(handler)


D = TypeVar("D", str, None)


def _first(given: str | None, environment: str | None, default: D) -> str | D:
    if given is not None:
        return given
    # Many launchers set an empty variable to mean "not set".
    return environment if environment and environment.strip() else default


def _api_key(text: str) -> str:
    key = text.strip()
    if not key:
        raise PlatformSDKError("There is no API key. Pass api_key, or set PLATFORM_API_KEY.")
    # httpx would repeat the key in its error.
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
