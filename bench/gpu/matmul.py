"""Line 1: how many TFLOP/s a large bf16 multiplication of random numbers reaches, the yardstick of all others.

    python bench/gpu/matmul.py [--size 8192] [--rounds 50]

Random numbers, because zeros let a card clock higher. Each multiplication is timed by events of its own.
"""

from __future__ import annotations

from card import arguments, number, require_card, write

WARM_UP = 10


def main() -> None:
    """Measure, print, write."""
    parser = arguments(1, __doc__)
    parser.add_argument("--size", type=int, default=8192, help="rows and columns")
    parser.add_argument("--rounds", type=int, default=50)
    given = parser.parse_args()
    device = require_card(given)
    import torch

    torch.manual_seed(0)
    left, right = (torch.randn(given.size, given.size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    out = torch.empty_like(left)
    seconds = []
    for turn in range(WARM_UP + given.rounds):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        torch.matmul(left, right, out=out)
        end.record()
        end.synchronize()
        if turn >= WARM_UP:
            seconds.append(begin.elapsed_time(end) / 1000)
    rates = [2 * given.size**3 / spent / 1e12 for spent in seconds]
    write(given, device, {"matmul": number(rates, "TFLOP/s")}, settings={"size": given.size, "dtype": "bfloat16"})


if __name__ == "__main__":
    main()
