"""Words of the pages that a server of several people has: login and projects."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "nav.log": ("Log", "日志"),
    "log.title": ("Log", "日志"),
    "log.why": (
        "Who did what in this project, the last first. Roles, tokens and shares are the keeper's doing; the person is who got them. Only owners see this, and it holds no content.",
        "谁在本项目中做了什么，最近的在前。角色、令牌和共享由管理员设置，人员栏是获得者。只有所有者能看到，且不含任何内容。",
    ),
    "log.at": ("Time (UTC)", "时间（UTC）"),
    "log.person": ("Person", "人员"),
    "log.action": ("Action", "操作"),
    "log.snapshot": ("Snapshot", "快照"),
    "log.token": ("Token", "令牌"),
    "log.since": ("From", "起始日期"),
    "log.show": ("Show", "显示"),
    "log.keeper": ("the keeper", "管理员"),
    "log.more": (
        "These are the last {number} lines; narrow them to see earlier ones.",
        "以上是最近 {number} 行；缩小范围可查看更早的记录。",
    ),
    "log.empty": ("Nothing of the kind is in the log.", "日志中没有这样的记录。"),
    "log.none": ("There is no page here.", "这里没有页面。"),
    "login.title": ("Log in", "登录"),
    "login.why": (
        "Give a token that the keeper of this server made for you. It stays on the server only while you are logged in, as a hash.",
        "请输入服务器管理员为你生成的令牌。登录期间服务器只保留其哈希值。",
    ),
    "login.token": ("Token", "令牌"),
    "login.open": ("Log in", "登录"),
    "login.wrong": (
        "This token is unknown, revoked or too old.",
        "此令牌无效、已吊销或已过期。",
    ),
    "projects.title": ("Projects", "项目"),
    "projects.person": ("Logged in as {name}.", "当前用户：{name}。"),
    "projects.empty": (
        "There is no project for you yet; ask the keeper of this server for one.",
        "你还没有任何项目；请联系服务器管理员。",
    ),
    "projects.none": ("There is no such project here.", "这里没有此项目。"),
    "projects.leave": ("Log out", "退出登录"),
    "projects.switch": ("Project {name}: choose another, or log out", "项目 {name}：切换或退出"),
    "projects.guest": ("single snapshots, to read", "个别快照，只读"),
    "projects.reader": ("to read", "只读"),
    "projects.writer": ("to read and write", "读写"),
    "projects.owner": ("owner", "所有者"),
}
