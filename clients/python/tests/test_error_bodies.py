"""7.2 rule 1 with unexpected bodies: each becomes one readable error."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest

from platform_robot_sdk._api_error import api_error_from

FIELDS = ["code", "message", "error", "detail", "details", "request_id", "hint", "loc", "msg", "error_description", "other"]


def any_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(9 if depth < 3 else 6)
    if kind == 6:
        return [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind > 6:
        return {chance.choice(FIELDS): any_value(chance, depth + 1) for _ in range(chance.randrange(5))}
    return chance.choice([None, True, 0, -1.5, "", "  ", "text", "x" * 1_000, "\ud800", "http.401"])


@pytest.mark.parametrize("seed", range(4))
def test_7_2_rule_1_any_body_becomes_an_error_that_reads(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(1_000):
        status_code = chance.choice([400, 401, 404, 418, 429, 500, 599, 999])
        body = any_value(chance)
        error = api_error_from(status_code, body, request_id="r1", retry_after_s=2.5)
        assert error.code, body
        assert 0 < len(error.message) <= 301, body
        assert str(error) == f"{error.code}: {error.message}"
        assert (str(error) == "http.401: unauthorized") or status_code != 401
        assert error.request_id, body
        assert vars(pickle.loads(pickle.dumps(error))) == vars(error)
