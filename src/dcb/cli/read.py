"""`dcb read`: the messages of a source, as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from dcb.cli.session import Verb, current_settings, print_json
from dcb.cli.view import faint, heading, preview, safe, when
from dcb.cli.words import say
from dcb.model import Conversation, Instruction, Node, Skipped
from dcb.read import newest, read_items


@click.command(cls=Verb, name="read")
@click.argument("source")
@click.option("--format", "format_", metavar="NAME", help="Take the source for this format.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@click.option("--explain", is_flag=True, help="Why it was taken for its format, what was dropped.")
@click.option("--tree", is_flag=True, help="Show the branches of each conversation.")
@click.option("--with-instructions", is_flag=True, help="Show standing instructions as well.")
def command(
    *,
    source: str,
    format_: str | None,
    as_json: bool,
    explain: bool,
    tree: bool,
    with_instructions: bool,
) -> None:
    """Print the messages of SOURCE (a file, folder, archive, or - for standard input)."""
    opened = read_items(source, format=format_, want_tree=tree, limits=current_settings().limits)
    found = [
        item for item in newest(opened) if with_instructions or not isinstance(item, Instruction)
    ]
    skipped = [item for item in found if isinstance(item, Skipped)]
    if as_json:
        print_json([_as_json(item) for item in found if not isinstance(item, Skipped)])
    else:
        for item in found:
            for line in _lines(item, explain=explain, tree=tree):
                click.echo(line)
    for item in skipped:
        click.echo(f"dcb: {say('skipped')} {safe(item.where)}: {safe(item.reason)}", err=True)


def _as_json(item: Conversation | Instruction | Skipped) -> dict[str, Any]:
    if isinstance(item, Instruction):
        return {"instruction": item.text, "source": item.source}
    assert isinstance(item, Conversation)
    shown = {
        "id": item.id,
        "title": item.title,
        "format": item.format,
        "messages": [
            {
                "id": message.id,
                "role": message.role,
                "content": message.content,
                "created_at": message.created_at,
            }
            for message in item.messages
        ],
        "warnings": list(item.warnings),
        "dropped": {drop.reason: drop.count for drop in item.dropped},
    }
    if item.tree:
        shown["tree"] = [
            {"id": node.id, "parent": node.parent, "role": node.role, "shown": node.shown}
            for node in item.tree
        ]
    return shown


def _lines(
    item: Conversation | Instruction | Skipped, *, explain: bool, tree: bool
) -> Iterator[str]:
    if isinstance(item, Instruction):
        yield heading(safe(item.source))
        yield safe(item.text)
        yield ""
    elif isinstance(item, Conversation):
        yield heading(safe(item.title or item.id))
        yield faint(safe(f"{item.format}  {item.id}  {item.where}"))
        if explain:
            yield from _explanation(item)
        if tree:
            yield from tree_lines(item.tree)
        else:
            yield from _messages(item)


def _messages(conversation: Conversation) -> Iterator[str]:
    for message in conversation.messages:
        yield ""
        notes = "  ".join(filter(None, (message.id, when(message.created_at))))
        yield f"{click.style(message.role, fg='cyan')}  {faint(safe(notes))}".rstrip()
        yield from map(safe, message.content.split("\n"))
    yield ""


def _explanation(conversation: Conversation) -> Iterator[str]:
    if conversation.why:
        yield faint(safe(f"  {conversation.format}: {conversation.why}"))
    yield faint("  " + say("messages", count=len(conversation.messages)))
    for drop in conversation.dropped:
        yield faint(safe(f"  - {drop.count} × {drop.reason}"))
    for warning in conversation.warnings:
        yield safe(f"  ! {warning}")


def tree_lines(nodes: tuple[Node, ...]) -> Iterator[str]:
    """The tree, children below their parents; a `•` marks what the conversation shows."""
    children: dict[str | None, list[Node]] = {}
    known = {node.id for node in nodes}
    for node in nodes:
        parent = node.parent if node.parent in known and node.parent != node.id else None
        children.setdefault(parent, []).append(node)
    # A stack instead of recursion: chains of thousands are normal. An only child stays at
    # its parent's depth, so that depth counts branches and not messages.
    stack = [(node, 0) for node in reversed(children.get(None, []))]
    while stack:
        node, depth = stack.pop()
        mark = "•" if node.shown else " "
        yield f"  {mark} {'  ' * depth}{faint(safe(node.role))} {preview(node.preview)}"
        below = children.pop(node.id, [])
        stack.extend((child, depth + (len(below) > 1)) for child in reversed(below))
