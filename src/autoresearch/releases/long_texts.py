"""Arrow arrays of texts of which many begin alike: a catalogue of 20 kB in every row is encoded and decoded once.

Values and bytes are those of ``pyarrow.array`` and ``to_pylist``; only the time differs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

LONG = 2_048
"""Shorter texts are not worth a comparison."""
HEAD = 48
"""Long texts that begin with equally many characters (bytes, when reading) are taken to share more."""
MOST_BEGINNINGS = 8
MOST_KNOWN = 64
"""Short texts of which the bytes are kept: the system texts are among the first."""
MOST_BYTES = (1 << 31) - 1


def text_array(texts: Sequence[str | None]) -> pa.Array:
    """``pyarrow.array(texts, string())``."""
    if not any(text is not None and len(text) >= LONG for text in texts):
        return pa.array(texts, type=pa.string())
    shared: dict[str, tuple[str, bytes]] = {}
    known: dict[str, bytes] = {}
    parts: list[bytes] = []
    ends = [0]
    end = 0
    for text in texts:
        if text is None:
            ends.append(end)
            continue
        if len(text) < LONG:
            part = known.get(text)
            if part is None:
                part = text.encode("utf-8")
                if len(known) < MOST_KNOWN:
                    known[text] = part
        else:
            beginning, encoded = _beginning(shared, text)
            parts.append(encoded)
            end += len(encoded)
            part = text[len(beginning) :].encode("utf-8")
        parts.append(part)
        end += len(part)
        ends.append(end)
    if end > MOST_BYTES:
        return pa.array(texts, type=pa.string())
    validity, nulls = None, texts.count(None)
    if nulls:
        bits = np.array([text is not None for text in texts])
        validity = pa.py_buffer(np.packbits(bits, bitorder="little").tobytes())
    offsets = pa.py_buffer(np.array(ends, dtype=np.int32))
    return pa.StringArray.from_buffers(len(texts), offsets, pa.py_buffer(b"".join(parts)), validity, nulls)


def _beginning(shared: dict[str, tuple[str, bytes]], text: str) -> tuple[str, bytes]:
    """What ``text`` shares with an earlier long text, and the bytes of that; the first of its kind shares itself."""
    head = text[:HEAD]
    known = shared.get(head)
    if known is None:
        known = ("", b"")
        if len(shared) < MOST_BEGINNINGS:
            shared[head] = (text, text.encode("utf-8"))
            return shared[head]
        return known
    if text.startswith(known[0]):
        return known
    common = text[: common_length(known[0], text)]
    if len(common) < LONG // 2:
        return "", b""
    shared[head] = (common, common.encode("utf-8"))
    return shared[head]


def common_length(one: str | bytes, other: str | bytes) -> int:
    """Length of the longest common beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def text_list(array: pa.StringArray) -> list[str | None]:
    """``array.to_pylist()``; texts with a long common beginning are joined from its decoded form."""
    buffers = array.buffers()
    if not len(array) or buffers[2] is None:
        return list(array.to_pylist())
    ends = np.frombuffer(buffers[1], dtype=np.int32)[array.offset : array.offset + len(array) + 1]
    if int(np.diff(ends).max()) < LONG:
        return list(array.to_pylist())
    begin = int(ends[0])
    data = buffers[2].slice(begin, int(ends[-1]) - begin).to_pybytes()
    places: list[int] = (ends - begin).tolist()
    shared: dict[bytes, tuple[bytes, str]] = {}
    known: dict[bytes, str] = {}
    texts: list[str | None] = []
    start = places[0]
    for end in places[1:]:
        if end - start < LONG:
            part = data[start:end]
            text = known.get(part)
            if text is None:
                text = part.decode("utf-8")
                if len(known) < MOST_KNOWN:
                    known[part] = text
            texts.append(text)
        else:
            encoded, beginning = _beginning_of(shared, data, start, end)
            rest = data[start + len(encoded) : end]
            texts.append(beginning + rest.decode("utf-8") if rest else beginning)
        start = end
    if array.null_count:
        valid = array.is_valid().to_pylist()
        texts = [text if there else None for text, there in zip(texts, valid, strict=True)]
    return texts


def _beginning_of(shared: dict[bytes, tuple[bytes, str]], data: bytes, start: int, end: int) -> tuple[bytes, str]:
    head = data[start : start + HEAD]
    known = shared.get(head)
    if known is None:
        if len(shared) >= MOST_BEGINNINGS:
            return b"", ""
        whole = data[start:end]
        shared[head] = (whole, whole.decode("utf-8"))
        return shared[head]
    if data.startswith(known[0], start, end):
        return known
    length = common_length(known[0], data[start:end])
    while length and known[0][length : length + 1] and known[0][length] & 0xC0 == 0x80:
        length -= 1  # not inside a character
    if length < LONG // 2:
        return b"", ""
    common = known[0][:length]
    shared[head] = (common, common.decode("utf-8"))
    return shared[head]
