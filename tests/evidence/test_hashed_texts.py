"""``dump_policy: hash``: no text of a sample is left in a bundle, and every number is as before."""

from __future__ import annotations

import json
from pathlib import Path

from case_world import CaseWorld, RowPlan, case_name, listen, seal_plainly

from autoresearch.cases.judge import judge
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.hashed_texts import hash_dump, hash_echoes, mark
from autoresearch.evidence.verify import verify

SECRET = "客户身份证号 of table t_customer"
LOG = (
    b"(TaskRunnerV1 pid=77) [prompt] "
    + f"<user>{SECRET}\nmore {SECRET} and enough of it to hold the whole mark, which is seventy characters\n".encode()
    + b"(TaskRunnerV1 pid=77) [response] short\n"
    + b"(TaskRunnerV1 pid=77) [score] 1.0\n"
    + b"(TaskRunnerV1 pid=77) step:1 - actor/grad_norm:0.5\n"
)


def test_texts_of_a_dump_become_marks_and_scores_stay(tmp_path: Path) -> None:
    path = tmp_path / "1.jsonl"
    record = {"uid": "u_0", "input": SECRET, "output": "a", "gts": "1", "score": 0.9, "step": 1, "extra": [SECRET]}
    path.write_text(json.dumps(record) + "\n" + json.dumps(record)[:30])
    hash_dump(path)
    whole, cut = (json.loads(line) for line in path.read_text().splitlines())
    assert whole["input"] == mark(SECRET) == whole["extra"][0]
    assert (whole["uid"], whole["score"], whole["step"]) == ("u_0", 0.9, 1)
    assert whole["gts"].endswith(" length:1")
    assert list(cut) == ["cut"]
    before = path.read_bytes()
    hash_dump(path)
    assert path.read_bytes() == before, "a second time changes nothing"


def test_echoed_samples_go_and_every_other_byte_stays_in_its_place() -> None:
    found = hash_echoes(LOG)
    assert len(found) == len(LOG)
    assert found.count(b"\n") == LOG.count(b"\n")
    assert "客户".encode() not in found
    assert b"short" not in found
    assert b"[response] *****\n" in found
    assert found.index(b"step:1") == LOG.index(b"step:1")
    assert b"[score] 1.0" in found
    assert hash_echoes(found) == found


def test_a_bundle_under_the_policy_holds_no_text_and_verifies(tmp_path: Path, artifacts: Path) -> None:
    plan = RowPlan(case_name(1))
    numbers = []
    for policy in ("keep", "hash"):
        world = CaseWorld(tmp_path / policy, [plan], run_id=policy, accelerator="cpu", case={"dump_policy": policy})
        started, brought = world.row_events(plan, judge)
        files = brought.files  # type: ignore[union-attr]
        rollout = files.folder / "rollouts" / "1.jsonl"
        rollout.write_text(rollout.read_text().replace('"input": "q"', f'"input": "{SECRET}"'))
        (files.folder / "transcripts").mkdir()
        (files.folder / "transcripts" / "1.jsonl").write_text(json.dumps({"text": SECRET}))
        log = files.logs / "trainer.log"
        log.write_bytes(log.read_bytes() + b"[prompt] " + SECRET.encode() + b"\n")
        events = [world.opened(), *world.locks(), started, brought, world.ended()]
        sealed = seal_plainly(listen(artifacts, events))
        assert verify(sealed.path).ok
        bundle = Bundle(sealed.path)
        holds = [path for path in sealed.path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
        assert bool(holds) == (policy == "keep")
        line = read_lines(bundle.path("matrix"))[0]
        numbers.append((line["status"], line["completed_training_steps"], line["throughput"]))
    assert numbers[0] == numbers[1]
