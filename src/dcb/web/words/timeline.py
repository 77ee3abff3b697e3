"""Words of the timeline."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "timeline.title": ("Timeline", "时间线"),
    "timeline.what": (
        "When decisions were made, and what replaced them.",
        "决策何时作出，又被什么取代。",
    ),
    "timeline.tag": ("Tag", "标签"),
    "timeline.any": ("any", "不限"),
    "timeline.words": ("Snapshots with", "包含词语"),
    "timeline.kinds": ("Show", "显示"),
    "timeline.kinds.decision": ("decisions", "决策"),
    "timeline.kinds.all": ("all key messages", "全部关键消息"),
    "timeline.go": ("Show", "查看"),
    "timeline.none": ("No decision was found here.", "这里没有找到决策。"),
    "timeline.none.how": (
        "Save a conversation, or choose another tag or other words.",
        "请先保存对话，或更换标签与词语。",
    ),
    "timeline.bounded": (
        "The last {snapshots} snapshots and {events} passages are shown; a tag or words show others.",
        "仅显示最近 {snapshots} 个快照与 {events} 条内容；可用标签或词语查看其他。",
    ),
    "timeline.table": ("As a table", "列表"),
    "timeline.when": ("When", "时间"),
    "timeline.decision": ("Passage", "内容"),
    "timeline.snapshot": ("Snapshot", "快照"),
    "timeline.state": ("State", "状态"),
    "timeline.holds": ("holds", "有效"),
    "timeline.replaced": ("replaced on {date}", "于 {date} 被取代"),
    "timeline.replaced.by": ("what replaced it", "查看取代它的内容"),
    "timeline.superseded": ("superseded", "已取代"),
    "timeline.undated": ("(date of the snapshot)", "（快照日期）"),
    "timeline.key.holds": ("holds", "有效"),
    "timeline.key.replaced": ("replaced", "已取代"),
    "timeline.key.by": ("replaced by", "取代"),
}
