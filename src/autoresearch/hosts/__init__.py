"""Where work runs: this machine, a server over ssh, a container; readiness, tunnels, and rows that outlive us.

In come a server's config and a row's command; out come results of checks, the state of a row and its files. Never ends
a process that is not ours, never trusts a host key that nobody pinned, never listens on anything but loopback.

What others use:

* ``config.load(path) -> Config``: servers, network, services, log; ``config.Config.candidates()``.
* ``open_host(server) -> Host``: a context manager for a ``config.Server``, this machine or ssh.
* ``protocol.Host``: ``run, put, get_tree, spawn_detached, read_small, free_space, forward, kill_group``; a ``Host`` is
  a ``Place`` of ``assets/``.
* ``row_spec.RowSpec``: ``row.json``, made by ``cases/``.
* ``rows.launch(host, spec, folder, archive=…, scratch=…)`` starts a row detached; ``rows.observe(host, folder,
  inner_timeout=…, outer_timeout=…)`` gives its ``state.State``; ``rows.interrupt`` and ``rows.end_row`` end it;
  ``rows.collect(host, folder, to)`` brings its files here and returns what stayed. ``rows.row_folder`` names folders.
* ``containers.row_container(plan)`` makes the container of a row; ``containers.judge_reuse`` says whether one that runs
  fits.
* ``reuse.check_reuse`` asks it of the host; ``dependencies.pack_dependency`` packs a source tree; ``host_gate`` asks
  ``gate host`` in the rows' own Python by the code that was sent.
* ``readiness.find_ready(config, name, need)``: the server that can run the rows, its devices and the check result;
  ``host_checks``, ``stack_checks`` and ``network_checks`` answer in the form of ``check_result.CheckResult``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from autoresearch.hosts.config import Server
    from autoresearch.hosts.protocol import Host


def open_host(server: Server) -> AbstractContextManager[Host]:
    """The host of a server's settings, connected; leaving the block lets go of it, rows go on.

    Raises ``HostUnreachable``, ``RefusedError`` for a host key (V301, V302) or a login, ``MissingPackageError`` where
    asyncssh is needed and absent.
    """
    from autoresearch.hosts.config import LOCAL_WORKDIR
    from autoresearch.hosts.local import LocalHost
    from autoresearch.hosts.ssh import SshHost

    if server.kind == "local":
        return LocalHost(server.name, server.workdir or LOCAL_WORKDIR)
    return SshHost(server)
