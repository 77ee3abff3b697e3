"""How people decide, order, correct and hedge in English: one row per turn of phrase."""

from __future__ import annotations

from dcb.extract.rules import Rule, rule

# Words that may stand before an imperative without changing it.
_LEAD = (
    r"(?:^|[.!;:,—–] ?|\b(?:and|but|so|then|actually|please|just|also|ok|okay|right|yes|yeah|no|fine|sure|well|instead|rather|btw|let me rephrase) )"
    r"(?:(?:and|but|so|then|actually|please|just|also|ok|okay|right|yes|yeah|fine|sure|well|instead|now|for now|definitely),? )*"
)

DECISIONS: tuple[Rule, ...] = (
    rule(
        "en.lets",
        "decision",
        r"\blet'?s (?:just |then |rather |instead |simply )?[a-z]+|\blet us [a-z]+",
        hit="Let's go with Redis.",
        miss="Let's see what the tests say",
    ),
    rule(
        "en.go-with",
        "decision",
        r"\b(?:go|going|gone|stick|sticking|stay|staying|roll|run|leave it|happy|start|starting) with\b|\b(?:go|going) for\b|\b(?:opt|opting|plump|plumping) for\b|\bsettle[ds]? on\b|\bcommit(?:ted)? to\b",
        hit="I'd go with option B",
        miss="Should we go with B?",
    ),
    rule(
        "en.decided",
        "decision",
        r"\b(?:we|i)(?:'ve| have)? decided\b|\bdecision\s*[:—-]|\bit'?s decided\b|\bdecided (?:on|to|against)\b|\bfinal (?:answer|call|decision)\b|[,;] final\b|\b(?:that|it)'?s settled\b|\bwe (?:agreed|settled) (?:on|to)\b|\bcall it (?:done|settled)\b",
        hit="decision: exclude cancelled rides",
        miss="we are undecided about this",
    ),
    rule(
        "en.we-will",
        "decision",
        r"\bwe(?:'ll| will|'re going to| are going to|'re gonna|'re| are) (?:just |only |still |all |then |now )*(?:use|using|adopt|adopting|ship|shipping|build|building|keep|keeping|drop|dropping|switch|switching|move|moving|run|running|do|doing|skip|skipping|take|taking|host|hosting|call|calling|stick|sticking|ask|asking|make|making|cut|cutting|start|starting|support|supporting|charge|charging|offer|offering)\b",
        hit="we're using the Oura ring",
        miss="we were using Heroku last year",
    ),
    rule(
        "en.we-do",
        "decision",
        r"(?:^|[.;:,] ?|\bso |\bthen )we (?:ask|use|ship|keep|do|go|build|run|host|charge|take|drop|start|store|send|cap|show|hide|publish|write|stay|support|skip|only)\b",
        hit="yeah love that. we ask in context",
        miss="we use Jenkins today",
    ),
    rule(
        "en.choose",
        "decision",
        _LEAD
        + r"(?:use|drop|cut|kill|exclude|switch to|swap|merge|skip|remove|keep|replace|pick|choose|take|scrap|ditch|start|split|adopt|cap|omit|leave out|leave|go|revert|roll back|rollback|bin|lose|shelve|postpone|defer|move|ship|disable|enable|combine|reuse|hide|turn off|turn on) (?:[a-z0-9\"'`(-]|to )",
        hit="ok kill the flag, leave the deploy alone",
        miss="the jobs keep failing",
    ),
    rule(
        "en.it-is",
        "decision",
        r"\b[a-z0-9][\w.+#-]* it is\b",
        hit="flyway it is",
        miss="tell me what it is",
    ),
    rule(
        "en.no-noun",
        "decision",
        r"^(?:no[.,] )?no (?:[a-z-]+ ?){1,4}(?:[,.;!]|$)|[.] no (?:[a-z-]+ ?){1,3}(?:[,.;!]|$)|\bnot (?:doing|using|going with|adding|supporting|building|shipping|worth)\b|\bwe(?:'re| are) not (?:doing|using|going|adding|supporting|building|shipping)\b|\bwon'?t (?:do|use|add|support|build|ship|need)\b|\bdon'?t (?:carry|bother|include) ",
        hit="No total count, just has_more.",
        miss="no worries",
    ),
    rule(
        "en.only",
        "decision",
        r"\bonly(?: by default)?(?: for now| please| then)?(?:[.,;!]|$)|\bby default(?:[.,;!]|$)|\bonly for (?:the|now)\b",
        hit="Open-access readings only.",
        miss="I only saw it once",
    ),
    rule(
        "en.prefer",
        "decision",
        r"\bi(?:'d| would) (?:rather|prefer|pick|take|choose|keep|go)\b|\bi'?ll (?:take|go|have|pick|use|keep|do|stick)\b|\bi (?:pick|choose|vote|want it|want them|want us)\b|\bmy (?:pick|choice|vote) (?:is|:)",
        hit="I'll take the smaller one",
        miss="I'll take a look",
    ),
    rule(
        "en.instead",
        "decision",
        r"\binstead(?:[.,;!]|$| of\b)|\brather than\b|\bback to [a-z]|\bswitch(?:ing)? (?:back )?to\b|\bmove (?:back )?to\b",
        hit="sqlite instead of postgres",
        miss="why did you do that instead?",
    ),
    rule(
        "en.so",
        "decision",
        r"(?:^|[.;,] ?)so (?:it'?s |just |make it |call it |[a-z-]+ (?:after|before|only|first|over|instead|without|by)\b)|(?:^|[.;] ?)then (?:it'?s|just|make it|call it)\b",
        hit="so sign-up after booking, email required",
        miss="so far so good",
    ),
    rule(
        "en.can",
        "decision",
        r"(?:^|[.;:] ?)(?:and |so |then |but )?(?:they|users?|people|students?|customers?|guests?|readers?|everyone|anyone) (?:can|may|get to|are allowed to) [a-z]+",
        hit="And they can rewrite the first one.",
        miss="They can hear us",
    ),
    rule(
        "en.flag",
        "decision",
        r"\bbehind a (?:feature )?flag\b|\bfor now(?:[.,;!]|$)|\bin v?1(?:[.,;!]|$)|\bout of scope\b|\bin scope\b|\bnot in (?:this|the first|v1)\b",
        hit="perceptual behind a flag",
        miss="who planted the flag?",
    ),
)

DIRECTIVES: tuple[Rule, ...] = (
    rule(
        "en.must",
        "directive",
        r"\b(?:must|shall)(?: not|n't| never| always)?\b(?: [a-z]|$)|\bhas to\b|\bhave to\b|\bhad better\b|\b(?:needs?|ought) to (?:be|stay|keep|remain|work|survive|support|run|stop|go through)\b",
        hit="cursors must keep working across deploys",
        miss="it must have been the cache",
    ),
    rule(
        "en.never",
        "directive",
        r"\bnever (?:ever )?[a-z]",
        hit="never auto-create indexes from the ORM",
        miss="I never said that",
    ),
    rule(
        "en.always",
        "directive",
        r"\balways [a-z]|\bevery time\b.*\b(?:must|should|please|need)",
        hit="always run the linter first",
        miss="it always fails on Mondays",
    ),
    rule(
        "en.dont",
        "directive",
        _LEAD + r"(?:do not|don'?t|dont) (?:ever |you |even |just )?[a-z]",
        hit="Don't grade talking.",
        miss="Don't worry",
    ),
    rule(
        "en.no-noun",
        "directive",
        r"(?:^|[.;:,] ?|\band |\balso )no [a-z][\w' -]*\b(?:anywhere|ever|outside|inside|at all|whatsoever|without|in (?:it|the|any|there|our|this|production|prod)|on (?:the|any)|from (?:the|any)|under|after \d|before \d|please|either)\b|\bno [a-z][\w -]*, (?:ever|please|period|full stop)\b",
        hit="no pie charts, ever",
        miss="no one is in the office",
    ),
    rule(
        "en.nobody",
        "directive",
        r"\b(?:nobody|no one|no-one|none of (?:us|you|them)) (?:may|should|is to|gets to|[a-z]+s)\b",
        hit="nobody ramps flags after 3pm",
        miss="nobody knows",
    ),
    rule(
        "en.ensure",
        "directive",
        r"\b(?:make sure|be sure|ensure|see to it|take care) (?:to |that |not |you |the |we |it |every|all|no)|\bremember to\b|\bkeep in mind that\b",
        hit="make sure every page has a title",
        miss="I want to make sure I understand",
    ),
    rule(
        "en.rule",
        "directive",
        r"\b(?:hard|house|ground|golden|standing|iron|one|new) rule\s*[:—,-]|\bnon-?negotiable\b|\bunder no circumstances\b|\bat all costs\b|\boff[- ]limits\b|\bfrom now on\b|\bgoing forward\b|\bwithout exception\b|\bno exceptions\b|\bmandatory\b|\bforbidden\b|\bnot allowed\b|\bstrictly\b|\bprohibited\b",
        hit="from now on every PR gets two reviewers",
        miss="is that allowed?",
    ),
    rule(
        "en.every",
        "directive",
        r"\b(?:every|each|any|all) [a-z][\w' -]*\b(?:has to|have to|must|needs? to|should|gets?|goes|go|requires?)\b|^(?:and |also |so |please )*(?:do|run|send|check|test|review|back up|take|hold|write|log|tag|sign) [^.?]*\b(?:every|each|nightly|weekly|daily|monthly|before (?:every|each|any)|after (?:every|each|any))\b",
        hit="do a restore drill every January",
        miss="every test passed",
    ),
    rule(
        "en.verbatim",
        "directive",
        r"\bword for word\b|\bverbatim\b|\b(?:leave|keep) (?:the |it |them |that |those |this |my |our )?[\w -]*\b(?:alone|as is|as-is|unchanged|intact|untouched|in place)\b|\bdo not touch\b|\bhands off\b|\bdon'?t touch\b",
        hit="quote them word for word",
        miss="what does verbatim mean?",
    ),
    rule(
        "en.only-may",
        "directive",
        r"\b(?:may|can|should|must|will) only\b|\bonly (?:ever |the [a-z]+ |admins? |i |we )(?:may|can|should|use|do|get|write)\b|\bnothing (?:may|should|must|goes|leaves|gets)\b|\bcan(?:'?t|not) (?:leave|go|be|use|have|contain|change|touch|exceed|include)\b|\b(?:should|may) (?:never|not|always)\b|\bshouldn'?t\b|\bmustn'?t\b",
        hit="only admins can delete rows",
        miss="I can only see half of it",
    ),
)

MOVES: tuple[Rule, ...] = (
    rule(
        "en.accept",
        "accept",
        r"^(?:yes|yeah|yep|yup|ok|okay|sure|fine|good|great|nice|perfect|right|agreed|deal|done|sounds (?:good|fine|great|right)|works for me|love (?:it|that)|fair(?: enough)?|makes sense|go ahead|do it|that works|exactly|correct|lovely|better|cool|alright|all right|lgtm|approved|confirmed|absolutely|definitely|please do|good catch|yes please|ship it|i'?m fine with|fine by me|good idea|let'?s do (?:it|that))\b",
        hit="Works for me.",
        miss="works on my machine only",
    ),
    rule(
        "en.reject",
        "reject",
        r"^(?:no|nope|nah|not (?:now|yet|really|that)|don'?t|please don'?t|never mind|nevermind|wrong|i disagree|absolutely not|no way|no thanks|rather not|hell no|skip it|leave it|i'?d rather not|too (?:much|heavy|expensive|slow|risky|complex))\b|\bno thanks\b|\b(?:is|are) (?:silly|overkill|pointless|a bad idea|too much|not worth it)\b",
        hit="no thanks",
        miss="north is that way",
    ),
    rule(
        "en.refer",
        "refer",
        r"\b(?:the )?(?:first|second|third|fourth|fifth|last|former|latter|other|middle|1st|2nd|3rd|4th)(?: (?:one|option|choice|approach|plan|version|variant|idea|proposal|way|design|draft))\b|\b(?:the )?(?:former|latter)\b"
        r"|\boption (?:[a-e]|[1-6]|one|two|three|four)\b|\b(?:plan|variant|version|choice|approach|proposal|number) (?:[a-e]|[1-6]|one|two|three|four)\b"
        r"|\b(?:go|going|stick|run|happy|works|fine) (?:with|for) (?:that|it|this|yours?|your [a-z]+|what you|the [a-z]+ one|[a-e]|[1-6])\b|^(?:yes |yep |ok |okay |sure,? )?(?:that|this) one\b|\byes,? that\b|^that\b ?[.!]?$"
        r"|\b(?:as|like|what|how|way|plan|thing) you(?:'ve| have)? (?:said|suggest(?:ed)?|propos(?:e|ed)|described|showed|listed|outlined|wrote|recommend(?:ed)?)\b|\byou (?:showed|suggested|proposed|described|mentioned|recommended)\b"
        r"|\byour (?:suggestion|proposal|plan|recommendation|version|idea|second|first|last)\b|\b(?:do|use|take|keep|like|adopt) (?:that|it|this|them both|both)(?: one| then|[.,!]|$)"
        r"|^(?:ok,? |okay,? |then )?\(?[a-e]\)?(?: (?:it is|then|please))?[.!,]?$",
        hit="Let's go with the second one.",
        miss="give me a second",
    ),
    rule(
        "en.withdraw",
        "withdraw",
        r"\bscrap (?:that|it|this|the)\b|\bnever ?mind\b|\bforget (?:that|it|about|what i)\b|\bcancel (?:that|it)\b|\bstrike that\b|\bi take (?:that|it) back\b|\bon second thought\b|\bchanged my mind\b|\bdisregard\b|\bscratch that\b|\bundo that\b|\bcall (?:it|that) off\b|\bwe'?re not doing\b|\bignore (?:what i|my (?:last|earlier|previous))\b",
        hit="actually, scrap that, use Postgres",
        miss="scrap metal prices",
    ),
    rule(
        "en.correct",
        "correct",
        r"\bactually\b|\binstead\b|\bmake (?:it|that|them)\b|\bchange (?:it|that|the|to)\b|\bdrop (?:it|that|the [a-z]+) to\b|\bbump\b|\braise\b|\blower\b|\bmove (?:it|that|the)\b|\bswitch\b|\brather\b|\bnot \d|\bthen[.!]?$|\bi meant\b|\bcorrection\b|\bsorry\b|\bon second thought\b|\bwait\b|\bnow\b|\bupdate[d]?\b|\bturns out\b|\bsays \d|\boof\b|\bugh\b|\bsame time\b|\bok \d|\bmerge\b|\breplace\b|\bgo back to\b|\bback to\b|\bno longer\b|\brevert\b",
        hit="make that 200",
        miss="the limit is 200",
    ),
    rule(
        "en.propose",
        "propose",
        r"\bi(?:'d| would) (?:recommend|suggest|go|use|lean|pick|add|split)\b|\bi (?:suggest|recommend|propose)\b|\byou (?:could|should|might|may want)\b|\bhow about\b|\bwhat about\b|\bwe could\b|\boptions?:|\bthen\b|\bi'?ll\b",
        hit="I'd recommend supporting both",
        miss="it rained all day",
    ),
)

GUARDS: tuple[Rule, ...] = (
    rule(
        "en.question",
        "question",
        r"^(?:(?:so|and|but|hm+|ok|okay|also|then|well|wait),? )*(?:what|which|how|why|when|where|who|should (?:we|i|it|they|the)|could (?:you|we|i)|would (?:you|it|we)|can (?:you|we|i)|do (?:we|you|i|they)|does (?:it|the|that|this)|is (?:it|there|this|that)|are (?:we|you|there|they)|shall (?:we|i)|did (?:you|we|it))\b",
        hit="should we go with B",
        miss="B should go",
    ),
    rule(
        "en.condition",
        "condition",
        r"\b(?:if|unless|suppose|supposing|imagine|hypothetically|assuming|in case|otherwise|whenever|what if|even if|as long as)\b",
        hit="if it breaks we use B",
        miss="we use B",
    ),
    rule(
        "en.unsettled",
        "unsettled",
        r"\b(?:undecided|not sure|unsure|haven'?t decided|not decided|don'?t know|dunno|maybe|perhaps|might|thinking (?:about|of)?|wonder(?:ing)?|considering|tempted|leaning|torn|still deciding|isn'?t settled|not settled|kinda thinking|we'?ll see|possibly|tbd|to be decided|open question|could (?:also|go|use|be))\b",
        hit="I was kinda thinking mongo",
        miss="mongo it is",
    ),
    rule(
        "en.denial",
        "denial",
        r"\b(?:i|we) (?:never|didn'?t|did not|have never|haven'?t) (?:said?|say|agreed?|promised?|asked?|meant?|wanted?|told|claimed?)\b|\bnot saying\b|\bi'?m not (?:saying|asking|suggesting)\b|\bdoesn'?t mean\b|\bnobody (?:said|asked|wants|owns)\b|\bwho said\b",
        hit="I never said we must stay in-country",
        miss="we must stay in-country",
    ),
    rule(
        "en.reported",
        "reported",
        r"\b(?:says?|said|saying|states?|stated|claims?|claimed|insists?|insisted|wrote|writes|reads|according to|quote|quoted|asks? (?:for|that|us)|asked (?:for|that|us)|argues?|told (?:me|us)|thinks?|wants (?:a|us|me|the|to)|put it|mandates?)\b|\b(?:guide|manual|docs?|documentation|policy|readme|wiki|article|template|book|blog|handbook|textbook|prd|email|e-mail|memo|license|terms|contract|competitor|dashboard)s?(?:'s)? [\w' ]{0,24}(?:says?|said|has|have|requires?|wants?|line|mention|asks?|sentence)\b",
        hit="the guide says clients must always request pages in parallel",
        miss="clients must always request pages in order",
    ),
    rule(
        "en.past",
        "past",
        r"\b(?:last (?:time|year|week|month|night|quarter|sprint)|used to|previously|back then|years? ago|months? ago|weeks? ago|yesterday|earlier (?:today|this)|was|were|had|did|didn'?t|tried|took|broke|once|killed|said|lost|got|ran in|in (?:19|20)\d\d|so far|currently|at the moment|today|already)\b",
        hit="we killed the carousel in 2022",
        miss="kill the carousel",
    ),
    rule(
        "en.personal",
        "personal",
        r"\b(?:i|you|he|she|they|we) (?:do not|don'?t|dont|didn'?t|doesn'?t|can'?t|cannot|couldn'?t|won'?t|wouldn'?t|never|always)\b|\bi (?:have to|must|need to|gotta) (?:go|run|leave|say|admit|ask|think|check|sleep)\b|\b(?:must|might|may) (?:have|be (?:the|a|some|something))\b|\bhave to (?:say|admit|agree|go)\b|\bdon'?t (?:worry|know|think|want|wanna|have|need|care|mind|like|remember|see|get|understand|believe|sweat|panic|mention|feel|forget)\b|\bnever (?:mind|heard|seen|had|tried|used|been|knew|thought|worked|works|again|said|noticed|got)\b|\balways (?:been|wanted|thought|had|fails?|turns?|seems?|gets?|happens?|a |the |works?|worked|like[ds]?|love[ds]?|forgets?|takes?)\b|\bno (?:worries|problem|idea|clue|rush|hurry|thanks|need|one|doubt|longer|matter|way|big|wonder|budget|time|pressure|offense|luck|chance|reason|thank)\b|\bnobody (?:knows|cares|types|likes|uses|reads|noticed|owns|swiped|asked|wants|complains)\b|\bhad to\b",
        hit="Don't worry",
        miss="Don't commit the keys",
    ),
    rule(
        "en.task",
        "task",
        r"^(?:(?:please|now|then|ok|okay|and|also|so|great|nice|yes|can you|could you|let'?s),? )*(?:write|explain|show|help|give|tell|list|draft|fix|describe|summari[sz]e|translate|generate|review|look|read|check|compare|walk|remind|find|create|rewrite|tighten|edit|proofread|suggest|let me know|put together|add)\b",
        hit="write him a two-line how-to",
        miss="use a two-line how-to",
    ),
    rule(
        "en.measured",
        "measured",
        r"\b(?:about|around|roughly|approximately|nearly|almost|some) \d|\b(?:took|takes|was|were|has|had|have|got|gets|measured|dropped|rose|grew|fell|lost|waited|costs?|ran|runs|loaded|used|uses|contains?|consists?|meets|ships|shows?|seen|saw|counted)\b|\bso far\b|\bcurrently\b|\bper cent of\b|\bof (?:them|users|our|the|people)\b|\balready\b|\bmore than \d|\bover \d+ (?:million|thousand|hundred)\b|\bonly \d|\bago\b|\blast (?:time|year|month|week)\b|\bwe have\b|\bi have\b|\bthere (?:are|is|were)\b|\bcurrent\b|\bmillion\b",
        hit="the count query took 4 seconds",
        miss="count timeout 4 seconds",
    ),
    rule(
        "en.paste",
        "paste",
        r"\b(?:here(?:'s| is| are)|this is|below is|pasting|paste|the following|see below|original|from the|attached)\b[^.:]{0,60}:\s*$|\b(?:email|document|policy|readme|spec|log|logs|output|error|transcript|article|notes|minutes|contract|message|review|comments?|draft)\b[^.:]{0,30}:\s*$",
        hit="here's the vendor's policy:",
        miss="ports:",
    ),
    rule(
        "en.complaint",
        "complaint",
        r"\b(?:broken|breaks|broke|fails?|failed|failing|error|wrong|bug|crash(?:es|ed)?|blow up|blows up|doesn'?t work|not working|mistake|off by|mess|leaks?)\b",
        hit="this snippet crashes on start",
        miss="this snippet is fine",
    ),
    rule(
        "en.sidestep",
        "sidestep",
        r"\blet'?s (?:see|talk|discuss|look|think|wait|say|not|hope|find out|check|hear|assume|be honest|face it|pretend|imagine|continue|move on|start over)\b|\bwhat(?:ever)? it is\b|\b(?:as|how|that|where|who|like|since|because|this|so|than) it is\b|\bkeep (?:in mind|that in mind|me posted|going|an eye|up|saying)\b|\btake (?:a look|your time|care|a break|it easy|note)\b|\bgo (?:ahead|on|home|off|wrong|figure)\b|\bi'?ll (?:take|have) a\b|\bcut (?:it out|corners|me)\b|\bmove on\b|\buse(?:d)? to\b|\bi go with\b|\bstart (?:by|over|again)\b|\bleave (?:a|me|for)\b|\bgive me a (?:second|minute)\b|\bpick (?:up|it up)\b|\bskip ahead\b|\bstart(?:ing)? (?:the|my|a|an|to)\b",
        hit="let's see what the tests say",
        miss="let's use the tests",
    ),
)

RULES: tuple[Rule, ...] = DECISIONS + DIRECTIVES + MOVES + GUARDS
