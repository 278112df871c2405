"""``python -m autoresearch``: the same as the ``autoresearch`` script."""

from autoresearch.cli.main import main

if __name__ == "__main__":
    main()
