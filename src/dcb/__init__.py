"""DialogueContextBridge: conversations with an AI, kept as lossless snapshots."""

from dcb._version import __version__

__all__ = ["__version__"]
