"""Releases: verified training data.

In come canonical records with a split, the standards and the task; out go published folders of three parquet files
and a report: tool trajectories, three-message rows, pairs for reinforcement learning and the mixtures made from them.
What is published was validated on the bytes on disk. This room must never change a published folder, publish what its
validator refuses, or put a clock, a host, a user or an absolute path into a release.
"""
