"""The shapes of secrets, as data: each with a text it finds and one it leaves alone.

Patterns are RE2's (linear time). Where a pattern has a group, the group is the secret.
Order matters where shapes overlap: the first rule that takes a place keeps it.
"""

from __future__ import annotations

from typing import NamedTuple

VERSION = 1


class Rule(NamedTuple):
    """One shape. A `loose` one stands for words people use: placeholders are let through."""

    kind: str
    pattern: str
    hit: str
    miss: str
    loose: bool = False


_NAME = (
    r"(?:password|passwd|passphrase|pwd|secret(?:[_-]?key)?|api[_-]?key|apikey|"
    r"(?:access|auth|api|refresh|bearer)[_-]?token|client[_-]?secret|token|密码|口令|密钥)"
)

# A text editor's soft line break is a vertical tab, which RE2's `\s` leaves out; in a string
# of JSON or of code a break is written as two signs.
_BREAK = r"(?:[\s\v]|\\r|\\n)*"

# The examples are put together from pieces, so that scanners do not report this file.
_A20 = "abcdEFGH1234ijklMN56"
_A40 = _A20 + "opqrSTUV7890wxyzAB12"
_HEX32 = "0123456789abcdef" * 2

RULES: tuple[Rule, ...] = (
    Rule(
        "private-key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        rf"(?:{_BREAK}[A-Za-z][A-Za-z-]*: [^\n]*)*"
        rf"(?:{_BREAK}[A-Za-z0-9+/=]{{16,}})+"
        rf"(?:{_BREAK}[A-Za-z0-9+/=]*{_BREAK}-----END [A-Z0-9 ]*-----)?",
        f"-----BEGIN RSA PRIVATE KEY-----\n{_A40}\nab==\n-----END RSA PRIVATE KEY-----",
        "the file starts with -----BEGIN RSA PRIVATE KEY----- and ends with the END line",
    ),
    Rule("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{20,}", f"sk-ant-api03-{_A40}", "sk-ant-..."),
    Rule("openrouter-key", r"\bsk-or-[A-Za-z0-9_-]{20,}", f"sk-or-v1-{_HEX32}", "sk-or-v1-key"),
    Rule(
        "openai-key",
        r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9]{20,}",
        f"sk-proj-{_A40}",
        "sk-toolbar-button-primary-large",
    ),
    Rule("github-token", r"\bgh[pousr]_[A-Za-z0-9]{36,}", f"ghp_{_A40}", "ghp_short"),
    Rule("github-token", r"\bgithub_pat_[A-Za-z0-9_]{40,}", f"github_pat_{_A40}", "github_pat_x"),
    Rule(
        "gitlab-token",
        r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|ffct|oas)-[A-Za-z0-9_.-]{20,}",
        f"glpat-{_A20}",
        "glpat-short",
    ),
    Rule(
        "aws-key-id",
        r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
        "AKIA" + "Q3EGRIYH7LZ2MXWB",
        "AKIAQ3EG",
    ),
    Rule(
        "aws-secret-key",
        r"(?i)aws.{0,20}?(?:secret|key)[a-z_-]*[\"']?\s*[=:]+>?\s*[\"']?([A-Za-z0-9/+=]{40})(?:[^A-Za-z0-9/+=]|$)",
        f"aws_secret_access_key = {_A40}",
        "aws_secret_access_key = ${AWS_SECRET}",
    ),
    Rule("google-key", r"\bAIza[0-9A-Za-z_-]{35}", f"AIza{_A40[:35]}", "AIzaShort"),
    Rule("google-secret", r"\bGOCSPX-[A-Za-z0-9_-]{20,}", f"GOCSPX-{_A40[:28]}", "GOCSPX-id"),
    Rule("google-token", r"\bya29\.[A-Za-z0-9_-]{20,}", f"ya29.{_A40}", "ya29.x"),
    Rule("slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", f"xoxb-123456-{_A20}", "xoxb-x"),
    Rule("slack-token", r"\bxapp-[0-9]-[A-Za-z0-9-]{20,}", f"xapp-1-A01-{_A20}", "xapp-1-A01"),
    Rule(
        "slack-webhook",
        r"\bhooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_-]{20,})",
        f"https://hooks.slack.com/services/T0/B0/{_A20}",
        "https://hooks.slack.com/services/",
    ),
    Rule(
        "discord-webhook",
        r"\bdiscord(?:app)?\.com/api/webhooks/([0-9]{15,}/[A-Za-z0-9_-]{30,})",
        f"https://discord.com/api/webhooks/123456789012345678/{_A40}",
        "https://discord.com/api/webhooks/ID/TOKEN",
    ),
    Rule(
        "stripe-key",
        r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}",
        f"sk_live_{_A20}",
        "sk_live_x",
    ),
    Rule("stripe-webhook", r"\bwhsec_[A-Za-z0-9+/=]{24,}", f"whsec_{_A40}", "whsec_x"),
    Rule(
        "jwt",
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        f"eyJ{_A20}.eyJ{_A20}.{_A20}",
        "eyJhbGciOi.payload.signature",
    ),
    Rule("npm-token", r"\bnpm_[A-Za-z0-9]{36,}", f"npm_{_A40[:36]}", "npm_config_registry"),
    Rule("pypi-token", r"\bpypi-AgE[A-Za-z0-9_-]{40,}", f"pypi-AgE{_A40}", "pypi-AgE"),
    Rule("huggingface-token", r"\bhf_[A-Za-z0-9]{30,}", f"hf_{_A40[:34]}", "hf_hub_download"),
    Rule("groq-key", r"\bgsk_[A-Za-z0-9]{40,}", f"gsk_{_A40}", "gsk_x"),
    Rule("xai-key", r"\bxai-[A-Za-z0-9]{40,}", f"xai-{_A40}", "xai-grok"),
    Rule(
        "sendgrid-key",
        r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}",
        f"SG.{_A20}.{_A40}",
        "SG.id.key",
    ),
    Rule(
        "telegram-token",
        r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
        f"123456789:AA{_A40[:33]}",
        "12345678:AA",
    ),
    Rule(
        "digitalocean-token",
        r"\bdo[opr]_v1_[a-f0-9]{64}",
        f"dop_v1_{_HEX32}{_HEX32}",
        "dop_v1_abc",
    ),
    Rule("databricks-token", r"\bdapi[a-f0-9]{32}\b", f"dapi{_HEX32}", "dapi-client"),
    Rule("shopify-token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", f"shpat_{_HEX32}", "shpat_x"),
    Rule("twilio-key", r"\b(?:SK|AC)[a-f0-9]{32}\b", f"SK{_HEX32}", "SKU0001"),
    Rule("mailgun-key", r"\bkey-[a-f0-9]{32}\b", f"key-{_HEX32}", "key-value"),
    Rule("vault-token", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}", f"hvs.{_A40}", "hvs.x"),
    Rule("notion-token", r"\b(?:ntn_|secret_)[A-Za-z0-9]{40,}", f"ntn_{_A40}", "secret_key"),
    Rule("linear-key", r"\blin_api_[A-Za-z0-9]{30,}", f"lin_api_{_A40}", "lin_api_x"),
    Rule("tencent-key-id", r"\bAKID[A-Za-z0-9]{32}\b", f"AKID{_A40[:32]}", "AKID"),
    Rule("aliyun-key-id", r"\bLTAI[A-Za-z0-9]{12,20}\b", f"LTAI{_A20}", "LTAI"),
    Rule(
        "azure-key",
        r"\bAccountKey=([A-Za-z0-9+/]{80,}={0,2})",
        f"AccountKey={_A40}{_A40}{_A20}==",
        "AccountKey=<key>",
    ),
    Rule(
        "age-key",
        r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}",
        "AGE-SECRET-KEY-1" + "QPZRY9X8GF" * 6,
        "AGE-SECRET-KEY-1...",
    ),
    Rule(
        "url-password",
        r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@\"'<>]*:([^\s/@\"'<>]{3,})@",
        "postgres://app:" + "t0psecretX@db.example:5432/app",
        "postgres://app:${PASSWORD}@db:5432/app and mailto:a@b",
        loose=True,
    ),
    Rule(
        "bearer-token",
        r"(?i)\bbearer\s+([A-Za-z0-9._~+/-]{20,}=*)",
        f"Authorization: Bearer {_A40}",
        "Authorization: Bearer <token>",
        loose=True,
    ),
    Rule(
        "password",
        rf"(?i){_NAME}[\"'`]?\s*(?:=|:|：|是|为)\s*[\"'`]?([A-Za-z0-9!@#$%^&*+/=_~?.-]{{8,}})(?:[^A-Za-z0-9!@#$%^&*+/=_~?.(\[-]|$)",
        "password=" + "hunter2-Xy9",
        "password = os.environ['DB_PASSWORD_2']",
        loose=True,
    ),
)
