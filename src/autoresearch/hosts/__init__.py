"""Where work runs: this machine, a server over ssh, a container; services on loopback, readiness, tunnels.

In come a server's config and a row's command; out come results of checks and the files of a row. Never ends a process
that is not ours, never trusts a host key that nobody pinned, never listens on anything but loopback. Arrives with the
formal case.
"""
