"""`dcb` in this process, with a configuration, a language and a store of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dcb.cli import cli, words

Run = Callable[..., Result]


def use(variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the following commands find these variables in their environment."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


@contextmanager
def commands(variables: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run commands in English; a result has `stdout` and `stderr`."""
    use({"DCB_LANG": "en", **variables}, monkeypatch)
    words.chinese.cache_clear()

    def run(*arguments: object, input: str | None = None) -> Result:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=input)

    yield run
    words.chinese.cache_clear()


def configured(folder: Path) -> dict[str, str]:
    """A configuration file that is not there, unless the test writes it."""
    return {"DCB_CONFIG": str(folder / "config.toml")}


def saved_id(result: Result) -> str:
    """The id of what a command saved last."""
    return result.stdout.rsplit("Saved as ", 1)[1].strip()
