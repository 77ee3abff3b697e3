"""Words of the settings."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "settings.title": ("Settings", "设置"),
    "settings.look": ("This page", "本页"),
    "settings.look.how": (
        "Language and colours are chosen at the top of every page and remembered by this browser.",
        "语言与配色可在每页顶部选择，由此浏览器记住。",
    ),
    "settings.kept": ("The store", "存储"),
    "settings.store.where": ("Folder", "目录"),
    "settings.store.open": (
        "Not encrypted. To encrypt it, stop this page and run",
        "未加密。如需加密，请停止本页后运行",
    ),
    "settings.store.sealed": (
        "Encrypted. This page locks itself when nobody has used it for {minutes} minutes.",
        "已加密。闲置 {minutes} 分钟后本页自动锁定。",
    ),
    "settings.store.check": ("To look at every byte of it, run", "如需全面检查，请运行"),
    "settings.all": ("What every command goes by", "所有命令共用的设置"),
    "settings.how": (
        "What has a field can be changed here and is written into this file, of which everything else stays as it is; the rest is changed in the file. A variable of the environment goes before the file, an option of a command before both.",
        "带输入框的设置可在此修改，并写入此文件，文件中其他内容保持不变；其余设置请直接在文件中修改。环境变量优先于文件，命令选项优先于两者。",
    ),
    "settings.change": ("Change", "更改"),
    "settings.change.of": ("Change {name}", "更改 {name}"),
    "settings.changed": ("Changed.", "已更改。"),
    "settings.overridden": (
        "Set by {variable} in the environment, which goes before the file; change it there, or unset it.",
        "由环境变量 {variable} 设定，优先于文件；请在那里更改，或取消该变量。",
    ),
    "settings.no-mirror": (
        "The store is encrypted, and a git mirror of it would lie in plain text.",
        "存储已加密，而 git 镜像会是明文。",
    ),
    "settings.to.": ("as the browser asks", "按浏览器的语言"),
    "settings.to.en": ("English", "English"),
    "settings.to.zh": ("中文", "中文"),
    "settings.to.true": ("on", "开启"),
    "settings.to.false": ("off", "关闭"),
    "settings.now": ("now", "当前"),
    "settings.unset": ("not set", "未设置"),
    "settings.in-file": ("in the file", "写入文件"),
    "settings.variable": ("variable", "环境变量"),
    "settings.data_dir": (
        "The folder of the store: snapshots, versions, drafts and the index.",
        "存储所在目录：快照、版本、草稿与索引。",
    ),
    "settings.max_tokens": (
        "How many tokens a new snapshot may take, from 256 to 32,768. What does not fit is listed, never silently lost.",
        "新快照的 token 上限，256 至 32,768。放不下的内容会列出，不会悄悄丢失。",
    ),
    "settings.tokens": (
        "How tokens are counted: estimate, or the family of your model (o200k, deepseek, qwen, glm, kimi, llama).",
        "token 的计数方式：estimate（估算），或所用模型的系列（o200k、deepseek、qwen、glm、kimi、llama）。",
    ),
    "settings.lang": (
        "The language of this page before you choose one: en or zh.",
        "在您选择之前本页所用的语言：en 或 zh。",
    ),
    "settings.limits": (
        "How large, deep and many an input may be before it is refused. A refusal names the limit to raise.",
        "输入的大小、层数与数量上限；拒绝时会说明需要调高哪一项。",
    ),
    "settings.hook_tokens": (
        "The size of the brief that a coding agent is given at its start.",
        "编程助手启动时所得简报的 token 数。",
    ),
    "settings.hook_seconds": (
        "How long saving a session may hold up a coding agent.",
        "保存会话时最多让编程助手等待的秒数。",
    ),
    "settings.history_git": (
        "Whether every version is also committed to a git repository beside the store; not for an encrypted store.",
        "是否把每个版本同时提交到存储旁的 git 仓库；加密的存储不可用。",
    ),
    "settings.store": (
        "The address of a PostgreSQL server that keeps the store in place of the folder; a password in it is not shown.",
        "代替目录保存数据的 PostgreSQL 服务器地址；其中的密码不会显示。",
    ),
    "settings.project": (
        "The project on that server, “default” unless you name another.",
        "该服务器上的项目，未指定时为 default。",
    ),
    "settings.model": (
        "A language model for the summary, off unless you configure one. Beside a store on a server it is the only thing that ever opens a connection, and it never touches the key messages.",
        "用于摘要的语言模型，默认关闭。除服务器上的存储外，只有它会建立网络连接，且绝不改动关键消息原文。",
    ),
}
