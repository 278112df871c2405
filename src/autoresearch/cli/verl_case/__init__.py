"""``run verl-case``: the rooms of a formal case connected. In come flags, out comes the one result object of 2.2."""
