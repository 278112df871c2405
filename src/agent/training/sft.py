"""Validation of a trajectory release from Python."""

from autoresearch.releases.trajectory_dataset import validate_tool_trajectory_dataset

__all__ = ["validate_tool_trajectory_dataset"]
