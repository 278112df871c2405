"""Training data: validation for SFT, the format tag for RL."""
