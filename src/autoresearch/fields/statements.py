"""Cutting SQL text into statements without understanding it, so that data statements are dropped before anything parses
them.

Only quotes, comments, terminators and the clients' own words (``GO``, ``DELIMITER``, ``COPY … FROM stdin``) are known
here
(data-line.md 4.2). What a statement says is sqlglot's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Dialect = Literal["mysql", "postgres", "tsql"]
BATCH_END = re.compile(r"^[ \t]*GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
ROWS_FOLLOW = re.compile(r"^COPY\s[^;]*\sFROM\s+STDIN\b", re.IGNORECASE | re.MULTILINE)
DATA_WORDS = frozenset(("INSERT", "REPLACE", "COPY", "LOAD", "VALUES", "UPDATE", "DELETE", "MERGE", "BULK"))
_COUNTED = """
ALTER ANALYZE BACKUP BEGIN CALL CHECKPOINT CLOSE COMMENT COMMIT CREATE DBCC DEALLOCATE DECLARE DELIMITER DENY DESCRIBE
DISCARD DO DROP END EXEC EXECUTE EXPLAIN FETCH FLUSH GO GRANT HANDLER IF KILL LOCK NOTIFY OPEN OPTIMIZE PREPARE PRINT
RAISERROR REFRESH REINDEX RELEASE RENAME RESET RESTORE RETURN REVOKE ROLLBACK SAVEPOINT SELECT SET SHOW START THROW
TRUNCATE UNLOCK USE VACUUM WAITFOR WHILE WITH
"""
OTHER_WORDS = frozenset(_COUNTED.split())
"""First words that are counted by their name; any other word may be a value, and is counted as ``OTHER``."""
BODY_WORDS = frozenset(("PROC", "PROCEDURE", "FUNCTION", "TRIGGER", "VIEW", "EVENT", "PACKAGE"))
TSQL_STARTS = frozenset(
    [
        "EXEC",
        "EXECUTE",
        "CREATE",
        "ALTER",
        "DROP",
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "DECLARE",
        "SET",
        "IF",
        "USE",
        "PRINT",
        "GRANT",
        "SELECT",
        "BEGIN",
        "TRUNCATE",
    ]
)
HEAD_WORDS = 8
HEAD_CHARACTERS = 400


@dataclass(frozen=True)
class Statement:
    """One statement: its text without the terminator, the line it begins on (from 1), and its first words in upper
    case.
    """

    text: str
    line: int
    words: tuple[str, ...]

    @property
    def is_data(self) -> bool:
        """Whether it carries rows of a table; such text must never be parsed, stored, logged or shown."""
        return self.words[0] in DATA_WORDS

    @property
    def kind(self) -> str:
        """``CREATE TABLE``, ``ALTER TABLE``, ``INSERT``…: what is counted; never a word that could be a value."""
        first = self.words[0]
        if first not in DATA_WORDS and first not in OTHER_WORDS:
            return "OTHER"
        if first not in ("CREATE", "ALTER", "DROP", "COMMENT"):
            return "EXECUTE" if first == "EXEC" else first
        nouns = (
            "TABLE",
            "DATABASE",
            "SCHEMA",
            "INDEX",
            "SEQUENCE",
            "TYPE",
            "EXTENSION",
            "ON",
            "USER",
            "ROLE",
            *BODY_WORDS,
        )
        noun = next((word for word in self.words[1:] if word in nouns), "")
        return f"{first} {'PROCEDURE' if noun == 'PROC' else noun}".strip()


class _Cutter:
    """Walks over one text from one special place to the next; every ``find`` result is kept until it is passed."""

    def __init__(self, text: str, dialect: Dialect, first_line: int) -> None:
        self.text = text
        self.dialect = dialect
        self.terminator = ";"
        self._next: dict[str, int] = {}
        self._line, self._counted = first_line, 0
        self.marks = ["'", '"', "--", "/*"]
        self.marks += {"mysql": ["`", "#"], "postgres": ["$"], "tsql": ["["]}[dialect]

    def find(self, mark: str, start: int) -> int:
        """Next place of ``mark`` from ``start``, the end of the text if there is none."""
        known = self._next.get(mark, -1)
        if known < start:
            known = self.text.find(mark, start)
            known = len(self.text) if known < 0 else known
            self._next[mark] = known
        return known

    def line_of(self, place: int) -> int:
        """Line number of ``place``; places must be asked for in ascending order."""
        self._line += self.text.count("\n", self._counted, place)
        self._counted = place
        return self._line

    def skip(self, place: int, mark: str) -> int:
        """The place after the quote or comment that ``mark`` opens at ``place``."""
        text = self.text
        if mark in ("--", "#"):
            end = text.find("\n", place)
        elif mark == "/*":
            end = text.find("*/", place + 2)
            return len(text) if end < 0 else end + 2
        elif mark == "$":
            tag_end = text.find("$", place + 1)
            tag = text[place : tag_end + 1]
            if tag_end < 0 or not (tag == "$$" or tag[1:-1].isidentifier()):
                return place + 1
            end = text.find(tag, tag_end + 1)
            return len(text) if end < 0 else end + len(tag)
        else:
            return self._close(place + 1, "]" if mark == "[" else mark)
        return len(text) if end < 0 else end + 1

    def _close(self, place: int, quote: str) -> int:
        """The place after the closing ``quote``; a doubled one opens again and is passed by the next step."""
        text = self.text
        escapes = self.dialect == "mysql" and quote in "'\""
        while True:
            end = text.find(quote, place)
            if end < 0:
                return len(text)
            back = end
            while escapes and back > place and text[back - 1] == "\\":
                back -= 1
            if (end - back) % 2 == 0:
                return end + 1
            place = end + 1


def _head(text: str) -> tuple[str, ...]:
    """The first words, upper-cased, quotes and brackets as blanks."""
    words = text[:HEAD_CHARACTERS].replace("(", " ").replace("[", " ").replace("`", " ").replace('"', " ").split()
    return tuple(word.upper() for word in (word.rstrip(";") for word in words[:HEAD_WORDS]) if word)


def _is_comment(text: str, place: int, dialect: Dialect) -> bool:
    return text.startswith(("--", "/*"), place) or (dialect == "mysql" and text.startswith("#", place))


def _content_start(cutter: _Cutter, place: int) -> int:
    """The first place from ``place`` that is neither white space nor a comment."""
    text = cutter.text
    while place < len(text):
        if text[place].isspace():
            place += 1
        elif _is_comment(text, place, cutter.dialect):
            mark = "#" if text[place] == "#" else text[place : place + 2]
            place = cutter.skip(place, mark)
        elif cutter.dialect == "postgres" and text[place] == "\\":  # a line for psql itself
            place = cutter.skip(place, "--")
        else:
            break
    return place


def _end(cutter: _Cutter, start: int, whole_batch: bool) -> tuple[int, int]:
    """End of the statement that begins at ``start``, and where the next may begin."""
    place, text = start, cutter.text
    if whole_batch:
        return len(text), len(text)
    while True:
        marks = [cutter.terminator, *cutter.marks]
        mark = min(marks, key=lambda item: cutter.find(item, place))
        at = cutter.find(mark, place)
        if cutter.dialect == "tsql":
            next_start = _tsql_start(text, place, at, start)
            if next_start is not None:
                return next_start, next_start
        if at >= len(text):
            return len(text), len(text)
        if mark == cutter.terminator:
            return at, at + len(mark)
        place = max(cutter.skip(at, mark), at + 1)


def _tsql_start(text: str, begin: int, end: int, start: int) -> int | None:
    """T-SQL needs no terminator: a line between ``begin`` and ``end`` that begins with a statement's first word starts
    the next one.
    """
    line = text.find("\n", begin, end)
    while line >= 0:
        stop = text.find("\n", line + 1, end)
        piece = text[line + 1 : end if stop < 0 else stop]
        word = piece.split(None, 1)[0].upper().rstrip(";(") if piece.strip() else ""
        if word in TSQL_STARTS and text.count("(", start, line) <= text.count(")", start, line):
            return line + 1
        line = stop
    return None


def _cut(text: str, dialect: Dialect, first_line: int) -> Iterator[Statement]:
    cutter = _Cutter(text, dialect, first_line)
    place = 0
    while True:
        start = _content_start(cutter, place)
        if start >= len(text):
            return
        words = _head(text[start : start + HEAD_CHARACTERS])
        if dialect == "mysql" and words and words[0] == "DELIMITER":
            place = cutter.skip(start, "--")
            parts = text[start:place].split()
            cutter.terminator = parts[1] if len(parts) > 1 else ";"
            continue
        body = (
            dialect == "tsql"
            and words[:1] in (("CREATE",), ("ALTER",))
            and any(word in BODY_WORDS for word in words[1:4])
        )
        end, place = _end(cutter, start, body)
        if end > start and words:
            yield Statement(text[start:end].rstrip(), cutter.line_of(start), words)
        if words and words[0] == "COPY" and "STDIN" in text[start:end].upper().split():
            stop = text.find("\n\\.", place)
            place = len(text) if stop < 0 else stop + 3


def cut(text: str, dialect: Dialect) -> Iterator[Statement]:
    """The statements of ``text`` in order. T-SQL is cut at ``GO`` lines first."""
    if dialect != "tsql":
        yield from _cut(text, dialect, 1)
        return
    begin = 0
    for match in BATCH_END.finditer(text):
        yield from _cut(text[begin : match.start()], dialect, text.count("\n", 0, begin) + 1)
        begin = match.end()
    yield from _cut(text[begin:], dialect, text.count("\n", 0, begin) + 1)


def guess_dialect(text: str) -> Dialect:
    """``auto``: by what only one dialect writes. MySQL where nothing tells."""
    low = text.lower()
    if ROWS_FOLLOW.search(text) is not None:
        return "postgres"
    if "sp_addextendedproperty" in low or "[dbo]" in low or BATCH_END.search(text) is not None:
        return "tsql"
    if "`" in text or "engine=" in low or "auto_increment" in low or "engine =" in low:
        return "mysql"
    if "comment on " in low or "serial" in low or "$$" in text or "::" in text or "character varying" in low:
        return "postgres"
    return "mysql"
