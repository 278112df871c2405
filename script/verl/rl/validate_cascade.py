"""``script.verl.rl.validate_cascade``: the same as ``autoresearch rl validate``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("rl", "validate")
