"""How people lay down a standing order or prohibition in English."""

from __future__ import annotations

from dcb.extract.rules import Rule, table
from dcb.extract.rules.en_decisions import LEAD

DIRECTIVES: tuple[Rule, ...] = table(
    "directive",
    (
        "en.must",
        r"\bmust(?: not|n't| never| always)?\b(?: [a-z]|$)|\b[a-z]{3,} shall(?: not| never| always)? [a-z]|\bhas to\b|\bhave to\b|\bhad better\b|\b(?:needs?|ought) to (?:be|stay|keep|remain|work|survive|support|run|stop|go through)\b|\b(?:is|are) (?:not )?to (?:be|stay|remain|go|use)\b",
        "cursors must keep working across deploys",
        "it must have been the cache",
    ),
    (
        "en.never",
        r"\bnever (?:ever )?[\"“'`]?[a-z]",
        "never auto-create indexes from the ORM",
        "I never said that",
    ),
    (
        "en.always",
        r"\balways [a-z]|[a-z], always(?:[.!]|$)|\bevery time\b.*\b(?:must|should|please|need)",
        "always run the linter first",
        "it always fails on Mondays",
    ),
    (
        "en.dont",
        LEAD + r"(?:do not|don'?t|don’t) (?:ever |you |even |just )?[a-z]",
        "Don't grade talking.",
        "Don't worry",
    ),
    (
        "en.no-thing",
        r"(?:^|[.;:,] ?|\band |\balso )no [\x22“'`][^\x22”`]{1,40}[\x22”'`] (?:anywhere|ever|in|on|please|either|at all)\b|(?:^|[.;:,] ?)no [a-z]+(?: [a-z]+)? (?:that|which|who) [a-z]|(?:^|[.;:,] ?|\band |\balso )no [a-z][\w' -]*\b(?:anywhere|ever|outside|inside|at all|whatsoever|without|in (?:it|the|any|there|our|this|production|prod|code)|on (?:the|any|\w+days?)|from (?:the|any)|under|after \d|before \d|please|either)\b|(?:^|[.;:,] ?)no [a-z][\w' -]* (?:in|on|from|after|before|under|near|inside|outside|during) (?:any|my|our|their|her|his|its|every|all|anything|everything|[a-z]+) ?|\bno [a-z][\w -]*, (?:ever|please|period|full stop)\b|\bno (?:more )?[a-z][\w -]* without\b",
        "no pie charts, ever",
        "no one is in the office",
    ),
    (
        "en.no-such",
        # Things of a kind; "no fondant" turns one thing down.
        r"^(?:(?:and|but|so|yes|no|ok|okay|right|also|please|just)[.,]? )*no (?:[a-z0-9'-]+ ){0,3}[a-z-]{2,}[^s\W]s(?:[,.;!)]|$| [(—–-]| (?:at all|please|either|anywhere|about|for|with|without|that|who|which|unless|until|over|under|longer|bigger|in|on|of|to|from)\b)|^no [a-z' -]{2,30}, no [a-z' -]{2,30}[.!]*$",
        "No agency recruiters.",
        "no app",
    ),
    (
        "en.nobody",
        r"\b(?:nobody|no one|no-one|none of (?:us|you|them)) (?:ever |else |but [a-z]+ )?(?:may|should|is to|gets to|[a-z]+s)\b",
        "nobody ramps flags after 3pm",
        "nobody knows",
    ),
    (
        "en.ensure",
        r"\b(?:make sure|be sure|ensure|see to it|take care) (?:to |that |not |you |the |we |it |every|all|no)|(?:^|[.,;] ?|\band |\bplease )(?:remember|don'?t forget) (?:to|that)\b|\bbe careful (?:not )?to\b",
        "make sure every page has a title",
        "I want to know what is wrong",
    ),
    (
        "en.rule",
        r"\b(?:hard|house|ground|golden|standing|iron|one|new|strict) rule\s*[:—,-]|\bnon-?negotiable\b|\bunder no circumstances\b|\bat all costs\b|\boff[- ]limits\b|\bfrom now on\b|\bgoing forward\b|\bwithout exception\b|\bno exceptions\b|\bmandatory\b|\bforbidden\b|\b(?:is|are) (?:banned|taboo|verboten|out of bounds)\b|\bnot allowed\b|\bstrictly\b|\bprohibited\b|\bunder no conditions?\b|\bin no case\b|\bby no means\b|\bi insist\b|\b(?:absolutely|definitely|seriously|positively) no [a-z]|\bat all times\b|\bthroughout(?:[.,;!]|$)|\bacross the board\b|\bit(?:'?s| is) (?:important|essential|critical|crucial|vital|imperative) (?:that|to)\b|\bdeal-?breaker\b|\bmust-?have\b|\bred line\b|\bno-go\b|, (?:ever|period|full stop)[.!]*$|^nothing (?:with|containing|over|above|below|under|that|which|from|made)\b|\brequired\b|\bwhatever you do\b|\bat no point\b|\bwhatever happens\b",
        "from now on each release gets two reviewers",
        "is that allowed?",
    ),
    (
        "en.every",
        r"\b(?:every|each) [a-z][\w' -]*\b(?:gets?|goes|go through|requires?|stays?)\b|\b(?:every|each|any|all|everything|anything|everyone|everybody) [a-z][\w' -]*\b(?:has to|have to|must|needs?|should)\b|\b(?:everyone|everybody) (?:has to|must|needs to|should)\b|^(?:and |also |so |please )*(?:do|run|send|check|test|review|back up|take|hold|write|log|tag|sign|rotate|update|verify|call|meet) [^.?]*\b(?:every|each|nightly|weekly|daily|monthly|quarterly|before (?:every|each|any)|after (?:every|each|any))\b",
        "do a restore drill every January",
        "every test passed",
    ),
    (
        "en.verbatim",
        r"\bword for word\b|\bverbatim\b|\b(?:leave|keep) (?:the |it |them |that |those |this |my |our )?[\w -]*\b(?:alone|as is|as-is|unchanged|intact|untouched|in place)\b|\b(?:leave|keep) [\w' -]+ (?:exactly |just )?(?:as|the way) (?:it|they) (?:is|are|was|were)\b|\btreat [^.]{3,40} as (?:confidential|private|secret|read-only|final|frozen|untrusted|sensitive)\b|\bhands off\b|\bkeep [\w' -]+ (?:out of|away from|free of|private|secret|confidential|off)\b",
        "quote them word for word",
        "what does verbatim mean?",
    ),
    (
        "en.only-may",
        r"\b(?:may|should|must|will) only\b|\bonly (?:ever |the [a-z]+ |admins? |i |we )(?:may|can|should|use|do|get|write)\b|\bnothing (?:[\w' -]{1,30} )?(?:may|should|must|goes|leaves|gets)\b|\b(?:can(?:'?t|not)|may not) (?:leave|go|be|use|have|contain|change|touch|exceed|include|share|appear|mention|ship|run)\b|\bshould(?:n'?t| never| not| always)\b|\bmustn'?t\b|\b(?:use|do|write|accept|store|log|ship|allow) only\b|\bonly use\b|^(?:and |so |but |please )?only (?:[a-z-]+ ){1,3}(?:on|in|at|for|from|to) (?:the|our|my|this) [a-z]+[.!]*$",
        "only admins can delete rows",
        "I can only see half of it",
    ),
    (
        "en.avoid",
        LEAD
        + r"(?:avoid|steer clear of|refrain from|stay away from|stop|stick to|stay (?:under|within|below|clear|on)|adhere to|comply with|conform to|respect|follow) [a-z]|\bplease (?:avoid|stop|refrain)\b",
        "avoid global state",
        "I tried to avoid it",
    ),
    (
        "en.ask-first",
        r"\b(?:ask|check with|consult|run it by|tell|warn|notify) (?:me|us)(?: first)?,? (?:before|first|when(?:ever)?|every time|each time)\b|\byou(?:'re| are) not (?:to|allowed to|supposed to|permitted to) [a-z]|\byou (?:have|need) to (?:ask|check|get|wait|use|keep|stay|stop|be)\b|\byou (?:never|always|only ever) [a-z]+|\bi(?:'m| am) not (?:putting|signing|sending|paying|having|allowing|letting) [a-z]",
        "Ask me before adding any dependency.",
        "Did you ask me before?",
    ),
    (
        "en.unwanted",
        r"\bi want (?:all|every|each|everything|nothing|no) [a-z]|\bi (?:do not|don'?t|never) (?:ever )?want (?:any|anything|to (?:see|have)|you to|us to|it to|them to|the|a|an)\b|\b(?:we|it|they|this|that|the [a-z]+) (?:can'?t|cannot|can not) (?:live|sit|run on|go|come|touch|share|send|rely|hold|carry|block|break|have|depend|rely|require|be|contain|use|exceed|leave|include|go over|show|store|cost|take|look)\b",
        "I don't want any paid services.",
        "I don't want to argue",
    ),
    (
        "en.whenever",
        r"^(?:and |also |please |but )*(?:whenever|when|every time|each time|any ?time) (?:you|we|i|someone|anyone|there)\b[^?]*, (?:please |always |just |then )?(?:include|tell|ask|add|use|show|keep|write|say|give|put|mark|flag|explain|list|leave|check|run|update|note|mention|warn|start|stop|wait|return|post|send|bump|make|do)\b",
        "Whenever you change a file, tell me its name.",
        "When you changed it, what happened?",
    ),
    (
        "en.stays-in",
        r"\b[a-z][\w'-]*(?:s|ing)? (?:stays?|remains?) (?:in|as|out of|off|away from|on (?:the|our|\w+ \w)|at|under|within|outside|inside|behind|lower|upper|read|private|local|internal)\b",
        "Workshop names stay in German",
        "We stayed in Berlin",
    ),
    (
        "en.authority",
        r"\b(?:my|our|the) (?:boss|manager|editor|client|chair|advisor|adviser|supervisor|board|legal team|legal|lawyers?|security team|compliance|auditors?|cto|ceo|cfo|director|head of [a-z]+|publisher|landlord|doctor|committee) (?:insists?|requires?|demands?|mandates?|won'?t (?:accept|allow|have|sign))\b",
        "our auditor insists on a signed copy",
        "our auditor insisted on tea last year",
    ),
    (
        "en.before",
        r"\bbefore (?:you |we |anyone |every |each |any )?(?:merg|deploy|releas|ship|push|publish|commit|delet|touch|send|sign|pay)[a-z]*",
        "run the full suite before merging",
        "what happened before merging?",
    ),
)
