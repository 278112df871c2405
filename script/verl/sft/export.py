"""``script.verl.sft.export``: the same as ``autoresearch sft export``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("sft", "export")
