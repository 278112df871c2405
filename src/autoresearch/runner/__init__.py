"""What is shipped to a host and runs a row there, with the standard library only.

In comes a row's description; out come exact bytes of its log, samples and one file of facts. Never judges, never
imports what the host may not have. ``build.build_runner`` makes the archive ``autoresearch-runner.pyz`` of it.
"""
