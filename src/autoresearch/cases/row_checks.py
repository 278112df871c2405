"""The invariants of a row (formal-case.md 5.1), pure: one error refuses it before an hour is lost.

Each finding names the nearest legal value. verl checks some of these late and others never.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from autoresearch.cases.names import LEGAL
from autoresearch.cases.planned import CACHE_BYTES, ENGINES, PLATFORMS, PlannedRow
from autoresearch.cases.shapes import agent_workers, divisors
from autoresearch.errors import RefusedError
from autoresearch.findings import Finding, finding

LEAST_MARGIN = 120
SOCKET_LIMIT = 107
RAY_SOCKET_TAIL = 64
"""What Ray appends to its temporary folder for its longest socket."""
TRAINED_BYTES = 16
"""Bytes a parameter during an update: weights, gradient and two moments in float32."""
SERVED_BYTES = 2
ENGINES_KNOWN = frozenset({*ENGINES.values(), "sglang", "trtllm", ""})


def _nearest(value: int, legal: Iterable[int]) -> int | None:
    """The nearest legal value; of two, the larger."""
    return min(legal, key=lambda each: (abs(each - value), -each), default=None)


def _advice(name: str, value: int | None, otherwise: str) -> str:
    return f"the nearest legal {name} is {value}" if value is not None else otherwise


def _legal_minis(row: PlannedRow, batch: int) -> list[int]:
    n = row.numbers
    return [
        m
        for m in divisors(batch)
        if (m * n.n) % row.dp == 0 and (row.engine.actor_dynamic or (m * n.n // row.dp) % n.u == 0)
    ]


def _groups(row: PlannedRow) -> Iterator[Finding]:
    n = row.numbers
    if n.n < 2:
        rule = "a group of one has no baseline: n >= 2"
        yield finding(
            "V201", place=row.case_id, value=f"n {n.n}", rule=rule, remedy="the nearest legal group_size is 2"
        )
    if n.m < 1 or n.m > n.B or n.B % n.m:
        yield finding(
            "V202",
            place=row.case_id,
            value=f"B {n.B}, m {n.m}",
            rule="1 <= m <= B and B mod m = 0; verl otherwise pads the batch with synthetic samples",
            remedy=_advice(
                "m", _nearest(n.m, _legal_minis(row, n.B)), f"no m fits this B; take B = {_batch_with_mini(row)}"
            ),
        )
    elif (n.m * n.n) % row.dp:
        yield finding(
            "V204",
            place=row.case_id,
            value=f"m {n.m}, n {n.n}, {row.dp} devices",
            rule="(m*n) mod devices = 0",
            remedy=_advice("m", _nearest(n.m, _legal_minis(row, n.B)), f"take B = {_batch_with_mini(row)}"),
        )
    yield from _micro(row)


def _batch_with_mini(row: PlannedRow) -> int:
    """The least batch not below the row's that some mini-batch fits; D*u always has one."""
    batch = max(1, row.numbers.B)
    while not _legal_minis(row, batch):
        batch += 1
    return batch


def _next_batch(row: PlannedRow) -> int:
    n, batch = row.numbers, max(1, row.numbers.B)
    while (batch * n.n) % row.dp:
        batch += 1
    return batch


def _micro(row: PlannedRow) -> Iterator[Finding]:
    n, engine = row.numbers, row.engine
    if (n.B * n.n) % n.D:
        yield finding(
            "V205",
            place=row.case_id,
            value=f"B {n.B}, n {n.n}, D {n.D}",
            rule="(B*n) mod D = 0",
            remedy=f"the nearest legal B above is {_next_batch(row)}",
        )
        return
    if (n.m * n.n) % row.dp == 0 and not engine.actor_dynamic and (n.m * n.n // row.dp) % n.u:
        share = n.m * n.n // row.dp
        yield finding(
            "V205",
            place=row.case_id,
            value=f"u {n.u}, m*n/dp {share}",
            rule="the micro-batch divides m*n/dp without dynamic batching",
            remedy=_advice("micro_batches value", _nearest(n.u, divisors(share)), "raise B"),
        )
    share = n.B * n.n // row.dp
    if not engine.ref_dynamic and (engine.log_prob_micro < 1 or share % engine.log_prob_micro):
        yield finding(
            "V205",
            place=row.case_id,
            value=f"log-prob micro-batch {engine.log_prob_micro}, B*n/dp {share}",
            rule="the log-prob micro-batch divides B*n/dp",
            remedy=_advice("value", _nearest(engine.log_prob_micro, divisors(share)), "raise B"),
        )


def _samples(row: PlannedRow) -> Iterator[Finding]:
    n = row.numbers
    batches = n.S + row.warmup
    if n.N >= n.B and row.epochs * (n.N // max(1, n.B)) >= batches:
        return
    yield finding(
        "V206",
        place=row.case_id,
        value=f"N {n.N}, B {n.B}, S {n.S}, w {row.warmup}, epochs {row.epochs}",
        rule="N >= B*(S+w), or enough epochs with N >= B: the loader drops the last partial batch, and too few samples "
        "end the run early with exit code 0",
        remedy=f"train_samples of at least {n.B * max(1, batches)}, or auto",
    )


def _parallel(row: PlannedRow) -> Iterator[Finding]:
    n, model = row.numbers, row.model

    def fits(size: int) -> bool:
        kv = model.kv_heads
        return (
            n.D % size == 0
            and (not model.heads or model.heads % size == 0)
            and (not kv or kv % size == 0 or size % kv == 0)
        )

    if not fits(n.TP):
        legal = [size for size in divisors(n.D) if fits(size)]
        yield finding(
            "V207",
            place=row.case_id,
            value=f"TP {n.TP}, D {n.D}, heads {model.heads}, KV heads {model.kv_heads}",
            rule="D mod TP = 0, heads mod TP = 0, and KV heads and TP divide one the other",
            remedy=_advice("tensor_parallel", _nearest(n.TP, legal), "use other devices"),
        )
    wanted = 1 if row.accelerator == "cpu" else agent_workers(row.workers_limit, n.B, n.V)
    if wanted != n.W:
        yield finding(
            "V208",
            place=row.case_id,
            value=f"W {n.W}, B {n.B}, V {n.V}",
            rule=f"the largest number not above {row.workers_limit} that divides B, and V where the row validates",
            remedy=f"the legal number of agent workers is {wanted}",
        )


def _lengths(row: PlannedRow) -> Iterator[Finding]:
    engine, total, limit = row.engine, row.input_tokens + row.output_tokens, row.model.max_positions
    if limit and total > limit:
        yield finding(
            "V209",
            place=row.case_id,
            value=f"P {row.input_tokens}, R {row.output_tokens}",
            rule=f"P + R <= {limit}, the model's max_position_embeddings",
            remedy=f"output_tokens of at most {max(0, limit - row.input_tokens)}",
        )
    if row.engine.rollout == "transformers":
        return
    if engine.max_model_len < total + 1:
        yield finding(
            "V209",
            place=row.case_id,
            value=f"max_model_len {engine.max_model_len}",
            rule=f"max_model_len >= P + R + 1 = {total + 1}",
            remedy=f"the nearest legal value is {total + 1}",
        )
    least = max(row.model.block_tokens, 0 if engine.chunked_prefill else engine.max_model_len)
    if engine.max_num_batched_tokens < least:
        yield finding(
            "V209",
            place=row.case_id,
            value=f"max_num_batched_tokens {engine.max_num_batched_tokens}",
            rule="at least max_model_len without chunked prefill, and at least the block of a hybrid model's cache",
            remedy=f"the nearest legal value is {least}",
        )


def _tokens(row: PlannedRow) -> Iterator[Finding]:
    engine, total = row.engine, row.input_tokens + row.output_tokens
    limits = {
        "ppo_max_token_len_per_gpu": (engine.actor_dynamic, engine.token_limit),
        "log_prob_max_token_len_per_gpu": (engine.ref_dynamic or engine.rollout_dynamic, engine.log_prob_token_limit),
    }
    for name, (applies, value) in limits.items():
        if applies and value < total:
            yield finding(
                "V210",
                place=row.case_id,
                value=f"{name} {value}",
                rule=f"with dynamic batching at least P + R = {total}: a sample would fit nowhere",
                remedy=f"the nearest legal value is {total}",
            )


def _timeouts(row: PlannedRow) -> Iterator[Finding]:
    margin = row.outer_timeout - row.inner_timeout
    if row.heartbeat_limit < row.inner_timeout and margin >= LEAST_MARGIN:
        return
    yield finding(
        "V211",
        place=row.case_id,
        value=f"heartbeat {row.heartbeat_limit:g} s, inner {row.inner_timeout} s, outer {row.outer_timeout} s",
        rule=f"heartbeat limit < inner timeout; outer = inner + margin, margin >= {LEAST_MARGIN} s",
        remedy=f"row_timeout_seconds above {row.heartbeat_limit:g}, outer_margin_seconds of at least {LEAST_MARGIN}",
    )


def _sft(row: PlannedRow) -> Iterator[Finding]:
    n = row.numbers
    place, share = row.case_id, n.B // row.dp
    if n.B % row.dp:
        yield finding(
            "V212",
            place=place,
            value=f"B {n.B}, {row.dp} devices",
            rule="B mod devices = 0",
            remedy=f"the nearest legal B above is {-(-n.B // row.dp) * row.dp}",
        )
    elif share % n.u:
        yield finding(
            "V212",
            place=place,
            value=f"u {n.u}, B/dp {share}",
            rule="the micro-batch divides B/dp",
            remedy=_advice("micro_batches value", _nearest(n.u, divisors(share)), "raise B"),
        )
    if n.N < n.B or row.epochs * (n.N // max(1, n.B)) < n.S:
        yield finding(
            "V212",
            place=place,
            value=f"N {n.N}, B {n.B}, S {n.S}, epochs {row.epochs}",
            rule="N >= B*S, or enough epochs with N >= B",
            remedy=f"the largest legal B is {max(1, n.N)}",
        )


def _engine(row: PlannedRow) -> Iterator[Finding]:
    engine = row.engine
    problems = []
    if engine.actor_strategy != engine.ref_strategy:
        problems.append(f"actor {engine.actor_strategy}, reference {engine.ref_strategy}: one strategy for both")
    if len({engine.actor_dynamic, engine.ref_dynamic, engine.rollout_dynamic}) > 1:
        problems.append("dynamic batching differs between actor, reference and rollout")
    if engine.rollout not in ENGINES_KNOWN or (engine.rollout == "transformers") != (
        row.accelerator == "cpu" and row.kind == "rl"
    ):
        problems.append(f"rollout {engine.rollout or 'none'} on {row.accelerator}: use {ENGINES[row.accelerator]}")
    if row.accelerator not in PLATFORMS:
        problems.append(f"no platform for {row.accelerator}")
    if engine.critic_warmup:
        problems.append(f"critic_warmup {engine.critic_warmup}: the nearest legal value is 0")
    for problem in problems:
        rule, _, remedy = problem.partition(": ")
        yield finding("V214", place=row.case_id, value=rule, rule="verl asserts otherwise", remedy=remedy)


def _names(row: PlannedRow) -> Iterator[Finding]:
    for name in (row.case_id, row.display_name):
        if not LEGAL.match(name):
            rule = "at most 128 characters of [A-Za-z0-9_.-]"
            yield finding("V213", place=row.case_id, value=name[:140], rule=rule, remedy="give a shorter model id")
    if len(row.scratch.encode()) + RAY_SOCKET_TAIL > SOCKET_LIMIT:
        yield finding(
            "V215",
            place=row.case_id,
            value=row.scratch,
            rule=f"len(RAY_TMPDIR) + {RAY_SOCKET_TAIL} <= {SOCKET_LIMIT} bytes, the limit of a socket's path",
            remedy=f"a folder of at most {SOCKET_LIMIT - RAY_SOCKET_TAIL} bytes",
        )


def memory_need(row: PlannedRow) -> int:
    """Lower bound of a device's memory, bytes: the larger of an update (weights, gradient, moments over all devices)
    and of serving one sequence. 0 when the model's size is unknown."""
    model, n = row.model, row.numbers
    update = 0 if row.mode == "validation" else TRAINED_BYTES * model.parameters // max(1, n.D)
    if row.kind == "sft":
        return update
    token = 2 * model.kv_heads * model.head_dim * CACHE_BYTES * model.attention_layers
    cache = token * (row.input_tokens + row.output_tokens)
    return max(update, (SERVED_BYTES * model.parameters + cache) // max(1, n.TP))


def _memory(row: PlannedRow) -> Iterator[Finding]:
    need = memory_need(row)
    if row.device_memory and need > row.device_memory:
        yield finding(
            "V216",
            place=row.case_id,
            value=f"{need / 2**30:.1f} GiB",
            rule=f"is the least that a device needs, it has {row.device_memory / 2**30:.1f} GiB",
            remedy="use more devices, tensor_parallel, or ladder.skip_single",
        )


_COMMON: Sequence[Callable[[PlannedRow], Iterator[Finding]]] = (_timeouts, _names, _engine, _memory)
_RL = (_groups, _samples, _parallel, _lengths, _tokens)


def check_row(row: PlannedRow) -> list[Finding]:
    """Every invariant of 5.1 for one row; empty when it is legal. V216 is a warning, all others refuse the row."""
    checks = [*((_sft,) if row.kind == "sft" else _RL), *_COMMON]
    return [item for check in checks for item in check(row)]


def check_names(rows: Sequence[PlannedRow], earlier: Sequence[PlannedRow] = ()) -> list[Finding]:
    """V213: case ids and display names are unique over all rows of a run."""
    found = []
    for kind in ("case_id", "display_name"):
        counted = Counter(str(getattr(row, kind)) for row in [*earlier, *rows])
        for name, count in counted.items():
            if count > 1:
                remedy = "state each value of an axis once"
                found.append(
                    finding("V213", place=name, value=f"{count} times", rule=f"a {kind} is unique", remedy=remedy)
                )
    return found


def require_legal(
    rows: Sequence[PlannedRow],
    check: Callable[[PlannedRow], list[Finding]] = check_row,
    earlier: Sequence[PlannedRow] = (),
) -> list[Finding]:
    """The warnings of all rows. Raises ``RefusedError`` with every error: nothing was started."""
    found = [item for row in rows for item in check(row)] + check_names(rows, earlier)
    errors = [item for item in found if item.severity == "error"]
    if errors:
        raise RefusedError("\n".join(item.message() for item in errors), errors)
    return [item for item in found if item.severity != "error"]
