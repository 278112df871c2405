"""``script.verl.sft.check_token_budget``: the same as ``autoresearch sft budget``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("sft", "budget")
