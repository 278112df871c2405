"""The join of near-duplicates finds the same pairs in many parts as in one."""

from __future__ import annotations

import random

import pytest

from autoresearch.fields import near

WORDS = "转炉 炼钢 取样 钢水 含量 实测 温度 班次 库存 订单 成分 重量".split()  # noqa: SIM905 - a list of words


def texts(count: int) -> list[str]:
    """Different texts, every third a near copy of the one before."""
    draw = random.Random(5)
    made: list[str] = []
    for number in range(count):
        if number % 3 == 2:
            made.append(made[-1] + str(number % 7))
        else:
            made.append("".join(draw.choices(WORDS, k=14)) + f"_{number}")
    return made


@pytest.mark.parametrize("keys_at_once", [1_000, 40])
def test_parts_change_nothing(monkeypatch: pytest.MonkeyPatch, keys_at_once: int) -> None:
    given = texts(150)
    whole = near.near_pairs(given, 0.85).tolist()
    monkeypatch.setattr(near, "KEYS_AT_ONCE", keys_at_once)
    parts = near.near_pairs(given, 0.85).tolist()
    assert len(whole) >= 40
    assert parts == sorted(whole) == whole
    assert len(set(map(tuple, parts))) == len(parts)
