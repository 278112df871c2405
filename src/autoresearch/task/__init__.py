"""What the model sees, may call, must answer and earns.

In come the standards (registry, corpus, grading, task) and the metadata of fields; out go prompts, tool schemas and
tool results, parsed answers, scores, candidate bundles, rendered conversations with their loss masks, and the audit
of prompts with two answers. Everything here is deterministic and needs no model and no network. This room must never
show the model a canonical id, a code or the truth, and never raise because of what a model wrote.
"""
