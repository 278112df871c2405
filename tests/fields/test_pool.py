"""The columns of a pool: numbers for repeated values, texts in a file, records in the order of their ids."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
from records import canonical, many, processed

from autoresearch.errors import InputError
from autoresearch.fields import spilled
from autoresearch.fields.near import jaccard, near_pairs, trigrams
from autoresearch.fields.pool import Digested, PoolWriter, native_forms
from autoresearch.fields.spilled import SpilledTexts
from autoresearch.fields.split import Plan, divide_records


@pytest.mark.parametrize("gap", [0, 1, 1 << 12])
def test_spilled_texts_come_back_by_number_and_by_slice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gap: int
) -> None:
    monkeypatch.setattr(spilled, "GAP_BYTES", gap)
    given = ["炉号", "", "a\n\x1f", "", "号" * 500, "z"]
    texts = SpilledTexts(tmp_path)
    for text in given:
        texts.append(text)
    chosen = texts.chosen(np.array([0, 1, 3, 4, 5]))
    expected = [given[0], given[1], given[3], given[4], given[5]]
    assert chosen[0:5] == [chosen[index] for index in range(5)] == expected
    assert chosen[2:4] == expected[2:4]
    assert len(chosen) == 5
    assert list(tmp_path.iterdir()) == []  # the file has no name
    del texts, chosen
    gc.collect()


def test_digested_numbers_count_by_first_appearance() -> None:
    column = Digested()
    assert column.rows().tolist() == []
    for text in ("b", "a", "b", "c", "a", ""):
        column.append(text)
    assert column.rows().tolist() == [0, 1, 0, 2, 1, 3]


def test_a_pool_is_sorted_by_id_and_keeps_the_place_in_the_file() -> None:
    records = many(50)
    writer = PoolWriter()
    for number, record in enumerate(records):
        writer.add(record, number)
    pool = writer.pool()
    assert pool.ids.to_list() == sorted(record["id"] for record in records)
    for row, place in enumerate(pool.record.tolist()):
        record = records[place]
        assert pool.ids[row] == record["id"]
        assert pool.categories[pool.category[row]] == record["target"]["category_id"]
        assert pool.levels[pool.level[row]] == record["data_level"]
        assert pool.strata[pool.stratum[row]][3:] == (record["classification"]["level_4"], record["data_level"])
        assert pool.texts[int(pool.form[row])] == "\x1f".join(native_forms(record))


def test_near_pairs_of_long_and_short_texts_equal_brute_force() -> None:
    """Keys of one, two and three tokens, and texts that meet at the border between these."""
    texts = [
        chr(0x4E00 + index % 40) * 2 + "".join(chr(0x5000 + (index * 7 + k) % 900) for k in range(length))
        for index, length in enumerate([*range(0, 8), *range(100, 140, 3), *range(250, 320, 9), 900, 2000])
    ]
    texts += [text + "尾" for text in texts] + [text[:-3] for text in texts if len(text) > 12]
    texts = list(dict.fromkeys(texts))
    sets = [trigrams(text) for text in texts]
    for threshold in (0.6, 0.9):
        expected = [
            [one, other]
            for one in range(len(texts))
            for other in range(one + 1, len(texts))
            if jaccard(sets[one], sets[other]) >= threshold
        ]
        assert len(expected) > 30
        assert near_pairs(texts, threshold).tolist() == expected


def test_an_id_on_two_records_is_refused() -> None:
    records = [*many(30), canonical(processed("TWICE", level_4="订单"), "订单")]
    records.append(records[-1])
    with pytest.raises(InputError, match="F041.*stands on 2 records"):
        divide_records("steel", records, Plan())
