"""``sft masks``: one row of each class of a release, as the trainer sees it, on a page for people (training.md 4.3).

A row of an SFT family is encoded by the function that training uses; its trained tokens are marked. A row of an RL
family holds a prompt only: nothing of it is trained, and the page shows where the rollout begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json
from autoresearch.releases.columns import read_row_groups
from autoresearch.releases.episode_rows import STAGE1
from autoresearch.releases.marked_rows import TRAINED, WEIGHTED, MarkedTurn, marked_turns
from autoresearch.releases.release import Release
from autoresearch.releases.tokenizers import load_tokenizer, template_sha256, tokenizer_sha256

RL_FAMILIES = ("rl-pairs", "rl-cascade")
IMAGE_TEXT_TYPES = ("qwen3_5", "qwen3_5_moe")
BACKTICKS = re.compile("`+")
SHORTEST_REFERENCE = 200
"""Characters; a turn without trained tokens that is longer and was shown before is named, not printed again."""


@dataclass(frozen=True)
class MaskOptions:
    """What is shown. ``row`` is a source id, or None for the first row of each class of ``split``."""

    split: str = "train"
    row: str | None = None
    answer_weight: float = 8
    only_answer: bool = False


@dataclass(frozen=True)
class Shown:
    """One conversation of the page."""

    number: int
    title: str
    row: str
    """Split, position and source id."""
    ids: tuple[int, ...]
    weights: tuple[float, ...]
    turns: tuple[MarkedTurn, ...]
    weight: float
    """The answer weight that the row was encoded with."""
    note: str

    @property
    def tokens(self) -> int:
        """Tokens of the row."""
        return len(self.ids)

    @property
    def trained(self) -> int:
        """Tokens in the loss."""
        return sum(turn.trained for turn in self.turns)

    @property
    def weighted(self) -> int:
        """Tokens of the two values of the answer."""
        return sum(turn.weighted for turn in self.turns)

    def share(self, weight: float) -> str:
        """What part of the loss the answer's values are, at an answer weight."""
        if not self.weighted:
            return "–"
        rest = self.trained - self.weighted
        return f"{100 * self.weighted * weight / (self.weighted * weight + rest):.1f} %"


def collect_shown(releases: Sequence[Path], models: Sequence[Path], options: MaskOptions) -> list[Shown]:
    """Encode one row of each class of each release with each model's tokenizer and template.

    Raises ``InputError`` for a folder that is no release, a model without tokenizer or template, a row that is not
    there, and whatever the row itself is refused for (T0xx); ``RefusedError`` for a release whose bytes changed.
    """
    opened = []
    for folder in releases:
        release = Release(folder)
        changed = release.verify()
        if changed:
            raise RefusedError(f"{folder} is not as it was published: {changed[0].message()}", changed)
        opened.append((release, list(chosen_rows(release, options))))
    shown: list[Shown] = []
    for model in models:
        kind = model_class(model)
        for release, rows in opened:
            for position, name, row in rows:
                thinking = "on" if release.header.enable_thinking else "off"
                title = f"{release.family}, {name}, thinking {thinking}, {kind}"
                place = f"{options.split}, row {position}, source {source_of(row)}"
                shown.append(_show(len(shown) + 1, title, place, row, release, model, options))
    return shown


def model_class(model: Path) -> str:
    """``text-only class (qwen3_5_text)`` or ``image-text class (qwen3_5)``, from the root ``model_type``."""
    config = model / "config.json"
    if not config.is_file():
        raise InputError(f"{model} has no config.json; give the folder of a checkpoint")
    kind = str(read_json(config).get("model_type", "unknown"))
    return f"{'image-text' if kind in IMAGE_TEXT_TYPES else 'text-only'} class ({kind})"


def chosen_rows(release: Release, options: MaskOptions) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Position, class and row: the first of each class of the split, or those of one source."""
    classes: set[str] = set()
    position = 0
    for group in read_row_groups(release.parquet(options.split)):
        for row in group:
            name = class_of(row, release.family)
            if (options.row is None or source_of(row) == options.row) and name not in classes:
                classes.add(name)
                yield position, name, row
            position += 1
    if not classes:
        wanted = f"no row of source {options.row}" if options.row else "no row"
        raise InputError(f"{release.path}: the split {options.split} has {wanted}")


def class_of(row: Mapping[str, Any], family: str) -> str:
    """What kind of row it is: class of a trajectory, stage of anything else."""
    if family == "trajectory":
        return str(row["trajectory_class"])
    return str((row.get("extra_info") or row)["stage"])


def source_of(row: Mapping[str, Any]) -> str:
    """The source id of a row of any family."""
    return str((row.get("extra_info") or row)["source_id"])


def _show(
    number: int, title: str, place: str, row: Mapping[str, Any], release: Release, model: Path, options: MaskOptions
) -> Shown:
    from autoresearch.task import conversation

    tokenizer = load_tokenizer(model)
    if release.family in RL_FAMILIES:
        text, note = _prompt(tokenizer, row, release)
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        weights: Sequence[float] = [0] * len(ids)
        weight = 1.0
    else:
        decoded = conversation.decode_row(row, place)
        note, weight = "", options.answer_weight
        try:
            encoded = conversation.encode(tokenizer, decoded, weight, options.only_answer)
        except InputError as error:
            if weight == 1 or [item.code for item in error.findings] != ["T025"]:
                raise
            note = (
                f"The last turn holds no pair of answer and level, so `--answer-weight {weight:g}` refuses this row "
                "(T025); it is shown with weight 1."
            )
            weight = 1.0
            encoded = conversation.encode(tokenizer, decoded, weight, options.only_answer)
        text, ids, weights = encoded.text, encoded.input_ids, encoded.loss_mask
    turns = marked_turns(tokenizer, text, weights)
    return Shown(number, title, place, tuple(ids), tuple(weights), tuple(turns), weight, note)


def _prompt(tokenizer: Any, row: Mapping[str, Any], release: Release) -> tuple[str, str]:
    from autoresearch.task.conversation import prompt_text
    from autoresearch.task.tools import tool_schemas

    extra = row["extra_info"]
    native = extra["stage"] == STAGE1 and extra["trajectory_format"] is not None
    tools = tool_schemas() if native else None
    text = prompt_text(tokenizer, row["prompt"], tools, release.header.enable_thinking)
    truth = f"category `{row['reward_model']['ground_truth']}`, level `{extra['ground_truth_level']}`"
    return text, (
        "A row of an RL family is a prompt: no token of it is trained, and the text ends where the rollout begins. "
        "In a rollout the loop gives mask 1 to what the model writes and 0 to tool results. The reward compares the "
        f"answer with {truth}."
    )


def write_page(shown: Sequence[Shown], models: Sequence[Path], options: MaskOptions, how: str) -> str:
    """The page as Markdown. ``how``: one paragraph that says what made it."""
    opening, closing = TRAINED
    lines = [
        "# Which tokens are trained",
        "",
        how,
        "",
        f"`{opening}…{closing}` stands around trained text: the model writes it, and its tokens are in the loss. "
        f"`{WEIGHTED[0]}…{WEIGHTED[1]}` inside it stands around the two values of the answer, whose tokens weigh "
        f"{options.answer_weight:g} here (`--answer-weight {options.answer_weight:g}`); every other trained token "
        "weighs 1. All else has mask 0: the system block with the tool schemas, user turns, tool results, the opening "
        "of each assistant turn (`<|im_start|>assistant` and the think block that inference gives it), and the newline "
        "after `<|im_end|>`. Marks and counts are made from the ids and the mask that the trainer gets. The loss of a "
        "row is the weighted mean of its tokens, so the last two columns say what part of it the answer's values are.",
        "",
        f"| # | conversation | tokens | trained | answer's values | share at weight 1 | at {options.answer_weight:g} |",
        "| ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {item.number} | {item.title} | {item.tokens} | {item.trained} | {item.weighted or '–'} | {item.share(1)} | "
        f"{item.share(options.answer_weight)} |"
        for item in shown
    ]
    lines += ["", "| model class | tokenizer.json | chat template |", "| --- | --- | --- |"]
    lines += [
        f"| {model_class(model)} | sha256 {tokenizer_sha256(model)[:12]} | sha256 {template_sha256(model)[:12]} |"
        for model in models
    ]
    printed: dict[str, str] = {}
    encoded: dict[tuple[tuple[int, ...], tuple[float, ...]], int] = {}
    for item in shown:
        lines += _section(item, printed, encoded)
    return "\n".join(lines) + "\n"


def _section(
    item: Shown, printed: dict[str, str], encoded: dict[tuple[tuple[int, ...], tuple[float, ...]], int]
) -> list[str]:
    lines = ["", f"## {item.number}. {item.title}", "", f"{item.row}. {item.tokens} tokens, {item.trained} trained."]
    same = encoded.setdefault((item.ids, item.weights), item.number)
    if same != item.number:
        text = f"Ids and weights are those of conversation {same}, token by token; only the trained turns are shown."
        lines += ["", text]
    if item.note:
        lines += ["", item.note]
    for place, turn in enumerate(item.turns, start=1):
        if same != item.number and not turn.trained:
            continue
        lines += ["", f"**{place} {turn.role}**: {_counts(turn)}"]
        before = printed.get(turn.text)
        if before is not None and not turn.trained and len(turn.text) > SHORTEST_REFERENCE:
            lines += ["", f"The same text as {before}."]
            continue
        printed.setdefault(turn.text, f"turn {place} of conversation {item.number}")
        fence = "`" * max(3, 1 + max(map(len, BACKTICKS.findall(turn.text)), default=0))
        lines += ["", f"{fence}text", turn.marked.removesuffix("\n"), fence]
    return lines


def _counts(turn: MarkedTurn) -> str:
    text = f"{turn.tokens} tokens, {turn.trained or 'none'} trained"
    if turn.weighted:
        text += f", {turn.weighted} of them values of the answer"
    return text + (f", weights add up to {turn.weight:g}" if turn.trained else "")
