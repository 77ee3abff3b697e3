"""How a value is set, bounded or named in English; the value itself is found by `values`."""

from __future__ import annotations

from dcb.extract.rules import Rule, table

PARAMETERS: tuple[Rule, ...] = table(
    "parameter",
    (
        "en.set",
        r"\b(?:(?:runs?|listens?|lives?|sits) (?:at|on|under|in)|let'?s (?:say|do|make it|go with|aim for|use|try|have|start with)|schedule (?:it|that|them) for|expires? (?:after|in)|aim for|(?:can|could|will|'?ll) (?:spend|go up to|afford|pay|offer|stretch to|do)|shoot for|need (?:it|this|them|that|everything|these) by|due (?:on|by|in)?|(?:we'?re|i'?m) on|budget (?:of|is)|(?:down|up|back) to|set|make (?:it|that|them|the [a-z]+)|change[sd]?|bump(?:ed)?|raise|lower|drop|reduce|increase|move (?:it|that)|shift (?:it|that)|push (?:it|that)|pin(?:ned)?|lock(?:ed)?|keep|go)\b",
        "make that 200",
        "we went through 200 of them",
    ),
    (
        "en.use-that",
        r"\b(?:use|take|go with|put|write) (?:that|this)(?: one)?(?:[.,;!]|$)",
        "it was £389 on the receipt, use that",
        "use that",
    ),
    (
        "en.so",
        r"\bso (?:only |just |maximum |max )?(?:[a-z]+ of )?(?:[$€£]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve)\b)",
        "We have eight syringes, so groups of four.",
        "so we have four of them",
    ),
    (
        "en.bound",
        r"\b(?:cap(?:ped)?|limit(?:ed)?|max(?:imum)?|min(?:imum)?|at (?:most|least)|no (?:more|less|fewer|later|earlier) than|up to|under|below|within|exactly|tops|or (?:less|fewer|more))\b",
        "cap at 4 threads",
        "the maximum length of the list",
    ),
    (
        "en.label",
        r"\b(?:default(?:s|ing)?|target|deadline|budget|retention|timeout|interval|threshold|port|version|page size|batch size|pool size|size|rate|ratio|width|height|depth|grace|window|quota|ttl|seed|concurrency|replicas|retries|price|fee|deposit|weight|length|duration|prefix|suffix|branch|path|folder|file|table|column|field|key|topic|queue|domain|host|url|address|email|flag|tag|colou?r|font|slug|id|level|env var|variable|server|ip|username|login|repo|bucket|cluster|namespace)\b",
        "port 8443 for the proxy",
        "the max length of the list",
    ),
    (
        "en.call",
        r"\b(?:call|name) (?:it|them|this|that) [\"'`]?[\w-]+|\b(?:call|name) (?:the|this|that|our|my) [a-z]+ (?:[\"'`][\w-]+|(?-i:[A-Z])[\w-]*|\w*[_/-]\w+)|(?:^|[,;:] ?)name (?:the|this|that|our|my) [a-z]+ [\w-]+\.?$|\bnamed [\"'`]?[\w-]+|\bcalled [\"'`][\w-]+|\bname is [\"'`]?[\w-]+|\b(?:is|are) (?:called|spelled|written) [\"'`]?[\w-]+",
        "attributes column jsonb, call it attrs",
        "call it a day",
    ),
    (
        "en.after",
        r"\d ?[a-z%]* ?(?:each|per|then|max|min|tops|or (?:less|fewer|more)|is (?:fine|ok|okay|enough|good|plenty)|a (?:day|week|month|piece)|apiece)\b",
        "30 each then",
        "30 people came then left?",
    ),
    (
        "en.should-be",
        r"\b(?:the|our|my|its|default|max(?:imum)?|min(?:imum)?)\b[\w '-]{2,40} should (?:be|stay|remain|stay at|remain at|default to) ",
        "the batch size for the database should be 500",
        "it should be 40 minutes by train",
    ),
    (
        "en.named-is",
        r"\b[a-z]+ (?:is|will be|becomes) (?-i:[A-Z][\w.]+)(?: (?-i:[A-Z])[\w.]*)*(?:[,.;]|$)",
        "Byline for the recipe is Marguerite O.",
        "The box is a Synology",
    ),
)
