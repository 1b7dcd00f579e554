"""Finds the room key in a pasted text."""

from __future__ import annotations

import base64
import binascii
import json
import re
import string
from collections.abc import Iterator

from ..errors import PlatformSDKError

_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_SOFT_BREAK = re.compile(r"=\r?\n[ \t>]*")
# A line break inside a link, also in a mail that quotes it. Links are only broken at the end of a long line.
_BREAK = re.compile(r"(\S{40})[ \t]*\r?\n[ \t>]*")
# A character as a redirect (encoded once or more), JSON and quoted-printable mail write it.
_ENCODED = re.compile(r"(?:%(?:25)*|\\u00|=)([2-7][0-9A-Fa-f])")
# Tokens of the platform are signed with HMAC-SHA256, whose base64url has 43 characters.
_WHOLE = r"(?<![\w-])k\d+~[\w-]+~[\w-]+\.[\w-]+\.[\w-]{43}"
_EXACT = re.compile(_WHOLE + r"(?=k\d+~|[^\w-]|$)", re.ASCII)
_IN_FORM = re.compile(_WHOLE, re.ASCII)
_PROOFPOINT_2 = re.compile(r"/v2/url\?u=([^&\s]+)")
_RUN_COUNTS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_URL_FIELDS = ("livekit_url", "livekitUrl", "server_url", "serverUrl", "sfu_url", "sfuUrl", "lk_url", "url")
_TOKEN_FIELDS = ("participant_token", "participantToken", "lk_token", "token")
_DEEPEST = 5


def find_room_key(text: str) -> str:
    """Finds the room key in a pasted text: a link, mail, Markdown, settings, JSON, or a mail scanner's redirect around the
    link.

    Returns the key alone, unchecked: `k1~…`.

    Raises:
        PlatformSDKError: the text contains no complete key, or two different keys. The error repeats no part of the text.
    """
    text = _INVISIBLE.sub("", text).strip()
    strings: list[str] = []
    parts: list[str] = []
    try:
        _collect(json.loads(text), _DEEPEST, strings, parts)
    except (ValueError, RecursionError):
        strings = [text]
    keys = _whole("\n\n".join(strings)) or list(dict.fromkeys(parts))
    if not keys:
        raise PlatformSDKError(
            'This text holds no complete room key. Pass the key that starts with "k1~", or the link with it.'
        )
    if len(keys) > 1:
        raise PlatformSDKError("This text holds two different room keys. Pass only the one that you want.")
    return keys[0]


def _whole(text: str) -> list[str]:
    """Returns the different keys in the text itself, else in the first decoded form that contains any."""
    keys = list(dict.fromkeys(_EXACT.findall(text)))
    if keys:
        return keys
    for form in _forms(text):
        # If line breaks are removed, other text may follow the key directly.
        keys = list(dict.fromkeys((_EXACT if form == text else _IN_FORM).findall(form)))
        if keys:
            return keys
    return []


def _forms(text: str) -> Iterator[str]:
    joined = _BREAK.sub(r"\1", _SOFT_BREAK.sub("", text))
    yield joined
    yield _decode(joined)
    second = [address.replace("_", "/").replace("-", "%") for address in _PROOFPOINT_2.findall(joined)]
    third = [_proofpoint_3(part) for part in joined.split("/v3/__")[1:]]
    yield _decode("\n".join([*second, *third]))


def _decode(text: str) -> str:
    return _ENCODED.sub(lambda match: chr(int(match[1], 16)), text)


def _proofpoint_3(part: str) -> str:
    """Decodes a link of Proofpoint URL Defense, version 3: asterisks stand for the characters listed behind the address."""
    address, _, rest = part.partition("__;")
    encoded = re.match(r"[\w-]*", rest, re.ASCII)
    try:
        left = iter(base64.urlsafe_b64decode((encoded[0] if encoded else "") + "==").decode("latin-1"))
    except binascii.Error:
        return address

    def behind(match: re.Match[str]) -> str:
        count = 1 if match[1] is None else _RUN_COUNTS.find(match[1]) + 2
        return "".join(next(left, "") for _ in range(count))

    return re.sub(r"\*(?:\*(.))?", behind, address)


def _collect(value: object, depth: int, strings: list[str], parts: list[str]) -> None:
    """Collects all texts in JSON, and the keys that its objects contain in parts."""
    if isinstance(value, str):
        strings.append(value)
    if depth == 0 or not isinstance(value, dict | list):
        return
    for inner in value.values() if isinstance(value, dict) else value:
        _collect(inner, depth - 1, strings, parts)
    if not isinstance(value, dict):
        return
    address, token = (
        next((value[name] for name in names if isinstance(value.get(name), str) and value[name]), None)
        for names in (_URL_FIELDS, _TOKEN_FIELDS)
    )
    if address is not None and token is not None:
        parts.append(f"k1~{base64.urlsafe_b64encode(address.encode()).decode().rstrip('=')}~{token}")
