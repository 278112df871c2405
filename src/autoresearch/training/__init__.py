"""Training on verl: a release, a model and verdicts come in; plans, runs with counted steps and merged weights go out.

The plug-in (dataset, agent loop, rollout for small machines) hangs on verl's public seams; plans are data that
import without torch. The room must never patch verl on disk, start a run whose inputs differ from its plan, cut a row,
or call a run trained that did not change the weights in the steps that were asked.
"""
