"""What the command line says, in English and Chinese."""

from __future__ import annotations

import os
import sys
from functools import cache

# Key -> (English, Chinese). Fields in braces are filled in by `say`.
WORDS: dict[str, tuple[str, str]] = {
    "layer.verbatim": ("1. Key messages, word for word", "1. 关键消息原文"),
    "layer.summary": ("2. Summary", "2. 结构化摘要"),
    "layer.preference": ("3. Preferences", "3. 用户偏好与设定"),
    "layer.empty": ("(nothing)", "（无）"),
    "kind.directive": ("directive", "指令"),
    "kind.decision": ("decision", "决策"),
    "kind.code": ("code", "代码"),
    "kind.parameter": ("parameter", "参数"),
    "kind.bullet": ("bullet", "要点"),
    "kind.preference": ("preference", "偏好"),
    "kind.title": ("title", "标题"),
    "search.superseded": ("(superseded)", "（已被取代）"),
    "status.superseded": ("superseded by {by}", "已被 {by} 取代"),
    "origin.accepted": ("proposed by the assistant, accepted in {via}", "助手提议，经 {via} 接受"),
    "pinned": ("pinned", "已固定"),
    "explicit": ("explicit", "明言"),
    "inferred": ("inferred", "推断"),
    "left-out": ("Left out: {count} items, {tokens} tokens", "未收入：{count} 项，{tokens} token"),
    "left-out.none": ("Left out: nothing", "未收入：无"),
    "left-out.more": (
        "… and {count} more; --all-left-out lists them",
        "…… 另有 {count} 项；--all-left-out 列出全部",
    ),
    "budget": ("{kept} of {limit} tokens", "{kept} / {limit} token"),
    "budget.enough": (
        "--max-tokens {enough} would keep every key message.",
        "--max-tokens {enough} 可保留全部关键消息。",
    ),
    "messages": ("{count} messages", "{count} 条消息"),
    "saved": ("Saved as {id}", "已保存为 {id}"),
    "saved.already": ("Already saved as {id}; nothing changed", "已保存过（{id}），没有变化"),
    "draft": ("A draft until you run: dcb save", "这是草稿；运行 dcb save 保存"),
    "written": ("Wrote {path}", "已写入 {path}"),
    "kind.summary": ("summary", "摘要"),
    "kind.description": ("description", "描述"),
    "kind.tag": ("tag", "标签"),
    "explain": ("Every passage: + taken, - passed over", "逐段说明：+ 收入，- 略过"),
    "search.more": ("… and {count} more here", "…… 此处另有 {count} 条"),
    "sources.none": ("No sessions of a known tool were found here.", "没有找到已知工具的会话。"),
    "sources.count": ("{count} sessions", "{count} 个会话"),
    "sources.hint": (
        "Store them all with: dcb ingest --discover",
        "全部存档：dcb ingest --discover",
    ),
    "conflicts": ("Conflicts: {count}", "冲突：{count}"),
    "side.base": ("stored ", "已存"),
    "side.current": ("current", "当前"),
    "doctor.data": ("data", "数据"),
    "doctor.store": ("{count} snapshots, {size} bytes", "{count} 个快照，{size} 字节"),
    "doctor.mirror": ("mirror", "镜像"),
    "doctor.outbox": ("outbox", "待办"),
    "doctor.tasks": ("{count} tasks", "{count} 项任务"),
    "doctor.well": ("All is well.", "一切正常。"),
    "passphrase": ("Passphrase of the store", "存储的口令"),
    "passphrase.new": ("New passphrase", "新口令"),
    "encrypted": ("Encrypted {count} snapshots", "已加密 {count} 个快照"),
    "mirror.removed": (
        "The git mirror was removed: it held everything in plain text. Clones of it still do.",
        "已删除 git 镜像：其中内容均为明文。它的克隆仍为明文。",
    ),
    "mirror.left": (
        "The git mirror still holds everything in plain text; remove it by hand: {path}",
        "git 镜像仍以明文保存全部内容；请手动删除：{path}",
    ),
    "decrypted": ("Decrypted {count} snapshots", "已解密 {count} 个快照"),
    "rekeyed": (
        "Sealed {count} snapshots with the new passphrase",
        "已用新口令重新加密 {count} 个快照",
    ),
    "diff.none": ("No difference", "没有差异"),
    "rolled-back": ("{version} is the present version of {id}", "{version} 现为 {id} 的当前版本"),
    "erase.sure": ("Erase for good? This cannot be undone.", "确定永久擦除？此操作无法撤销。"),
    "erased": (
        "Erased {ids} with {versions} versions; searched {size} bytes of the data folder",
        "已擦除 {ids} 及其 {versions} 个版本；已在数据目录中检查 {size} 字节",
    ),
    "erased.server": (
        "Erased {ids} with {versions} versions from {where}",
        "已从 {where} 擦除 {ids} 及其 {versions} 个版本",
    ),
    "erase.vacuumed": (
        "The tables were vacuumed: the server may write over their space.",
        "已对数据表执行 VACUUM：服务器可以覆盖其空间。",
    ),
    "erase.unvacuumed": (
        "This role may not vacuum the tables: the rows lie there until the server does it itself.",
        "此角色无权对数据表执行 VACUUM：这些行会留到服务器自行清理为止。",
    ),
    "erase.remaining": ("A trace is left in {path}", "{path} 中仍有痕迹"),
    "erase.limits": (
        "Out of reach: backups, other copies, clones of the git mirror, synchronised folders, and blocks that a flash disk keeps.",
        "无法触及：备份、其他副本、git 镜像的克隆、同步文件夹，以及闪存盘保留的块。",
    ),
    "erase.limits.server": (
        "Out of reach: the server's write-ahead log and its archive, replicas, backups, other copies, and pages not yet written over; the log of who did what keeps the ids.",
        "无法触及：服务器的预写日志及其归档、副本、备份、其他拷贝，以及尚未被覆盖的页；操作日志仍保留标识。",
    ),
    "backed-up": ("Wrote {path}, {size} bytes", "已写入 {path}，{size} 字节"),
    "moved": (
        "{snapshots} snapshots, {versions} versions, {drafts} drafts (with the inbox): {copied} "
        "rows copied to {path}, {there} were there already, {verified} verified by their hashes",
        "{snapshots} 个快照、{versions} 个版本、{drafts} 份草稿（含收件箱）：{copied} 行复制到 {path}，"
        "{there} 行已在那里，{verified} 行已按哈希核对",
    ),
    "moved.use": (
        "The source is as it was. To use the new store: {how}",
        "来源未变。使用新存储：{how}",
    ),
    "restored": ("The backup is now the store in {path}", "备份已成为 {path} 中的存储"),
    "review.prompt": (
        "d/p N… drop/pin, k KIND N… kind, e edit, s save, q quit",
        "d/p 编号 删除/固定，k 类型 编号 改类型，e 编辑，s 保存，q 退出",
    ),
    "review.help": (
        "Numbers as listed; kinds: directive, decision, code, parameter. Example: d 3 5",
        "编号见列表；类型：directive、decision、code、parameter。例：d 3 5",
    ),
    "edit.again": ("Edit it again?", "再次编辑？"),
    "edit.unchanged": ("Nothing changed", "没有变化"),
    "exported": ("Wrote {count} documents to {path}", "已将 {count} 份文档写入 {path}"),
    "exported.pam": ("Wrote {count} preferences to {path}", "已将 {count} 条偏好写入 {path}"),
    "added": ("Added {id}  {title}", "已加入 {id}  {title}"),
    "copied": ("Copied to the clipboard", "已复制到剪贴板"),
    "removed": ("Removed {id}  {title}", "已移除 {id}  {title}"),
    "none.stored": (
        "Nothing stored yet. Begin with: dcb compile FILE --save",
        "还没有快照。从这里开始：dcb compile 文件 --save",
    ),
    "none.found": ("Nothing found.", "没有找到。"),
    "did-you-mean": ("Did you mean: {terms}", "您是不是要找：{terms}"),
    "choose": (
        "{count} conversations in {source}. Which one?",
        "{source} 中有 {count} 个对话。选哪一个？",
    ),
    "choose.prompt": ("Number (or part of the title)", "编号（或标题的一部分）"),
    "several": (
        "{source} holds {count} conversations: name one with --conversation ID, or take all with --all. The first ones:",
        "{source} 含有 {count} 个对话：用 --conversation ID 指定一个，或用 --all 取全部。前几个：",
    ),
    "account": (
        "{read} conversations read: {new} new, {grown} grown, {same} unchanged; {skipped} skipped; {messages} messages, {warnings} warnings",
        "读取 {read} 个对话：新增 {new}，增长 {grown}，未变 {same}；跳过 {skipped}；{messages} 条消息，{warnings} 条警告",
    ),
    "skipped": ("Skipped:", "跳过："),
    "warnings": ("Warnings:", "警告："),
    "inbox.by": ("by {by}", "来自 {by}"),
    "inbox.empty": ("Nothing waits in the inbox.", "收件箱是空的。"),
    "inbox.hint": (
        "Read one: dcb inbox show ID. Then: dcb inbox accept ID, or: dcb inbox reject ID",
        "查看：dcb inbox show ID；接受：dcb inbox accept ID；拒绝：dcb inbox reject ID",
    ),
    "inbox.accepted": ("Accepted as {id}", "已接受为 {id}"),
    "inbox.rejected": ("Rejected {id}", "已拒绝 {id}"),
    "kind.brief": ("brief", "摘要简报"),
    "hook.installed": (
        "{agent} now calls dcb at {events}. To undo: dcb hook uninstall {name}",
        "{agent} 将在 {events} 时调用 dcb。撤销：dcb hook uninstall {name}",
    ),
    "hook.hint.codex": (
        "Start Codex and trust the three hooks with /hooks: until then it does not run them.",
        "请启动 Codex 并用 /hooks 信任这三个钩子；在此之前它们不会运行。",
    ),
    "hook.uninstalled": ("{agent} no longer calls dcb", "{agent} 不再调用 dcb"),
    "hook.same": ("Nothing to change in {path}", "{path} 无需更改"),
    "hook.not-written": ("Not written (--dry-run)", "未写入（--dry-run）"),
    "secrets.none": ("No secrets of a known shape", "没有发现已知形式的密钥"),
    "secrets.warning": (
        "Secrets in the text: {places}. dcb brief masks them; dcb secrets lists them",
        "原文含有密钥：{places}。dcb brief 会遮盖；dcb secrets 可列出",
    ),
    "secrets.exported": (
        "Secrets in what was written: {count}",
        "写出的内容含密钥：{count} 处",
    ),
    "secrets.masked": (
        "Secrets masked: {count}; --keep-secrets does not",
        "已遮盖密钥：{count} 处；--keep-secrets 可保留",
    ),
    "web.link": ("Open {link}", "请打开 {link}"),
    "web.keys": (
        "The link works once and for a minute. Enter prints another, Ctrl-C stops.",
        "链接只能使用一次，一分钟内有效。按回车获取新链接，按 Ctrl-C 停止。",
    ),
    "verdict.intact": ("intact", "完好"),
    "verdict.newlines-changed": (
        "intact, but its line ends were changed",
        "内容完好，但换行符被改过",
    ),
    "verdict.modified": (
        "readable, but its text was changed since the checksum was written",
        "可读，但写入校验和之后正文被修改过",
    ),
    "verdict.no-checksum": ("readable; it carries no checksum", "可读；没有校验和"),
    "verdict.not-a-snapshot": ("not a snapshot document", "不是快照文档"),
}


@cache
def chinese() -> bool:
    """Whether to speak Chinese: `--lang`, then `DCB_LANG`, then the locale."""
    for position, word in enumerate(sys.argv):
        if word == "--lang" and position + 1 < len(sys.argv):
            return sys.argv[position + 1] == "zh"
        if word.startswith("--lang="):
            return word == "--lang=zh"
    for name in ("DCB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.startswith("zh")
    return False


def say(key: str, **values: object) -> str:
    """The sentence of that key in the person's language."""
    return WORDS[key][chinese()].format(**values)
