"""The files that a task is given."""

from autoresearch.standards.corpus import load_corpus_categories

__all__ = ["load_corpus_categories"]
