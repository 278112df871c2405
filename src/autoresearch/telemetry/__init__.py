"""Telemetry: in come readings of the machine, out go raw samples, their statistics, one table and one exposition of
the same numbers.

Raw text is written first and parsed afterwards; a value that is missing stays missing and is never a zero. Nothing
here may delay the work that is measured, join two sources into one line, or state a sampling interval that was only
asked for.

What others use; the first four are standard library only and run on Python 3.8, as the runner carries them:

* ``npu_smi.parse(text) -> Reading``: the one place that reads an ``npu-smi`` table; ``npu_smi.SYNTHETIC_MARKER``.
* ``samplers.sample_ascend``, ``sample_nvidia``, ``sample_host(folder, interval, stop)``; ``samplers.run(kind, folder,
  interval)`` is one of them as a process; ``schedule.Stop`` ends it.
* ``rounds.read_rounds(path)`` and ``rounds.last_round(path)``: what the device samplers wrote.
* ``push.Pusher(url, labels)``: ``push``, ``delete``, ``status``; ``push.run(folder, url, labels)`` is it as a process.
* ``series.read_devices`` and ``series.read_host(path, row)``: a raw file as series, with its failures counted.
* ``statistics.source_block`` and ``device_statistics.device_statistics``: the statements of 10.3;
  ``device_statistics.telemetry_findings`` and ``push_findings``: V410-V414, V420, V430.
* ``exposition.write(folder, rows) -> Written``: table, history and latest-value files; ``exposition.expected`` (from
  the table) and ``exposition.shown`` (from the history) are what a check compares; ``prometheus_note.prometheus_note``.
* ``dashboards.dashboards()``: the generated Grafana dashboards.
"""
