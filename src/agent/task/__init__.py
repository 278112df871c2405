"""The standards of a task."""

from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig

__all__ = ["GradingConfig", "LeafRegistry", "TaskConfig"]
