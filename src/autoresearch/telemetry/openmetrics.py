"""The one writer of expositions: OpenMetrics text, streamed (formal-case.md 10.4). Standard library only; the runner
carries it.

Within a family the samples are sorted by label set, then time. Values are integers or the shortest text that reads
back to the same float; time stamps are seconds with three decimals, made from whole milliseconds, so no digit is lost.
"""

from __future__ import annotations

from typing import Iterable, Iterator, NamedTuple, TextIO  # noqa: UP035 - Python 3.8 on hosts

LABEL_ORDER = ("run_id", "case_id", "attempt", "server", "vendor", "device_id", "chip_id", "uuid", "source")
UNITS = ("bytes", "percent", "seconds", "mib", "watts", "celsius")


class Point(NamedTuple):
    """One sample: labels, UTC milliseconds (None: no time stamp, for latest-value files) and the value."""

    labels: tuple[tuple[str, str], ...]
    epoch_ms: int | None
    value: float


class Family(NamedTuple):
    """One gauge with its help text and points in any order."""

    name: str
    help: str
    points: list[Point]


def label_set(labels: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Labels in the order of the table of 10.4; unknown ones follow by name."""
    known = {name: index for index, name in enumerate(LABEL_ORDER)}
    return tuple(sorted(labels.items(), key=lambda pair: (known.get(pair[0], len(known)), pair[0])))


def number_text(value: float) -> str:
    """An integer where the value is one (up to 2**53), else the shortest float that round-trips."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "+Inf" if value > 0 else "-Inf"
    if float(value).is_integer() and abs(value) <= 2**53:
        return str(int(value))
    return repr(float(value))


def stamp_text(epoch_ms: int) -> str:
    """Seconds with three decimals, from whole milliseconds without passing through a float."""
    sign, rest = ("-", -epoch_ms) if epoch_ms < 0 else ("", epoch_ms)
    return f"{sign}{rest // 1000}.{rest % 1000:03d}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def unit_of(name: str) -> str | None:
    """The unit at the end of a family's name, or None."""
    last = name.rsplit("_", 1)[-1]
    return last if last in UNITS else None


def lines(families: Iterable[Family]) -> Iterator[str]:
    """The text of an exposition in pieces that end with a newline, ``# EOF`` last. A family without points writes
    nothing."""
    for family in families:
        if not family.points:
            continue
        yield head_lines(family.name, family.help)
        for point in sorted(family.points, key=lambda each: (each.labels, each.epoch_ms or 0)):
            stamp = "" if point.epoch_ms is None else " " + stamp_text(point.epoch_ms)
            yield f"{series_text(family.name, point.labels)} {number_text(point.value)}{stamp}\n"
    yield "# EOF\n"


def head_lines(name: str, text: str) -> str:
    """HELP, TYPE and, where the name ends in its unit, UNIT of a gauge, with their newlines."""
    unit = unit_of(name)
    return f"# HELP {name} {_escaped(text)}\n# TYPE {name} gauge\n" + (f"# UNIT {name} {unit}\n" if unit else "")


def series_text(name: str, labels: tuple[tuple[str, str], ...]) -> str:
    """What a sample's line begins with: the name and its labels."""
    inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels)
    return f"{name}{{{inside}}}"


def write_exposition(handle: TextIO, families: Iterable[Family]) -> int:
    """Write an exposition; returns the number of samples written."""
    count = 0
    for line in lines(families):
        handle.write(line)
        count += not line.startswith("#")
    return count


def read_exposition(text: str) -> dict[str, list[Point]]:
    """Read back what ``lines`` writes: family name -> points. Raises ``ValueError`` with the line number on anything
    else.
    """
    found: dict[str, list[Point]] = {}
    ended = False
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        if ended:
            raise ValueError(f"line {number}: text after # EOF")
        if line == "# EOF":
            ended = True
        elif not line.startswith("# "):
            name, point = _read_line(line, number)
            found.setdefault(name, []).append(point)
    if not ended or not text.endswith("\n"):
        raise ValueError("the last line is not # EOF")
    return found


def _read_line(line: str, number: int) -> tuple[str, Point]:
    name, brace, rest = line.partition("{")
    inside, close, tail = rest.rpartition("} ")
    parts = tail.split(" ")
    if not (brace and close and len(parts) in (1, 2)):
        raise ValueError(f"line {number}: not a sample: {line!r}")
    stamp = None
    if len(parts) == 2:
        whole, _, decimals = parts[1].partition(".")
        if not (whole.lstrip("-").isdigit() and decimals.isdigit() and len(decimals) == 3):
            raise ValueError(f"line {number}: not a time stamp: {parts[1]!r}")
        stamp = int(whole + decimals)
    return name, Point(read_labels(inside, number), stamp, float(parts[0]))


def read_labels(text: str, number: int) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        equals = text.find('="', position)
        if equals < 0:
            raise ValueError(f"line {number}: broken labels: {text!r}")
        name, index, value = text[position:equals], equals + 2, ""
        while index < len(text) and text[index] != '"':
            if text[index] == "\\" and index + 1 < len(text):
                value += {"n": "\n"}.get(text[index + 1], text[index + 1])
                index += 2
            else:
                value += text[index]
                index += 1
        found.append((name, value))
        position = index + 2  # the quote and the comma
    return tuple(found)
