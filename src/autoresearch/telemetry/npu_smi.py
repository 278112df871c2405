"""The one parser of ``npu-smi`` tables (formal-case.md 10.1). Standard library only, Python 3.8; the runner carries it.

``parse`` takes the text of one call and never raises. It is driven by the header: header cells are compared, after
lower-casing and dropping everything but letters and digits (``%`` becomes ``percent``), with the alias table
``npu_smi_aliases.json``; a value's position is that of its name in the header, never a width. A record has as many
lines as the header above it. What is missing is null with a field error, never zero; device lines that are not
understood are returned by number, never dropped.
"""
# ruff: noqa: B905 - zip(strict=) is newer than Python 3.8

from __future__ import annotations

import re
from typing import NamedTuple

from autoresearch.telemetry.npu_smi_columns import (
    TITLE,
    Cell,
    header_cells,
    integer,
    split_cells,
    word,
)

SYNTHETIC_MARKER = "# ar synthetic"
"""What the fake programs of the tests print; a run that saw it is marked synthetic (formal-case.md 19)."""
TEXT_KEPT = 200

_BORDER = re.compile(r"[-+=|*_ ]+\Z")
_DATE = re.compile(
    r"[A-Za-z: ]{0,20}[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\S*\Z"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2}.{0,12}\Z|[0-9]{1,2}:[0-9]{2}:[0-9]{2}\Z"
)
_NO_DEVICE = re.compile(r"dcmi.*-8020\b|\bdevice_count\s*=\s*0\b", re.IGNORECASE)


class Device(NamedTuple):
    """One chip. Watts, degrees Celsius, percent, MiB, pages; null where the tool gives no number.

    ``ddr`` is the column Memory-Usage, ``hbm`` the column HBM-Usage; ``memory_*`` is the one that counts: HBM where
    the tool shows such a column, else Memory-Usage (310P).
    """

    device_id: int
    chip_id: int
    phy_id: int | None = None
    logic_id: int | None = None
    name: str | None = None
    health: str | None = None
    bus_id: str | None = None
    power_watts: float | None = None
    temperature_celsius: float | None = None
    aicore_percent: float | None = None
    npu_percent: float | None = None
    memory_percent: float | None = None
    ddr_used_mib: float | None = None
    ddr_total_mib: float | None = None
    hbm_used_mib: float | None = None
    hbm_total_mib: float | None = None
    memory_used_mib: float | None = None
    memory_total_mib: float | None = None
    hugepages_used: float | None = None
    hugepages_total: float | None = None


class Process(NamedTuple):
    """A process on a chip; memory in MiB."""

    device_id: int
    chip_id: int
    pid: int
    name: str
    memory_mib: float | None


class FieldError(NamedTuple):
    """A cell without a usable value: line number from 1, where it belongs, which field, and why."""

    line: int
    device_id: int
    chip_id: int
    field: str
    reason: str


class Reading(NamedTuple):
    """What one text held. ``error`` is null as soon as there is a device; ``unparsed`` holds (line number, text)."""

    devices: tuple[Device, ...]
    processes: tuple[Process, ...]
    unparsed: tuple[tuple[int, str], ...]
    field_errors: tuple[FieldError, ...]
    warnings: tuple[tuple[int, str], ...]
    error: str | None
    version: str | None
    synthetic: bool


class _Parser:
    """The state while the lines of one text pass."""

    def __init__(self) -> None:
        self.devices: list[Device] = []
        self.processes: list[Process] = []
        self.unparsed: list[tuple[int, str]] = []
        self.field_errors: list[FieldError] = []
        self.warnings: list[tuple[int, str]] = []
        self.outside: list[tuple[int, str]] = []
        self.version: str | None = None
        self.synthetic = False
        self.layout: list[tuple[Cell, ...]] = []
        self.process_table = False
        self.header_open = False
        self.plain = False
        self.seen_table = False
        self.pending: list[tuple[int, list[str]]] = []

    def line(self, number: int, line: str) -> None:
        text = line.strip()
        if not text:
            return
        first = text[0]
        if first == "#" and SYNTHETIC_MARKER in text:
            self.synthetic = True
            return
        if first in "-+=|*_" and _BORDER.match(text):
            self.flush()
            self.header_open = False
            return
        if text.lstrip("| ")[:1].isalpha() and self._wordy(number, text):
            return
        self.header_open = False
        if not self.layout or self.plain != ("|" not in text):
            if not _DATE.match(text):
                self._outside(number, text)
        elif self.plain:
            self._plain_row(number, text)
        else:
            self._row(number, text)

    def _wordy(self, number: int, text: str) -> bool:
        """Titles, headers and remarks begin with a letter; true when the line was one of them."""
        header = header_cells(text)
        if header is not None:
            if not self.header_open:
                self.flush()
                self.layout = []
            self.layout.append(header)
            self.header_open, self.plain, self.seen_table = True, "|" not in text, True
            self.process_table = any(slot.field == "pid" for cell in self.layout[0] for slot in cell.slots)
            return True
        title = TITLE.search(text)
        if title:
            self.version = title.group(1) or title.group(2)
            return True
        return "no running process" in text.lower() or bool(_DATE.match(text))

    def _outside(self, number: int, text: str) -> None:
        """A line that belongs to no table: counted if it looks like a row or if no table comes at all."""
        if "|" in text:
            self.unparsed.append((number, text[:TEXT_KEPT]))
        else:
            self.outside.append((number, text[:TEXT_KEPT]))

    def _plain_row(self, number: int, text: str) -> None:
        if not _DATE.match(text):
            self._device([(number, [text])])

    def _row(self, number: int, text: str) -> None:
        cells = split_cells(text)
        if self.process_table:
            self._process(number, cells)
            return
        if self.pending and integer(cells[0].partition(" ")[0]) is None:  # wrapped: no identity
            before = self.pending[-1][1]
            if len(cells) == len(before) and "" in cells:
                before[:] = [" ".join(part for part in pair if part) for pair in zip(before, cells)]
                return
        if len(self.pending) == len(self.layout):
            self.flush()
        if len(cells) != len(self.layout[len(self.pending)]):
            self.unparsed.append((number, text[:TEXT_KEPT]))
            return
        self.pending.append((number, cells))

    def flush(self) -> None:
        """End the record that is being collected."""
        if self.pending:
            pending, self.pending = self.pending, []
            if len(pending) == len(self.layout):
                self._device(pending)
            else:
                self._not_understood(pending)

    def _not_understood(self, lines: list[tuple[int, list[str]]]) -> None:
        self.unparsed.extend((number, " | ".join(cells)[:TEXT_KEPT]) for number, cells in lines)

    def _device(self, lines: list[tuple[int, list[str]]]) -> None:
        """Join the lines of one record by the layout's columns; without a whole-number identity it is no device."""
        texts: dict[str, str | None] = {}
        numbers: dict[str, float | None] = {}
        errors: list[tuple[int, str, str]] = []
        for (number, cells), header in zip(lines, self.layout):
            for cell, column in zip(cells, header):
                read = column.read(cell)
                texts.update(read.texts)
                numbers.update(read.numbers)
                if read.errors:
                    errors.extend((number, field, reason) for field, reason in read.errors)
        numbers.pop("process_memory_mib", None)  # a strange header may name it beside a device
        device_id, chip_id = integer(texts.get("device_id")), integer(texts.get("chip_id", "0"))
        if device_id is None or chip_id is None:
            self._not_understood(lines)
            return
        name = word(texts.get("name"))
        if name is not None and name.lower() == "mcu":
            return
        self.field_errors.extend(FieldError(n, device_id, chip_id, field, reason) for n, field, reason in errors)
        kind = "hbm" if "hbm_used_mib" in numbers else "ddr"
        self.devices.append(
            Device(
                device_id,
                chip_id,
                integer(texts.get("phy_id")),
                integer(texts.get("logic_id")),
                name,
                word(texts.get("health")),
                word(texts.get("bus_id")),
                memory_used_mib=numbers.get(kind + "_used_mib"),
                memory_total_mib=numbers.get(kind + "_total_mib"),
                **numbers,
            )
        )

    def _process(self, number: int, cells: list[str]) -> None:
        """A row of the process table: whole numbers only; of another row nothing but its number is kept."""
        texts: dict[str, str | None] = {}
        numbers: dict[str, float | None] = {}
        if len(cells) == len(self.layout[0]):
            for cell, column in zip(cells, self.layout[0]):
                read = column.read(cell)
                texts.update(read.texts)
                numbers.update(read.numbers)
        ids = [integer(texts.get(name)) for name in ("device_id", "pid")]
        chip_id = integer(texts.get("chip_id", "0"))
        if ids[0] is None or ids[1] is None or chip_id is None:
            self.warnings.append((number, "a process row without whole numbers was left out"))
            return
        words = (texts.get("process_name") or "")[:64]
        name = "".join(letter if letter.isprintable() else "?" for letter in words)
        self.processes.append(Process(ids[0], chip_id, ids[1], name, numbers.get("process_memory_mib")))


def parse(text: str) -> Reading:
    """Parse what one call of ``npu-smi`` printed (``info``, ``info watch``, ``info -m``). Never raises."""
    parser = _Parser()
    for number, line in enumerate(text.split("\n"), start=1):
        parser.line(number, line)
    parser.flush()
    error = None
    if not parser.devices:
        if _NO_DEVICE.search(text):
            error = "device_count_zero"
        else:
            error = "no_device" if parser.seen_table else "no_table" if text.strip() else "no_output"
        if not parser.seen_table:
            parser.unparsed = sorted(parser.unparsed + parser.outside)
    return Reading(
        tuple(parser.devices),
        tuple(parser.processes),
        tuple(parser.unparsed),
        tuple(parser.field_errors),
        tuple(parser.warnings),
        error,
        parser.version,
        parser.synthetic,
    )
