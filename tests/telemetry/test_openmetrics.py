"""The exposition is judged by prometheus-client's strict parser, and reads back to the same samples."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from autoresearch.telemetry import openmetrics
from autoresearch.telemetry.openmetrics import Family, Point, label_set, lines, number_text, read_exposition, stamp_text


def exposition(*families: Family) -> str:
    """The text of an exposition."""
    return "".join(lines(families))


def host_family(points: list[Point]) -> Family:
    """A family whose name ends in its unit."""
    return Family("autoresearch_machine_host_memory_used_bytes", "Used.", points)


def test_the_strict_parser_reads_back_every_sample_with_its_time() -> None:
    labels = label_set({"source": 'a "quoted" \\ source\nline', "server": "local"})
    points = [Point(labels, 1_795_000_000_000 + k * 1001, 1024.5 + k) for k in range(5)]
    families = list(text_string_to_metric_families(exposition(host_family(points))))
    assert [family.name for family in families] == ["autoresearch_machine_host_memory_used_bytes"]
    assert families[0].unit == "bytes"
    samples = families[0].samples
    assert [sample.value for sample in samples] == [1024.5 + k for k in range(5)]
    assert [f"{float(sample.timestamp):.3f}" for sample in samples] == [stamp_text(p.epoch_ms or 0) for p in points]
    assert samples[0].labels == {"server": "local", "source": 'a "quoted" \\ source\nline'}


def test_samples_are_sorted_by_labels_then_time_whatever_their_order() -> None:
    one, two = label_set({"server": "a"}), label_set({"server": "b"})
    points = [Point(two, 2000, 1), Point(one, 3000, 2), Point(two, 1000, 3), Point(one, 1000, 4)]
    text = exposition(host_family(points))
    assert text == exposition(host_family(points[::-1]))
    assert [line.split(" ")[1] for line in text.splitlines() if not line.startswith("#")] == ["4", "2", "3", "1"]


def test_a_family_without_samples_writes_nothing() -> None:
    assert exposition(host_family([])) == "# EOF\n"


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_time_stamps_never_lose_a_millisecond(epoch_ms: int) -> None:
    whole, _, decimals = stamp_text(epoch_ms).partition(".")
    assert int(whole + decimals) == epoch_ms


@given(st.floats(allow_nan=False))
def test_numbers_read_back_to_the_same_float(value: float) -> None:
    assert float(number_text(value)) == value


@given(st.lists(st.tuples(st.text(), st.integers(0, 2**45), st.floats(allow_nan=False)), max_size=20))
def test_what_is_written_is_read_back(rows: list[tuple[str, int, float]]) -> None:
    points = [Point(label_set({"source": source.replace("\r", "")}), stamp, value) for source, stamp, value in rows]
    found = read_exposition(exposition(host_family(points)))
    assert sorted(found.get(host_family([]).name, [])) == sorted(points)


@pytest.mark.parametrize("text", ["a{} 1\n", "a{b=1} 1 1.000\n# EOF\n", "# EOF\nlate{} 1\n", "a{} 1 1.0\n# EOF\n"])
def test_a_damaged_exposition_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"line|EOF"):
        read_exposition(text)


def test_the_writer_counts_samples_not_comments() -> None:
    handle = io.StringIO()
    assert openmetrics.write_exposition(handle, [host_family([Point((), 1000, 1), Point((), 2000, 2)])]) == 2
