"""What a table file is, before anything is read from it (data-line.md 4.1 and 4.1.1 rows 5, 6, 9)."""

from __future__ import annotations

import codecs
import zipfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Literal, NoReturn

from autoresearch.errors import InputError
from autoresearch.findings import finding

Kind = Literal["xlsx", "xls", "delimited"]
KINDS: dict[str, Kind] = {".xlsx": "xlsx", ".xlsm": "xlsx", ".xls": "xls", ".csv": "delimited", ".tsv": "delimited"}
LOCK_PREFIXES = ("~$", ".~")
LFS_HEAD = b"version https://git-lfs.github.com/spec/"
ZIP_HEAD = b"PK\x03\x04"
OLE_HEAD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
HEAD_BYTES = 4096
BLOCK_BYTES = 1 << 20
STREAMED = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "gb18030",
    "gbk",
    "gb2312",
    "big5",
    "ascii",
)
"""Encodings (and those of one byte a character) that mean the same whether a file is decoded at once or in parts."""
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def refuse(code: str, path: Path, rule: str, remedy: str, value: str = "", command: str = "preprocess") -> NoReturn:
    """Raise ``InputError`` with one finding about a whole file."""
    found = finding(code, place=path.name, value=value, rule=rule, remedy=remedy)
    raise InputError(f"{command}: {found.message()}.", [found])


def check(path: Path) -> Kind:
    """The kind of table in ``path``; refuses lock files (F002), other types (F001) and files that are not what they say
    (F003).

    Raises ``InputError``, also when there is no such file.
    """
    if path.name.startswith(LOCK_PREFIXES):
        refuse("F002", path, "this is the lock of an open file", "close it or give the file itself")
    if not path.is_file():
        raise InputError(f"preprocess: there is no file {path}")
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        refuse(
            "F001",
            path,
            "a field list is .xlsx, .xlsm, .xls, .csv or .tsv, with a header row",
            "save it as one of these",
            value=path.suffix,
        )
    with path.open("rb") as handle:
        head = handle.read(HEAD_BYTES)
    if not head:
        refuse("F003", path, "the file is empty, zero bytes", "export it again")
    if head.startswith(LFS_HEAD):
        refuse("F003", path, "this is a Git LFS pointer, not the file it stands for", "run git lfs pull")
    if kind == "xlsx":
        _check_workbook(path, head)
    elif kind == "xls" and not head.startswith(OLE_HEAD):
        refuse(
            "F003",
            path,
            f"this is {_what(path, head)}, not an .xls workbook",
            "give it the right ending, or save it again as .xlsx",
        )
    elif kind == "delimited" and head.startswith((ZIP_HEAD, OLE_HEAD)):
        refuse("F003", path, f"this is {_what(path, head)}, not text", "give it the right ending, or export it as CSV")
    return kind


def _check_workbook(path: Path, head: bytes) -> None:
    if not head.startswith(ZIP_HEAD):
        what = _what(path, head)
        remedy = (
            "remove the password in an office program"
            if "encrypted" in what
            else "save it again as .xlsx in an office program"
        )
        refuse("F003", path, f"this is {what}, not an .xlsx workbook", remedy)
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        refuse(
            "F003",
            path,
            "this is the beginning of a workbook whose end is missing (an unfinished copy)",
            "copy or download it again",
        )
    if not any(name.endswith("workbook.xml") for name in names):
        what = "a binary workbook (.xlsb)" if any(name.endswith("workbook.bin") for name in names) else "a ZIP archive"
        refuse("F003", path, f"this is {what}, not an .xlsx workbook", "save it as .xlsx in an office program")


def _what(path: Path, head: bytes) -> str:
    """Names what a file really is, from its first bytes."""
    if head.startswith(OLE_HEAD):
        encrypted = ENCRYPTED_STREAM in path.read_bytes()
        return "an encrypted workbook" if encrypted else "an old binary office file (.xls)"
    if head.startswith(ZIP_HEAD):
        return "a zipped workbook (.xlsx)"
    text = head.lstrip(codecs.BOM_UTF8).lstrip().lower()
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<table", b"<meta")):
        return "an HTML page"
    if text.startswith(b"<?xml"):
        return "an XML file"
    if b"\x00" not in head:
        return "plain text (CSV?)"
    return "a binary file of another kind"


def decode(path: Path, data: bytes, encoding: str | None, command: str = "preprocess") -> tuple[str, str]:
    """Text and encoding of a CSV or SQL file: the one given, else by byte-order mark, else strict UTF-8, else strict
    GB18030.

    Raises ``InputError`` (F005) when none fits. No statistics are used.
    """
    if encoding is not None:
        try:
            text = data.decode(encoding).removeprefix("\ufeff")
            text.encode("utf-8")
            return text, codecs.lookup(encoding).name
        except UnicodeDecodeError as error:
            refuse("F005", path, f"is not {encoding} at byte {error.start}", "give another --encoding", command=command)
        except UnicodeError:  # codecs for host names and escapes: no text, or one that no file can hold
            refuse("F005", path, f"is no text in {encoding}", "give another --encoding", command=command)
        except (LookupError, ValueError) as error:
            raise InputError(
                f"{command}: there is no encoding {encoding!r}; examples are utf-8, gb18030, utf-16, big5"
            ) from error
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return data.decode(name).removeprefix("\ufeff"), name
            except UnicodeDecodeError as error:
                rule = f"begins with the mark of {name} and is not {name} at byte {error.start}"
                refuse("F005", path, rule, "give --encoding", command=command)
    for name in ("utf-8", "gb18030"):
        try:
            return data.decode(name), name
        except UnicodeDecodeError:
            continue
    refuse("F005", path, "is neither UTF-8 nor UTF-16 with a mark nor GB18030", "give --encoding", command=command)


def text_lines(path: Path, encoding: str | None) -> tuple[Iterator[str], str]:
    """The lines of a text file with their ends, and its encoding, both as ``decode`` has them; the file is not held.

    Raises ``InputError`` (F005) as ``decode`` does.
    """
    name = _streamed_encoding(path, encoding)
    if name is None:
        text, used = decode(path, path.read_bytes(), encoding)
        return iter(StringIO(text, newline="")), used
    return _lines(path, name, marked=encoding is not None or _mark(path) is not None), name


def _mark(path: Path) -> str | None:
    with path.open("rb") as handle:
        head = handle.read(4)
    return next((name for mark, name in BYTE_ORDER_MARKS if head.startswith(mark)), None)


def _streamed_encoding(path: Path, encoding: str | None) -> str | None:
    """The encoding to read a file in parts with; None where it must be decoded at once, or cannot be."""
    if encoding is not None:
        try:
            name = codecs.lookup(encoding).name
        except (LookupError, ValueError):
            return None
        candidates = [name] if name in STREAMED or name.startswith(("iso8859", "cp125", "koi8")) else []
    else:
        mark = _mark(path)
        candidates = ["utf-8", "gb18030"] if mark is None else [mark]
    return next((name for name in candidates if _decodes(path, name)), None)


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    try:
        with path.open("rb") as handle:
            while block := handle.read(BLOCK_BYTES):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


def _lines(path: Path, encoding: str, *, marked: bool) -> Iterator[str]:
    with path.open(encoding=encoding, newline="") as handle:
        first = handle.readline()
        if marked:
            first = first.removeprefix("\ufeff")
        if first:
            yield first
        yield from handle
