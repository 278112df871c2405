"""Evidence: in come the files that a run left, out goes one numbered bundle that can be checked and read anywhere,
without the machine.

Raw files are copied as they are; everything else in a bundle is derived from files inside it by pure functions, so
that it can be derived again. A file that is missing is listed with its reason and never invented; a sealed bundle is
never written into.
"""
