"""The room key in pasted texts; the TypeScript library reads the same texts."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

import pytest

from platform_robot_sdk import PlatformSDKError
from platform_robot_sdk.experimental import find_room_key

TEXTS = json.loads((Path(__file__).resolve().parents[3] / "tests/protocol/room-key-texts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", TEXTS, ids=[case["what"] for case in TEXTS])
def test_a_key_is_found_in_a_text_as_people_paste_it(case: dict[str, str | None]) -> None:
    text, key = str(case["text"]), case["key"]
    if key is None or key == "several":
        with pytest.raises(PlatformSDKError, match="two different" if key else "no complete room key") as raised:
            find_room_key(text)
        assert "eyJ" not in str(raised.value)
    else:
        assert find_room_key(text) == key


@pytest.mark.parametrize(
    "part", ["a", "k1~", "k1-", "%25", "/v3/__", "/v2/url?u=", "=\n", "[", f"{'a' * 60}\n> ", f"k1~a~b.c.{'d' * 43} ", "*"]
)
def test_the_time_to_look_through_a_text_grows_with_its_length_alone(part: str) -> None:
    def seconds(length: int) -> float:
        text = f"a /v3/__{part * (length // len(part))}__;fg!! b"
        times = []
        for _ in range(3):
            started = time.perf_counter()
            with contextlib.suppress(PlatformSDKError):
                find_room_key(text)
            times.append(time.perf_counter() - started)
        return min(times)

    seconds(1_024)
    # 256 times as long: 65,536 times the cost if it were quadratic.
    assert seconds(262_144) / seconds(1_024) < 8_000
