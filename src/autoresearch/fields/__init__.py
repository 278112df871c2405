"""Fields: from a sheet, a CSV or DDL to canonical records with a split.

In come a customer's list of database columns and the configs that say how to read it; out go processed records,
canonical records,
splits and the reports beside them (data-line.md sections 3.2 to 3.9, 4.1 to 4.4, 8.3). This room reads metadata only:
it must never
store, log or show a value of a customer's table, it must never guess a label, and it never renders a prompt.
"""
