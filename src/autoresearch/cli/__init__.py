"""Commands. Typed functions in, one JSON object on standard output and an exit code out; no logic of a room stands
here.

Each group is one file whose functions hand their arguments to a room and return an ``Outcome``; ``main`` alone turns
errors into messages.
"""
