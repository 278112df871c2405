"""Formal cases: the matrix, the ladder from one card to the node, locks, attempts, and what a failure is called.

In come a config and the facts of a host; out go planned rows, events and judged rows. Never says "trained" of an exit
code, never knows how a bundle looks.

* ``config.load_case(path) -> CaseConfig``: the config file with its part ``verl_case``.
* ``tasks.open_task(case) -> Task``: ``traits, derive_rows, check_row, argv, environment, files, parse``.
* ``ladder``: early stop, bisection, promotion from ``Outcome``; ``row_checks.require_legal`` refuses rows by 5.1.
* ``names``: run id, display name, case id, W&B id; nothing parses a name back.
* ``judge.judge(files, row) -> Judged``: passed or failed, class and evidence, from raw files and the lock's row alone;
  ``classify.failure_class(name)`` has group, cause and fix.
* ``geo3k``, ``geo3k_data``: accuracy and interval, the zero-accuracy ladder, prepared data, the reward's self-test;
  ``prompt_length``: tokens of a prompt with its pictures; ``remembered``: what need not be found out twice.
* ``locks``: the forms that ``evidence/`` reads and writes too; ``lock_files`` puts them on the disk.
"""
