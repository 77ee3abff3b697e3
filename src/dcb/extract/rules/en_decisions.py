"""How people settle a choice in English."""

from __future__ import annotations

from dcb.extract.rules import Rule, table

# Words that may stand before an imperative without changing it.
LEAD = (
    r"(?:^|[.!;:,—–] ?|\b(?:and|but|so|then|actually|please|just|also|ok|okay|right|yes|yeah|no|fine|sure|well|instead|rather|btw|for now|oh|hm+) )"
    r"(?:(?:and|but|so|then|actually|please|just|also|ok|okay|right|yes|yeah|fine|sure|well|instead|now|for now|definitely|simply),? )*"
)

# Where a clause begins, and what people undertake.
_NEXT = r"(?:^|[.;:,] ?|\b(?:and|so|then|but) )"
_DOES = (
    r"leads|handles|does|owns|takes (?:the|over|on|care|notes|photos|charge)|runs (?:the|our|it|both)|writes|edits|drives"
    r"|cooks|hosts|chairs|brings|reviews|signs off|looks after|covers (?:the|for|both)|manages|designs|builds|drafts|presents"
    r"|moderates|films|teaches|coordinates|facilitates|approves|plays [a-z]+|pays for|keeps (?:the|score|time|track)"
    r"|books (?:the|it)|orders (?:the|it)|buys (?:the|it)|collects (?:the|it)|proofreads|decides|has the (?:final|last) (?:say|word)"
)
_DO = (
    r"lead|handle|do|own|take (?:the|over|on|care|notes)|run (?:the|our|it|both)|write|edit|drive|cook|host|chair|bring"
    r"|review|sign off|look after|cover|manage|design|build|draft|present|moderate|film|teach|coordinate|share|split|decide"
)

DECISIONS: tuple[Rule, ...] = table(
    "decision",
    (
        "en.lets",
        r"\blet'?s (?:just |then |rather |instead |simply |definitely )*[a-z]+|\blet us (?:use|go|keep|do|drop|take)\b",
        "Let's go with Redis.",
        "Let's see what the tests say",
    ),
    (
        "en.go-with",
        r"\b(?:go|going|gone|stick|sticking|stay|staying|roll|run|start|starting) with\b|\b(?:go|going) for\b|\b(?:opt|opting|plump|plumping) for\b|\bsettle[ds]? on\b|\bcommit(?:ted)? to\b",
        "I'd go with nginx for this",
        "Should we go with B?",
    ),
    (
        "en.decided",
        r"\b(?:we|i)(?:'ve| have)? (?:now |finally )?decided\b|\bdecision\s*[:—-]|\bit'?s decided\b|\bdecided (?:on|to|against|that)\b|\b(?:way|ways) to go\b|\bgets? my vote\b|\bmy vote goes\b|\b(?:clear|obvious) (?:winner|choice)\b|\bwill do(?: us| me)?(?: fine| nicely| just fine| for now)?(?:[.,;!]|$)|\b(?:i|we)(?:'ve| have)? (?:just |now |finally |already )?(?:signed up (?:with|for)|picked|chosen|chose|went (?:with|for)|gone with|opted for|booked|hired) [a-z]|\bchange of heart\b|^[a-z][\w-]*, (?:sure|fine|definitely|obviously)\b|\blet it be [a-z]|\bvoted for\b|\bmind'?s made up\b|\bmade up my mind\b|\bchange of plans?\b|\bdone deal\b|\bfinal (?:answer|call|decision)\b|[,;] final\b|\b(?:that|it)'?s settled\b|\bwe(?:'ve| have)? (?:all )?(?:agreed|settled) (?:on|to)\b|\bit(?:'s going to|'ll| will| is going to) be (?-i:[A-Z])[a-z]+|\bi(?:'ll| will) pass on\b|\bthe (?:plan|decision|verdict|answer) is\b|\bthat'?s the (?:one|plan)\b|\bsold on\b",
        "decision: exclude cancelled rides",
        "we are undecided about this",
    ),
    (
        "en.we-will",
        r"\bwe(?:'ll| will|'re going to| are going to|'re gonna) (?:just |only |still |all |then |now )*(?:use|using|adopt|adopting|ship|shipping|build|building|keep|keeping|drop|dropping|switch|switching|move|moving|run|running|do|doing|skip|skipping|take|taking|host|hosting|stick|sticking|make|making|cut|cutting|start|starting|support|supporting|charge|charging|offer|offering|go|going|hire|hiring|order|ordering|book|booking|publish|publishing|write|writing)\b|\bwe(?:\'ll| will| shall) [a-z]+\b|\bwe can (?:just |simply |always )?(?:skip|drop|leave|lose|ditch|remove|live without|do without|cut|postpone|defer|start with|go with|use)\b|\bwe won\'?t (?:support|have|do|use|need|be|add|build|offer|ship)\b",
        "we'll use the Oura ring",
        "we were using Heroku last year",
    ),
    (
        "en.we-are",
        r"\bwe(?:'?re| are) (?:just |only |not |still |all |then |now )*(?:(?:us|adopt|shipp|build|keep|dropp|switch|mov|runn|do|skipp|tak|host|stick|mak|cutt|start|support|charg|offer|go|hir|order|book|publish|writ|giv|sell|serv|send|clos|open)ing\b|[a-z]+ing (?:the|a|an|with|it|them|on|in|to|everything|nothing|our|their|my|no|only|all|both)\b)|\bi'?m (?:(?:giv|order|us|book|sell|clos|cancell|build|publish|sign|hir|return|pay|mov|submitt)ing) (?:the|a|an|it|them|one|two|my|that|everything|nothing|in|up|only|both|no)\b",
        "we're claiming the rug",
        "we're trying the soup",
    ),
    (
        "en.we-do",
        r"(?:^|[.;:,] ?|\b(?:so|then|and|but|yes|ok|okay|fine|no) )we (?:just |only |still |simply |then )?[a-z]+\b",
        "yeah love that. we ask in context",
        "we use Jenkins today",
    ),
    (
        # Who does what: "Marta leads the design", "Joe and Ana on layout".
        "en.role",
        rf"{_NEXT}(?-i:[A-Z][a-z]+) (?:{_DOES})\b|{_NEXT}(?-i:[A-Z][a-z]+(?:, [A-Z][a-z]+)*,? (?:and|&) (?:I|[A-Z][a-z]+)) (?:{_DO}|on)\b|{_NEXT}(?-i:[A-Z][a-z]+(?:(?:,| and| &) [A-Z][a-z]+)*) (?:is (?:in charge|on [a-z]+|responsible|the (?:lead|owner|chair|editor|host|contact))|are (?:in charge|on [a-z]+|responsible)|(?:will|can|should|shall) (?:{_DO}))\b|\bput (?-i:[A-Z][a-z]+) (?:in charge|on)\b|\bi(?:'ll| will) (?:handle|run|lead|write|host|chair|edit|present|cook|drive|look after|cover|manage)\b",
        "Marta leads the design.",
        "Berlin takes getting used to?",
    ),
    (
        # What holds from here on, in the present: "Votes can go by post", "Attendance is optional".
        "en.stipulates",
        r"(?:^|[.;:,] ?|\b(?:and|so|then|but) )(?:(?:the|our|my|all|both|each|every|any) )?[a-z][\w'/-]*(?: [a-z][\w'/-]*){0,3} (?:is|are|stays?|remains?) (?:optional|compulsory|voluntary|included|excluded|extra|free|gone|enough|final|fixed|fine|shared|separate|allowed|welcome|open|closed|anonymous|public|hidden|visible|read-only|face (?:up|down)|by (?:post|email|hand|invitation|appointment|phone)|on (?:me|us|request|the house)|first come)(?:[.,;!]|$| (?:and|but|for|to|by|until|from|only|then|now)\b)|\b[a-z]+ (?:can|may) (?:go|come|be|stay|pay|join|bring|book|vote|choose|pick|send|wait) [^.?]*[.!]?$|(?:^|[.;:,] ?|\b(?:and|so|then|but) )(?:the |our |all |both )?[a-z][\w'-]* (?:shown|listed|sorted|grouped|served|sold|printed|painted|stored|hosted|billed|paid|held|handled|done|sent|published|included|excluded|marked|kept|built|written|made) (?:in|by|on|at|as|from|with|to|per|via|monthly|weekly|daily|yearly|separately|inclusive|exclusive|together|first|last|only|cold|hot|warm|once|twice)\b",
        "Attendance is optional.",
        "The door is heavy.",
    ),
    (
        # One thing against another: "backups go to the NAS, not the cloud".
        "en.not-that",
        r"[a-z0-9%)\"'`], (?:and )?not (?:the |a |an |in |on |by |at |with |for |as |to |via |per |from |my |our |your |their |any |under |into |after |before )*[a-z0-9\"'`][^,.;?]{0,40}[.!]*$",
        "By week, not by role.",
        "It's sad, isn't it?",
    ),
    (
        "en.choose",
        LEAD
        + r"(?:use|drop|cut|kill|exclude|switch to|swap|merge|skip|remove|keep|replace|pick|choose|take|scrap|ditch|start|split|adopt|cap|omit|leave out|leave|go|revert|roll back|rollback|lose|shelve|postpone|defer|move|ship|disable|enable|combine|reuse|hide|turn off|turn on|separate|consolidate|inline|outsource|retire|deprecate|put|place|store|host|publish|hold|paint|serve|order|book|rent|install|sort|group|cache|deploy|expose|treat|save|log|rename|begin|end|open|close|plant|seat|invite|ship|sell|charge|write|give|allow|let|set up|target|aim|model|keep|wrap|return|strip|mask|encrypt|require|round|retry|delete|reserve|focus on|settle for|trim|limit|stop) [a-z0-9\"'`(-]",
        "ok kill the flag, we roll forward",
        "the jobs keep failing",
    ),
    (
        "en.it-is",
        r"\b[a-z0-9][\w.+#-]* it (?:is|shall be|will be)\b|\b[a-z0-9][\w.+#-]* wins\b(?:[.,;!]|$)|\bmake (?:it|that|them) (?:a |an |the )?[a-z]{3,}",
        "flyway it is",
        "tell me what it is",
    ),
    (
        "en.no-noun",
        r"^(?:no[.,] )?no (?:[a-z0-9-]+ ?){1,4}(?:[,.;!]|$)|[.;,] no (?:[a-z0-9-]+ ?){1,3}(?:[,.;!]|$)|\bnot (?:doing|using|going with|adding|supporting|building|shipping)\b|\bwon'?t (?:do|use|add|support|build|ship|need)\b|\bdon'?t (?:carry|bother with|include)\b|\blet'?s not (?:bother|do|use|go|add|include|have|support|build|make|put|over)|\bwe (?:don'?t|do not|won'?t) need\b|\bno need for\b|\bwithout (?:the|a|any) [a-z]+(?:[.,;!]|$)",
        "No total count, the query is slow.",
        "no worries",
    ),
    (
        "en.only",
        r"\bonly(?: by default)?(?: for now| please| then)?(?:[.,;!]|$)|\bby default(?:[.,;!]|$)|\bonly for (?:the|now)\b",
        "Open-access readings only.",
        "I only saw it once",
    ),
    (
        "en.prefer",
        r"\bi(?:'d| would) (?:rather|prefer|pick|take|choose|keep|go)\b|\bi'?ll (?:take|go|have|pick|use|keep|do|stick|cut|drop|skip|switch|leave|remove|split|merge|rent|host|adopt|scrap|swap|replace)\b|\bi (?:pick|choose|vote|want it|want them)\b|\bmy (?:pick|choice|vote|preference) (?:is|:)|\bi'?m (?:sticking (?:to|with)|staying (?:with|on|at)|going (?:with|for|to (?:take|use|go|pick|choose|keep|do|open|buy|book|rent|switch|drop))|choosing|picking|taking|switching|keeping|dropping|skipping)\b|(?:^|[.;:,] ?|\b(?:and|so|but|then) )i(?: want|'d like| would like) (?:the|our|my|all|this|that) [^.]*\bto [a-z]+|\bi (?:like|love) [^.,;]{2,30} (?:best|most|better)\b|\bi (?:now |actually |do |still |much )?prefer\b|(?:^|[.;:,] ?|\b(?:and|so|but|then) )i(?: want|'d like| would like) (?:the|it to|them to|us to|to (?:open|use|keep|go with|have|drop|end|avoid))\b|\bi think we should (?:just |simply )?[a-z]+|\bi'?d go\b|\b(?:yes|no) to (?:the|a|an) ",
        "I'll take the smaller desk",
        "I'll take a look",
    ),
    (
        "en.instead",
        r"\bafter all(?:[.,;!]|$)|\binstead(?:[.,;!]|$| of\b)|\brather than\b|\bback to [a-z]|\bswitch(?:ing)? (?:back )?to\b|\bmove (?:back )?to\b",
        "sqlite instead of postgres",
        "why did you do that instead?",
    ),
    (
        "en.then",
        r"^(?:(?:ok|okay|fine|right|alright|all right|yes|yeah|so|well|cool|great|good)(?: then)?,? )?(?:the |a |an )?[a-z0-9][\w'+#.-]*(?: [\w'+#.-]+){0,7} then[.!]*$|^(?:ok|okay|fine|alright|right|yes|yeah)(?: then)?, (?:the|a|an) [\w' -]{3,40}[.!]*$|^[a-z0-9][\w.+#-]*(?: [\w.+#-]+){0,3},? please[.!]*$",
        "Postgres then.",
        "and what happened since then?",
    ),
    (
        "en.will-be",
        r"(?:^|[.;:,] ?|\b(?:and|so|then|but) )(?:the|our|my|this|each|every)? ?[a-z][\w' -]{2,40} (?:should|will|shall|must) (?:come|go|stand|sit|be) (?:before|after|first|last|in front|on top|next to|behind)\b|(?:^|[.;:,] ?|\b(?:and|so|then|but) )(?:the|our|my|this|each|every)? ?[a-z][\w' -]{2,40} (?:will be|is going to be|shall be) (?:the|a|an|in|on|at|made|written|called|called|from|two|three|four|[a-z]+ed)\b",
        "The venue will be the old library.",
        "Will it be the old library?",
    ),
    (
        "en.goes-where",
        r"(?:^|, |; )(?:and |but |so )?(?:the|our|my|all|both) [a-z'-]+(?: [a-z'-]+)? (?:stays?|goes?|go|moves?) (?:in|out|up|down|to|at|first|last|before|after|next|under|behind|below|above|between|indoors|outside|inside|upstairs|downstairs|home|back)\b",
        "The bar stays indoors.",
        "The bar stood indoors.",
    ),
    (
        "en.so",
        r"(?:^|[.;,] ?)so (?:it'?s |just |make it |call it |[a-z-]{4,} (?:after|before|only|first|instead|without)\b)|(?:^|[.;] ?)then (?:it'?s|just|make it|call it)\b",
        "so sign-up after booking, email required",
        "so far so good",
    ),
    (
        "en.can",
        r"(?:^|[.;:] ?)(?:and |so |then |but )?(?:they|users?|people|students?|customers?|guests?|readers?|everyone|anyone|members|parents|tenants) (?:can|may|get to|are allowed to) [a-z]+",
        "And they can rewrite the first one.",
        "Can they rewrite it?",
    ),
    (
        "en.yes-no",
        r"(?:^|[.,;:] ?)(?:the |a |an |your )?[a-z][\w'-]*(?: [a-z][\w'-]*){0,4},? (?:yes|no|nope|nah)(?:[.,;!]|$| (?:to|for|please)\b| [—–-])",
        "Raised beds yes, gravel no",
        "I can't say yes",
    ),
    (
        "en.take-that-up",
        r"^(?:(?:ok|okay|yes|fine|right),? )?(?:i'?ll (?:try|live with|stick with|go for)|(?:i|we) (?:can|could) live with|happy with|fine with)\b",
        "I can live with the smaller one",
        "I'll tell them tonight",
    ),
    (
        "en.scope",
        r"^(?:and |but )?[a-z][\w'-]*(?: [\w'-]+){0,2} (?:later|another time|some other time|next time)[.!]*$|\bbehind a (?:feature )?flag\b|\bfor now(?:[.,;!]|$)|\bin v?1(?:[.,;!]|$)|\b(?:is|are|goes?|stays?|'s) (?:out|in)(?: of scope| of the (?:question|running)| then| now| too)*(?:[.,;:!]|$)|\b[a-z][\w' -]{1,28} (?:in|out|on|off|up|down), (?:and )?[a-z][\w' -]{1,28} (?:in|out|on|off|up|down)[.!]*$|\brul(?:es?|ing) (?:that |it |them )?out\b|\b(?:off|on) the table\b|\bno longer (?:an option|needed|in scope)\b|\bis dropped\b|\bgets? (?:cut|dropped|axed)\b|\bnot in (?:this|the first|v1)\b|\bcan wait\b|(?:^|, )(?:and |but |so |ok |okay )*(?:(?:the|all|both|those|these) )?[a-z'-]+(?: [a-z'-]+)? (?:go(?:es)?|stays?|can go|must go|has to go|is gone)(?:[.,;!]|$)|\b(?:greeting|section|page|feature|part|step|column|field|chapter|paragraph) (?:can go|goes|stays)\b",
        "perceptual behind a flag",
        "who planted the flag?",
    ),
)
