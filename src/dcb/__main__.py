"""`dcb` and `python -m dcb`: one command in a process of its own."""

import gc

_OBJECTS = 20_000


def main() -> None:
    """Run the command and end the process."""
    # A short command makes little but what stays until its end. Looking that through for rubbish
    # again and again, and once more at the end, takes longer than everything the store does.
    gc.set_threshold(_OBJECTS)
    from dcb.cli import main as command

    try:
        command()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
