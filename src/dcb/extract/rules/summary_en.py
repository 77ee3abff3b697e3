"""English turns of phrase that say what a sentence is for."""

from __future__ import annotations

from dcb.extract.rules.summary import Cue

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|next (?:week|month|quarter|year|sprint)"
    r"|end of (?:the )?(?:day|week|month|quarter)|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|the \d{1,2}(?:st|nd|rd|th)|noon|q[1-4]"
)
_ASK = (
    r"(?:ask|check|confirm|find|book|order|call|email|write|test|review|talk|fix|update|finish|send|get"
    r"|chase|sign|approve|verify|buy|hire|schedule|renew|file|clean|measure|tell|decide|settle|look)"
)

HEADINGS = {
    "background": "Background and goals",
    "reasoning": "Discussion and reasoning",
    "ruled_out": "Ruled out",
    "todo": "To-dos and risks",
    "other": "Other",
}

CUES: tuple[Cue, ...] = (
    Cue(
        "en-acknowledged",
        "trivial",
        r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|sure thing|right|fine|good|great|nice|perfect|lovely|cool|thanks|thank you|got it|noted|understood|agreed|done|will do|of course|sounds good|makes sense|fair(?: point| enough)?|exactly|better|ha|haha|hm+|oof|ugh|oh|ah|hi|hello|hey|welcome|you're welcome|i shall|as you wish|very well|works for me|fine by me|all green|clear|i see|love it|my mistake|sorry|apologies|updated|set|switching|looking|classic|interesting)(?: then| too| so far| lol| with me)?\W*)+$",
        "Great, thanks!",
        "Great tits nest in the box.",
    ),
    Cue(
        "en-promise",
        "trivial",
        r"^\W*(?:ok(?:ay)?,? |sure,? |understood,? |noted,? |got it,? )?(?:i'll|i will|let me|i can|i have|i've) (?:add|note|do|keep|update|write|put|make|include|remember|leave|change|draft|adjust|apply|fix|mark|place|use|say|bear|take|help|start|sketch|follow)\b[^,.;]{0,40}[.!]?$",
        "I'll keep that in mind.",
        "The pump will keep running for nine hours.",
    ),
    Cue(
        "en-settled",
        "settled",
        r"\b(?:is|are|was|were|got|has been|have been|all|now) (?:done|fixed|finished|sorted|settled|signed(?: off)?|approved|confirmed|resolved|cleared|delivered|ordered|booked|sent|closed|merged|ready)\b|\b(?:has|have) (?:arrived|signed|confirmed|approved|agreed|replied|come back|finished|landed)\b",
        "The permit is approved.",
        "The permit is awaited.",
    ),
    Cue(
        "en-open",
        "todo",
        r"\b(?:still (?:have|has|need|needs|open|waiting|outstanding|missing|pending|to|owes?|drifts?|unclear|undecided|unsigned|not)|has yet to|have yet to|not yet|(?:has|have|is|are|was)n't (?:\w+ )?(?:yet|signed|confirmed|sized|approved|decided|replied|found|finished|settled|arrived|been \w+)|haven't (?:found|decided|heard|got|had|tested|asked|checked|booked)|outstanding|unresolved|undecided|open (?:question|issue|point|item)s?|pending|to be (?:decided|confirmed|announced|done|determined)|tbd|tbc|up in the air)\b",
        "The lease is still unsigned.",
        "The lake is still.",
    ),
    Cue(
        "en-waiting",
        "todo",
        r"\b(?:wait(?:ing|s)? (?:on|for|to hear)|owes? us|depends on (?:the|their|his|her|whether)|blocked (?:by|on|until)|until (?:we|they|he|she) (?:hear|get|sign|confirm|decide))\b",
        "We are waiting for the surveyor.",
        "The waiter brought soup.",
    ),
    Cue(
        "en-must-do",
        "todo",
        rf"(?:^|\b(?:i|we|you|someone|somebody|they|he|she|and|also|then|but|\w+) )(?:need|needs|have|has|got|ought|want|remember|going|promised|forgot) to {_ASK}\b|\bto-?dos?\b|\baction items?\b|\bnext steps?\b|\bfollow(?:ing)? up\b|\bremind me\b|\bdon't (?:let me )?forget\b|\bput it on the list\b",
        "Someone has to call the plumber.",
        "A call to prayer rang out.",
    ),
    Cue(
        "en-who-by-when",
        "todo",
        rf"\b(?:by|before|due(?: on| by)?|until|no later than|deadline(?: is)?|scheduled for|slot (?:on|is)) (?:{_DAY})\b|\bdeadline\b|^\W*[a-z]+ to {_ASK}\b",
        "Maria to test the pump before Friday.",
        "The hall was full by the door.",
    ),
    Cue(
        "en-risk",
        "todo",
        r"\b(?:risk(?:s|y)?|danger(?:ous)?|could (?:break|fail|delay|leak|slip)|might (?:break|fail|delay|leak|slip)|worr(?:y|ied) (?:about|that)|concern(?:ed)? (?:about|that|is)|single point of failure|watch out for|no one owns|nobody owns)\b",
        "That's a risk for the launch.",
        "The risotto is ready.",
    ),
    Cue(
        "en-imperative-task",
        "todo",
        r"^\W*(?:also|and|then|please|oh and)?,? ?(?:write|prepare|draft|fix|ask|call|email|book|order|check) (?:him|her|them|us|the|a|an|\w+ about)\b",
        "Write them a short note about parking.",
        "The writing on the wall faded.",
    ),
    Cue(
        "en-tried",
        "ruled_out",
        r"\b(?:(?:we|i|they|he|she)(?:'ve|'d)? (?:already )?(?:tried|attempted|tested|killed|dropped|rejected|abandoned|ruled out|had|did|burned|lost)\b|tried (?:it|that|this|once)|(?:was|were|got|been) (?:tried|attempted|rejected|killed|dropped|called|abandoned|withdrawn)|last (?:time|year|month|one|week)'?s?\b|in 20\d\d\b|wrecked|backfired|fell through|didn't work|doesn't work|won't work|failed)\b",
        "We tried a buffet last spring.",
        "We try to walk daily.",
    ),
    Cue(
        "en-objection",
        "ruled_out",
        r"\b(?:too (?:\w+ )?(?:slow|heavy|expensive|costly|big|small|long|short|fragile|complex|complicated|risky|loud|bright|late|early|much|many|noisy|old|tight|weak|hard|fiddly)|overkill|out of the question|not worth|isn't worth|no way|not an option|no budget|no time for|makes no sense|pointless|silly|awkward|clich[eé]|waste of|deal[- ]?breaker|unusable|non-?starter|nobody (?:\w+ )?(?:used|uses|swiped|reads|read|wants|wanted|needs|will)|eats (?:the|all|up)|(?:can't|cannot|couldn't) (?:\w+ )?(?:afford|use|run|support|handle|install|ship|wait)|blocks|skims?|punish(?:es)?|lose money|costs? (?:us )?(?:more|too|\d))\b",
        "A second oven is too expensive.",
        "The price list hangs there too.",
    ),
    Cue(
        "en-rejected",
        "ruled_out",
        r"\b(?:forget (?:about )?(?:it|that|the)|scrap (?:it|that|the)|drop (?:it|that|the)|skip (?:it|that|the)|instead of|rather than|ruled? (?:it |that )?out|rejected?|pass on|not going (?:to|with)|we won't|we don't want|i don't want|no,? thanks|not everything)\b|^\W*no[,.] ",
        "Forget about the fountain.",
        "Do not forget your keys.",
    ),
    Cue(
        "en-because",
        "reasoning",
        r"\b(?:because|since (?:it|we|they|the|our|that|you)|so that|so we|so i|therefore|thus|otherwise|hence|that's why|the reason|reasons?|which means|meaning|the (?:whole )?point|root cause|caused by|due to|in order to|as (?:it|we|they|the) |given (?:that|the)|that way|turns out|matches|explains|implies|that (?:kills|gives|leaves|makes|would|means|brings))\b",
        "We moved it because the floor is damp.",
        "The cause of the fire is unknown.",
    ),
    Cue(
        "en-compare",
        "reasoning",
        r"\b(?:compared (?:to|with)|versus|vs\.?|trade-?offs?|whereas|on the other hand|advantage|downside|upside|drawback|pros|cons|better than|worse than|faster than|cheaper than|slower than|both work|either way|differences?)\b",
        "Steel is cheaper than oak.",
        "She compares notes.",
    ),
    Cue(
        "en-number",
        "figure",
        r"\b(?:about|around|roughly|nearly|almost|up to|over|under|at least|only|takes?|took|is|are|was|of|gives|needs|at) (?:eur |usd |\$|€|£)?\d[\d.,:]*\s?(?:%|percent|k|m|kb|mb|gb|tb|ms|s|sec\w*|min\w*|hours?|days?|weeks?|months?|years?|x|times|people|users|rows|requests|dollars|euros|km|kg|m|cm|mm|sigma|words|pages|copies|connections|calls|bytes|watts|degrees)?\b",
        "A full charge takes 90 minutes.",
        "Page seven is missing.",
    ),
    Cue(
        "en-setting",
        "background",
        r"^\W*(?:(?:hi|hello|hey|ok|so|also|and|well|context|background)\W+)*(?:we|i|our|my|it's|it is|there (?:is|are)|this is|the (?:project|team|company|client|customer|goal|aim|target|audience|site|room|budget|book|exhibit|report)|circulation|current(?:ly)?|right now|at the moment|today)\b",
        "We are a bakery with two shops.",
        "Bakeries open early.",
    ),
    Cue(
        "en-goal",
        "background",
        r"\b(?:goal|aim|target|objective|purpose|mission|want(?:s|ed)? to|trying to|plan(?:ning)? to|need (?:a|an|to|help)|help me|help us|working on|building|designing|redoing|writing a|starting|setting up|looking for|i'd like to|hoping to|deliverable|scope|for (?:our|my|a) )\b",
        "I want to open a reading room.",
        "The gate was opened.",
    ),
    Cue(
        "en-question",
        "question",
        r"\?[\"')\s]*$",
        "Which of the two is cheaper?",
        "Ask which is cheaper.",
    ),
)

DANGLING = r"^\W*(?:it|it's|its|this|that|that's|these|those|they|they're|them|he|she|his|her|their|which|so|then|but|and|otherwise|both|neither|either|same|one)\b"
FIRST_PERSON = r"\b(?:we|we're|we've|i|i'm|i've|our|my|us|me|ours|mine|prefer|love|hate|avoid|allergic|enjoy|dislike|aversion)\b"
