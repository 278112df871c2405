"""The flags of ``run verl-case``: all of the table are there, and each does what the table says (formal-case.md 20.3).

``--resume``, ``--collect-only``, ``--seal``, ``--rerun``, ``--allow-git-push``, ``--reuse-container``, ``--server`` and
``--data-config`` have tests where what they do is tested.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_calls import CaseFile, called

from autoresearch.cli.main import run
from autoresearch.cli.verl_case.options import CaseOptions, load_config

TABLE = """
--config --data-config --server --workdir --cache-root --artifact-root --run-id --timeout --pushgateway-url
--prometheus-url --local-proxy-url --remote-proxy-port --allow-git-push --skip-readiness --reuse-container --resume
--collect-only --seal --rerun --verify-assets --offline --dry-run --open --lang
"""
FLAGS = TABLE.split()


def test_every_flag_of_the_table_is_in_the_help_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "verl-case", "--help"]) == 0
    shown = {word.strip(",") for word in capsys.readouterr().out.split() if word.startswith("--")}
    assert sorted(flag for flag in FLAGS if flag not in shown) == []
    assert sorted(f"--{each.name.replace('_', '-')}" for each in fields(CaseOptions)) == sorted(FLAGS)


VALUES: list[tuple[str, Any, tuple[str, ...]]] = [
    ("cache_root", "/c", ("verl_case", "cache_root")),
    ("artifact_root", "/a", ("verl_case", "artifact_root")),
    ("timeout", 61, ("verl_case", "row_timeout_seconds")),
    ("reuse_container", "mine", ("verl_case", "reuse_container")),
    ("pushgateway_url", "http://127.0.0.1:19091", ("services", "pushgateway", "url")),
    ("prometheus_url", "http://127.0.0.1:19090", ("services", "prometheus", "url")),
    ("local_proxy_url", "", ("network", "proxy_url")),
    ("local_proxy_url", "http://u:p@127.0.0.1:1", ("network", "proxy_url")),
    ("remote_proxy_port", 17899, ("network", "remote_proxy_port")),
    ("workdir", "/w", ("servers", "0", "workdir")),
]


@pytest.mark.parametrize(("name", "value", "place"), VALUES, ids=[f"{name} {value}" for name, value, _ in VALUES])
def test_a_flag_takes_the_place_of_the_configs_value_and_of_no_other(
    write_config: CaseFile, name: str, value: Any, place: tuple[str, ...]
) -> None:
    path = write_config()
    before = load_config(CaseOptions(config=path)).model_dump(mode="json")
    options = CaseOptions(config=path, **{name: value})
    after = load_config(options).model_dump(mode="json")
    assert options.overrides() == {name: value}
    assert reach(before, place) != (wanted := value if "@" not in str(value) else "http://127.0.0.1:1")
    assert reach(after, place) == wanted
    reach(before, place[:-1])[place[-1]] = reach(after, place)
    assert after == before


def reach(content: Any, place: tuple[str, ...]) -> Any:
    """What stands at a place of the config."""
    for part in place:
        content = content[int(part)] if isinstance(content, list) else content[part]
    return content


def test_a_dry_run_shows_what_the_flags_change_and_fetches_nothing(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--config", str(write_config()), "--dry-run", "--timeout", "61", "--run-id", "named"]
    words += ["--workdir", str(tmp_path / "work"), "--artifact-root", str(tmp_path / "bundles")]
    code, result = called(capsys, *words)
    assert (code, result["run_id"]) == (0, "named"), result.get("message", result)
    row = result["rows"][0]
    assert (row["inner_timeout"], row["outer_timeout"]) == (61, 361)
    assert row["env"]["HF_HOME"].startswith(str(tmp_path / "work")) and not (tmp_path / "bundles").exists()
    registry = (Path(__file__).parents[2] / "config" / "data.example.yaml").read_text()
    (tmp_path / "data.yaml").write_text(registry.replace("~/autoresearch-data", str(tmp_path / "assets")))
    code, result = called(capsys, "--config", str(write_config(task="geo3k-grpo", plan=None)), "--dry-run")
    assert (code, result["findings"][-1]["code"]) == (2, "V105"), result
    assert "nothing is asked" in result["message"] and not (tmp_path / "cache").exists()


@pytest.mark.skipif(find_spec("transformers") is None, reason="transformers is not installed; nothing was run")
def test_a_dependency_that_is_installed_is_recorded_by_its_version_and_record(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = importlib.metadata.distribution("transformers").locate_file("transformers")
    path = write_config(dependencies={"transformers": {"path": str(site)}})
    code, result = called(capsys, "--config", str(path), "--dry-run")
    assert code == 0, result.get("message", result)
    lock = json.loads(Path(result["locks"][1]["path"]).read_text())
    (seen,) = [each for each in lock["repositories"] if each["name"] == "transformers"]
    assert (seen["role"], seen["version"]) == ("recorded", importlib.metadata.version("transformers"))
    assert len(seen["record_sha256"]) == 64 and seen["commit_sha"] is None


def test_the_server_that_is_named_is_taken_and_an_unknown_one_is_refused(
    write_config: CaseFile, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_config()
    content = yaml.safe_load(path.read_text())
    content["servers"].append({**content["servers"][0], "name": "other", "workdir": str(tmp_path / "other")})
    path.write_text(yaml.safe_dump(content))
    code, result = called(capsys, "--config", str(path), "--dry-run", "--server", "other")
    assert code == 0 and str(tmp_path / "other") in result["rows"][0]["env"]["HF_HOME"]
    code, result = called(capsys, "--config", str(path), "--dry-run", "--server", "nobody")
    assert code == 2 and "local, other" in result["message"]


@pytest.mark.parametrize(
    ("flag", "config", "environment", "wanted"),
    [("en", "zh", "zh_CN.UTF-8", "en"), (None, "zh", "en_US.UTF-8", "zh"), (None, None, "zh_CN.UTF-8", "zh")]
    + [(None, None, text, "en") for text in ("de_DE.UTF-8", "C", "")],
)
def test_the_language_is_the_flags_the_configs_that_of_the_locale_or_english(
    write_config: CaseFile, monkeypatch: pytest.MonkeyPatch, flag: Any, config: Any, environment: str, wanted: str
) -> None:
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.result import Result

    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", environment)
    options = CaseOptions(config=write_config(f"lang: {config}\n" if config else ""), lang=flag)
    assert CaseRun(options, load_config(options), Result(), Path("runner")).language == wanted


@pytest.mark.parametrize("debug", [True, False])
def test_a_traceback_is_shown_with_debug_only(debug: bool) -> None:
    words = ["run", "verl-case", "--seal", *(["--debug"] if debug else [])]
    done = subprocess.run([sys.executable, "-m", "autoresearch", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and ("Traceback" in done.stderr) is debug
    assert "--seal needs --collect-only" in json.loads(done.stdout)["message"]
