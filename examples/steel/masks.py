"""Write docs/masks.md: the releases of the small example, two tiny models, and `autoresearch sft masks` over them.

`python masks.py [--out FILE]`. Everything is built anew in a temporary folder; equal sources give equal bytes.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from autoresearch.cli.quickstart.data_steps import DataPaths, read_fields, resolve_and_split
from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.files import atomic_write_text, sha256_file, write_json
from autoresearch.releases import mixture, pairs_export, three_message, trajectory_export
from autoresearch.releases.inputs import ExportInputs
from autoresearch.releases.mask_page import MaskOptions, collect_shown, write_page
from autoresearch.releases.release import Release
from autoresearch.training import tiny

SMALL = Path(__file__).resolve().parent / "small"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "masks.md"
PRESETS: tuple[tiny.Preset, ...] = ("mini", "mini-vl")
HOW = (
    "Written by `make masks`: it exports the small steel example (`examples/steel/small`) as every family of release, "
    "thoughts by the mock source where thinking is on, builds the tiny tokenizer that splits at words as Qwen's does "
    "and a model folder of each class, and runs `autoresearch sft masks` over them. A test writes the page again and "
    "compares the bytes. The same command shows the rows of your own release with your own checkpoint: "
    "`autoresearch sft masks --release RELEASE --model CHECKPOINT [--row SOURCE_ID] --out masks.md`."
)


def export_all(root: Path) -> list[Path]:
    """The releases that the page shows, below `root`, in the order of the page."""
    paths = DataPaths(SMALL, root, "steel")
    read_fields(paths)
    resolve_and_split(paths, QuickstartSettings(), "group")
    inputs = ExportInputs(
        canonical=paths.canonical,
        registry=paths.registry,
        corpus=paths.corpus,
        task_config=SMALL / "config" / "steel.task.json",
        grading_config=paths.grading,
        dataset="steel",
    )
    names = ("trajectory-off", "trajectory-on", "three-message", "pairs", "cascade")
    off, on, three, pairs, cascade = (paths.release(name) for name in names)
    for folder, thinking in ((off, False), (on, True)):
        options = trajectory_export.TrajectoryOptions(enable_thinking=thinking)
        trajectory_export.assemble(inputs, folder, options)
    three_message.export(inputs, three)
    pairs_export.export(inputs, pairs, enable_thinking=False)
    grading = {"path": str(paths.grading), "sha256": sha256_file(paths.grading)}
    write_json(root / "manifest.json", {"datasets": {"steel": grading}})
    mixture.build("rl-cascade", mixture.MixtureInputs("steel", pairs, root / "manifest.json"), cascade)
    return [off, on, three, pairs, cascade]


def build_models(release: Path, root: Path) -> list[Path]:
    """A model folder of each class, with one tokenizer made from the texts of a release."""
    texts = [message["content"] for row in Release(release).records("train") for message in row["messages"]]
    texts += [f"{text}\n\n{text}" for text in ("a", "b", "c")]  # a blank line is one token, as in the real vocabulary
    folders = []
    for preset in PRESETS:
        folder = root / preset
        tiny.build_tokenizer(texts, folder, style="qwen", vocab_size=2048)
        folders.append(tiny.build_model(folder, preset, seed=1))
    return folders


def page() -> str:
    """The whole page."""
    with tempfile.TemporaryDirectory() as scratch:
        releases = export_all(Path(scratch))
        models = build_models(releases[0], Path(scratch))
        options = MaskOptions()
        return write_page(collect_shown(releases, models, options), models, options, HOW)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE)
    given = parser.parse_args()
    atomic_write_text(given.out, page())
    print(given.out)


if __name__ == "__main__":
    main()
