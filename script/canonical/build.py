"""``script.canonical.build``: the same as ``autoresearch data build``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("data", "build")
