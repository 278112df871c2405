"""``script.canonical.split``: the same as ``autoresearch data split``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("data", "split")
