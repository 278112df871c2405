"""Which finding a mutation must bring, by its path; and which mutations cannot matter, each with the reason.

A rule is ``kinds, path, codes``: the kinds of release it is for, a regular expression over the whole path, and the
codes of which at least one must be found at the mutated place. The first rule that fits counts.
"""

from __future__ import annotations

import re
from functools import lru_cache

TRAJECTORIES = "mock file off"
THREE = "three mixture"
EPISODES = "pairs cascade"
MIXTURES = "mixture cascade"
ALL = "mock file off three mixture pairs cascade"

RULES: tuple[tuple[str, str, str], ...] = (
    # rows of trajectories
    (TRAJECTORIES, r"row/messages:other", "R028 R042 R055"),
    (TRAJECTORIES, r"row/messages(/\w+)?:.*", "R020 R021 R042"),
    (TRAJECTORIES, r"row/messages/\w+/role:.*", "R021 R042"),
    (TRAJECTORIES, r"row/messages/\w+/content:null", "R022"),
    (TRAJECTORIES, r"row/messages/(system|user)/content.*", "R028"),
    (TRAJECTORIES, r"row/messages/call/content.*", "R043"),
    (TRAJECTORIES, r"row/messages/tool/content.*", "R049"),
    (TRAJECTORIES, r"row/messages/terminal/content.*", "R054 R055"),
    ("off", r"row/messages/(call|terminal)/reasoning_content:.*", "R056"),
    ("mock file", r"row/messages/(call|terminal)/reasoning_content:null", "R056"),
    ("mock file", r"row/messages/(call|terminal)/reasoning_content:blank", "R058"),
    ("mock", r"row/messages/(call|terminal)/reasoning_content:.*", "R059 R062"),
    (TRAJECTORIES, r"row/messages/\w+/reasoning_content:.*", "R042"),
    (TRAJECTORIES, r"row/messages/call/tool_calls:null", "R042"),
    (TRAJECTORIES, r"row/messages/call/tool_calls.*", "R044 R045"),
    (TRAJECTORIES, r"row/messages/\w+/tool_calls.*", "R042"),
    (TRAJECTORIES, r"row/messages/tool/name:null", "R042"),
    (TRAJECTORIES, r"row/messages/tool/name:.*", "R045"),
    (TRAJECTORIES, r"row/messages/\w+/name:.*", "R042"),
    (TRAJECTORIES, r"row/tools.*", "R060"),
    (TRAJECTORIES, r"row/enable_thinking:.*", "R014"),
    (TRAJECTORIES, r"row/(stage|trajectory_format|dataset):.*", "R040"),
    (TRAJECTORIES, r"row/trajectory_class:(append|cut|blank|null)", "R041"),
    (TRAJECTORIES, r"row/trajectory_class:other", "R042"),
    (TRAJECTORIES, r"row/ground_truth:(append|cut|blank|null)", "R025 R055"),
    (TRAJECTORIES, r"row/ground_truth:other", "R055"),
    (TRAJECTORIES, r"row/ground_truth_level:(append|cut|blank|null)", "R026"),
    (TRAJECTORIES, r"row/ground_truth_level:other", "R055"),
    (TRAJECTORIES, r"row/tool_calls(/.*)?:.*", "R020 R045"),
    (TRAJECTORIES, r"row/search_(rank|margin):.*", "R064"),
    (TRAJECTORIES, r"row/think_source:.*", "R061"),
    (TRAJECTORIES, r"row/think_truncated.*:.*", "R020 R062"),
    # rows of three messages and of their mixture
    (THREE, r"row/messages:other", "R028 R033 R034"),
    (THREE, r"row/messages(/\w+)?:.*", "R021"),
    (THREE, r"row/messages/\w+/role:.*", "R021"),
    (THREE, r"row/messages/\w+/content:null", "R022"),
    (THREE, r"row/messages/(system|user)/content.*", "R028"),
    (THREE, r"row/messages/terminal/content.*", "R033 R034"),
    (THREE, r"row/stage:(append|cut|blank|null)", "R030"),
    (THREE, r"row/stage:other", "R013 R035"),
    (THREE, r"row/ground_truth:cut", "R025 R031 R034 R036"),
    (THREE, r"row/ground_truth:(append|blank|null)", "R025"),
    (THREE, r"row/ground_truth:other", "R031 R034 R036"),
    (THREE, r"row/ground_truth_level:(append|cut|blank|null)", "R026"),
    (THREE, r"row/ground_truth_level:other", "R034 R036"),
    (THREE, r"row/candidates(/.*)?:.*", "R031 R032"),
    (THREE, r"row/mixture_provenance(/.*)?:.*", "R038 R093"),
    # rows of pairs and of the cascade
    (EPISODES, r"row/data_source:.*", "R071"),
    (EPISODES, r"row/prompt:null", "R020"),
    (EPISODES, r"row/prompt:other", "R028 R076"),
    (EPISODES, r"row/prompt(/\w+)?:.*", "R021"),
    (EPISODES, r"row/prompt/\w+/role:.*", "R021"),
    (EPISODES, r"row/prompt/\w+/content:null", "R022"),
    (EPISODES, r"row/prompt/\w+/content.*", "R028 R076"),
    (EPISODES, r"row/ability:.*", "R079"),
    (EPISODES, r"row/(reward_model|extra_info):null", "R020"),
    (EPISODES, r"row/reward_model/style:.*", "R072"),
    ("pairs", r"row/reward_model/ground_truth:cut", "R025 R077 R078"),
    ("cascade", r"row/reward_model/ground_truth:cut", "R025 R094"),
    (EPISODES, r"row/reward_model/ground_truth:(append|blank|null)", "R025"),
    ("pairs", r"row/reward_model/ground_truth:other", "R077 R078"),
    ("cascade", r"row/reward_model/ground_truth:other", "R094"),
    (EPISODES, r"row/extra_info/dataset:.*", "R073"),
    (EPISODES, r"row/extra_info/stage:.*", "R071 R073 R092"),
    (EPISODES, r"row/extra_info/ground_truth_level:(append|cut|blank|null)", "R026"),
    ("pairs", r"row/extra_info/ground_truth_level:other", "R078"),
    ("cascade", r"row/extra_info/ground_truth_level:other", "R094"),
    (EPISODES, r"row/extra_info/trajectory_format:.*", "R074"),
    (EPISODES, r"row/extra_info/candidates(/.*)?:.*", "R077"),
    # what the rows of all families hold
    (ALL, r"row/(extra_info/)?source_id:(blank|null)", "R024"),
    (MIXTURES, r"row/(extra_info/)?source_id:(append|cut)", "R093"),
    ("three", r"row/source_id:(append|cut)", "R035"),
    ("pairs", r"row/extra_info/source_id:(append|cut)", "R078"),
    (ALL, r"row/(extra_info/)?source_id:other", "R013"),
    (ALL, r"row/(extra_info/)?metadata(/\w+)?:null", "R027"),
    (EPISODES, r"row/extra_info/metadata/\w+:.*", "R028 R076 R077"),
    (ALL, r"row/metadata/\w+:.*", "R028"),
    ("cascade", r"shown/.*", "R094"),
    ("mixture", r"shown/.*", "R036"),
    ("three", r"shown/.*", "R036"),
    ("pairs", r"shown/.*", "R078"),
    (TRAJECTORIES, r"shown/.*", "R048"),
    (TRAJECTORIES, r"call/.*", "R047 R048 R050"),
    (TRAJECTORIES, r"label/truth:.*", "R053 R064 R098"),
    ("three", r"label/(truth|level):.*", "R031 R032 R036"),
    ("pairs", r"label/(truth|level):.*", "R078"),
    ("cascade", r"label/(truth|level):.*", "R094"),
    ("mixture", r"label/(truth|level):.*", "R031 R036"),
    # rows as a whole
    ("three mixture", r"rows:drop", "R035"),
    ("pairs", r"rows:drop", "R078"),
    ("cascade", r"rows:drop", "R093"),
    (TRAJECTORIES, r"rows:drop", "R098"),
    (ALL, r"rows:twice", "R013"),
    (ALL, r"rows:swap", "R099"),
    (ALL, r"rows:copied", "R012"),
    (MIXTURES, r"source:(drop|moved)", "R093"),
    ("three pairs", r"source:drop", "R098"),
    (TRAJECTORIES, r"source:(drop|moved)", "R098"),
    (ALL, r"rows:none", "R007"),
    (EPISODES, r"column:.*", "R070"),
    (ALL, r"column:.*", "R007"),
    (ALL, r"split:exchanged", "R004"),
    # headers
    (ALL, r"header-one/enable_thinking:flip", "R014"),
    (ALL, r"header-one/.*", "R004"),
    (ALL, r"header/\w+:null", "R004 R005 R015"),
    (ALL, r"header/format:.*", "R015"),
    (ALL, r"header/family:other", "R003"),
    (ALL, r"header/(family|class_policy|candidate_policy):(append|blank|cut)", "R004"),
    ("three", r"header/dataset:.*", "R005"),
    (TRAJECTORIES, r"header/dataset:.*", "R040"),
    (EPISODES, r"header/dataset:.*", "R071 R073"),
    ("mixture", r"header/dataset:.*", "R093"),
    (ALL, r"header/(prompt_version|trajectory_format):.*", "R015"),
    (TRAJECTORIES, r"header/enable_thinking:.*", "R014"),
    (EPISODES, r"header/enable_thinking:.*", "R028"),
    (THREE, r"header/enable_thinking:.*", "R037"),
    (TRAJECTORIES, r"header/class_policy:.*", "R053"),
    (THREE, r"header/candidate_policy:other", "R032"),
    ("pairs", r"header/candidate_policy:other", "R077"),
    (ALL, r"header/(class_policy|candidate_policy|max_think_tokens):.*", "R004"),
    (ALL, r"header/\w+:.*", "R005"),
    # assets
    (MIXTURES, r"asset/grading-manifest\.json.*", "R090"),
    (ALL, r"asset(-sealed)?/.*", "R005"),
    # the report
    (ALL, r"report/(format|family):(append|cut|blank)", "R003 R015"),
    (ALL, r"report/family:.*", "R003"),
    (ALL, r"report/header.*", "R004 R009"),
    (ALL, r"report/release/files/.*", "R006 R009"),
    (ALL, r"report/release.*", "R006 R009"),
    (ALL, r"report/inputs.*", "R005 R009 R090 R094"),
    (MIXTURES, r"report/(records|ledger|splits).*", "R008 R009 R094"),
    (ALL, r"report/(records|ledger|splits).*", "R008 R009"),
    (ALL, r"report/grading(/.*)?:.*", "R004 R009"),
    (ALL, r"report/label_gap_gate.*", "R009 R011"),
    (ALL, r"report/(candidate_report|class_report).*", "R009 R098"),
    (TRAJECTORIES, r"report/think/(max_tokens|tool_max_tokens):.*", "R004 R009"),
    (TRAJECTORIES, r"report/think/source:.*", "R009 R061"),
    (TRAJECTORIES, r"report/think/truncated_\w+:.*", "R009 R062"),
    (TRAJECTORIES, r"report/think/discarded:.*", "R008 R009"),
    (TRAJECTORIES, r"report/think/\w+:.*", "R009 R098"),
    (TRAJECTORIES, r"report/think:.*", "R009 R061 R062"),
    (ALL, r"report/skipped_sources(/.*)?:.*", "R008 R009"),
    (MIXTURES, r"report/sampling(/.*)?:.*", "R009 R091 R098"),
    (MIXTURES, r"report/grading_manifest(/.*)?:.*", "R009 R090"),
    (MIXTURES, r"report/sources:.*", "R009 R100"),
    (MIXTURES, r"report/sources/.*", "R009 R094 R095 R100"),
    (ALL, r"report/.*", "R009"),
)

EXCLUDED: tuple[tuple[str, str, str], ...] = (
    ("file", r"row/messages/(call|terminal)/reasoning_content:(append|cut|other)", "a filled thought has no witness"),
    (TRAJECTORIES, r"row/source_id:(append|cut)", "an id that keeps its place is another name of the same record"),
    (TRAJECTORIES, r"row/messages/call/tool_calls/json/0(/function)?:keys-turned", "decoded by name, never shown"),
    (TRAJECTORIES, r"label/level:.*", "a level changed wherever it stands is another label: only the records know"),
    ("three pairs", r"source:moved", "where a record belongs is known to the records and, in mixtures, to the source"),
    (ALL, r"report/versions/\w+:(append|cut|blank)", "the versions of the exporter have no witness"),
    (ALL, r"report/validation/(checks_run|findings|splits/\w+/findings).*", "what an older validator noted"),
    (ALL, r"report/inputs/\d+/name:(append|cut)", "a file name outside has no witness"),
    (ALL, r"report/inputs:reverse", "inputs are found by role"),
    ("mock file off three pairs", r"report/inputs/0/bytes:(plus|minus|far)", "the size of the records has no witness"),
    ("file", r"report/inputs/[123]/bytes:(plus|minus|far)", "the size of a shard has no witness"),
    ("mock file off three pairs", r"report/records/not_resolved:(plus|far)", "records without target leave no row"),
    ("mock file off three pairs", r"report/splits/\w+/tables(_seen_in_train)?:(plus|minus)", "rows show no databases"),
    ("mock file off three pairs", r"report/skipped_sources/\w+/\d+:(append|cut)", "a skipped source leaves no row"),
    ("file", r"report/think/(reused|unused)_thoughts:plus", "only the shards know"),
    ("file", r"report/think/unused_thoughts:far", "as above"),
    (ALL, r"asset(-sealed)?/.*:null-of-empty", "absent and null are alike (3.0.3)"),
    (ALL, r"asset(-sealed)?/corpus\.json/categories:reverse", "a corpus is read by id (3.0.5)"),
    (MIXTURES, r"asset/grading-manifest\.json/datasets/\w+/path:.*", "points to where it came from"),
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[list[tuple[frozenset[str], re.Pattern[str], frozenset[str]]], ...]:
    def build(table: tuple[tuple[str, str, str], ...]) -> list[tuple[frozenset[str], re.Pattern[str], frozenset[str]]]:
        return [
            (frozenset(kinds.split()), re.compile(path, re.DOTALL), frozenset(value.split()))
            for kinds, path, value in table
        ]

    return build(RULES), build(EXCLUDED)


def codes_of(kind: str, path: str) -> frozenset[str]:
    """The codes of which one must be found. Raises ``LookupError`` when no rule speaks of the path."""
    for kinds, pattern, codes in _compiled()[0]:
        if kind in kinds and pattern.fullmatch(path):
            return codes
    raise LookupError(f"no rule for {path} of {kind}")


def cannot_matter(kind: str, path: str) -> bool:
    """Whether a mutation is left out, by one of the reasons above."""
    return any(kind in kinds and pattern.fullmatch(path) for kinds, pattern, _ in _compiled()[1])
