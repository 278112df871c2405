"""What a label may be: registry, corpus, grading standard, task config, and the configs that name them.

In come the company's own files; out go frozen pydantic models whose loading is their validation. Nothing here reads a
field, renders a prompt or knows a particular dataset.
"""
