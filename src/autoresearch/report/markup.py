"""Pieces of the page: bilingual texts and numbers as markup. Everything that is not a number of the data is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import require
from autoresearch.evidence.report_data import NOTHING, ReportData, shown
from autoresearch.evidence.verify_page import value_attribute
from autoresearch.files import read_json

if TYPE_CHECKING:
    from markupsafe import Markup

LANGUAGES = ("zh", "en")
TEXTS: Mapping[str, Mapping[str, str]] = {
    **read_json(Path(__file__).with_name("texts.json")),
    **read_json(Path(__file__).with_name("case_texts.json")),
}
HOLE = re.compile(r"\{(\w+)\}")
# Direction marks, zero-width characters and controls would change how a reader sees the text around them.
HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Text of a model or a log with hidden and direction-changing characters written as ``⟨U+…⟩``."""
    return HIDDEN.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


class Words:
    """Makes markup from the data of one page. ``number(id)`` and ``text(key, …)`` are what the template calls."""

    def __init__(self, data: ReportData) -> None:
        self.data = data
        self._made: dict[str, dict[str, str]] = {}
        self.markup: Any = require("markupsafe", "report").Markup
        self.escape: Any = require("markupsafe", "report").escape

    def number(self, name: str) -> Markup:
        """A number as ``<data>``; a dash when the page's data have no such number."""
        found = self.data.numbers.get(name)
        if found is None:
            return self._markup(NOTHING)
        value, text = value_attribute(found.value), shown(found.value, found.unit)
        return self._markup(f'<data data-id="{self.escape(name)}" value="{value}">{self.escape(text)}</data>')

    def text(self, key: str, **holes: object) -> Markup:
        """A text in both languages. A hole that names a number of the data becomes that number; markup stays; others
        are escaped."""
        filled = {each: self._filled(TEXTS[key][each], holes, each) for each in LANGUAGES}
        made = self._markup("".join(f'<span class="{each}" lang="{each}">{filled[each]}</span>' for each in LANGUAGES))
        self._made[str(made)] = filled
        return made

    def plain(self, key: str, language: str) -> str:
        """A text in one language, for attributes and the title."""
        return TEXTS[key][language]

    def word(self, value: bool | str | None) -> Markup:
        """A yes/no or status word in both languages; an unknown word stands as it is."""
        key = value if isinstance(value, str) else "unknown" if value is None else "yes" if value else "no"
        return self.text(key) if key in TEXTS else self._markup(self.escape(visible(str(value))))

    def _filled(self, text: str, holes: Mapping[str, object], language: str) -> str:
        def fill(match: re.Match[str]) -> str:
            value = holes[match[1]]
            if isinstance(value, self.markup):
                own = self._made.get(str(value))  # a text inside a text: its half in the same language
                return str(value) if own is None else own[language]
            if isinstance(value, str) and value in self.data.numbers:
                return str(self.number(value))
            if isinstance(value, str) and value.startswith("text:"):
                return str(self.escape(TEXTS[value.removeprefix("text:")][language]))
            return str(self.escape(visible(str(value))))

        # The text itself is ours; only what goes into its holes comes from elsewhere.
        return HOLE.sub(fill, str(self.escape(text)))

    def _markup(self, text: object) -> Markup:
        made: Markup = self.markup(text)
        return made
