"""``script.analysis.audit_prompt_conflicts``: the same as ``autoresearch data audit``."""

from script.command import hand_to

if __name__ == "__main__":
    hand_to("data", "audit")
