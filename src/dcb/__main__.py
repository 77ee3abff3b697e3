"""`dcb` and `python -m dcb`."""

from dcb.cli import main

if __name__ == "__main__":
    main()
