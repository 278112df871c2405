"""Gates: models, releases, runs and machines come in; one verdict file for each question goes out.

A gate is a function from its inputs to a verdict whose numbers carry numerator, denominator and interval, and whose
hashes name what was judged. Training reads verdicts and never asks a gate itself. The room must never overwrite a
verdict, widen a window, repeat a measurement until it passes, or count an infrastructure failure as an answer.
"""
