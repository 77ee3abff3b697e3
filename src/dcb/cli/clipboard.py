"""Text -> the system's clipboard, through the tool that each system has for it."""

from __future__ import annotations

import shutil
import subprocess

from dcb.errors import RequestError

_TOOLS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)


def put(text: str) -> None:
    """Put text on the clipboard. Raises RequestError where no tool is found or it fails."""
    for name, *options in _TOOLS:
        path = shutil.which(name)
        if path:
            done = subprocess.run([path, *options], input=text.encode(), check=False)
            if done.returncode == 0:
                return
    raise RequestError(
        "No clipboard can be reached: install wl-copy, xclip or xsel, or use --out FILE"
    )
