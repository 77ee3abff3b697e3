"""`dcb completion`: the script that makes a shell complete commands and ids."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from dcb.cli.session import Verb

SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Verb, name="completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(*, shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash:  dcb completion bash > ~/.local/share/bash-completion/completions/dcb
    zsh:   dcb completion zsh > "${fpath[1]}/_dcb"
    fish:  dcb completion fish > ~/.config/fish/completions/dcb.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    group = click.get_current_context().find_root().command
    click.echo(found(group, {}, "dcb", "_DCB_COMPLETE").source())
