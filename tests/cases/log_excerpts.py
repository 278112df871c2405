"""A log excerpt for each failure class that is found in text, and lines that must never be taken for one."""

from __future__ import annotations

TRACE = "Traceback (most recent call last):\n"
TASK = "(TaskRunnerV1 pid=4711) "

EXCERPTS: dict[str, str] = {
    "docker_error": "Unable to find image 'registry.example/verl@sha256:0' locally",
    "host_memory": "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.",
    "disk_space": "OSError: [Errno 28] No space left on device: '/srv/autoresearch/rows/a'",
    "device_count_zero": "dcmi module initialize failed. ret is -8020",
    "resource_busy": "RuntimeError: NPU error, error code is 507899: driver error: Resource_Busy",
    "device_fault": "NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus.",
    "image_incompatible": "RuntimeError: CUDA error: no kernel image is available for execution on the device",
    "import_error": TRACE + "  File \"main.py\", line 1\nModuleNotFoundError: No module named 'mathruler'",
    "dataset_error": TRACE + "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.parquet'",
    "config_error": "Could not override 'actor_rollout_ref.rollout.modus'.\nKey 'modus' is not in struct",
    "kv_cache_memory": "ValueError: To serve at least one request with the models's max seq len (17409), (4.25 GiB KV "
    "cache is needed, which is larger than the available KV cache memory (1.04 GiB)",
    "weight_sync_memory": TRACE + '  File "engine.py", line 80, in update_weights\n'
    "RuntimeError: camem_allocator.cpp:88 aclrtMallocPhysical failed, ret 207001",
    "camem_memory": TRACE + '  File "engine.py", line 80, in load_model\n'
    "RuntimeError: camem_allocator.cpp:88 aclrtMallocPhysical failed, ret 207001",
    "oom": TRACE + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    "mamba_block_size": "AssertionError: In mamba cache align mode, block_size (1056) must be <= "
    "max_num_batched_tokens (1025).",
    "weight_shape_mismatch": TRACE + '  File "qwen3_5.py", line 300, in load_weights\n'
    "RuntimeError: start (1024) + length (1024) exceeds dimension size (1024).",
    "engine_dead_collective": "[ERROR] HCCL watchdog thread terminated\nRuntimeError: aicpu exception, error code is "
    "507018\nvllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.",
    "engine_dead": "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.",
    "collective_timeout": "[rank3]:[E] [PG 0] Process group watchdog: NCCL operation ALLREDUCE timed out after 600 s",
    "ray_socket_path": "OSError: validate_socket_filename failed: AF_UNIX path length cannot exceed 107 bytes",
    "ray_start": "Exception: The current node timed out during startup. raylet failed to start",
    "reward_error": TRACE + '  File "/site/verl/utils/reward_score/geo3k.py", line 33, in compute_score\n'
    "TypeError: expected string, got NoneType",
}
"""Class -> what a log of it says. Each stands behind a healthy beginning and before a plain end."""

MORE: list[tuple[str, str]] = [
    ("docker_error", 'docker: Error response from daemon: Conflict. The container name "/a" is already in use'),
    ("host_memory", "[9312.1] Out of memory: Killed process 4711 (python3) total-vm:90 kB"),
    ("host_memory", "2 Workers (tasks / actors) killed; workers were killed due to memory pressure"),
    ("disk_space", "not enough disk space to write the checkpoint"),
    ("device_count_zero", "RuntimeError: No CUDA-capable device is detected"),
    ("resource_busy", "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"),
    ("device_fault", "NPU 3 card is lost, please check the driver"),
    ("device_fault", "CUDA error: uncorrectable ECC error encountered"),
    ("image_incompatible", "[ERROR] ADD_TO_LAUNCHER_LIST_AICORE failed, ret 161001"),
    ("import_error", TRACE + "ImportError: libascend_hal.so: undefined symbol: halMemCtl"),
    ("dataset_error", "pyarrow.lib.ArrowInvalid: Parquet magic bytes not found in footer."),
    ("dataset_error", TRACE + "NotImplementedError: Reward function is not implemented for data_source='x'"),
    ("dataset_error", TRACE + "KeyError: 'images'"),
    ("config_error", "AssertionError: real_train_batch_size (12) must be divisible by minimal possible batch size (8)"),
    ("kv_cache_memory", "ValueError: No available memory for the cache blocks. Try increasing gpu_memory_utilization"),
    ("oom", "E1130 cuda_executor.cc:1365] RESOURCE_EXHAUSTED: CUDA_ERROR_OUT_OF_MEMORY: out of memory"),
    ("oom", "[ERROR] aclrtMalloc failed, ret = 207001"),
    ("oom", "worker says OOM, giving up"),
    ("engine_dead", "EngineCore_0 (pid 12) hit an error; EngineCore process died unexpectedly"),
    ("collective_timeout", "[HCCL] notify wait timeout, rank 2"),
]
"""Other wordings of the same classes."""

HARMLESS: list[str] = [
    "the dining room was full, in bloom, and we zoom in; ROOM 3, BLOOM-7B, ZOOM",
    "export HCCL_CONNECT_TIMEOUT=1500 NCCL_DEBUG=WARN",
    "global step 3/3 done",
    "1507899 samples read, 507899x",
    "mishap: xid is a column name",
]
"""Words that hold a pattern as a part."""

HIDDEN: list[str] = [
    "+ python3 -m verl.trainer.main_ppo trainer.experiment_name='out of memory'",
    TASK + "{'actor_rollout_ref': {'actor': {'note': 'out of memory',",
    TASK + "            'strategy': 'OOM',",
    "ray init kwargs: {'runtime_env': {'NOTE': 'EngineDeadError'}}",
    "(RewardLoop pid=9) [prompt] what is\n(RewardLoop pid=9) out of memory\n"
    "(RewardLoop pid=9) [response] no space left on device\n(RewardLoop pid=9) 507899\n(RewardLoop pid=9) [score] 0.0",
]
"""Command echo, configuration dumps and echoed samples: never evidence."""

HEALTHY = TASK + "Using dataset class: RLHFDataset\n" + TASK + "dataset len: 2101\n" + TASK + "filter dataset len: 24\n"
"""How a log begins."""
END = "\nThe driver ends.\n"
