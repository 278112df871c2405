"""``script.verl.sft.tool_trajectory_stats``: the same as ``autoresearch sft stats``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("sft", "stats")
