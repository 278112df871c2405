"""``script.verl.sft.validate_tool_trajectories``: the same as ``autoresearch sft validate --family trajectory``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("sft", "validate", "--family", "trajectory")
