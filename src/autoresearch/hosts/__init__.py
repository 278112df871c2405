"""Where work runs: this machine, a server over ssh, a container; readiness, tunnels, and rows that outlive us.

In come a server's config and a row's command; out come results of checks, the state of a row and its files. Never ends
a process that is not ours, never trusts a host key that nobody pinned, never listens on anything but loopback.

What others use:

* ``protocol.Host``: ``run, put, get_tree, spawn_detached, read_small, free_space, forward, kill_group``; a ``Host`` is
  a ``Place`` of ``assets/``. ``local.LocalHost(name, workdir)``.
* ``row_spec.RowSpec``: ``row.json``, made by ``cases/``.
* ``rows.launch(host, spec, folder, archive=…, scratch=…)`` starts a row detached; ``rows.observe(host, folder,
  inner_timeout=…, outer_timeout=…)`` gives its ``state.State``; ``rows.interrupt`` and ``rows.end_row`` end it;
  ``rows.collect(host, folder, to)`` brings its files here and returns what stayed. ``rows.row_folder`` names folders.
"""
