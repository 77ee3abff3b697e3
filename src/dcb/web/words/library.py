"""Words of the library."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "library.title": ("Library", "快照库"),
    "library.search": ("Search all snapshots", "搜索所有快照"),
    "library.placeholder": ('Words, "a phrase", -without', '词语、"短语"、-排除'),
    "library.go": ("Search", "搜索"),
    "library.filters": ("Filters", "筛选"),
    "library.kind": ("Kind", "类型"),
    "library.source": ("Source", "来源"),
    "library.tag": ("Tag", "标签"),
    "library.after": ("From", "起"),
    "library.before": ("Before", "止"),
    "library.any": ("any", "不限"),
    "library.clear": ("Clear", "清除"),
    "library.keys": ("search", "搜索"),
    "library.keys.walk": ("move", "移动"),
    "library.keys.open": ("open", "打开"),
    "library.tokens": ("{count} tokens", "{count} token"),
    "library.found": ("{count} snapshots found", "找到 {count} 个快照"),
    "library.found.one": ("1 snapshot found", "找到 1 个快照"),
    "library.none": ("Nothing found.", "没有找到。"),
    "library.none.hint": (
        "Fewer words find more; a filter may be too narrow.",
        "减少词语可以找到更多；也可能是筛选过窄。",
    ),
    "library.meant": ("Did you mean", "您是不是要找"),
    "library.more.hits": ("{count} more here", "此处另有 {count} 条"),
    "library.more": ("Show more", "显示更多"),
    "library.older": ("Older", "更早的"),
    "library.newest": ("Newest", "最新的"),
    "library.loose": (
        "No snapshot holds all of these words; these hold some of them.",
        "没有快照包含全部词语；以下包含其中一部分。",
    ),
    "library.bounded": (
        "Very many snapshots match; another word or a filter shows others.",
        "匹配的快照很多；再加一个词或筛选可查看其他快照。",
    ),
    "library.empty": ("Nothing is stored yet", "还没有快照"),
    "library.empty.how": (
        "A snapshot keeps the decisions, directives, parameters and code of a conversation word for word. Bring a conversation in: a chat export, an agent's session or a transcript.",
        "快照逐字保留对话中的决策、指令、参数与代码。导入一段对话即可开始：聊天导出、编程助手会话或文字记录。",
    ),
    "library.empty.cli": ("Or in the terminal:", "或在终端运行："),
    "library.superseded": ("superseded", "已取代"),
}
