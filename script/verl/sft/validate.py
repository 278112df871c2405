"""``script.verl.sft.validate``: the same as ``autoresearch sft validate --family three-message``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("sft", "validate", "--family", "three-message")
