"""``script.verl.rl.export``: the same as ``autoresearch rl export``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("rl", "export")
