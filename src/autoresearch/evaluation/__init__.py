"""Evaluation: a model or a baseline and a release come in; reports, comparisons and labelled fields go out.

Every row of the split stands in every denominator, invalid answers too, and every number can be computed again from the
rows of its report. The room must never score with other prompts, tools, parser or reward than training does, and never
call a difference an improvement that its interval does not show.
"""
