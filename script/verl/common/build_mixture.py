"""``script.verl.common.build_mixture``: the same as ``autoresearch rl mixture``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("rl", "mixture")
