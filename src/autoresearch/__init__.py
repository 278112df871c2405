"""From a company's list of database fields and its own standard to a trained, gated and evidenced model.

Importing this package loads nothing but the standard library: the rooms import what they need, where they need it.
"""

__version__ = "0.1.0"
