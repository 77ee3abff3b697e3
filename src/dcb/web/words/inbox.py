"""Words of the inbox."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "inbox.title": ("Inbox", "收件箱"),
    "inbox.what": (
        "What agents wrote over MCP. Until you accept it, it is in no list, search or brief.",
        "代理通过 MCP 写入的内容。在您接受之前，它不会出现在列表、搜索或简报中。",
    ),
    "inbox.empty": ("Nothing waits", "没有待处理的内容"),
    "inbox.empty.how": (
        "Agents may write here when their server is started so:",
        "以如下方式启动服务器后，代理可以在此写入：",
    ),
    "inbox.by": (
        "Says it is {by}; nobody has checked that.",
        "自称 {by}，未经核实。",
    ),
    "inbox.note": ("Its note", "附言"),
    "inbox.read": ("Read", "查看"),
    "inbox.accept": ("Accept", "接受"),
    "inbox.reject": ("Reject", "拒绝"),
    "inbox.reject.sure": ("Reject for good", "确定拒绝"),
    "inbox.reject.why": (
        "A rejected item is gone for good.",
        "被拒绝的内容将永久删除。",
    ),
    "inbox.done.rejected": ("Rejected.", "已拒绝。"),
    "inbox.changes": (
        "Accepted, it becomes the next version of a stored snapshot. What would change:",
        "接受后将成为已存快照的下一个版本。变化如下：",
    ),
    "inbox.stored": ("See the stored snapshot", "查看已存快照"),
    "inbox.counts": (
        "{entries} key messages, {tokens} tokens, {left} left out",
        "{entries} 条关键消息，{tokens} token，未收入 {left} 项",
    ),
}
