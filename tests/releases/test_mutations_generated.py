"""No single change of a release passes its validator: mutations generated from the releases themselves (acceptance 25,
26, 27, 35).

``AUTORESEARCH_ALL_MUTATIONS=1`` tries all of them, ``2/5`` the second fifth of them; else a seeded part of each kind,
with every rule in it.
"""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forged_release import SPLITS, Forgery, restore
from forger_mutations import forger_mutations
from mutation_rules import cannot_matter, codes_of
from mutations import (
    Mutation,
    asset_mutations,
    header_mutations,
    order_mutations,
    report_mutations,
    row_mutations,
    schema_mutations,
)
from raw_mutations import raw_mutations
from release_copies import DATASET, mini_inputs, write_manifest

from autoresearch.files import read_records, write_records
from autoresearch.releases import collect, mixture, pairs_export, three_message, trajectory_export
from autoresearch.releases.release import verify_files
from autoresearch.releases.validate import ValidationOptions, validate
from autoresearch.task.assets import TaskAssets

ASKED = os.environ.get("AUTORESEARCH_ALL_MUTATIONS", "")
ALL = ASKED != ""
PART = 200
KINDS = ("three", "file", "off", "pairs", "mixture", "cascade")
LONG = "这个字段与好几项都很接近" * 8
"""A thought over the cap of a call, so that one turn is cut."""


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release of each kind; one record has no level and one holds its own code, so that both are skipped."""
    root = tmp_path_factory.mktemp("mutated")
    inputs = mini_inputs(canonical=_canonical(root))
    options = trajectory_export.TrajectoryOptions
    collect.collect(inputs, root / "thoughts")
    _fill(root / "thoughts")
    trajectory_export.assemble(inputs, root / "mock", options())
    trajectory_export.assemble(inputs, root / "file", options(think_source=f"file:{root / 'thoughts'}"))
    trajectory_export.assemble(inputs, root / "off", options(enable_thinking=False))
    three_message.export(inputs, root / "three")
    pairs_export.export(inputs, root / "pairs")
    manifest = write_manifest(root / "standards")
    for family, source, name in (("rl-cascade", "pairs", "cascade"), ("sft", "three", "mixture")):
        mixture.build(family, mixture.MixtureInputs(DATASET, root / source, manifest), root / name)
    return root


def _canonical(root: Path) -> Path:
    records = read_records(mini_inputs().canonical)
    twice = [record for record in records if record["split"] == "train" and record["target"]["category_id"] == "B2-1-3"]
    twice[0]["metadata"]["table_description"] = "见（B2-1-3）。"
    next(record for record in records if record["target"]["category_id"] == "B2-1")["data_level"] = ""
    write_records(root / "canonical.json", records)
    return root / "canonical.json"


def _fill(folder: Path) -> None:
    for path in folder.glob("think-*.jsonl"):
        lines = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            sample = json.loads(line)
            sample["think"] = f"第{number}个字段的名称已经说明了用途。"
            sample["tool_think"] = [LONG if number % 2 else "先看目录。" for _ in sample["tool_think"]]
            lines.append(json.dumps(sample, ensure_ascii=False))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def generate(forgery: Forgery) -> Iterator[Mutation]:
    """Every mutation of a release."""
    for split in SPLITS:
        for number in range(len(forgery.rows[split])):
            yield from row_mutations(forgery, split, number)
        yield from order_mutations(forgery, split)
        yield from forger_mutations(forgery, split)
    yield from header_mutations(forgery)
    yield from schema_mutations(forgery)
    yield from report_mutations(forgery)
    yield from asset_mutations(forgery)
    for item in asset_mutations(forgery):
        if "manifest" not in item.path and not item.path.endswith(":gone"):
            yield Mutation(item.path.replace("asset/", "asset-sealed/"), item.apply, given="assets")


def chosen(kind: str, mutations: list[Mutation]) -> list[Mutation]:
    """All, every n-th from the k-th on, or a seeded part that holds one of each path as often as there is room."""
    kept = [item for item in mutations if not cannot_matter(kind, item.path)]
    if ALL:
        first, _, step = ASKED.partition("/")
        return kept[int(first) - 1 :: int(step or 1)]
    draw = random.Random(f"{kind}-7")
    draw.shuffle(kept)
    by_rule: dict[frozenset[str], list[Mutation]] = defaultdict(list)
    for item in kept:
        by_rule[codes_of(kind, item.path)].append(item)
    picked: list[Mutation] = []
    while len(picked) < PART:
        for group in by_rule.values():
            if group and len(picked) < PART:
                picked.append(group.pop())
    return picked


class Judge:
    """Applies mutations to one working copy and says what the validator found."""

    def __init__(self, original: Path, folder: Path) -> None:
        self.original, self.folder = original, folder
        self.forgery = Forgery.read(original)
        self.mixture = "sources" in self.forgery.report
        restore(original, folder)

    def found(self, mutation: Mutation) -> dict[str, list[str]]:
        """Code -> places of the errors found; empty when the validator was fooled."""
        forgery = self.forgery.copy()
        mutation.apply(forgery)
        if mutation.path.startswith("asset-sealed/"):
            self._seal_header(forgery)
        if mutation.path.startswith("report/"):
            forgery.write_report(self.folder)
        else:
            forgery.seal(self.folder)
        report = validate(self.folder, self._options(mutation))
        self._undo(forgery)
        return errors_of(report)

    def _seal_header(self, forgery: Forgery) -> None:
        forgery.write(self.folder)
        try:
            assets = TaskAssets.load(self.folder / "assets")
        except Exception:  # a standard that does not load keeps its old digest
            return
        change = {
            "registry_sha256": assets.registry.digest,
            "corpus_sha256": assets.corpus.digest,
            "task_sha256": assets.task.digest,
            "grading_sha256": None if assets.grading is None else assets.grading.digest,
            "metadata_fields": list(assets.fields),
            "task_name": assets.task.task_name,
            "levels": list(assets.levels),
            "gt_field": None if assets.grading is None else assets.grading.gt_field,
        }
        forgery.put_header(change)

    def _options(self, mutation: Mutation) -> ValidationOptions:
        given: dict[str, Any] = {"require_sources": self.mixture}
        if mutation.given == "dataset":
            given["dataset"] = DATASET
        if mutation.given == "assets":
            inputs = mini_inputs()
            given.update(registry=inputs.registry, corpus=inputs.corpus, task_config=inputs.task_config)
            given.update(grading_config=inputs.grading_config)
        return ValidationOptions(**given)

    def _undo(self, forgery: Forgery) -> None:
        for split in forgery.touched:
            (self.folder / f"{split}.parquet").write_bytes((self.original / f"{split}.parquet").read_bytes())
        for name, data in self.forgery.assets.items():
            (self.folder / "assets" / name).write_bytes(data)
        (self.folder / "export_report.json").write_bytes((self.original / "export_report.json").read_bytes())


def errors_of(report: dict[str, Any]) -> dict[str, list[str]]:
    """Code -> places of every finding that is an error."""
    codes = {item["code"] for item in report["findings"] if item["severity"] == "error"}
    assert report["valid"] == (not codes)
    found: dict[str, list[str]] = defaultdict(list)
    for split in report["splits"].values():
        for item in split["findings"]:
            found[item["code"]].extend(item["places"])
    for text in report["cross_split_errors"]:
        found[text.split(" ", 1)[0]].append(text)
    return {code: found[code] for code in sorted(codes)}


def stands_at(code: str, places: list[str], mutation: Mutation) -> bool:
    """Whether one of the places is that of the mutation: its split, and its row or source; or the block that counts."""
    if mutation.split is None:
        return True
    if code == "R098":
        return any("class_report" in place or "candidate_report" in place for place in places)
    if mutation.row is None and mutation.source_id is None:
        return any(mutation.split in place for place in places)
    here = f"{mutation.split}, row {mutation.row},"
    return any(f"{place},".startswith(here) or str(mutation.source_id) in place for place in places)


@pytest.mark.parametrize("kind", ["mock", *KINDS] if ALL else KINDS)
def test_every_sealed_change_is_refused_by_its_code_at_its_place(kind: str, releases: Path) -> None:
    judge = Judge(releases / kind, releases / f"{kind}-changed")
    mutations = list(generate(judge.forgery))
    tried = chosen(kind, mutations)
    fooled, wrong, misplaced = [], [], []
    for mutation in tried:
        expected = codes_of(kind, mutation.path)
        found = judge.found(mutation)
        right = [places for code, places in found.items() if code in expected]
        if not found:
            fooled.append(mutation.name)
        elif not right:
            wrong.append(f"{mutation.name}: {sorted(found)} not {sorted(expected)}")
        elif not any(code in expected and stands_at(code, places, mutation) for code, places in found.items()):
            misplaced.append(f"{mutation.name}: {right[0][:3]}")
    refused = len(tried) - len(fooled)
    print(
        f"{kind}: {len(mutations)} generated, {len(tried)} tried, {refused} refused, "
        f"{refused - len(wrong)} with the right code, {refused - len(wrong) - len(misplaced)} at the right place"
    )
    assert len(tried) >= 200
    assert fooled == []
    assert wrong == []
    assert misplaced == []


@pytest.mark.parametrize("kind", ["mock", *KINDS] if ALL else KINDS)
def test_every_changed_byte_and_file_is_found_by_its_hash(kind: str, releases: Path) -> None:
    folder, original = releases / f"{kind}-raw", releases / kind
    files = Forgery.read(original).report["release"]["files"]
    mutations = list(raw_mutations(original, kind))
    missed = []
    for mutation in mutations:
        restore(original, folder)
        mutation.apply(folder)
        if mutation.file not in {item.place for item in verify_files(folder, files)}:
            missed.append(f"{mutation.what} {mutation.file}")
    judged = random.Random(kind).sample(mutations, 8)
    for mutation in judged:
        restore(original, folder)
        mutation.apply(folder)
        places = errors_of(validate(folder)).get("R006", [])
        if not any(mutation.file in place for place in places):
            missed.append(f"{mutation.what} {mutation.file}, by the whole validator")
    print(f"{kind}: {len(mutations)} raw changes, {len(mutations) - len(missed)} found, {len(judged)} judged whole")
    assert missed == []
