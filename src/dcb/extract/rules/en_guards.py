"""What only looks like a decision, an order or a setting in English."""

from __future__ import annotations

from dcb.extract.rules import Rule, table

GUARDS: tuple[Rule, ...] = (
    *table(
        "question",
        (
            "en.question",
            r"^(?:(?:so|and|but|hm+|ok|okay|also|then|well|wait),? )*(?:what|which|how|why|when|where|who|should (?:we|i|it|they|the)|could (?:you|we|i)|would (?:you|it|we)|can (?:you|u|we|i)|do (?:we|you|i|they)|does (?:it|the|that|this)|is (?:it|there|this|that)|are (?:we|you|there|they)|shall (?:we|i)|did (?:you|we|it))\b",
            "should we go with B",
            "B should go",
        ),
    ),
    *table(
        "condition",
        (
            "en.condition",
            r"\b(?:if|unless|suppose|supposing|say we|imagine|hypothetically|assuming|in case|otherwise|whenever|what if|even if|as long as)\b",
            "if it breaks we use B",
            "we use B",
        ),
    ),
    *table(
        "unsettled",
        (
            "en.unsettled",
            r"\b(?:undecided|not sure|unsure|haven'?t decided|not decided|don'?t know|dunno|maybe|perhaps|might|thinking (?:about|of)|thinking [a-z]+\?|wonder(?:ing)?|considering|tempted|leaning|torn|still deciding|isn'?t settled|not settled|kinda thinking|we'?ll see|possibly|tbd|to be decided|open question|could (?:also|go|use|be))\b",
            "maybe we use mongo",
            "mongo it is",
        ),
        (
            # Nothing in the sentence is settled, whatever follows.
            "en.no-answer",
            r"^(?:(?:hm+|oh|well|honestly|um|uh|ok|okay|but|and|so|actually),? )*(?:i'?m |we'?re |i am |we are |still |really |genuinely |i |we )*(?:not (?:so |too |really |entirely |totally |completely )?sure|unsure|undecided|no idea|no clue|haven'?t (?:decided|thought|worked)|don'?t know|dunno|idk|torn|tbd|tbc|waiting (?:for|on|to)|up in the air|open to)\b|\bask me (?:again|later|in|after|tomorrow|next)\b|\bremind me (?:in|on|next|later|tomorrow)\b|\b(?:i'?ll|i will|let me|we'?ll) (?:get back to|sleep on|come back to|think (?:about|on|it)|have a think|check with|ask|see what|see how|decide (?:later|after|when|on))\b|\b(?:let'?s|we'?ll|can we|i'?d) (?:park|come back to|leave open|revisit|shelve) (?:it|that|this)\b|\bstill (?:waiting|deciding|open|debating|arguing|to be decided)\b",
            "Not sure yet, ask me again in July.",
            "I'm sure we need July.",
        ),
    ),
    *table(
        "denial",
        (
            "en.denial",
            r"\b(?:i|we) (?:never|didn'?t|did not|have never|haven'?t) (?:said?|say|agreed?|promised?|asked?|meant?|wanted?|told|claimed?)\b|\bnot saying\b|\bi'?m not (?:saying|asking|suggesting)\b|\bdoesn'?t mean\b|\bwon'?t happen\b|\bnot happening\b|^or \d|\bnobody (?:said|asked|wants|owns)\b|\bwho said\b",
            "I never said we must stay in-country",
            "we must stay in-country",
        ),
        (
            "en.provision",
            r"^(?:section|clause|article|paragraph|§|art\.|rule|appendix) ?\d[\d.]*[a-z]?(?:[:.)]| [—–-]) ",
            "Section 4.2: The insured must notify us within 48 hours.",
            "Section 4 must come first.",
        ),
    ),
    *table(
        "reported",
        (
            "en.reported",
            r"\b(?:says|said|saying|i(?:'ve)? (?:read|heard)|(?:they|people|some|who|docs|guidelines|rules|experts|friends|parents|reviewers|others) (?:always |all |often )?say|you say (?:that|it|we|i|he|she|they)|(?:he|she|it|who|which|guide|article|docs) states?|stated|claimed|(?:he|she|it|who|which|guide|article|author|[a-z]+er) claims|they claim|insists?|insisted|wrote|(?:he|she|who) writes|it reads|that reads|which reads|according to|the (?:insured|insurer|tenant|landlord|licensee|licensor|lessee|lessor|employee|employer|parties|contractor|supplier|undersigned|policyholder) (?:must|shall|may|will)|quote,|quoted|asks? (?:for|that|us)|asked (?:for|that|us)|argues?|told (?:me|us)|thinks|they think|wants (?:a|us|me|the|to)|put it|mandates?)\b"
            r"|\b(?:guide|manual|docs?|documentation|policy|readme|wiki|article|template|book|blog|handbook|textbook|prd|email|e-mail|memo|license|terms|contract|competitor|dashboard|standard|faq|brochure)s?(?:'s)? [\w' ]{0,24}(?:says?|said|has|have|requires?|wants?|line|mention|asks?|sentence)\b|[\"”] (?:line|sentence|rule|bit|part|clause|thing|banner|note|comment)\b|\bold (?:target|rule|policy|requirement|guideline|spec)\b",
            "the guide says clients must always request pages in parallel",
            "clients must always request pages in order",
        ),
    ),
    *table(
        "past",
        (
            "en.past",
            r"\b(?:last (?:time|year|week|month|night|quarter|sprint|issue)|used to|previously|back then|years? ago|months? ago|weeks? ago|yesterday|earlier (?:today|this)|was|were|had|did|didn'?t|tried|took|broke|once|killed|said|lost|got|ran in|in \d{4}|so far|currently|at the moment|already|today)\b",
            "we killed the carousel in 2022",
            "kill the carousel",
        ),
    ),
    *table(
        "personal",
        (
            "en.personal",
            r"\b\byou (?:do not|don'?t|dont|didn'?t|doesn'?t|can'?t|cannot|couldn'?t|wouldn'?t)\b|\b(?:i|he|she|they|we|it) (?:do not|don'?t|dont|didn'?t|doesn'?t|can'?t|cannot|couldn'?t|wouldn'?t|never|always)\b|\b(?:i|you|he|she|they|it) won'?t\b|\bi (?:still |also |really |just )?(?:have|need|got|ought) to [a-z]|\bi (?:must|gotta) (?:still |also |first )?(?:go|run|leave|say|admit|ask|think|check|sleep|call|clear|book|buy|find|get|talk|write|tell|finish|order|send|file|confirm|look)\b|\b(?:has|needs|still have|still need|we have|we need|they have|they need) (?:still )?to (?:confirm|check|sign|approve|send|call|ask|decide|replay|order|book|buy|get back|come back|reply|answer|test|review|finish|write|talk|look|find out|wait|agree|tell|talk)\b|\b(?:might|may) have\b|\bmust have (?:been|had|gone|done|got|taken|come|[a-z]+ed)\b|\b(?:must|might|may) be (?:the|some|something)\b|\bmust be a (?:bug|typo|mistake|joke|reason|way)\b|\bhave to (?:say|admit|agree|go)\b|\bstill (?:has|have) to\b|\bsomeone (?:has|needs) to\b"
            r"|^no (?:no|that|thats|that'?s|it|its|it'?s|i|i'?m|we|you|they|he|she|the|this|there|wait|not|just|but|and|so|because|thank|thanks)\b|^no exceptions\b|(?:^|[,;.] ?|\band )never (?:done|made|got|gone|taken|had|seen|heard|known|been|thought|written|built|[a-z]*[a-df-z]ed)\b|(?:'ve|'d|\bhave|\bhas|\bhad) never\b|^(?:also |and |but |oh |still )*(?:have|got|gotta) to [a-z]|\bdon'?t (?:worry|know|think|want|wanna|have|need|care|mind|like|remember|see|get|understand|believe|sweat|panic|mention it|feel|forget (?:it|about))\b|\bnever (?:mind|heard|seen|had|tried|used|been|knew|thought|worked|works|again|said|noticed|got)\b|\b(?:it'?s|that'?s|there'?s|he'?s|she'?s|was) always\b|\b(?:would|could) never\b|\balways (?:been|wanted|thought|had|fails?|turns?|seems?|gets?|happens?|works?|worked|like[ds]?|love[ds]?|forgets?|takes?)\b|\bno (?:(?:real |strong |more |other |further |big )*(?:problems|ideas|thanks|plans|clues|doubts|changes|objections|complaints|comments|questions|issues|concerns|regrets|preferences|thoughts|news|surprises|surprise)(?:[.,!]|$| here| there| so| yet| from me)|worries|problem|idea|clue|rush|hurry|thanks|need to|one is|one's|doubt|longer|matter|way|big|wonder|budget|time|pressure|offense|luck|chance|reason|thank)\b|\bnobody (?:knows|cares|types|likes|uses|reads|noticed|owns|swiped|asked|wants|complains)\b|\bhad to\b",
            "Don't worry",
            "Don't commit the keys",
        ),
    ),
    *table(
        "task",
        (
            "en.task",
            r"^(?:(?:please|now|then|ok|okay|and|also|so|great|nice|yes|can you|could you|let'?s),? )*(?:write (?:me|us|him|her|them|a|an|some|up|out|down|it|this|one|two|three|my|tests?|code|the (?:code|tests?|function|script|letter|email|intro|draft|section|chapter|query|docs?|class|summary|first|next|readme|opening|scene|post))|give (?:me|us|him|her)|explain|show|help|tell|list|draft|fix|redo|repeat|rerun|run the (?:numbers|tests?|query|script|analysis|model)|do the same|describe|summari[sz]e|translate|generate|review|look|read|check|compare|walk|remind|find|create|rewrite|tighten|edit|proofread|suggest|let me (?:know|see|think)|put together)\b|^(?:(?:please|now|then|ok|okay|and|also),? )*(?:order|book|buy|call|email|send|invite|rent|reserve|schedule|hire|install|submit|file|print|pick up|collect|return|renew|pay|chase) [^.]*\b(?:by|before|until|on|this|next) (?:mon|tues|wednes|thurs|fri|satur|sun)day|^(?:(?:please|now|then|ok|okay|and|also),? )*(?:order|book|buy|call|email|send|submit|file|print|return|renew|pay|chase) [^.]*\b(?:tomorrow|tonight|today|this (?:week|afternoon|evening)|next week)\b",
            "write him a two-line how-to",
            "use a two-line how-to",
        ),
    ),
    *table(
        "measured",
        (
            "en.measured",
            r"\b(?:about|around|roughly|approximately|nearly|almost|some) \d|\b(?:has|have)(?:[^ a-z]| [^t]| t[^o]|$)|\b(?:took|takes|was|were|had|got|gets|measured|dropped|rose|grew|fell|lost|waited|costs?|ran|runs [^ao]|loaded|used|uses|contains?|consists?|meets|ships|shows?|seen|saw|counted|failed|crashed)\b|\b(?:fits|won'?t happen|happens|took place|comes? on|arrives?)\b|\bso far\b|\bcurrently\b|\b(?:went|came|ended up|turned out|reached|peaked|averaged|stood|hit|is about|are about|is around|are around)\b|\bof (?:them|users|our|the|people)\b|\b(?:usually|typically|normally|on average|generally|sometimes|often)\b|\balready\b|\bmore than \d|\bover \d+ (?:million|thousand|hundred)\b|\bonly \d|\bago\b|\blast (?:time|year|month|week)\b|\bthere (?:are|is|were)\b|\bcurrent\b|\bmillion\b|\b(?:it'?s|that'?s) (?:from|about|over|like)\b|\btoo (?:long|short|many|few|big|small|high|low|much|tight|wide)\b|\b(?:i|he|she|they) (?:see|saw|meet|know|think|found|noticed)\b",
            "the count query took 4 seconds",
            "count timeout 4 seconds",
        ),
    ),
    *table(
        "paste",
        (
            "en.paste",
            r"\b(?:here(?:'s| is| are)|this is|below is|pasting|paste|the following|see below|original|from the|attached)\b[^.:]{0,60}:\s*$|\b(?:email|document|policy|readme|spec|log|logs|output|error|transcript|article|notes|minutes|contract|message|review|comments?|draft)\b[^.:]{0,30}:\s*$",
            "here's the vendor's policy:",
            "ports:",
        ),
    ),
    *table(
        "sidestep",
        (
            "en.noun-first",
            r"^(?:the )?(?:start|save|order|log|host|cache|store|target|model|round|record|cap|place|trim|limit|end|sort|group|plant|book|seat|sell|drop|swap|cut|merge|split) [a-z]+ (?:is|are|was|were|has|have|looks?|seems?|needs?|should|works?|fails?|ruins?|takes?|costs?|kept|keeps)\b",
            "start date is wrong",
            "start with the date",
        ),
        (
            "en.they-do",
            r"\b(?:they|this|that|it|these|those|what|who|how|you|everyone|someone|people|he|she|i) (?:leads?|handles?|does|do|owns?|takes?|runs?|writes?|plays?|pays?|keeps?|covers?|tests?|opens?)\b",
            "They lead the design.",
            "Marta leads the design.",
        ),
        (
            "en.we-tell",
            r"\bwe(?:'ve)? (?:just |only |still |simply |then |all )?(?:are|were|was|have|had|has|think|thought|know|knew|need|needed|want|wanted|like|liked|love|loved|hate|hope|wonder|guess|believe|feel|felt|mean|meant|see|saw|seem|got|get|went|did|could|can|should|would|might|may|will|shall|must|ought|live|lived|own|owned|spend|spent|say|said|find|found|try|tried|do not|don|didn|never|also|both|always|usually|often|sometimes|currently|already|ended|came|made|ran|lost|gave|took|told|work|worry|look|talk|miss|tend|struggle|expect|assume|agree|agreed|decided|plan|planned|sold|bought|met|sat|spoke|wrote|kept|left|built|began|started|used|chose|paid|won|put|be|[a-z]*[a-df-z]ed)\b",
            "We spend too much on paper.",
            "We print on both sides.",
        ),
        (
            "en.not-quite",
            r"\b(?:nope|sorry|hmm+|honestly|actually|true|well|yeah|okay|fine|sure|thanks|maybe|right|wait|alas|yes|no), (?:and )?not\b|\b(?:it|that|this|i|he|she|they|which)(?:'s| is|'m| am|'re| are| was| were) [^,;]*, (?:and )?not\b",
            "It's a bug, not a feature.",
            "By week, not by role.",
        ),
        (
            "en.sidestep",
            r"\bwe'?ll (?:see|need|talk|think|discuss|have to|know|figure|find|let you|be back|come back|ask|try|get|probably|likely|wait|look|check|hear|never|also need|end up|run into|be fine|be ok)\b|\blet'?s (?:see|talk|discuss|look|think|wait|say (?:we|you|i|that|the|a|they|he|she|someone)|not (?:worry|forget|panic|rush|get ahead|jump|pretend|kid)|hope|find out|check|hear|assume|be honest|face it|pretend|imagine|continue|move on|start over)\b|\b(?:as|how|that|where|who|like|since|because|this|so|than|what|whatever|there|here) it is\b|\blet'?s (?:clean|figure|plan|work|go (?:through|over)|begin|dive|get (?:started|going|to)|brainstorm|review|tackle|fix|sort|debug|walk|keep going|wrap)\b|\bkeep (?:in mind|that in mind|me posted|going|an eye|up|saying)\b|\btake (?:a look|your time|care|a break|it easy|note)\b|\bgo (?:ahead|home|off|wrong|figure)\b|\bgo on(?:[.,!]|$)|\bi'?ll (?:take|have) a\b|\bcut (?:it out|corners|me)\b|\bmove on\b|\blet me (?:think|see|check|know|ask|sleep|explain|guess|look|try|get|put it)\b|\blet (?:it|that) (?:go|slide)\b|\bwe'?re (?:just |only |not )?(?:getting|having|seeing|trying|thinking|looking|talking|wondering|missing|losing|planning|running into|considering|waiting|struggling|hoping|expecting|working|heading|coming|going to (?:see|need|have)|hitting|being|drowning|dealing|leaning|still)\b|\buse(?:d)? to\b|\b(?:hold|hang) (?:on|up)\b|\bgo on then\b|\b(?:time|anything|story|saying|life|how it|so it|here|money|it) goes\b|\b(?:back|since|by|until|till|even|from) then\b|\b(?:maybe|perhaps|see you|talk|much|sooner or|not|until|a bit|bit|days?|weeks?|months?|years?|minutes?|hours?|do (?:it|that)|add (?:it|that)|tell you|check|and|or|but|then) later\b|\b(?:can'?t|cannot) (?:be helped|complain|wait|believe|remember|argue|tell|imagine)\b|\bstart (?:by|over|again)\b|\bleave (?:a|me|for)\b|\bgive me a (?:second|minute)\b|\bpick (?:up|it up)\b|\bskip ahead\b|\bstart(?:ing)? (?:the|my|a|an|to)\b|\bcall it a day\b|\bmake (?:it|that|them|this) (?:a (?:bit|little|lot|touch|tad) |even |slightly |much |far |way )*[a-z]{3,}er(?:[.,;!)]|$| please| and| but)|\b(?:book|order|file|log|start|price|test|sort) (?:club|form|number|list|fair|shop|review|report|launch|group|history|desk|system|point|page|line)\b|\bmake (?:it|that|them) (?:work|happen|sound|look|clear|through|easy|easier|possible|more|less|so|sure)\b|\b(?:use|drop|cut|skip|keep|hide|move|split|merge|start|take|go) [a-z]+:",
            "let's see what the tests say",
            "let's use the tests",
        ),
    ),
)
