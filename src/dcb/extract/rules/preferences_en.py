"""How people state preferences in English: rules, wishes and guards as data."""

from __future__ import annotations

from dcb.extract.rules.preferences import Guard, Rule

_LANG = (
    r"(?:english|chinese|mandarin|cantonese|german|french|spanish|portuguese|italian|japanese"
    r"|korean|russian|dutch|polish|turkish|arabic|hindi|swedish|danish|norwegian|finnish|greek"
    r"|czech|hungarian|romanian|ukrainian|vietnamese|thai|indonesian|hebrew|catalan|welsh)"
)
_SAY = (
    r"(?:answer|reply|respond|write|speak|talk|explain|chat|communicate|summari[sz]e|draft"
    r"|phrase|word|switch|stick|keep|say|continue|present|put|give me|tell me|show)"
)
_TEXT = (
    r"(?:answers?|replies|reply|responses?|explanations?|messages?|sentences?|paragraphs?"
    r"|descriptions?|summar(?:y|ies)|write-?ups?|wording|text|prose|output|things)"
)
_DOCUMENT = (
    r"(?:docs?|documentation|readme|reports?|e-?mails?|letters?|copy|articles?|slides|deck|strings|commit messages?|subtitles"
    r"|handouts?|labels?|captions?|newsletter|release notes|changelog|user guide|manual)"
)
_PLAIN_TONE = (
    r"(?:formal|informal|casual|friendly|polite|firm|neutral|serious|playful|humorous|funny"
    r"|sarcastic|blunt|gentle|encouraging|academic|conversational|chatty|upbeat|dry|sober"
    r"|enthusiastic|candid|respectful|businesslike|matter-of-fact|professional|relaxed"
    r"|stiff|preachy|cheerful|dramatic|salesy|diplomatic|human|personal|witty|flowery|warm"
    r"|matter[- ]of[- ]fact|gushing|gushy|snarky|punchy|understated|low-key|corporate|clinical|earnest|sincere|apologetic|pompous"
    r"|patroni[sz]ing|condescending|curt|frank|breezy|deadpan|solemn|assertive|restrained|whimsical|cheesy|cutesy|bubbly)"
)
_TONE = rf"(?:{_PLAIN_TONE}|direct|honest|calm|kind|light|plain|brisk|factual|soft|modest|down-to-earth)"
_SHORT = r"(?:short|brief|terse|concise|succinct|compact|tight|snappy|to the point|crisp|minimal)"
_LONG = r"(?:detailed|thorough|long|in-depth|in depth|exhaustive|comprehensive|full|complete)"
_SHAPE = (
    r"(?:bullet(?:s|ed)?(?: points?| lists?)?|numbered (?:lists?|steps)|checklists?|tables?"
    r"|tabular form|markdown|plain text|prose|headings|an? outline|outlines|diffs?|mermaid"
    r"|ascii (?:art|diagrams?)|flow ?charts?|q&a|q and a|two columns|side by side|code blocks?)\b"
)
_DATA = r"(?:json(?: lines)?|yaml|xml|csv|tsv|toml|latex|html|bibtex|asciidoc|org-mode|restructuredtext|rst)"
_CODING = (
    r"(?:python|typescript|javascript|java|kotlin|go|golang|rust|c\+\+|c#|ruby|php|swift|scala"
    r"|elixir|haskell|clojure|julia|lua|perl|bash|powershell|dart|ocaml|f#|zig|r|sql|matlab|fortran|c)"
)
_TECH = (
    r"(?:python|node(?:\.?js)?|java|jdk|jvm|go|rust|php|ruby|react|vue|angular|django|rails"
    r"|spring(?: boot)?|\.net(?: framework)?|c\+\+|c89|c99|c11|typescript|es\d+|kotlin|swift|ios|android"
    r"|windows|ubuntu|debian|centos|rhel|macos|mysql|postgres(?:ql)?|oracle|sqlite|redis|chrome"
    r"|firefox|ie|internet explorer|safari|edge|cuda|pytorch|tensorflow|kubernetes|docker|unity"
    r"|unreal|godot|arm|x86|pandas|numpy|excel|office|bash|perl|glibc|gcc|openssl|terraform"
    r"|ansible|helm|wordpress|drupal|scala|spark|hadoop|elixir|matlab|postgis|opengl)"
)
_VERSION = r"(?:v?\d+(?:\.\d+|\.x)*\+?)"
_SYSTEM = (
    r"(?:linux|windows|mac ?os|os x|ubuntu|debian|freebsd|android|ios|arm64|arm|x86|raspberry pi"
    r"|chromebooks?|ipads?)"
)
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|ten|a couple(?: of)?|a few|half a)"
_UNIT = r"(?:options?|suggestions?|ideas?|examples?|alternatives?|questions?|words?|lines?|sentences?|paragraphs?|bullets?|bullet points?)"
_MEASURE = (
    r"(?:metric(?: units)?|imperial(?: units)?|si units|celsius|fahrenheit|kelvin|kilomet(?:er|re)s?|km|miles"
    r"|met(?:er|re)s|feet|inches|kilograms|kg|pounds|grams|lit(?:er|re)s|gallons|euros?|eur|(?:us )?dollars|usd"
    r"|sterling|gbp|yen|(?:swiss )?francs|chf|yuan|rmb|zloty|pln|(?:swedish )?kron(?:a|or|er)|sek|nok|dkk|rupees|inr|won|pesos|lira|aud|cad"
    r"|kpa|psi|hpa|ppm|knots|nautical miles|ounces|cups|tablespoons|millilit(?:er|re)s|ml|hectares|acres|24[- ]?h(?:our)?(?: times?| clock| format)?|12[- ]hour clock|utc"
    r"|local time|hours|minutes)"
)
_LOCK = (
    r"(?:stuck (?:on|with|at)|locked (?:to|at|on|into)|pinned (?:to|at)|frozen (?:at|on)|limited to|restricted to"
    r"|tied to|stay(?:ing)? (?:on|with)|target(?:s|ing)?(?: is)?|compatible with|nothing (?:newer|older|later) than"
    r"|support(?:s|ing)?|(?:must|has to|needs? to|have to|should|got to|will) (?:still )?(?:run|work|build|compile|support|be compatible)"
    r"(?: on| with| under| in)?|(?:can |may )?only (?:use|has|have|got|runs?|supports?|ships?|on|allows?|offers?|knows?)"
    r"|just (?:has|have|got)|can(?:'t|not) (?:go|upgrade|move)(?: \w+)? (?:past|above|beyond|from))"
)
_LOCKED = (
    r"(?:only|is all (?:we|they|i) (?:have|get)|and nothing (?:newer|else)|or nothing|at most|max(?:imum)?|at the (?:most|latest)"
    r"|(?:and|we|which|it|that|i|they|you)?,? ?(?:we |i |they |you )?(?:can(?:'t|not)|won't|isn't going to|not going to) (?:be )?(?:upgraded?|changed?|move|touch\w*|bump\w*)"
    r"|and (?:that|it) (?:won't|can't|stays)|is (?:fixed|frozen|locked|mandatory|the (?:ceiling|limit|floor)))"
)
_CROWD = (
    r"(?:beginners?|newcomers?|novices?|students?|pupils|executives?|managers?|management|parents?|children|kids|teenagers|patients"
    r"|customers|developers|engineers|experts|laypeople|lay readers|non-?\w+ (?:readers|people|staff)|(?:a )?general (?:public|audience|readers?)"
    r"|volunteers|visitors|seniors|colleagues|teachers|nurses|doctors|lawyers|people (?:who|with|without)|someone who|anyone who"
    r"|the board|investors|journalists|tourists|retirees|farmers|scientists|designers|accountants|the public)"
)
_PART = (
    r"(?:charts?|plots?|graphs?|figures?|diagrams?|headlines?|titles?|headings?|comments?"
    r"|docstrings?|error messages?|errors|tone|voice|format|layout|spelling|citations?|references"
    r"|naming|variable names|commit messages?|units?|dates?|numbers|currency|palette|colou?rs?"
    r"|fonts?|code samples|code examples|log messages|logs?|explanations?|answers?|replies"
    r"|responses|sentences|paragraphs|captions?|footnotes?|slides?|pronouns|buttons?|subject lines?"
    r"|punctuation|quotes|labels)"
)
_MANNER = (
    r"(?:no|not|never|avoid|without|only|always|keep|short|brief|plain|simple|lower ?case|upper ?case"
    r"|\w+ case|formal|informal|casual|firm|polite|friendly|warm|neutral|palette|colou?r\w*|safe|bold"
    r"|italics?|numbered|minimal|light|dark|descriptive|imperative|present tense|past tense|active"
    r"|passive|first|second|third|bullets?|tables?|metric|iso|descriptive|consistent|readable"
    r"|british|american|apa|mla|chicago|vancouver|harvard|ieee|monochrome|greyscale|grayscale|serif"
    r"|sans|full sentences|one line|single|double|professional|conversational|muted|high[- ]contrast)"
)
_AUTHORITY = (
    r"(?:boss|manager|chair|advisor|adviser|supervisor|editor|client|customers?|ceo|cto|cfo|director"
    r"|reviewers?|readers|audience|teacher|professor|team|lead|board|committee|founder|publisher|dean"
    r"|investors?|auditors?|principal|partners?)"
)

WISH = (
    r"\b(?:please|pls|plz|kindly|think (?:short|simple|plain|everyday)|always|never|from now on|from here on|going forward|(?:sentence|title|lower|upper)[- ]?case (?:for|on|in|everything)|\w+ theme for|level|in general"
    r"|whenever|when(?:ever)? (?:you|writing|answering|explaining|quoting)|prefer|preferably"
    r"|i'd like|i'd rather|i would like|i want|i like|i need you|i hate|i dislike|i can't stand"
    r"|i'd love|i'd appreciate|instead|throughout|only|should|must|needs? to|has to"
    r"|don't|do not|avoid|skip|stop|spare me|no more|not too|go easy|let's keep|let's use"
    r"|can you|could you|would you|will you|you can|let's|has to be|have to be|tops|max|everywhere|for (?:all|every|each|everything|any)|on (?:all|every|each)|i don't need|i'm reading|we use|rather|stick(?:ing)? (?:to|with)|all (?:the |my |your )?\w+ (?:in|as|with)|from here|remember to|make sure|no need|feel free)\b"
    r"|^(?:\W|also|and|ok|okay|yes|yeah|no|btw|oh|but|so|then|just|now|otherwise|ah|hm+|great|good"
    r"|thanks|perfect|fine|nice|right|sure|well)*\b(?:answer|reply|respond|write|speak|talk|explain|ask|number|mark|flag|offer|suggest|compare|bullet points"
    r"|keep|use|give|show|put|stick|make|be|stay|format|present|list|draft|phrase|drop|cut|leave"
    r"|cite|round|quote|summari[sz]e|start|lead|begin|end|call|address|assume|treat|walk|include"
    r"|pretend|add|read|act|no|not|less|more|less of|switch|go|follow|try|set|return|send|comment|name|tell"
    r"|spell|style|style:|tone|format:|in|as)\b"
)

RULES: tuple[Rule, ...] = (
    # --- a named part of the output and how it should look ---
    Rule(
        "en-part",
        "style",
        "style.*",
        rf"^(?:\W|also|and|ok|oh|btw|yes|one more thing)*(?:(?:the|all|your|my|our|any|in) )?(?P<noun>{_PART})(?: \w+)?(?:\s*[:—–]\s*| (?:should|must|need to|have to|are to|to) (?:be|have|use|stay|read|follow)? ?|, | (?:without|under|with no|at most|no longer than|never) )(?P<v>(?:[\w'-]+ ){{0,3}}?(?:{_MANNER})\b[^,;.!?]*|(?:\w+ ){{0,3}}(?:words?|lines?|colons?|capitals|punctuation|numbers|abbreviations|adjectives|periods?|full stops?)\b)",
        "said",
        "Captions: no abbreviations.",
        "Titles: Sleep and sport.",
    ),
    # --- who speaks to whom ---
    Rule(
        "en-persona",
        "role",
        "role.persona",
        r"(?:^(?:\W|ok|and|now|then|so|also)*|please |should |want you to |you to |i'd like you to |can you |could you )(?P<v>(?:act|behave|respond|answer|reply|speak|write|review|read|think|treat|judge|look at)(?: this| it| that| them| me| everything)? (?:like|as)(?: if you(?:'re| are| were))? (?:an?|my|our|the) [a-z][\w' -]+)",
        "said",
        "Act as a seasoned tax lawyer.",
        "The adapter can act as a bridge.",
    ),
    Rule(
        "en-persona-part",
        "role",
        "role.persona",
        r"\b(?P<v>(?:play|be) (?:the )?devil's advocate|play the (?:role|part) of [\w' -]+|put on (?:your|an?|the) [\w' -]*hat|pretend (?:to be|you(?:'re| are| were)) (?:an?|the|my|our) [\w' -]+|from now on you(?:'re| are) [\w' -]+|you(?:'ll| will) be (?:my|our) [\w' -]+)",
        "said",
        "Play the role of a customs officer.",
        "Children pretend to be asleep.",
    ),
    Rule(
        "en-persona-be",
        "role",
        "role.persona",
        r"^(?:\W|ok|please|now|and|so|then|from now on)*\b(?P<v>(?:you are|you're|be|play|pretend (?:to be|you're|you are)|imagine you(?:'re| are)|take the role of|put on your) (?:now )?(?:an?|my|our|the) [\w' -]*(?:expert|engineer|editor|reviewer|teacher|tutor|coach|lawyer|doctor|producer|critic|consultant|advisor|adviser|analyst|assistant|architect|designer|developer|dba|scientist|professor|manager|mentor|guide|translator|writer|journalist|auditor|historian|librarian|chef|therapist|opponent|customer|user|player|reader|interviewer|recruiter|investor|advocate|accountant|planner|proofreader|copywriter|programmer|administrator|sysadmin|pilot|nurse|physicist|statistician|economist|hat)s?)\b",
        "said",
        "You are my strict thesis advisor.",
        "You are a bit early.",
    ),
    Rule(
        "en-audience",
        "role",
        "role.audience",
        rf"(?:^(?:\W|and|so|also|remember|note|well|ok)*|please |should |to |always )(?P<v>(?:write|explain|phrase|pitch|aim|word|keep)\w* (?:it |this |that |them |everything |things )?(?:for|at|to) (?:an? |the |our |my )?(?:audience of |[\w-]+ )?{_CROWD}[^,;.!?]*|(?:this|it|that|these|they)(?: is|'s| are|'re) (?:meant |written )?for (?:an? |the |our |my )?(?:[\w-]+ )?{_CROWD}[^,;.!?]*|(?:the|our|my|your) (?:main |target |intended )?(?:audience|readers|readership) (?:is|are|will be) (?:mostly |mainly |all |just )?(?:an? )?[\w-]+(?: [\w' -]+)?)",
        "said",
        "This is for nurses, not doctors.",
        "This is for the red team.",
    ),
    Rule(
        "en-address",
        "style",
        "style.address",
        r"(?:^(?:\W|and|also|btw|just|oh|ok)*|please |you can |just |always )(?P<v>(?:call me|address me (?:as|by)|refer to me as|my pronouns are) [\w/.' -]+)",
        "said",
        "Please call me Dr. Okafor.",
        "They call me at noon every day.",
    ),
    # --- language, before anything that names a document part ---
    Rule(
        "en-comment-language",
        "style",
        "style.comments",
        rf"\b(?P<v>(?:comments?|docstrings?)\b.{{0,30}}\bin {_LANG})\b",
        "said",
        "Code comments in German, please.",
        "He comments in the German edition.",
    ),
    Rule(
        "en-log-language",
        "style",
        "style.log-language",
        rf"\b(?P<v>(?:logs?|log (?:lines|messages)|error (?:codes|messages))\b.{{0,30}}\bin {_LANG})\b",
        "wish",
        "Keep the log messages in English.",
        "The logs burned in English fireplaces.",
    ),
    Rule(
        "en-output-language",
        "style",
        "style.output-language",
        rf"\b(?P<v>{_DOCUMENT}\b.{{0,30}}\bin {_LANG})\b",
        "wish",
        "Write the README in French.",
        "The manual arrived in French last year.",
    ),
    Rule(
        "en-spelling",
        "style",
        "style.spelling",
        r"\b(?P<v>(?:british|american|uk|us|australian|canadian|oxford|commonwealth)(?: english)? (?:spellings?|orthography|conventions)|(?:british|american|uk|us) english|spell(?:ing)? (?:it |things )?the (?:british|american) way)\b",
        "said",
        "Use British spelling everywhere.",
        "The British team spells trouble.",
    ),
    Rule(
        "en-reading-level",
        "style",
        "style.reading-level",
        r"\b(?P<v>(?:\w+[- ])?grade(?: \d+)?(?:[- ]reading)?[- ]level|reading level|(?:cefr )?[abc][12][- ]level|(?:\w+|\d+)[- ]year[- ]old\b[^,;.!?]{0,20}\b(?:follows|understands?|can|could)|(?:for|like|to) an? (?:\w+|\d+)[- ]year[- ]old|plain (?:english|language)|layman'?s terms|lay terms|reading age|(?:short sentences and|everyday) (?:\w+ )?(?:words|language)|non-?technical (?:language|terms|reader))\b",
        "wish",
        "Please write it at a fifth-grade reading level.",
        "A nine-year-old fell off the swing.",
    ),
    Rule(
        "en-language",
        "style",
        "style.language",
        rf"\b(?:{_SAY}|strings|everything|all|let me have|read (?:it|this|that))\b[^,;.!?]{{0,40}}\b(?P<v>(?:in|to|with) {_LANG})\b",
        "wish",
        "Please answer in Portuguese.",
        "Her letters were translated to Portuguese.",
    ),
    Rule(
        "en-language-bare",
        "style",
        "style.language",
        rf"^(?:\W|and|but|ok|no|yes|only)*(?P<v>(?:in )?{_LANG}(?: only)?,? (?:please|only|throughout|from now on)|in {_LANG})\b",
        "said",
        "In Spanish from here on.",
        "Spanish wines are on the list.",
    ),
    # --- explanations and length ---
    Rule(
        "en-length-need-not",
        "style",
        "style.length",
        r"\b(?P<v>(?:don't (?:have|need) to|no need to|needn't) (?:explain|elaborate|justify|spell|comment on)\b[^,;.!?]{0,30}|(?:don't|do not|no need to) (?:give|show|tell) (?:me )?(?:the |any |all the |your )*(?:theory|background|history|details?|explanations?|reasoning|why)\b[^;.!?]{0,30}|no need for (?:long |lengthy |detailed |any |so many )*(?:explanations?|details?|essays?|intros?|introductions?|words)|i don't (?:need|want) (?:the |any |all the |your |an? )*(?:background|theory|explanations?|details|history|intro\w*|context|preamble|reasoning|lecture|essay)\b[^,;.!?]{0,20}|just (?:give me |show me |tell me )?the (?:commands?|code|diff|answer|result|facts|essentials|gist|short version|highlights)|(?:the )?(?:long|short|full|brief) version)\b",
        "wish",
        "You don't need to explain every line.",
        "I don't need the key today.",
    ),
    Rule(
        "en-explain-like",
        "style",
        "style.explanations",
        r"\b(?P<v>(?:explain|talk|describe|teach|walk)\b[^,;.!?]{0,30}\b(?:like|as if|as though) i(?:'m|'ve| am| have|'d)? [^,;.!?]+|eli5|(?:(?:not|don't|never|stop) )?(?:assum(?:e|ing)|pretend|imagine) (?:that )?i(?:'m|'ve| am| have| know| don't| can)\b[^,;.!?]+|assume (?:no|zero|little|some) (?:prior |background )?(?:knowledge|experience)|(?:skip|leave out|no need for) the basics|i (?:already )?know the basics|no hand-?holding|explain (?:everything|every step|each step|as you go)|(?:the )?(?:commands?|code|examples?|answer|results?|formula|fix) first\b|(?:then explain|explain (?:after|later|below)|explanations? (?:after|first|before|below|above|optional)))",
        "wish",
        "Explain it as if I had never seen a spreadsheet.",
        "He will explain the delay like always.",
    ),
    Rule(
        "en-step",
        "style",
        "style.detail",
        r"\b(?P<v>one (?:step|thing|question|topic|point|idea) at a time|step[- ]by[- ]step|a step at a time|don't (?:dump|throw|list) everything at once)\b",
        "wish",
        "Give me one step at a time, please.",
        "One thing at a time broke during the move.",
    ),
    Rule(
        "en-sentences",
        "style",
        "style.sentences",
        rf"\b(?P<v>{_SHORT} sentences|sentences? (?:short|under|below|of at most)|(?:no|never|avoid) (?:long|run-on) sentences|(?:no more than|at most|max(?:imum)?|under) \w+ words (?:per|a|each) sentence)\b",
        "wish",
        "Keep your sentences short.",
        "Two short sentences open the novel.",
    ),
    Rule(
        "en-length-set",
        "style",
        "style.length",
        rf"\b(?:keep|make|cut|be|stay|write|leave)\b(?: \w+){{0,4}}? (?P<v>(?:nice and |very |really |more |as |super |extra )?(?:{_SHORT}|{_LONG}))\b",
        "wish",
        "Keep it brief from now on.",
        "The bridge will be long.",
    ),
    Rule(
        "en-length-text",
        "style",
        "style.length",
        rf"\b(?P<v>(?:{_SHORT}|{_LONG}|shorter|longer|fuller) (?:{_TEXT}))\b",
        "wish",
        "I prefer short answers.",
        "Short messages cost ten cents.",
    ),
    Rule(
        "en-length-minimum",
        "style",
        "style.length",
        rf"\b(?P<v>(?:{_TEXT}|comments|jargon|small talk) (?:to a|to the|at a) (?:bare |absolute )?minimum|(?:don't|do not|stop|no need to) (?:repeat|restate|quote|paraphrase|echo|summari[sz]e)\w* (?:my|what i)\b[^;.!?]*|(?:skip|drop|no|without|lose) (?:the |your |any )?(?:greetings?|sign-?offs?|outros?|closing (?:lines?|remarks?)))\b",
        "wish",
        "Keep explanations to a minimum.",
        "The jargon came to a minimum.",
    ),
    Rule(
        "en-questions",
        "style",
        "style.questions",
        r"\b(?P<v>(?:stop asking|don't ask|do not ask|never ask|no|without|skip|fewer|ask|always ask)(?: me)?(?: any| so many| the| your)? (?:more )?(?:follow-?up|clarifying|rhetorical)(?: questions?)?\b[^;.!?]{0,30})",
        "wish",
        "Please stop asking me follow-up questions.",
        "The follow-up questions came later.",
    ),
    Rule(
        "en-punctuation",
        "style",
        "style.punctuation",
        r"\b(?P<v>(?:no|without|avoid|skip|drop|don't use|do not use|never use|use|fewer|easy on)(?: the| any| so many)? (?:semi-?colons?|dashes|hyphens|parentheses|brackets|ellips(?:is|es)|bold(?: text)?|italics|ampersands|quotation marks|curly quotes|straight quotes|serial commas?)\b[^;.!?]{0,24})",
        "said",
        "Don't use semicolons.",
        "The hyphens were gone.",
    ),
    Rule(
        "en-length-than",
        "style",
        "style.length",
        r"\b(?P<v>(?:a (?:bit|lot|little) |much |way |far )?(?:shorter|longer|briefer|more concise|less (?:wordy|detailed)|more detailed|more detail) than (?:what )?(?:you(?:r)?|the last|last time|before)\b[^,;.!?]*)",
        "said",
        "And shorter than what you usually give me.",
        "The second shift is shorter than the first.",
    ),
    Rule(
        "en-length-adverb",
        "style",
        "style.length",
        r"\b(?:answer|reply|respond|explain|write|tell me|say|put)\b(?: \w+){0,3}? (?P<v>briefly|concisely|tersely|succinctly|at length|in (?:great |more |full )?detail|in (?:a|one|two|three|\d+)(?: single| short)? (?:words?|lines?|sentences?|paragraphs?)|in (?:under|at most|no more than|fewer than|less than) \w+ (?:words|lines|sentences|paragraphs))\b",
        "wish",
        "Please answer in two sentences.",
        "They asked him to write at length limits.",
    ),
    Rule(
        "en-length-no",
        "style",
        "style.length",
        r"\b(?P<v>(?:no|skip the|cut the|drop the|without|spare me the|less|enough with the|avoid) (?:long |lengthy |endless )?(?:essays?|walls? of text|lectures?|waffle|waffling|fluff|preambles?|padding|filler|rambling|novels?|long[- ]winded \w+|long intros?|introductions?|recaps?|small print)|(?:don't|do not|stop) (?:ramble|rambling|waffle|waffling|pad|padding|over-?explain\w*|go on and on|repeat(?:ing)? yourself|be (?:so )?(?:long-winded|verbose|wordy))|(?:less|more|too) (?:verbose|wordy|concise|detailed?|long-winded)|tl;?dr only|(?:be|stay) (?:more )?(?:brief|concise))\b",
        "wish",
        "No walls of text please.",
        "There was no fluff on the jacket.",
    ),
    Rule(
        "en-length-answers",
        "style",
        "style.length",
        rf"\b(?P<v>(?:{_TEXT}|keep (?:it|them|everything)|answer|reply|respond) (?:should be |must be )?(?:to |under |at most |below |within |in |no more than |shorter than |limited to |down to )+{_NUMBER} {_UNIT})\b",
        "wish",
        "Please keep responses under 100 words.",
        "Two lines of inquiry were answered.",
    ),
    Rule(
        "en-length-limit",
        "style",
        "style.length",
        rf"(?:^(?:\W|and|but|ok|also|please)*(?P<v>(?:{_TEXT} )?(?:under|at most|no more than|not more than|max(?:imum)?(?: of)?|up to|within|below) {_NUMBER} {_UNIT}[^,;.!?]{{0,20}}|{_NUMBER} {_UNIT} (?:tops|max(?:imum)?|at most|or less|or fewer|is (?:enough|plenty)|per (?:answer|reply|message|response))))",
        "said",
        "Max three sentences per answer.",
        "The hall seats under 80 words of scripture.",
    ),
    # --- layout ---
    Rule(
        "en-order",
        "style",
        "style.structure",
        r"\b(?P<v>(?:the )?(?:conclusions?|bottom line|answer|result|verdict|recommendation|summary|totals?|tl;?dr|takeaway|headline|numbers|figures)(?: (?:comes?|goes|should come|should go))? (?:first|up front|upfront|on top|at the (?:top|start)|before)\b[^,;.!?]{0,30}|(?:start|lead|open|begin|finish|end) (?:(?:every|each|all|your|the) )?(?:\w+ )?with (?:the |a |your )?(?:conclusions?|bottom line|answer|result|verdict|recommendation|summary|totals?|tl;?dr|takeaways?|one-line \w+))",
        "wish",
        "Please start every answer with the verdict.",
        "The result first surprised everyone in May.",
    ),
    Rule(
        "en-format",
        "style",
        "style.format",
        rf"\b(?P<v>(?:don't use|do not use|never use|stop using|i hate|can't stand|in|as|using|into|prefer|want|like|put\b[^,;.!?]{{0,30}} in|give me|make it|no|not|avoid|without|only) (?:an? |the |short |simple |proper |small |nested |giant |big |huge |long )*{_SHAPE}|(?:use|with) (?:an? |the |short |simple |proper |small |nested )*(?:bullet(?:s|ed)?(?: points?| lists?)?|numbered (?:lists?|steps)|checklists?|headings|subheadings|outlines|markdown|(?:tables?|lists?) (?:for|when|whenever|wherever|if|where|instead|rather))|number (?:the|your|all|each) (?:steps?|points?|items?|questions?|options?|answers?)|{_SHAPE} (?:is|are|work|works) (?:easier|better|best|clearer|nicer)\b[^,;.!?]*|i(?:'d| would) (?:rather|prefer to|prefer) (?:see|get|have|read) (?:an? |the |just )?(?:diffs?|tables?|lists?|code|examples?|steps|bullets?|summar(?:y|ies)|outlines?|patch(?:es)?|full \w+|whole \w+)\b[^,;.!?]*|{_SHAPE},? (?:please|only|preferred|wherever|whenever|when|instead|rather than|for (?:lists|everything|comparisons|answers)|better than|not \w+|over \w+))",
        "wish",
        "Put comparisons in a table.",
        "The kids sat in a table tent.",
    ),
    Rule(
        "en-format-data",
        "style",
        "style.output-format",
        rf"\b(?P<v>{_DATA},? (?:please|preferred|not \w+|instead of \w+|rather than \w+|over \w+)|(?:give|send|return|show|write|output|answer|deliver)\b[^,;.!?]{{0,30}} (?:as|in) (?:an? )?(?:valid |raw |plain )?{_DATA}|(?:spec|docs?|answers?|examples?|output|reports?|summary|responses?|results?)\b[^,;.!?]{{0,12}} (?:as|in) (?:an? )?{_DATA})\b",
        "wish",
        "Return every answer as valid JSON, please.",
        "The service emits JSON events.",
    ),
    Rule(
        "en-whole-or-part",
        "style",
        "style.output-format",
        r"\b(?P<v>(?:show|post|paste|give|send|repost|return|print|always|only|just)\b[^,;.!?]{0,12} (?:the )?(?:full|whole|entire|complete|changed|relevant) (?:files?|functions?|scripts?|class(?:es)?|lines|parts|code|listing)|(?:diffs?|patches|snippets?|changed lines) only|only (?:the )?(?:diffs?|changed lines|changes)|copy[- ]?paste(?:able)?|one-?pager)\b",
        "wish",
        "Always show the full file.",
        "The full file cabinet fell over.",
    ),
    Rule(
        "en-edits",
        "style",
        "style.edits",
        r"\b(?P<v>(?:hand|give|send|show|return) (?:me |us )(?:a clean (?:copy|version)|clean (?:copies|versions)|(?:every|each|all (?:the |your )?|your )(?:changes?|edits?)|(?:tracked|marked) changes|the (?:final|finished) (?:text|version) only|only the (?:final|finished) (?:text|version))\b[^,;.!?]*|(?:track|mark|highlight) (?:all |every |each |your |the )*(?:changes?|edits?|corrections?)\b[^,;.!?]*)",
        "said",
        "Just hand me a clean copy from now on.",
        "He gave me a clean shirt.",
    ),
    Rule(
        "en-layout",
        "style",
        "style.layout",
        r"\b(?P<v>(?:lay|set|break|split|write) (?:it|this|that|them|everything|things) (?:all )?(?:out |down |up )?(?:by (?:day|week|month|year|topic|room|person|task|phase)|(?:day by day|week by week|month by month|year by year|hour by hour|room by room|step by step|line by line|point by point)|in (?:columns|sections|phases|chronological order|order))\b[^,;.!?]*)",
        "wish",
        "Please lay it out month by month.",
        "They set it up in columns last year.",
    ),
    Rule(
        "en-each-answer",
        "style",
        "style.format",
        r"\b(?P<v>(?:end|start|begin|finish|close|open|sign off|preface|conclude) (?:each|every|all|your) (?:of your )?(?:answers?|replies|reply|responses?|messages?|summar(?:y|ies)|sections?|chapters?|e-?mails?|posts?) with\b[^;.!?]*)",
        "wish",
        "Please end each answer with the action items.",
        "They start each message with care.",
    ),
    Rule(
        "en-when-i",
        "style",
        "style.tone",
        r"(?:^|\W)(?P<v>(?:when(?:ever)?|if|every time|each time) (?:i|we) (?:suggest|ask|say|make|write|propose|send|post|paste|share|get|am|'m|come up with|do)\b[^;.!?]{2,60}, (?:please |just )?(?:say|tell|call|point|push|correct|stop|flag|be)\b[^;.!?]*)",
        "said",
        "When I suggest something dumb, say so bluntly.",
        "When I suggest a thing, they laugh.",
    ),
    Rule(
        "en-style-guide",
        "style",
        "style.style-guide",
        r"\b(?P<v>(?:follow|stick to|use|apply|according to|per|conform to|adhere to) (?:the )?(?:[\w.&]+ ){0,3}?(?:style ?guide|style|house style|code style|coding (?:style|standards?|conventions?)|conventions)|pep ?8|gofmt|black formatting|prettier defaults|airbnb style|google style)\b",
        "wish",
        "Follow the Guardian style guide.",
        "The conventions center is booked.",
    ),
    Rule(
        "en-indent",
        "style",
        "style.indentation",
        r"\b(?P<v>(?:two|four|eight|2|4|8)[- ]spaces?(?: indent\w*)?|tabs,? (?:not|over|instead of|rather than) spaces|spaces,? (?:not|over|instead of|rather than) tabs|indent with (?:tabs|spaces|\w+ spaces))\b",
        "said",
        "Tabs, not spaces.",
        "Two spacecraft docked.",
    ),
    # --- code ---
    Rule(
        "en-comments",
        "style",
        "style.comments",
        r"\b(?P<v>(?:no|skip|drop|without|fewer|less|minimal|sparse|detailed|more|add|include|leave out|omit|avoid|with|write|keep|put|short|one-line|inline|thorough) (?:the |any |some |your |code |all )?(?:comments|docstrings|commentary)|(?:comments?|docstrings?)(?: in the code)? (?:every|each|only|sparingly|should|must|go|the why|explain\w*|on|for|above|everywhere)\b[^,;.!?]{0,30}|(?:don't|do not|never) comment\b[^,;.!?]{0,30}|uncommented|comment-free)",
        "wish",
        "No comments in the code, please.",
        "The minister had no comments.",
    ),
    Rule(
        "en-code-language",
        "style",
        "style.code",
        rf"\b(?P<v>(?:code|(?:code )?(?:samples?|examples?|snippets?))\b[^,;.!?]{{0,20}}\b(?:in|as|should be|must be|are) {_CODING}|{_CODING} (?:examples|samples|snippets|code)(?: only)?|type hints|type annotations|idiomatic {_CODING})(?:\W|$)",
        "wish",
        "Code examples in Kotlin, please.",
        "The Ruby code of conduct changed.",
    ),
    Rule(
        "en-commits",
        "style",
        "style.commits",
        r"\b(?P<v>(?:commit messages?|commits)\b[^;.!?]{0,40}\b(?:imperative|conventional|past tense|present tense|prefix(?:es|ed)?|lower ?case|emojis?|one line|ticket numbers?)\b[^;.!?]*)",
        "said",
        "Commit messages in the imperative mood, no prefixes.",
        "Commit messages were lost.",
    ),
    Rule(
        "en-tests",
        "style",
        "style.tests",
        r"\b(?P<v>(?:our|my|the|all) test (?:names?|functions?|methods?) (?:read|look|follow|are (?:called|named|written)|start|always|should)\b[^;.!?]*)",
        "third",
        "Our test names read like sentences.",
        "Our test names were lost.",
    ),
    # --- wording and tone ---
    Rule(
        "en-naming",
        "style",
        "style.naming",
        rf"\b(?P<v>(?:variable|function|identifier|field|class|column|file)? ?(?:names?|naming|identifiers)\b[^,;.!?]{{0,12}}\b(?:in {_LANG}|snake_case|camelcase|kebab-case|pascalcase|spelled out|without abbreviations)|(?:snake_case|camelcase|kebab-case|pascalcase) (?:for everything|everywhere|throughout))\b",
        "said",
        "Variable names in English.",
        "Place names in the valley.",
    ),
    Rule(
        "en-wording",
        "style",
        "style.wording",
        r"\b(?P<v>(?:no|avoid|skip|drop|without|less|cut|minimal|easy on|spare me|don't use|do not use|never use|i hate|i dislike|can't stand|use|fewer|keep) (?:the |any |all |corporate |marketing |technical |unexplained |big |fancy )*(?:jargon|buzzwords?|contractions|hedging|clich[eé]s|acronyms|abbreviations|puns|idioms|slang|swearing|profanity|superlatives|adverbs|oxford comma|serial comma|marketing speak|corporate speak|legalese|weasel words|technical terms|metaphors|rhetorical questions|em[- ]dashes|filler words)|don't hedge|(?:say|call (?:it|them)) [\x22“‘']?[\w -]+[\x22”’']?,? (?:never|not|instead of|rather than) [\x22“‘']?[\w -]+[\x22”’']?)",
        "wish",
        "Avoid jargon, please.",
        "The jargon file dates from 1975.",
    ),
    Rule(
        "en-terminology",
        "style",
        "style.terminology",
        r"\b(?P<v>(?:it'?s|they'?re|say|use|write|call (?:it|them|him|her|us)) (?:[\"“][^\"”\x00]{2,40}[\"”]|\x00+),? (?:not|never|instead of|rather than) (?:[\"“][^\"”\x00]{2,40}[\"”]|\x00+))",
        "said",
        'It\'s "guests", not "users".',
        'It\'s "guests", she said.',
    ),
    Rule(
        "en-wording-shown",
        "style",
        "style.wording",
        r"\b(?P<v>(?:i|we) (?:really |simply |just )?(?:can'?t|cannot|won'?t) (?:have|stand|use|bear|accept) (?:this|that|such|any|all this|the) (?:[\w-]+ )?(?:language|wording|phrasing|words|speak|jargon|vocabulary|prose|style)\b[^,;.!?]*)",
        "third",
        "I really cannot have this brochure language.",
        "I cannot have this flat.",
    ),
    Rule(
        "en-emoji",
        "style",
        "style.emoji",
        r"\b(?P<v>(?:no|without|avoid|skip|drop|use|add|with|fewer|less|more|stop|lose|don't use|do not use|never use)\b[^,;.!?]{0,20}\b(?:emojis?|emoticons?|smileys?))\b",
        "said",
        "And no emojis.",
        "The emoji movie flopped.",
    ),
    Rule(
        "en-exclamation",
        "style",
        "style.tone",
        r"\b(?P<v>(?:no|without|avoid|drop|fewer|less|hate|dislike|stop|lose|never|don't|stand|skip)\b[^,;.!?]{0,20}\b(?:exclamation (?:marks?|points?)|all[- ]caps|caps lock))\b",
        "said",
        "Please avoid exclamation marks.",
        "An exclamation mark ends the slogan.",
    ),
    Rule(
        "en-tone-named",
        "style",
        "style.tone",
        rf"\b(?P<v>(?:an? |the |in an? |more |less |slightly |drop |no |that )*(?:corporate |academic |marketing |{_TONE}(?:,| and| but|, but)? ?(?:{_TONE} )?)(?:tone|voice|register|manner|mood|attitude|speak|answers?|replies|feedback|criticism)\b|tone (?:should be|must be|is|of voice) [^,;.!?]+)",
        "wish",
        "Use a neutral tone.",
        "A warm tone came out of the cello.",
    ),
    Rule(
        "en-tone-set",
        "style",
        "style.tone",
        rf"\b(?:keep|make|be|sound|stay|write|remain|get|act)\b(?: (?:it|this|that|them|things|your \w+|the \w+|everything))? (?P<v>(?:very |really |a bit |a little |more |less |so |too |rather |quite |nice and |strictly )*{_TONE})\b",
        "wish",
        "Keep it casual, please.",
        "A kind judge presided.",
    ),
    Rule(
        "en-tone-not",
        "style",
        "style.tone",
        rf"\b(?P<v>(?:no need to be|don't be|do not be|stop being|needn't be|not|less|without being|never) (?:so |too |that |overly |quite )*{_PLAIN_TONE}\b.{{0,20}}|(?:no|skip the|drop the|without|stop the|cut the|enough|spare me the|less) (?:\w+ )?(?:formalit(?:y|ies)|niceties|politeness|flattery|praise|begging|gushing|preaching|hand-?wringing|sugar-?coating|apologies|apologi[sz]ing|pleasantries|small talk|jokes|hype|compliments|moralis?zing|moralising|moralizing|cheerleading|disclaimers|lecturing|sales pitch|marketing tone|drama)|(?:don't|do not|stop|no need to|never) (?:sugar-?coat\w*|apologi[sz]\w*|flatter\w*|prais\w*|lectur\w* me|thank(?:ing)?(?: me)?|joke|joking|moraliz\w*)|(?:be|stay) (?:brutally )?honest)",
        "wish",
        "Please stop being so polite with me.",
        "The flattery in the letter was no use.",
    ),
    Rule(
        "en-tone-bare",
        "style",
        "style.tone",
        rf"^(?:\W|and|but|so|ok|keep it|make it)*(?P<v>{_TONE}(?:(?:,|,? but|,? and) |,? )(?:not|never|no|without) (?:too |overly |so |all )?[a-z-]+)\b",
        "said",
        "Warm but not gushing.",
        "The rooms were warm but not clean.",
    ),
    Rule(
        "en-tone-like",
        "style",
        "style.tone",
        r"\b(?P<v>(?:write|talk|speak|sound)(?: to me)? like (?:you (?:talk|speak|would)|an? (?:human|person|friend|colleague)|we(?:'re| are)|people)\b[^,;.!?]*|(?:more|less) like an? [\w -]+)",
        "wish",
        "Write like you talk.",
        "He walks like a duck.",
    ),
    Rule(
        "en-person",
        "style",
        "style.person",
        r"\b(?P<v>(?:in |the |use )*(?:first|second|third)[- ]person(?: singular| plural)?\b[^,;.!?]{0,30}|address(?:ing)? the (?:reader|student|user|customer|visitor|patient)\b[^,;.!?]{0,20}|talk(?:ing)? (?:directly )?to the (?:reader|student|user|customer|visitor|patient|parent)s?|(?:use|write|say) [^a-z ]?(?:we|you|i|they|one)[^a-z ]?,? (?:rather than|instead of|not|over)\b[^,;.!?]{0,12})",
        "wish",
        "Write it in the second person.",
        "The second person in line left.",
    ),
    Rule(
        "en-voice",
        "style",
        "style.voice",
        r"\b(?P<v>(?:active|passive) voice|(?:present|past) tense|imperative mood)\b",
        "wish",
        "Use the active voice.",
        "Her passive voice lessons start Monday.",
    ),
    Rule(
        "en-capitalization",
        "style",
        "style.capitalization",
        r"\b(?P<v>(?:sentence|title|lower|upper|small)[- ]?case(?:d)?\b[^,;.!?]{0,30}|all lower ?case|no (?:capitals|capital letters|title case)|capitali[sz]e (?:only|every|each|nothing)\b[^,;.!?]{0,30})",
        "wish",
        "Please use title case on headings.",
        "The lower case was full of books.",
    ),
    Rule(
        "en-citation",
        "style",
        "style.citation",
        r"\b(?P<v>(?:apa|mla|chicago|vancouver|ieee|harvard|oscola|bluebook|turabian|ama|acs)(?: (?:style|format|numbering|citations?|references|7|7th edition|for (?:the )?(?:references|citations|bibliography|sources)))|(?:in|use|follow) (?:apa|mla|chicago|vancouver|ieee|harvard|oscola|bluebook|bibtex)|(?:numbered|inline|footnoted|author[- ]date|parenthetical) (?:citations?|references|notes)|(?:cite|link|name|give|quote|include|list|with|add) (?:your |the |all |an? |primary |every )*(?:sources?|references|citations?)\b[^,;.!?]{0,20}|footnotes,? (?:not|instead of|rather than) endnotes|bibtex (?:keys?|entries)\b[^,;.!?]{0,20})",
        "said",
        "Please cite your sources.",
        "The source of the river is dry.",
    ),
    Rule(
        "en-units-not",
        "style",
        "style.units",
        rf"\b(?P<v>(?:in |use )?(?:{_MEASURE})(?: in the \w+)?(?: please)?,? (?:not|never|instead of|rather than|over) (?:{_MEASURE}|percent\w*|\w+)|we (?:use|ride|run|work in|think in|cook in|are on|do) (?:{_MEASURE}))(?:\W|$)",
        "said",
        "Kilometres, not miles.",
        "Ten miles, no more.",
    ),
    Rule(
        "en-units",
        "style",
        "style.units",
        rf"\b(?P<v>(?:show|include|give|add|state) (?:the |all )?units|(?:use |in |with |prefer |want |stick to )(?:the )?{_MEASURE}|{_MEASURE},? (?:please|not \w+|only|everywhere|throughout)|(?:prices?|amounts?|costs?|budgets?|temperatures?|distances?|weights?|measurements|lengths|times|paces?|everything)(?: are| should be| always)? in (?:the )?{_MEASURE}|min per km,? (?:please|not \w+)|euros? with\b[^,;.!?]{{0,20}})(?:\W|$)",
        "wish",
        "Please use metric units.",
        "The imperial palace is closed.",
    ),
    Rule(
        "en-dates",
        "style",
        "style.dates",
        r"\b(?P<v>dates? (?:as|in|should be|must be|written|formatted|like)\b[^,;.!?]{2,24}|(?:use|in|as|prefer|write|want|always|only) iso(?: ?8601)? dates?|iso(?: ?8601)? dates?(?: please| only| everywhere| throughout| always|$)|iso ?8601|(?:yyyy-mm-dd|dd[./-]mm[./-]yy(?:yy)?|mm/dd/yy(?:yy)?)(?: dates?| everywhere| format)?|(?:european|american|day-first|month-first) (?:dates? (?:format|style|order)|date format))",
        "said",
        "Always use ISO dates.",
        "Two European dates were added to the tour.",
    ),
    Rule(
        "en-numbers",
        "style",
        "style.numbers",
        r"\b(?P<v>(?:amounts?|numbers?|figures?|prices?|values?|percentages?|everything)\b[^,;.!?]{0,20}\b(?:in thousands|in millions|rounded|as (?:digits|words)|spelled out|with(?:out)? decimals|to (?:the nearest|one|two|three)\b[^,;.!?]{0,20})|round (?:\w+ )?to\b[^,;.!?]{0,25}|(?:one|two|three|no|2|3) decimals?(?: places?)?|no decimals|thousands separators?|spell out numbers|in thousands)",
        "wish",
        "Give amounts in thousands.",
        "Numbers in thousands of homes fell.",
    ),
    Rule(
        "en-palette",
        "style",
        "style.color",
        r"\b(?P<v>(?:with |in |use )(?:the |our )?(?:okabe[- ]?ito|viridis|cividis|colou?rbrewer|brand|corporate|house|school|club) (?:palette|colou?rs?))\b",
        "said",
        "With the okabe ito colours.",
        "Brand colours fade.",
    ),
    Rule(
        "en-color",
        "style",
        "style.color",
        r"\b(?P<v>(?:colou?r[- ]?blind[- ](?:safe|friendly)|(?:use |with |in |on |prefer |want |keep |make it |only )?(?:an? |the )?(?:dark|light|muted|pastel|warm|cool|monochrome|greyscale|grayscale|high-contrast) (?:background|theme|palette|colou?rs?)|no (?:red|green|bright colou?rs|gradients|neon)\b|(?:in )?(?:greyscale|grayscale|black and white))(?: palette)?[^,;.!?]{0,16})",
        "wish",
        "Use a dark background for the slides.",
        "A light background hum was audible.",
    ),
    Rule(
        "en-chart",
        "style",
        "style.chart",
        r"\b(?P<v>(?:charts?|plots?|graphs?|figures|diagrams?|visuali[sz]ations?)\b[^,;.!?]{0,25}\b(?:in|with|using|should use|via) (?:plotly|matplotlib|seaborn|ggplot2?|altair|bokeh|d3|vega|echarts|gnuplot|tikz|mermaid|graphviz|svg|ascii|excel|greyscale|grayscale|colou?r|black and white)|(?:use|prefer|with) (?:plotly|matplotlib|seaborn|ggplot2?|altair|bokeh|d3|tikz|mermaid|graphviz)\b[^,;.!?]{0,25}\b(?:charts?|plots?|graphs?|figures|diagrams?)|(?:bar|line|scatter|pie|box|stacked) (?:charts?|plots?|graphs?),? (?:only|please|not|no|instead|rather)|no (?:pie|3-?d|stacked) ?(?:charts?|plots?|graphs?|bars?)|no pies)",
        "said",
        "Please draw charts with altair.",
        "The chart was pinned up in the hall.",
    ),
    # --- constraints ---
    Rule(
        "en-platform",
        "constraint",
        "constraint.platform",
        rf"\b(?P<v>{_SYSTEM}[- ]only|only (?:on |for |supports? |runs? on |targets? ){_SYSTEM}|(?:must|has to|needs to|should) (?:run|work|build) on {_SYSTEM}(?: only)?)\b",
        "said",
        "It's a Linux only shop.",
        "The windows are only painted.",
    ),
    Rule(
        "en-minimum",
        "constraint",
        "constraint.min-*",
        rf"\b(?P<v>(?:minimum|min\.?|at least|lowest|oldest|earliest)(?: supported)?(?: version)?(?: is| of| we support is|:)? (?P<noun>{_TECH}) {_VERSION}|(?P<noun2>{_TECH}) {_VERSION} (?:or (?:later|newer|above|up|higher)|and (?:up|above|newer|later)|minimum|at (?:least|(?:a )?minimum)))",
        "said",
        "We need at least Java 17.",
        "At least java beans are cheap.",
    ),
    Rule(
        "en-runtime-word",
        "constraint",
        "constraint.runtime",
        rf"\b(?P<v>runtime\b.{{0,25}}\b{_TECH} {_VERSION})",
        "said",
        "The runtime is pinned to Node 18.",
        "The runtime of the film is two hours.",
    ),
    Rule(
        "en-version",
        "constraint",
        "constraint.*",
        rf"\b(?P<v>{_LOCK} (?:with |on )?(?P<noun>{_TECH}) {_VERSION}|(?P<noun2>{_TECH}) {_VERSION},? {_LOCKED})",
        "said",
        "We're stuck on Java 11.",
        "We talked about Java 11 at lunch.",
    ),
    Rule(
        "en-standard-only",
        "constraint",
        "constraint.language",
        r"\b(?P<v>(?:c89|c99|c11|c17|es5|es6|ansi c|posix(?: sh)?|sql-?92|bash|java|python|typescript|rust|kotlin)[- ]only|only (?:c89|c99|c11|posix sh|ansi c))\b",
        "said",
        "C99 only, the compiler is old.",
        "The bash starts only at nine.",
    ),
    Rule(
        "en-license",
        "constraint",
        "constraint.license",
        r"\b(?P<v>(?:only|must be|has to be|no|never|just|nothing but|avoid)\b[^,;.!?]{0,25}\b(?:mit|bsd|apache|a?gpl|lgpl|mpl|copyleft|permissive\w*|open[- ]source)(?: or \w+)?[- ]?(?:licen[cs]\w*|code|libraries|dependencies|packages)\b[^,;.!?]{0,25}|(?:mit|bsd|apache|permissive\w*)(?:[- ]licen[cs]ed)? (?:only|dependencies only))",
        "said",
        "Only MIT-licensed dependencies.",
        "She left MIT last year.",
    ),
    Rule(
        "en-dependencies",
        "constraint",
        "constraint.dependencies",
        r"\b(?P<v>(?:no|without|avoid|zero|don't add|do not add|never add|can't (?:add|use|install))\b[^,;.!?]{0,12}\b(?:third[- ]party|external|extra|new|additional|outside) (?:libraries|libs?|dependenc(?:y|ies)|packages?|modules?)|(?:standard library|stdlib) only|only (?:the )?(?:standard library|stdlib))\b",
        "said",
        "Standard library only.",
        "The city has two external libraries.",
    ),
    Rule(
        "en-network",
        "constraint",
        "constraint.network",
        r"\b(?P<v>(?:must|has to|needs to|should) (?:run|work|function|be usable) (?:fully |completely |entirely )?(?:offline|without (?:the |an )?(?:internet|network|connection)(?: access)?)|(?:there's |has |have )?no (?:internet|network) access|air-?gapped)\b",
        "said",
        "It must work offline.",
        "The ticket office works offline on Mondays.",
    ),
    Rule(
        "en-package-manager",
        "constraint",
        "constraint.package-manager",
        r"\b(?P<v>(?:use|stick to|always|we use|prefer) (?:pnpm|yarn|npm|uv|poetry|conda|mamba|bun|pipenv)(?:,? (?:not|instead of|rather than|never|over) \w+| (?:everywhere|only|for (?:everything|all))))\b",
        "said",
        "Use pnpm, not npm.",
        "Use yarn of two colours.",
    ),
    Rule(
        "en-stack",
        "constraint",
        "constraint.stack",
        r"\b(?P<v>(?:our|the|my) (?:tech )?stack(?: is|:) [\w+#./ &-]*(?:and|\+|&|,|with)[\w+#./ &-]+)",
        "said",
        "Our stack is Django and htmx.",
        "The stack is too tall.",
    ),
    # --- what others like, and what the person corrects again and again ---
    Rule(
        "en-others-sentences",
        "style",
        "style.sentences",
        rf"\b(?P<v>(?:my|our|the) {_AUTHORITY} (?:thinks?|believes?|says?|hates?|can't stand|dislikes?|insists?|complains?|is allergic)\b.{{0,40}}\b(?:words|sentences?)\b[^,;.!?]*)",
        "third",
        "My editor hates anything above twenty words.",
        "My editor wrote twenty words.",
    ),
    Rule(
        "en-others-length",
        "style",
        "style.length",
        rf"\b(?P<v>(?:my|our|the) {_AUTHORITY} (?:hates?|can't stand|dislikes?|never reads?|never opens?|won't read|only reads?|has no time for|skips?|has no patience for)\b.{{0,40}}\b(?:long|pages?|paragraphs?|reports?|e-?mails?|first (?:page|line|paragraph)|details?|walls?)\b[^,;.!?]*)",
        "third",
        "Our director never opens long emails.",
        "Our director reads a lot.",
    ),
    Rule(
        "en-others-format",
        "style",
        "style.format",
        rf"\b(?P<v>(?:my|our|the) {_AUTHORITY} (?:likes?|loves?|prefers?|wants?|expects?|insists? on|hates?|can't stand|dislikes?)\b.{{0,40}}\b(?:tables?|bullets?(?: points?)?|slides|charts|prose|lists|headings|summar(?:y|ies)|one-pagers?|numbers up front)\b[^,;.!?]*)",
        "third",
        "The board prefers bullet points.",
        "The board prefers oak.",
    ),
    Rule(
        "en-others-tone",
        "style",
        "style.tone",
        rf"\b(?P<v>(?:my|our|the) {_AUTHORITY} (?:likes?|loves?|prefers?|wants?|expects?|hates?|can't stand|dislikes?|is allergic to)\b.{{0,40}}\b(?:{_PLAIN_TONE}|tone|hype|jargon|buzzwords|slang|jokes|exclamation (?:marks|points))\b[^,;.!?]*)",
        "third",
        "Our readers dislike slang.",
        "Our readers dislike Mondays.",
    ),
    Rule(
        "en-too-much",
        "style",
        "style.length",
        r"\b(?P<v>(?:your|the|these|those) (?:answers|replies|responses|messages|explanations|summaries|texts) (?:are|get|keep getting|were|run) (?:all |still |way |far |a bit |a little |much |always )*too (?:long|short|wordy|verbose|detailed)\b[^,;.!?]*)",
        "third",
        "Your answers are way too long for my phone.",
        "Your shoes are too long.",
    ),
    Rule(
        "en-again-shorter",
        "style",
        "style.length",
        r"^(?:\W|still|again|ok|no|even|much|make it|a bit|way)*(?P<v>(?:too (?:long|wordy|verbose)|shorter|trim (?:it|that|this)|cut it down|less text))\b",
        "shown",
        "Shorter, please.",
        "The shorter road is closed.",
    ),
    Rule(
        "en-again-simpler",
        "style",
        "style.reading-level",
        r"^(?:\W|still|again|ok|no|even|much|make it|a bit|way)*(?P<v>(?:too (?:technical|complicated|abstract)|simpler|in plain words|plainer))\b",
        "shown",
        "Simpler, please.",
        "A simpler time had come.",
    ),
    Rule(
        "en-again-tone",
        "style",
        "style.tone",
        r"^(?:\W|still|again|ok|no|even|much|make it|a bit|way)*(?P<v>(?:too (?:formal|stiff|casual|salesy|cheerful|dramatic)|less (?:formal|stiff|salesy|cheerful)|more (?:casual|formal|human)))\b",
        "shown",
        "Too stiff.",
        "A stiff breeze followed.",
    ),
)

QUESTION = r"\?[\"')\s]*$"
REQUEST = (
    r"^\W*(?:(?:and|also|so|ok|hey|then|but|please|btw|great|good|lovely|perfect|thanks|yes|right|fine|one \w+ \w+),? )*"
    r"(?:can|could|would|will) (?:you\b|(?:it|they|that|this|the \w+|your \w+|all \w+) (?:all )?(?:be|come|go|have|stay)\b)|\bplease\b"
)

GUARDS: tuple[Guard, ...] = (
    Guard(
        "en-hypothetical",
        r"\b(?:what if|suppose|supposing|imagine (?:if|we|that)|hypothetically|in theory|would it (?:be|help|make))\b|(?:^|[^s] )if (?:i|we|you|they|it|he|she) (?:had|were|could|wanted|used|wrote|did|asked)\b",
        "Suppose we write the answers in German.",
        "If it helps, put it in a table.",
    ),
    Guard(
        "en-reported",
        r"(?<!, )\b(?:he|she|they|someone|somebody|everyone|people|(?:the|a|an|my|our|his|her|their|some|one) [\w' -]{1,40}?) (?:says?|said|states?|stated|wrote|writes|claims|claimed|demands?|told (?:me|us)|asks?|asked|suggested|suggests|recommends?|recommended)\b",
        "The handbook says to always write in the active voice.",
        "As I said, use the active voice.",
    ),
    Guard(
        "en-never-said",
        r"\bi (?:never|didn't|did not|don't remember) (?:said|say|saying|ask|asked|asking|want|wanted|mean|meant)\b|\bi'm not (?:saying|asking)\b",
        "I never asked you to keep it short.",
        "As I keep saying, keep it short.",
    ),
    Guard(
        "en-once",
        r"\b(?:just (?:this )?once|this (?:one )?time|only (?:this|today)|just for (?:today|now|this)|for this (?:one|single|particular|email|e-mail|reply|answer|message|issue|letter|question)|this once|for once|one[- ]off|as an exception|today only|only for today)\b",
        "Just this once, answer in French.",
        "At once, answer in French.",
    ),
    Guard(
        "en-one-piece",
        r"^\W*(?:(?:please|now|then|ok|okay|and|also|can you|could you),? )*(?:write|draft|give|make|send|create|prepare|produce)(?: me| us| up)? (?:an?|one|the|two|three|some) (?:very |really |more |nice )?(?:short|brief|long|detailed|quick|full|concise|simple|formal|friendly|casual|warm)(?:,? \w+)? (?:summary|version|list|e-?mail|note|letter|overview|outline|draft|paragraph|intro\w*|description|explanation|report|message|reply|text|story|essay|plan|poem|speech|toast|bio|blurb)\b",
        "Write me a short summary of the options.",
        "Give me short answers.",
    ),
    Guard(
        "en-permission",
        r"\b(?:(?:is|are|would be|'s) (?:fine|ok|okay|also fine|all right)(?: (?:too|with me|by me|either way))?|don't (?:mind|care)|either (?:is fine|works|way)|up to you|whatever you like|doesn't matter)\W*$",
        "Answering in French is fine too.",
        "Fine. Answer in French.",
    ),
    Guard(
        "en-about-others",
        r"^\W*(?:but |and |because )?(?:they|he|she) (?:all |always |only |still )?(?:writes?|uses?|speaks?|talks?|likes?|answers?)\b",
        "They write in British English over there.",
        "Write in British English, they do too.",
    ),
    Guard(
        "en-past",
        r"\b(?:used to (?:be|write|use|do)|last (?:week|month|year|time) (?:i|we|they|he|she)|back then|in those days)\b",
        "We used to write everything in the passive voice.",
        "Use the active voice as last time.",
    ),
)

NOUNS: tuple[tuple[str, str], ...] = (
    (r"chart|plot|graph|figure|diagram", "chart"),
    (r"headline|title|heading|subject", "headlines"),
    (r"comment|docstring", "comments"),
    (r"error", "errors"),
    (r"tone|voice", "tone"),
    (r"format|layout|slide|caption|label", "format"),
    (r"spelling", "spelling"),
    (r"citation|reference|footnote", "citation"),
    (r"naming|variable", "naming"),
    (r"commit", "commits"),
    (r"unit|currency", "units"),
    (r"date", "dates"),
    (r"number", "numbers"),
    (r"palette|colou?r", "color"),
    (r"font", "font"),
    (r"code", "code"),
    (r"log", "log-language"),
    (r"explanation", "explanations"),
    (r"answer|repl|response|paragraph", "length"),
    (r"sentence", "sentences"),
    (r"pronoun", "person"),
    (r"button", "capitalization"),
    (r"punctuation|quotes", "punctuation"),
)
"""What a named part of the output, or a product, is called in a key; others keep their name."""
