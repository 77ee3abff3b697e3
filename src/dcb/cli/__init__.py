"""The command line: a table of commands, each imported when it is called.

A help screen and a hook that prints a brief must start at once, so this module imports
click and nothing else of weight.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import click

from dcb._version import __version__
from dcb.errors import DcbError

# Name, module below dcb.cli, and what the help screen says (English, Chinese).
COMMANDS: tuple[tuple[str, str, str, str], ...] = (
    (
        "compile",
        "compile",
        "Turn a conversation into a snapshot (a draft until saved).",
        "把对话编译成快照（保存前是草稿）。",
    ),
    ("save", "save", "Keep the draft of the last compile.", "保存上一次编译的草稿。"),
    (
        "ingest",
        "ingest",
        "Compile and save whole archives; again adds only what is new.",
        "编译并保存整个存档；再次运行只添加新内容。",
    ),
    (
        "sources",
        "discover",
        "Find the sessions of agents and tools on this machine.",
        "查找本机各工具的会话。",
    ),
    ("list", "list", "List the stored snapshots.", "列出已存快照。"),
    ("show", "show", "Show one snapshot.", "显示一个快照。"),
    (
        "search",
        "search",
        "Find decisions, parameters, code … in all snapshots.",
        "在所有快照中搜索。",
    ),
    (
        "brief",
        "brief",
        "Print a read-only brief for a new conversation.",
        "输出给新对话用的只读摘要。",
    ),
    (
        "merge",
        "merge",
        "Fuse a snapshot with another one or a conversation.",
        "合并快照与另一快照或对话。",
    ),
    ("export", "export", "Write snapshots as Markdown files.", "导出为 Markdown 文件。"),
    ("add", "add", "Take snapshot documents into the store.", "把快照文档加入存储。"),
    (
        "remove",
        "remove",
        "Remove snapshots (history stays until erased).",
        "移除快照（历史保留，直至擦除）。",
    ),
    ("edit", "edit", "Correct a stored snapshot.", "修改已存快照。"),
    ("history", "history", "List the versions of a snapshot.", "列出快照的各个版本。"),
    ("diff", "diff", "Compare two versions or snapshots by entry.", "按条目比较两个版本或快照。"),
    ("rollback", "rollback", "Bring an earlier version back.", "恢复较早的版本。"),
    ("weight", "weight", "Set how much a snapshot counts in a merge.", "设置快照在合并中的权重。"),
    ("erase", "erase", "Erase every trace of snapshots.", "彻底擦除快照。"),
    ("encrypt", "encrypt", "Encrypt the store.", "加密存储。"),
    ("decrypt", "decrypt", "Decrypt the store.", "解密存储。"),
    ("rekey", "rekey", "Change the passphrase.", "更换口令。"),
    ("backup", "backup", "Write the whole store into one file.", "备份整个存储。"),
    ("move", "move", "Copy the whole store to another place.", "把整个存储复制到别处。"),
    ("restore", "restore", "Make the store of a backup.", "从备份恢复。"),
    ("verify", "verify", "Check a document against its checksum.", "校验快照文档。"),
    ("read", "read", "Print the messages as a reader sees them.", "显示读取到的消息。"),
    ("parse", "parse", "Document to JSON.", "文档转 JSON。"),
    ("render", "render", "JSON to document.", "JSON 转文档。"),
    ("web", "web", "Look and decide in the browser.", "在浏览器中查看与决定。"),
    ("mcp", "mcp", "Serve the store to agents (MCP).", "通过 MCP 供代理使用。"),
    (
        "serve",
        "serve",
        "Serve a shared store to several people and their agents.",
        "向多人及其代理提供共享存储。",
    ),
    ("team", "team", "Keep the people of a shared store.", "管理共享存储的人员与权限。"),
    ("inbox", "inbox", "Decide about what agents wrote.", "处理代理写入的内容。"),
    (
        "hook",
        "hook",
        "Let coding agents save their sessions and start with a brief.",
        "让编程助手自动保存会话，并以摘要开始。",
    ),
    (
        "secrets",
        "secrets",
        "List kind and place of secrets, never values.",
        "列出密钥的种类和位置。",
    ),
    ("doctor", "doctor", "Check the store and this installation.", "检查存储与安装。"),
    ("completion", "completion", "Print the shell completion script.", "输出命令补全脚本。"),
)


class Commands(click.Group):
    """Subcommands by name, imported when asked for; our errors become one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of the table."""
        return [name for name, *_ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        for name, module, *_ in COMMANDS:
            if name == cmd_name:
                found = importlib.import_module(f"dcb.cli.{module}").command
                assert isinstance(found, click.Command)
                return found
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown name is answered with the nearest one."""
        if args and args[0] not in self.list_commands(ctx):
            import difflib

            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            hint = f" Did you mean {near[0]!r}?" if near else " 'dcb --help' lists them."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing any of them."""
        from dcb.cli.words import chinese

        column = 1 if chinese() else 0
        with formatter.section("命令" if chinese() else "Commands"):
            formatter.write_dl([(name, texts[column]) for name, _, *texts in COMMANDS])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a DcbError or a fault of the system ends in one sentence."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            # The reader of our pipe has had enough; there is nobody left to tell.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(1)
        except Exception as error:
            if ctx.find_root().params.get("debug") or "--debug" in sys.argv:
                raise
            _fail(error)


def _fail(error: Exception) -> NoReturn:
    from dcb.cli.view import safe

    click.echo(f"dcb: {safe(_sentence(error))}", err=True)
    raise click.exceptions.Exit(1)


def _sentence(error: Exception) -> str:
    if isinstance(error, DcbError):
        return str(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    kind = type(error).__name__
    return f"An internal fault stopped this command ({kind}: {error}). Run it with --debug and report what it prints."


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command explains itself: dcb COMMAND --help",
)
@click.option("--data-dir", type=click.Path(), help="Where the store lies (DCB_DATA_DIR).")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="Language of the output.")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this descriptor.")
@click.version_option(__version__, prog_name="dcb")
def cli(**options: object) -> None:
    """Keep what mattered in a conversation with an AI: decisions, directives, parameters and
    code word for word, the rest in summary, preferences under stable keys.
    """


main: Callable[[], Any] = cli
