"""The tag of the native trajectory format."""

from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT

__all__ = ["NATIVE_TOOL_TRAJECTORY_FORMAT"]
