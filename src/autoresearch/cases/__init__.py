"""Formal cases: the matrix, the ladder from one card to the node, locks, attempts, and what a failure is called.

In come a config and the facts of a host; out go planned rows, events and judged rows. Never says "trained" of an exit
code, never knows how a bundle looks. Arrives with the formal case.
"""
