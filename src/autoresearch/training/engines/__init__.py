"""Sampling engines behind one `generate`: prompt ids and settings come in, token ids with log-probs go out.

The same class serves the Ray replica of a training run and the in-process runner of gates, evaluation and prediction.
An engine never ignores a setting that it does not implement, and never turns a failure of its own into an answer.
"""
