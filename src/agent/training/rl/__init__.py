"""Episodes for RL."""
