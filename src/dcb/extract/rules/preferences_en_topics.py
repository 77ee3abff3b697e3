"""What a wish about the assistant's writing can be about in English, and how it is asked: composed.

A topic names its things and its key; a frame is a way to ask for things, to refuse them or to
judge them. Every frame works with every topic, so that a new topic needs its words only.
"""

from __future__ import annotations

from typing import NamedTuple

from dcb.extract.rules.preferences import Rule
from dcb.model import Scope

# --- frames -------------------------------------------------------------------------------

_LEAD = (
    r"^(?:[^a-z0-9]|(?:also|and|but|ok|okay|yes|yeah|no|btw|oh|so|well|then|right|good|great|perfect|fine"
    r"|thanks|otherwise|just|only|please|pls|plz|one more thing|by the way|for (?:this|that|me|the \w+)|[\w' ]{2,20}:"
    r"|from (?:now|here|this (?:one|point))(?: on)?|going forward|in general|always|as ever)\b)*"
)
_OPENS = (
    rf"(?:{_LEAD}|\b(?:please|pls|plz|always|could you|can you|would you|will you|you can|you could|you may"
    r"|you should|you must|i'd (?:like|want|love|rather|prefer)(?: you| to have| it| them)?(?: to)?"
    r"|i (?:want|need|like|prefer)(?: you| it| them| everything)?(?: to)?|let's|from (?:now|here)(?: on)?"
    r"|so|(?:when(?:ever)?|if|wherever) you [\w' -]{2,40})[,:]? (?:also |just |please |always )*)"
)
_DO = (
    r"(?:give|send|show|write|put|make|do|use|keep|list|lay|set|have|answer|reply|explain|say|tell|present"
    r"|format|print|type|summari[sz]e|draft|start|begin|end|finish|close|stick|go|let|be|get|mark|add|include"
    r"|number|throw|name|call|spell|phrase|word|speak|talk|describe|report|quote|render|order|sort|group|split|return"
    r"|rewrite|hand|sign|cite|label|state|translate|deliver|express|convert|come back|stay|sound|read|post|paste|talk|think|work|correct|collect|comment|bring|turn|do|limit)"
)
_WORDS = r"(?: (?:[\w'/-]+|\"[^\"]+\"))"
_REFUSE = (
    r"(?:no(?: more)?|never|nothing|nowhere|avoid|skip|drop|cut(?: out| down on)?|ditch|lose|omit|kill|ban"
    r"|scrap|bin|leave (?:out|off)|strip(?: out)?|spare (?:me|us)|enough (?:with|of)|(?:go )?(?:easy|light) on"
    r"|stop|quit|without|minus|fewer|less|not (?:one|a single|any)|lay off|steer clear of|keep out|keep away from|cut back on|forget"
    r"|(?:don't|do not|dont|needn't|won't|shouldn't|mustn't)(?: ever)? (?:use|give|write|put|add|make|send|do|be|start|end|want|need|like|go|include|say|bother|show|try|turn|let|have|come|see|get|offer|explain|paste|open|close|sign)|(?:no|don't) need (?:for|to)|hate|loathe|detest|dislike|can't (?:stand|read|bear|take)"
    r"|allergic to|sick of|tired of|fed up with|could do without|no (?:time|patience|use) for)"
)
_COMPLAINT = (
    r"(?:you (?:keep|kept|still|always|again|did|do|put|used|wrote|sent|have|had|forgot|sneaked|slipped)|you've|you're|your [\w ]{2,24} (?:has|have|had|are|is)"
    r"|(?:second|third|fourth|nth|\w+th) time (?:today |now )?(?:that )?you|there (?:is|are|it is|you go|they are) (?:that|those|the|another|again)|again with|another|still)"
)
_VERDICT = (
    r"(?: (?:\w+ )?(?:(?:is|are|stays?|goes|go|gets?) (?:banned|forbidden|out\b|off[- ]limits|a no-?go|not (?:allowed|welcome|needed|wanted)"
    r"|unnecessary|fine|enough|plenty|best|easier|better)|(?:drives?|annoys?|confuses?|irritates?|bothers?|bores?|helps?|suits?) (?:me|us|my)"
    r"|(?:works?|is) (?:best|better) for (?:me|us)|(?:only|please|preferred|throughout|everywhere|by default|from (?:now|here)(?: on)?))"
    r"|s? out of (?:it|this|that|the|my|your|any|all|our)\b)"
)


class Topic(NamedTuple):
    """What a wish is about: its things, and a sentence that is and one that is no wish."""

    name: str
    key: str
    things: str
    hit: str
    miss: str
    scope: Scope = "style"


_SHEET = (
    r"(?:bullet(?:ed)?[- ]?(?:points?|lists?)?s?|bulleted|numbered|checklists?|tick ?(?:boxes|lists?)|check ?boxes|outlines?"
    r"|one[- ]pagers?|two columns|plain text|markdown|prose|flow ?charts?|diagrams?"
    r"|(?:letters|type|print|font) (?:large|big|bigger|larger)|large letters|in (?:brackets|parentheses|quotes)|headings|headers|subheadings|sub-?heads|bold(?: type| face)?|italics|capitals|block capitals|large (?:print|type|letters)|big (?:print|type|letters)"
    r"|paragraphs?|full sentences|little pictures|code blocks?|one line (?:per|each|for)[\w ]*|dialogue|q ?(?:&|and) ?a"
    r"|(?:a|one|two|three|four|\d+)[- ]column \w+|(?:in|as|into|with) (?:an? |one )(?:\w+ )?(?:table|list|line|grid|spreadsheet|timeline)|(?:in|as|into) (?:columns|yaml|chunks|steps)|tables|lists)"
)
TOPICS: tuple[Topic, ...] = (
    Topic(
        "format",
        "style.format",
        _SHEET,
        "Could you put every message in big type?",
        "The builders put the steps in on Monday.",
    ),
    Topic(
        "length",
        "style.length",
        r"(?:essays?|walls? of text|novels?|lectures?|sermons?|back-?stor(?:y|ies)|preambles?|fluff|filler|padding"
        r"|waffle|waffling|rambling|chit-?chat|throat-clearing|long (?:answers|replies|explanations|texts)|short (?:answers|replies)|recaps?"
        r"|summar(?:y|ies) at the end|(?:longer|more) than (?:a|one|two|three|four|five|six|\d+) (?:\w+ )?(?:lines?|words|sentences|pages?|paragraphs?|screens?))",
        "I have no patience for sermons.",
        "The sermons of the bishop are printed.",
    ),
    Topic(
        "tone",
        "style.tone",
        r"(?:flatter\w*|prais(?:e|ing)|compliments?|pep talks?|cheerleading|sugar-?coat\w*|apologi[sz]\w+|apologies|pleasantries|niceties"
        r"|disclaimers?|caveats|moralis\w+|moraliz\w+|preach\w*|patroni[sz]\w+|condescen\w+|salesy|sales (?:talk|pitch)|hype|marketing (?:talk|speak|\w+)"
        r"|sarcasm|irony|jokes?|humou?r|exclamation (?:marks?|points?)|all[- ]caps|enthusias\w+|gushing|formalit(?:y|ies)|hand-?holding|cutesy|twee"
        r"|flowery|pomp|pathos|sorry|greetings?|salutations?|sign-?offs?|small talk|scolding|nagging|begging|threat\w*|drama|poetry|poems?)",
        "Please leave out the pep talks.",
        "The compliments came from the mayor.",
    ),
    Topic(
        "emoji",
        "style.emoji",
        r"(?:emojis?|emoticons?|smileys?|smiley faces|gifs|stickers|hearts and flowers)",
        "Can you leave smileys out of the notes?",
        "The emoji on the sign was blue.",
    ),
    Topic(
        "wording",
        "style.wording",
        r"(?:jargon|buzz-?words?|\w+[- ]speak|lingo|legalese|officialese|slang|clich[eé]s?|abbreviations?|acronyms?|contractions?|anglicisms|metaphors?"
        r"|similes?|idioms?|foreign words|latin|big words|fancy words|long words|technical (?:terms?|language|words)|swear(?:ing| words)|adverbs?|adjectives?"
        r"|superlatives?|hedging|weasel words|filler words|em[- ]?dashes|semicolons|rhetorical questions|euphemisms?|puns?|alliteration"
        r"|(?:simple|plain|easy|everyday|short|common|ordinary|normal) (?:words|language)|(?:uk|us|british|american|scots|irish|australian) (?:terms?|words?|names?|usage))",
        "Nobody wants similes, please drop similes.",
        "The jargon of sailors is old.",
    ),
    Topic(
        "explanations",
        "style.explanations",
        r"(?:(?:the )?(?:explanations?|explaining|reasoning|theory|derivations?|the basics|history lessons?|the why|background (?:info\w*|theory)|commentary)"
        r"|explain(?: (?:it|them|this|that|things|everything|yourself|why|how|what|the \w+))?|worked examples?|(?:an? )?(?:concrete |real )?examples?|analog(?:y|ies))",
        "You can stop explaining them, I know the rest.",
        "The theory was taught in May.",
    ),
    Topic(
        "comments",
        "style.comments",
        r"(?:(?:code |inline |block )comments|comment (?:lines|the code|every \w+|each \w+)|docstrings?|comments (?:in|on|above|for|only|per))",
        "You can leave out comment lines.",
        "The comments on his blog are long.",
    ),
    Topic(
        "questions",
        "style.questions",
        r"(?:follow-?up questions?|clarifying questions?|closing questions?|asking (?:me )?(?:if|whether|back)|ask(?:ing)? me (?:if|whether|what else)"
        r"|ending with a question|offers? (?:to|of) (?:help|do|more))",
        "Stop asking me whether I want more.",
        "The closing question puzzled the panel.",
    ),
    Topic(
        "citation",
        "style.citation",
        r"(?:footnotes?|endnotes?|citations?|bibliograph(?:y|ies)|page (?:numbers|references) (?:for|with|after)|links to (?:the )?(?:\w+ )?(?:sources?|docs|papers?|originals?|studies))",
        "Give me page numbers for quotations.",
        "The footnotes were lost at sea.",
    ),
    Topic(
        "corrections",
        "style.corrections",
        r"(?:correct(?:ing)? (?:me|my|us|our)\b|(?:my|our) (?:mistakes|errors|grammar|spelling|typos))",
        "Please correct my grammar at the end.",
        "The teacher will mark my grammar tomorrow.",
    ),
)


def _topic(topic: Topic) -> Rule:
    """All frames around the things of a topic."""
    asked = rf"{_OPENS}{_DO}(?:ing)?{_WORDS}{{0,6}}? {topic.things}"
    refused = rf"\b{_REFUSE}{_WORDS}{{0,4}}? {topic.things}"
    judged = rf"\b{topic.things}{_VERDICT}"
    blamed = rf"\b{_COMPLAINT}{_WORDS}{{0,4}}? {topic.things}|{_LEAD}{topic.things} again"
    wanted = rf"\b(?:please|pls|plz|i(?:'d)? (?:like|prefer)|prefer|rather) (?:the |an? |some |only |just )?(?:\w+ )?{topic.things}"
    bare = rf"{_LEAD}{topic.things}(?:,? (?:please|pls|plz|always|for everything|all the way)| from (?:now|here) on|,? and {topic.things}|,? (?:no|not) \w+)"
    return Rule(
        f"en-topic-{topic.name}",
        topic.scope,
        topic.key,
        rf"(?P<v>{asked}|{refused}|{judged}|{blamed}|{wanted}|{bare})\b",
        "said",
        topic.hit,
        topic.miss,
    )


# --- forms of their own --------------------------------------------------------------------

_COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|fifty|a hundred|half an?|a couple of|a few)"
_SPELLED = r"(?:an?|one|two|three|four|five|six|half an?|a couple of|a few)"
_EXTENT = r"(?:words?|lines?|sentences?|paragraphs?|pages?|sides?(?: of (?:a4|paper))?|screens?|bullets?|characters|breaths?)"
_BOUND = r"(?:tops|max(?:imum)?|at (?:the )?most|no more|not more|or (?:less|fewer|under)|is (?:plenty|enough)|will do|and (?:stop|done|no more)|,? (?:no|not) (?:more|longer))"
_KIND = (
    r"(?:plain|dry|civil|calm|cool|blunt|matter[- ]of[- ]fact|sober|friendly|warm|formal|informal|casual|polite|firm|neutral|factual|gentle|kind|direct"
    r"|honest|serious|playful|funny|witty|businesslike|professional|cheerful|chatty|frank|stern|tough|strict|light|modest|quiet|hopeful|solemn|straight|neighbourly|grown-up|deadpan|restrained|understated|down[- ]to[- ]earth|realistic)"
)

OWN: tuple[Rule, ...] = (
    Rule(
        "en-own-extent",
        "style",
        "style.length",
        rf"(?P<v>{_LEAD}(?:keep (?:it|them|\w+ \w+) (?:to|under|at|below|within) )?(?:(?:no|not|never|nothing) (?:more|longer|over|above)(?: than)? |under |at most |max |up to |about )?{_SPELLED} (?:\w+ )?{_EXTENT}\b(?:[\w ]*)(?:,? {_BOUND}| (?:per|each|for each|for every|a) (?:answer|reply|message|response|time|go|turn))|\b(?:nothing|never|not|no|none)\b{_WORDS}{{0,4}}? (?:over|longer than|more than|above|beyond|past) {_COUNT} (?:\w+ )?{_EXTENT}|{_COUNT} {_EXTENT} (?:is|are) what (?:we|i|you) )",
        "said",
        "Half a page, no more.",
        "Half a page was missing.",
    ),
    Rule(
        "en-own-short",
        "style",
        "style.length",
        r"\b(?P<v>(?:keep|make|leave|cut|have)(?: [\w']+){1,6}? (?:short|shorter|brief|long|longer|tight|snappy|terse|to the point)|you (?:can|may|could|should) be (?:\w+ )?(?:wordier|longer|shorter|briefer|terser|more (?:detailed|brief|concise|verbose)|less (?:detailed|brief|concise|verbose|wordy))|(?:as )?(?:short|brief|few words) as (?:possible|you can)|the shorter the better|get to the point|(?:short|brief|long|full|detailed) (?:and \w+ )?(?:answers?|replies|versions?)(?: only| please)|(?:say|tell me) (?:what it is|it once|it straight|the thing)[\w ]* and (?:leave it|done)|i (?:don't|won't|can't|never) (?:read|scroll|have time for) (?:past|beyond|more|all|long|anything)[\w ]*)\b",
        "said",
        "Keep what you say to her short.",
        "The days are short.",
    ),
    Rule(
        "en-own-only",
        "style",
        "style.explanations",
        rf"(?P<v>(?:{_LEAD}(?:just|only) (?:the )?(?:\w+ (?:and|&|\+|plus) )?(?:\w+ )?(?:titles?|names?|numbers?|figures?|keys?|facts?|results?|answers?|dates?|code|commands?|formulas?|totals?|headlines?|words?|steps|amounts?|verdict|lines?|changes)\b|{_LEAD}(?:titles?|names?|numbers?|figures?|facts?|results?|answers?|dates?|code|commands?|formulas?|totals?|headlines?|steps|amounts?|changes) (?:only|bare|alone|and nothing else)\b|{_LEAD}(?:nicknames|first names|surnames|initials|letters|captions|symbols|pictures) only\b|{_LEAD}just (?:post|give|send|show|paste|print|write|tell|list)(?: me| us)? (?:the|what) \w+|(?:don't|do not|no need to|stop) (?:paste|repeat|post|print|send|show|give|quote)(?:ing)? (?:me )?(?:the|it|my|that) (?:whole |full |entire |same )?(?:file|thing|code|text|table|list|lot|question)\b))",
        "said",
        "Numbers only.",
        "Only he was there.",
    ),
    Rule(
        "en-own-tone-bare",
        "style",
        "style.tone",
        rf"(?P<v>{_LEAD}(?:very |quite |more |rather )?{_KIND}(?:(?:,| and| but)+ (?:\w+ )?{_KIND}\b|,? (?:please|like|not|no|but|all (?:through|the way))\b)|could (?:it|this|that|they) (?:be|sound) (?:a (?:bit|little|touch) )?(?:more |less )?(?:{_KIND}|warmer|drier|calmer|softer|kinder|lighter|plainer|firmer|blunter)|(?:{_OPENS}|\b(?:has|have|needs?|ought|supposed|want it) to )(?:stay|keep|be|sound|make|write|remain)(?: (?:it|this|that|them|me|everything|the \w+|your \w+))? (?:as |so |very |more |a bit |quite |less )*{_KIND}\b|\b(?:nothing|never|not|don't|shouldn't|must not|mustn't)\b{_WORDS}{{0,5}}? (?:sound|read|come across|feel)s? (?:like|as|too|so)\b|(?:{_OPENS}|\b(?:should|must|has to|to) )(?:talk|write|speak|sound|(?:write|say|explain|put|word|phrase) (?:it|this|that|them)|should read)(?: to \w+)? (?:like|as if|as though|the way|as (?:you|i|we|one|people)(?:'d| would)) (?:\w+ ){{1,3}}|^(?:[^a-z0-9]|yes|no|ok|well|but|just)*like (?:i|he|she|they|you|we)(?:'d| would)(?: have)? (?:say|said|write|written|tell|told|put)|(?:don't|do not|no need to) (?:go easy|be gentle|spare|soften|dress it up|wrap it|sell|flatter))",
        "said",
        "Civil and bone dry.",
        "He sounds tired and dry.",
    ),
    Rule(
        "en-own-understood",
        "style",
        "style.wording",
        r"\b(?P<v>(?:words?|language|terms|english|way|sentences) (?:that )?(?:an?|the|my|our|i|we|he|she|they|any\w+|every\w+) (?:[\w' -]+ )?(?:could|can|would|will|'d) (?:\w+ )?(?:understand|repeat|follow|read|use|know|get|say|recogni[sz]e)|(?:say|call (?:it|them|him|her|this)|write) \x22?[\w-]+(?: [\w-]+)?\x22?,? (?:and not|not|instead of|rather than) \x22?[\w-]+\x22?|the words? \x22?[\w-]+\x22? (?:is|are) (?:banned|out|forbidden|not)|(?:no|without|skip the|lose the|drop the) \x22[^\x22\x00]+\x22|(?:never|don't|do not|stop|nobody|does not|doesn't) (?:say|says|saying|write|writing|use|using|call\w*)(?: (?:it|them|him|her|me|the word|this|that))? \x22[^\x22\x00]+\x22)",
        "said",
        "Say it in words a sailor would understand.",
        "He would not understand a word.",
    ),
    Rule(
        "en-own-reader",
        "style",
        "style.reading-level",
        r"\b(?P<v>(?:an? |my |our |the |even (?:an? |my )?)?(?:(?:\d+|\w+)[- ]years?[- ]olds?|grandmother|granny|gran|grandfather|kids?|child(?:ren)?|pupils|beginners?|layman|newcomers?|stranger|foreigners?|\w+ graders?)\b[\w ]* (?:must|should|has to|have to|needs? to) (?:be able to |still )?(?:read|understand|follow)\b[\w ]*)",
        "said",
        "An 8 year old has to be able to read it alone.",
        "The children can swim.",
    ),
    Rule(
        "en-own-measure",
        "style",
        "style.units",
        r"(?P<v>\b(?:give|show|write|put|talk|think|answer|work|speak|have|want|do|list|quote|tell|convert|keep|need|be|make|everything|all|sums|prices|amounts|figures|measurements|lengths|weights|temperatures|distances|costs|totals)\b(?: [\w']+){0,5}? in (?:both )?(?:mm|cm|millimet(?:re|er)s|centimet(?:re|er)s|metres|meters|inches|feet|yards|miles|km|kilomet(?:re|er)s|grams|kilos|kg|ounces|pounds|stone|cups|lit(?:re|er)s|pints|gallons|celsius|fahrenheit|metric|imperial|euros?|dollars|sterling|francs|kroner|yen|knots|acres|hectares|hours and minutes|decimal hours|24[- ]hour \w+|percent\w*|per ?cent)\b|\b(?:no|not an?|(?:don't|do not) want (?:to see )?(?:an?|any)|spare me the|enough of the) (?:inch(?:es)?|feet|miles|fahrenheit|celsius|ounces|pounds|cups|gallons|yards)\b|^(?:[^a-z0-9]|ok|and|but|please|also|yes|no)*(?:mm|cm|millimet(?:re|er)s|centimet(?:re|er)s|metres|inches|feet|miles|km|kilomet(?:re|er)s|grams|kilos|kg|ounces|celsius|fahrenheit|metric|imperial|euros|dollars|sterling|24[- ]hour \w+)(?: (?:please|only|throughout|everywhere|always|then)\b|$))",
        "said",
        "Talk to me in kilos.",
        "Inches of snow fell.",
    ),
    Rule(
        "en-own-round",
        "style",
        "style.numbers",
        r"(?P<v>\b(?:round(?:ed|er|ing)?|to the nearest|decimals?|decimal places|after the (?:decimal )?point|commas? (?:in|for) (?:the )?(?:thousands|numbers)|spell(?:ed)? out (?:the )?numbers|as (?:digits|figures|words|fractions|percentages|decimals))\b[\w ]*\b(?:please|always|throughout|everywhere|only|from (?:now|here) on|numbers?|figures|amounts|sums|prices|point|beyond|nearest|is enough|are enough|places?)\b|\b(?:nobody|never|no one|not|no|don't)\b[\w ]* (?:decimals?|decimal places|after the (?:decimal )?point|cents|fractions|percentages|false precision))",
        "said",
        "Nobody in my field goes beyond two after the point.",
        "The round table was sold.",
    ),
    Rule(
        "en-own-order",
        "style",
        "style.layout",
        rf"(?P<v>(?:{_OPENS}{_DO}(?: [\w',-]+){{1,7}}?|{_LEAD}(?:[\w'-]+ ){{1,4}}?),? ?(?:(?:hardest|easiest|newest|oldest|latest|cheapest|dearest|most \w+|biggest|smallest|shortest|worst|best|answer|result|name|number|date|total|summary|verdict|conclusion|price|time|place|surname|bad news|good news|phone numbers?) (?:first|last|on top|at the (?:top|bottom|end|front)|in front|up front)|by (?:date|name|room|day|week|month|street|surname|size|price|person|theme|topic|author|age|aisle|shop|area|colou?r)(?:[,.;:!]|$| and| please| then)|alphabetical(?:ly)?|in (?:alphabetical|chronological|date|running|reverse) order)\b)",
        "said",
        "List the questions hardest first.",
        "The oldest came first and sat.",
    ),
    Rule(
        "en-own-end",
        "style",
        "style.structure",
        rf"(?P<v>{_OPENS}(?:answer|reply|respond|write|talk|speak)(?: to)? (?:us|me|her|him|them) (?:with|by|in|as|like)\b|{_OPENS}(?:end|start|begin|finish|open|close|sign|top|tag|prefix|precede|head) (?:off )?(?:each|every|all|your|any|the|it|them|with)\b[\w ']* (?:with|on|by|as)\b|\b(?:every|each|any|all(?: of)? (?:your|the)) (?:message|answer|reply|response|list|summary|draft|text|letter|note|update|version|recipe|plan|table)s?(?: (?:from you|you \w+|\w+ me))? (?:gets|has to|starts|ends|should|must|needs)\b)",
        "said",
        "Answer us with whose question it was in front.",
        "Each letter in the word counts for ten.",
    ),
    Rule(
        "en-own-language",
        "style",
        "style.spelling",
        r"(?P<v>^(?:[^a-z0-9]|ok|and|but|please|also|yes|no|then|so)*(?:british|american|uk|us|oxford|canadian|australian)(?: (?:english|spelling))?(?: (?:then|please|throughout|everywhere|always|only|of course)|,? not \w+)|\b(?:spell|spelled|spelt)\b[\w ]* (?:with (?:an?|one|two|the) [\w\x22]+|the (?:\w+ )?way|like \w+|as in \w+|without \w+)|\x22?[\w]+\x22? with (?:an?|one|two|a double) \x22?[a-z]\x22?(?:,| not| please|$))",
        "said",
        "British then.",
        "British food was served then.",
    ),
    Rule(
        "en-own-as",
        "role",
        "role.persona",
        rf"(?P<v>\b(?:i'd like|i want|i need|i'd (?:love|want)|want|need) you (?:here )?as (?:an?|my|our|the) \w+|{_OPENS}(?:write|tell|answer|narrate|speak|talk|do|play|reply|say)\b(?: [\w']+){{0,4}}? (?:like|as if|as though) you(?:'re| are| were) [\w' -]+|\b(?:you(?:'re| are)|be) (?:my|our|the|a) [\w -]+, not (?:my|an?|the) \w+)",
        "said",
        "I'd like you as a sounding board, not as co-author.",
        "I'd like you to come as a guest.",
    ),
    Rule(
        "en-own-person",
        "style",
        "style.person",
        rf"\b(?P<v>(?:talk|speak|write|say|use|keep|speak to|talk to|with) (?:to )?(?:the |that )?(?:\x22(?:you|we|one|i|he|she|they)\x22)|address\w* (?:them|the \w+|people|him|her|us|me) as \x22?\w+|(?:(?:write|keep)[\w ]{0, 20} in |use |always )(?:the )?(?:imperative|passive|active|infinitive|(?:first|second|third) person))",
        "said",
        'Talk to "you", not "the patient".',
        "I will talk to the patient.",
    ),
    Rule(
        "en-own-usable",
        "style",
        "style.output-format",
        r"\b(?P<v>(?:\w+ )?(?:that )?(?:i|we|they|he|she|you) can (?:just )?(?:paste|copy|print|forward|hand out|cut out|tick off|pin up|read (?:aloud|out|off)|photocopy|laminate)\b|(?:has|have|needs?) to (?:be (?:readable|legible|printable|printed|read aloud|read out)|fit|print|work on paper)|(?:i|we|they|he|she|kid|it gets|it's) (?:read|reads|print|prints|hear|hears|printed|hang|hangs)(?: it| this| them| these| all of it)? (?:off|on|by|from|out loud|aloud|out|in (?:black|colou?r))\b)",
        "said",
        "Commands I can paste, please.",
        "The text can be copied.",
    ),
    Rule(
        "en-own-sheet",
        "style",
        "style.format",
        rf"(?P<v>{_LEAD}(?:an? |one |in |as )?(?:numbered \w+|bullet points|bullets|checklist|tick ?boxes|check ?boxes|grid|two columns?|plain text|prose|yaml|json|csv|markdown|table|full sentences|one[- ]pager|big (?:type|letters|print)|large (?:type|letters|print)|do/don't pairs|steps)(?:(?: please)?[,.;:!]| please|$| (?:not|no|with|or) )|\b(?:write|type|put|do|present|set|lay)(?: (?:this|it|that|them|everything))? (?:up |out |down )?(?:as an? [\w-]+|(?:round by round|row by row|day by day|step by step|line by line|week by week|page by page|room by room))\b|\b(?:becomes?|turns? into|goes? into|comes? as|should be|must be) an? (?:\w+ )?(?:table|list|checklist|grid|timeline|calendar|chart)\b)",
        "said",
        "Write this up as an ADR.",
        "Steps led to the door.",
    ),
    Rule(
        "en-own-case",
        "style",
        "style.capitalization",
        rf"(?P<v>{_LEAD}(?:all |in |everything in |\w+ in )?(?:lower|upper)[- ]?case\b|\b(?:keywords?|titles?|names?|headings?|everything|it|all) (?:in|all) (?:lower[- ]?case|upper[- ]?case|caps|capitals|capital letters)\b|{_LEAD}no (?:caps|capitals|capital letters)\b)",
        "said",
        "Lowercase, all of it.",
        "The lowercase letters were cast in lead.",
    ),
    Rule(
        "en-own-colour",
        "style",
        "style.color",
        r"(?P<v>\bcolou?r[- ]?cod\w+|\b(?:each|every|per) [\w ]{1,30} (?:with|in|gets|has|a) (?:its own |an? |one )?(?:different )?colou?r\b|\b(?:no|without|not in|skip the|in one) colou?rs?\b)",
        "said",
        "Each type of shift with a colour.",
        "The colour of each type varied.",
    ),
    Rule(
        "en-own-tools",
        "constraint",
        "constraint.tools",
        r"(?P<v>(?:\b\w+ (?:yes|ok|fine),? (?:macros|scripts|plugins|add-ons|gui|docker|javascript|cloud) no\b|\b(?:cli|command[- ]line|terminal|gui|mouse|browser|keyboard|excel|spreadsheet|open[- ]source|free software|offline|phone|bash|vim|libreoffice|google \w+)(?: (?:tools?|stuff))? only\b|\b(?:only|just) (?:use )?(?:the )?(?:cli|command line|terminal|gui|browser|keyboard|free (?:software|tools)|open[- ]source|hand tools|vanilla \w+|plain \w+)\b|\b(?:no|without|never|nothing with) (?:macros|scripts|plugins|add-ons|npm|docker|frameworks|cloud \w*|power tools)\b))",
        "said",
        "Need mp3 for the feed, cli only.",
        "The command line was long.",
    ),
)

GENERAL: tuple[Rule, ...] = (
    Rule(
        "en-general-standing",
        "style",
        "style.format",
        r"(?P<v>\b(?:from (?:now|here|today|this (?:one|point))(?: on| onwards| forward)?|going forward|in (?:the )?future|every time|next time)\b[^.;!?]*\b(?:you|your|me|us|write|answer|reply|send|show|put|list|give|drafts?|messages?|notes?|texts?)\b|\b(?:you|your|me|us|write|answer|reply|send|show|put|list|give|drafts?|messages?|notes?|texts?)\b[^.;!?]*\b(?:from (?:now|here|today|this (?:one|point)) on(?:wards)?|going forward|in future|every time))\b",
        "said",
        "From now on show me the bus stop, too.",
        "From now on the bus stops here.",
    ),
    Rule(
        "en-when-you",
        "style",
        "style.format",
        r"(?:^|\W)(?P<v>(?:when(?:ever)?|every time|each time|any ?time) (?:you|u) (?:list|give|show|quote|write|draft|explain|compare|mention|cite|name|describe|summari[sz]e|propose|present|refer|report|translate|draw|plot)\b[^;.!?]*\b(?:please|pls|plz|first|always|never|only|put|use|give|add|show|keep|include|write|say|start|mark|name|mention|don't|then|in (?:the|a|an))\b[^;.!?]*)",
        "wish",
        "When you list pieces, composer first please.",
        "When you list it, the price falls.",
    ),
)
"""Wishes that name no topic: they yield to every other rule."""

RULES: tuple[Rule, ...] = (*map(_topic, TOPICS), *OWN, *GENERAL)
