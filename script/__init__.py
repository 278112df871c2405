"""The entry points that the server runbook prints: ``python -m script.…`` in the checkout, with ``src`` on PYTHONPATH.

They hold no logic. Each hands its arguments to one command of ``autoresearch``, so flags, output, messages and exit
codes are those of that command.
"""
