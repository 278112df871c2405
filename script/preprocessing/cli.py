"""``script.preprocessing.cli preprocess``: the same as ``autoresearch data preprocess``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("data")
