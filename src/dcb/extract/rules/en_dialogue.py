"""How people answer, point, take back and correct in English."""

from __future__ import annotations

from dcb.extract.rules import Rule, table

_ORDINAL = r"(?:first|second|third|fourth|fifth|last|former|latter|other|middle|1st|2nd|3rd|4th)"
_TAKE = r"(?:go(?:ing)? (?:with|for)|take|taking|pick|choose|use|prefer|want|do|keep|run with|stick with|happy with|adopt|have)"

MOVES: tuple[Rule, ...] = (
    *table(
        "agree",
        (
            "en.agree",
            r"^(?:(?:ok|okay|yes|yeah|yep|yup|sure|great|perfect|nice|good|cool|alright|right)[,.!]? )*(?:works for me|sounds (?:good|great|right|like a plan)|agreed|deal|that works|let'?s do (?:it|that)|do (?:it|that)|go ahead(?: with (?:it|that))?|ship it|i'?m (?:happy|fine|ok|okay|good) with (?:that|it)|approved|go for it|make it so|you'?re on|sold|i'?m (?:on board|in|good with (?:it|that))|great idea|good idea|fine by me|fine with me|no objections?|(?:great|good) idea,? let'?s do (?:it|that)|yes,? let'?s|let'?s|(?:(?:yes|yep|yeah|sure|please),? )(?:do|carve|put|add|include|leave|keep|drop|cut|take|use|make|remove|send|lock|ship|apply|merge|go|set|fix) (?:it|that|this|those|them)(?: [a-z]+){0,2}|please do|do so|i'?m with you(?: on (?:that|this))?|makes sense|why not|by all means|no objection|then i'?m with you on that)(?: then| for me)?[.!]*$",
            "Works for me.",
            "works on my machine only",
        ),
        (
            "en.others-agree",
            r"\b(?:he|she|they|everyone|everybody|the team|the boss|my [a-z]+|the client)(?:'s|'re| is| are) (?:ok|okay|fine|happy|good|cool|on board|in) with (?:it|that|this)\b",
            "the coin has spoken, he's ok with it",
            "is he ok with it",
        ),
        (
            "en.yes",
            r"^(?:(?:oh|ah|hm+),? )?(?:ye+s+|yep|yup|ya|yeah+|sure|ok|okay|exactly|right|correct|absolutely|definitely|perfect|fine|indeed|love it|like it|i like it)(?:,? (?:please|so|do|sure))?[.!]*$",
            "Yes please.",
            "Yes, but later.",
        ),
    ),
    *table(
        "refer",
        (
            "en.nth",
            rf"\b{_TAKE} (?:the |your )?{_ORDINAL}\b(?: (?:one|option|choice|approach|plan|version|variant|idea|proposal|way|design|draft))?|^(?:ok,? |okay,? |yes,? |then |so )*(?:the |your )?{_ORDINAL}(?: (?:one|option|choice|approach|plan|version|variant|idea|proposal|way|design|draft))?(?: (?:it is|then|please|works|sounds \w+|looks \w+))?(?:[.,;!]|$)",
            "Let's go with the second one.",
            "our last one was called overambitious",
        ),
        (
            "en.label",
            r"\b(?:option|plan|variant|choice|approach|proposal|number) (?:a(?:[.,;!)]|$| it| then| please| is| for| sounds| works)|[b-e]|[1-6]|one|two|three|four)\b|\bgo(?:ing)? with \(?[a-e1-6]\)?(?:[.,;!]|$)|\b(?:take|taking|pick|choose|prefer|want) \(?(?-i:[A-H])\)?(?:[.,;!]|$)|^\([a-e1-6]\)|^[a-e1-6]\) (?:works|is|sounds|looks|it|please|for)\b|^(?:ok,? |okay,? |then |so |yes,? )*\(?[a-e]\)?(?: (?:it is|then|please))?(?:[.!,;]|$)",
            "option B it is",
            "there are plans a plenty",
        ),
        (
            "en.that-one",
            rf"\b{_TAKE} (?:that|it|this|those|these|yours|them both|both|your (?:version|suggestion|proposal|idea|plan|draft|first|second|last)[a-z ]*)(?: one| then| approach| version)?(?:[.,;!]|$)|^(?:o+h+,? |ok,? |okay,? |yes,? |yep,? |sure,? |hm+,? |definitely |defo )*(?:that|this) one\b|^(?:(?:ok|okay|yes|yep|oh|ya|ye|yea),? )?(?:those|these|that|this)(?: then| please)?[.!]*$|\b(?:that|this)'?s (?:the|our) (?:one|text|version|plan|layout|title|name|deal)(?: for us)?(?:[.,;!]|$)|^(?:o+h+,? |ok,? |okay,? |yes,? |yep,? |sure,? |hm+,? |definitely |let'?s (?:do|take|go with|use) |i (?:like|love|want|prefer|'?ll take) |go with )*(?:the|that) [$€£]?[\w'-]+(?: [\w'-]+)? (?:one|option|version|idea|approach|route|variant)(?: please| it is| sounds [a-z]+| looks [a-z]+| works| then)?(?:[.,;!]|$)|\b(?:so|then|and) the (?:latter|former)(?:[.,;!]|$)|\b(?:taking|going with|doing|using) (?:that|this) one\b|\b(?:go(?:ing)? (?:with|for)|take|taking|use|keep|adopt|run with|stick with|happy with|like) (?:that|this|the|your|those|these) (?:table|list|plan|schedule|version|layout|set|setup|split|breakdown|design|draft|proposal|sequence|order|config|numbers|quantities|figures|amounts|timeline|structure|outline|scheme|rota|budget|recipe|menu|route|itinerary)\b|\bye+s+,? (?:that|this|those)\b(?:[.,!]|$)|\bwith you on (?:that|this|it)\b|^(?:(?:ok|okay|yes|fine|good|great|right)[,.]? |let'?s )*do (?:it|this|that) (?:like (?:that|this)|(?:that|this) way)\b|\b(?:that|this)(?:'s| is) (?:how|what|the way) (?:we|i)(?:'ll| will)? (?:do|go|want|need)\b|\b(?:follow|implement|proceed with|continue with|go ahead with|start with|copy) (?:that|this|your|those) [a-z]+|\b(?:so|then|and) (?:that|the [\w'-]+) (?:one|option|version|plan|route)(?:[.,;!]|$)|\badopt (?:that|this|the) [a-z]+",
            "OK go with that",
            "I like that movie a lot",
        ),
        (
            "en.superlative",
            r"^(?:ok,? |okay,? |yes,? |then |so |just )*the (?:cheap|fast|small|bigg|larg|short|simpl|easi|saf|light|quick|long|old|new|strong|hott|dark|bright|quiet|near|clos)est(?: (?:one|option|of them|of (?:the )?(?:two|three|four|lot)))?(?: please| then| it is| obviously| of course)?[.!]*$",
            "the cheapest of the three",
            "the cheapest of the three was sold out",
        ),
        (
            "en.all-but",
            r"^(?:(?:ok|okay|yes|yep|good|great|fine|looks good),? )*(?:all|everything|all of (?:them|it|those|that)|the lot|the whole (?:lot|list|thing))(?: (?:looks?|is|are|sounds?))?(?: (?:good|fine|ok|okay|great|right))?,? ?(?:but|except|apart from|other than|minus|please|as is)\b|^(?:ok,? |yes,? )?(?:all|both|everything|all of (?:them|it|those|the above))(?: please| then)?[.!]*$",
            "Everything but the last.",
            "Everything broke but the last one",
        ),
        (
            "en.as-you-said",
            r"\b(?:as|like|what|how|way|plan|thing|one|color|colour|version|layout|approach|order) you(?:'ve| have| had)? (?:said|suggest(?:ed)?|propos(?:e|ed)|described|showed|listed|outlined|wrote|recommend(?:ed)?|sketched|mentioned|drafted)\b|\byour (?:suggestion|proposal|recommendation)\b",
            "same plan you suggested last month",
            "did you say something?",
        ),
    ),
    *table(
        "withdraw",
        (
            "en.withdraw",
            r"\bscrap (?:that|it|this|the)\b|(?:^|[,;] ?)(?:ok |okay |so |then )?forget [A-Za-z]+(?:[.,;!]|$)|^no,? on (?:reflection|second thoughts?)\b|^(?:no,? )?wait,? no\b|\bnever ?mind\b|\bforget (?:that|it|about|what i)\b|\bcancel (?:that|it)\b|\bstrike that\b|\bi take (?:that|it) back\b|\bon second thoughts?\b|\bchanged my mind\b|\bdisregard\b|\bscratch that\b|\bundo that\b|\bcall (?:it|that) off\b|\bwe'?re not doing\b|\bignore (?:what i|my (?:last|earlier|previous))\b",
            "actually, scrap that, use Postgres",
            "scrap metal prices",
        ),
    ),
    *table(
        "correct",
        (
            "en.correct",
            r"\bactually\b|\binstead\b|\bmake (?:it|that|them)\b|\bchange (?:it|that|the|to)\b|\bdrop (?:it|that|the [a-z]+) to\b|\bbump\b|\braise\b|\blower\b|\bmove (?:it|that|the)\b|\bswitch(?:ing|ed)? (?:to|back|it|that|over)\b|\brather\b|\bthen[.!]?$|\bi meant\b|\bcorrection\b|\bsorry\b|\bon second thoughts?\b|\bwait\b|\bnow\b|\bupdate[d]?\b|\bturns out\b|\bsays \d|\boof\b|\bugh\b|\bsame time\b|\bok(?:ay)? \d|\bmerge\b|\breplace\b|\b(?:back|down|up) to\b|\bno longer\b|\brevert\b|\bafter all\b|\bcan we do the\b|^so (?:it'?s |that'?s |make it )?[\d$€£{]|\bnot \d",
            "make that 200",
            "the limit is 200",
        ),
    ),
)
