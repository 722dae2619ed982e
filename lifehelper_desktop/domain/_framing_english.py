"""R7 for English: which words of a sentence say what is *not* to be done.

Masks blank innocent uses (bus stop, no later than, skip rope) and negations that describe a thing or a
circumstance (a book I haven't read, when it doesn't rain); whatever keyword is left refuses.
"""

from __future__ import annotations

import re
from typing import Final

Span = tuple[int, int]

_BLANK: Final = "□"

_VICE: Final = (
    r"(?:smok\w+|smokes?|cigar\w*|tobacco|vap\w+|nicotine|alcohol|booze|beers?|wine|liquor|drinking|soda"
    r"|cola|coke|sugar\w*|"
    r"sweets|candy|chocolate|desserts?|snacks?|snacking|junk|junk food|fast food|fried food|caffeine|coffee"
    r"|energy drinks?|"
    r"carbs|salt|gluten|screens?|screen time|phones?|smartphone|social media|instagram|tiktok|youtube"
    r"|netflix|tv|games?|gaming|"
    r"scrolling|doomscrolling|porn|gambling|shopping|takeout|takeaway|delivery|procrastinat\w+|complain\w+"
    r"|gossip\w*|"
    r"swearing|cursing|yelling|biting|overeating|bing\w+|worry\w*|late nights?|drinks?|pop|chips|pizza|bread"
    r"|meat|naps?|"
    r"excuses|impulse \w+|spending|bad habits?|self-doubt|negativity|habit)"
)
_SUBJECT: Final = r"(?:i|it|we|you|he|she|they|there|(?:the|my|our|a|an|your)\s+\w+|\w+)"
_AUX: Final = r"(?:do|does|did|is|are|am|was|were|can|could|have|has|had|will|would|should)"
_NEG_AUX: Final = (
    r"(?:(?:do|does|did|is|are|was|were|ca|could|have|has|had|wo|would|should|must|need|might)n'?t|ain't"
    r"|cannot"
    rf"|{_AUX}\s+not|{_AUX}\s+never|'?m\s+not|'s\s+not|'re\s+not)"
)
_CUE: Final = r"(?:if|when|whenever|while|even if|although|though|because|since|unless|until|in case|where|wherever)"
_THING: Final = (
    r"(?:things?|items?|something|anything|someone|somebody|clothes|shirts?|books?|friends?|people|person"
    r"|places?|routes?|"
    r"streets?|words?|songs?|recipes?|apps?|emails?|files?|tabs?|subscriptions?|toys?|topics?|skills?"
    r"|muscles?|stuff|pages?|"
    r"chapters?|letters?|mail|articles?|rooms?|vegetables?|fruits?|foods?|dishes|dish|ones?|gifts?|tasks?"
    r"|jobs?|bills?|"
    r"messages?|questions?|genres?|albums?|podcasts?|neighbou?rs?|colleagues?|relatives?|cousins?|museums?"
    r"|parks?|paths?|trails?)"
)

_MASKS: Final = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"\b(?:cannot|can'?t|can\s?not|must-?not|don'?t|never)-miss\b|\bnot-(?:so|too)-\w+",
        r"\bwithout\s+(?:stopping|quitting|giving\s+up|a\s+(?:single\s+)?stop)\b",
        r"\b(?:after|when|once|as\s+soon\s+as)\s+(?:i|we)(?:'m|\s+am|'re|\s+are)\s+done\s+with\b",
        r"\bdo[\s-]?not[\s-]?disturb\b|\bdnd\b|\bnot-to-do\b|\bnot to do list\b|\bdon'?t[\s-]?do list\b",
        (
            r"\bnon-?\s?stop\b|\bone-stop\b|\bstop-?\s?motion\b|\bstop\s?watch\b|\bstop\s?lights?\b"
            r"|\bstop\s?signs?\b|\bpit\s?stops?\b"
        ),
        (
            r"\b(?:bus|subway|train|tram|metro|tube|underground|coach|station|next|last|first|second|third"
            r"|each|every|one|two|three|four|few|\d+|a|the|my|our|same|usual|full"
            r"|early)\s+(?:\w+\s+)?stops?\b(?!\s+(?:\w+ing|eating|to|me|you)\b)"
        ),
        (
            r"\bstop\s+(?:by|off at|in at|at the|at a|at my|for a (?:breath|minute|moment|stretch)"
            r"|to (?:breathe|look|listen|smell|stretch|drink|check|notice|thank|read|say|rest|pet|admire"
            r"|watch the|take))\b"
        ),
        (
            r"\bstop(?:ping)?\s+(?:and|&)\s+(?:breathe|stretch|look|rest|smell|think|listen|notice|drink"
            r"|take|say|stand|walk)\b"
        ),
        (
            r"\b(?:music|rain|alarm|timer|song|bell|bus|train|car|noise|it|snow|rain|kettle|clock|dryer"
            r"|washer|show|movie|class|meeting)\s+stops\b"
        ),
        (
            r"\bno\s+(?:matter|less\s+than|fewer\s+than|more\s+than|later\s+than|earlier\s+than"
            r"|sooner\s+than|longer\s+than\s+\w+\s+(?:min|hour|sec)\w*|one|doubt|wonder|problem)\b"
            r"|\bin\s+no\s+time\b|\bno\.?\s?\d"
        ),
        (
            r"\bno[\s-](?:bake|knead|cook|sew|equipment|prep|rinse|iron|wash|brainer|show)\b"
            r"|\byes(?:\s+or\s+|/|-)no\b|\bknow\b"
        ),
        (
            r"\bnot\s+only\b|\bwhether\s+or\s+not\b|\bcan'?t\s+wait\b|\bif\s+not\b|\bwhy\s+not\b"
            r"|\bnow\s+or\s+never\b|\bnever[\s-]ending\b|\bnever\s?mind\b|\bnot yet\b|\bforget-me-not\w*"
        ),
        (
            r"\b(?:no\s+)?less\s+than\s+(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty"
            r"|half|an?\s)|\bmore\s+or\s+less\b|\bless\s+is\s+more\b|\bless\s+(?:crowded|busy|travell?ed|known|noisy|familiar)\b|\bno\s+less\b|\bfewer\s+than\s+(?:\d"
            r"|one|two|three|four|five|six|seven|eight|nine|ten)"
        ),
        (
            r"\b(?:skip|skips|skipping|jump)[\s-]?(?:a\s+|with\s+(?:a\s+)?|the\s+)?rop\w+|\b\d+\s+skips\b"
            r"|\bskip\s+(?:down|along|to\s+my\s+lou)\b|\bskips\s+with\b|\bhop\w*\s+(?:and|,)?\s*skip\w*"
        ),
        r"\bquit\s?line\b|\bquitting\s+time\b|\bquit\s+(?:app|coach|kit)\b",
        r"\b(?:give|gives|gave|giving)\s+(?:up\s+)?(?:my|your|a|the|our)?\s*seat\b(?:\s+up\b)?",
        (
            r"\bcut(?:ting)?\s+out\s+(?:(?:a|the|some|my|two|three|\w+)\s+)?(?:paper|shapes?|pictures?|cloth"
            r"|fabric|patterns?|coupons?|cookies|hearts?|articles?|photos?|stars?|snowflakes?|recipe\w*)\b"
        ),
        (
            r"\bcut(?:ting)?\s+(?:back|down)\s+(?:the\s+|an?\s+|old\s+|dead\s+)*(?:roses?|trees?|bushes"
            r"|branches|hedges?|plants?|weeds|herbs)\b"
        ),
        r"\b(?:the|a|this|each|every|song's)\s+refrain\b(?!\s+from)|\b(?:the|a|onto the|off the)\s+curb\b",
        r"\bnothing\s+but\b|\bdo(?:ing)?\s+nothing\b|\bsecond\s+to\s+none\b|\bnothing\s+for\b",
        r"\b(?:reduced|reducing)[\s-](?:sauce|balsamic)\b|\breduce\s+(?:the\s+)?(?:sauce|broth|stock|heat)\b",
        (
            rf"\b{_THING}\s+(?:that\s+|which\s+|who\s+|whom\s+)?(?:i|we|you|they|he|she)(?:'ve|'d"
            rf"|'m)?\s*(?:\s(?:{_NEG_AUX}|{_AUX})|(?<='ve)|(?<='d))?\s*(?:not|never|rarely)?\b(?=\s)"
        ),
        rf"\b{_CUE}\s+{_SUBJECT}\s*{_NEG_AUX}",
        (
            rf"\b(?:days?|nights?|mornings?|evenings?|weeks?|times?)\s+(?:when\s+|that\s+|on which\s+)?(?:i"
            rf"|it|we|you|he|she|they|the\s+\w+|work)\s*{_NEG_AUX}"
        ),
        (
            rf"\b{_CUE}\s+(?:i|we|you|it|they)\s*(?:'m|am|'re|are|is|feel|start|begin|have|get|want|need"
            rf"|would)?\s*(?:\w+\s+){{0,3}}?(?:like|to|tempted to|about to|to want to)\s+(?:stop(?:ping)?"
            rf"|quit(?:ting)?|skip(?:ping)?|giv(?:e|ing)\s+up|avoid(?:ing)?|resist(?:ing)?|cancel"
            rf"|procrastinate)\b"
        ),
        rf"\b{_CUE}\s+(?:i|we|you)\s+(?:skip|skipped|stop|stopped|quit|avoid|avoided|give\s+up)\b",
    )
)

_KEYWORDS: Final = tuple(
    re.compile(pattern.replace("VICE", _VICE), re.ASCII)
    for pattern in (
        r"\bno\b|\bnope\b|\bnah\b|\bnone\b|\bnowhere\b",
        (
            r"\b(?:not|never|cannot|neither|nor|ain't|(?:do|does|did|wo|would|ca|could|should|must|is|are"
            r"|was|were|have|has|had|need|might)n't)\b"
        ),
        r"\b(?:dont|doesnt|didnt|wont|cant|shouldnt|mustnt|isnt|arent|couldnt|wouldnt|havent|hasnt|wasnt)\b",
        (
            r"\b(?:eat|drink|buy|watch|spend|have|smoke|post|order|touch|say|consume|snack on"
            r"|purchase)(?:ing|s)?\s+nothing\b"
        ),
        r"\b(?:stop|stops|stopped|stopping)\b",
        r"\b(?:quit|quits|quitting|quitted)\b",
        r"\bavoid(?:s|ed|ing|ance)?\b",
        r"\brefus(?:e|es|ed|ing)\s+to\b|\bdone\s+with\s+(?:the\s+|my\s+|all\s+|any\s+)?(?:VICE)\b",
        (
            r"\b(?:refrain|abstain|forbid|prohibit|eliminate|resist|skip|renounce|abandon|cease|halt|desist"
            r"|shun|dodge|forgo|forego|curb|suppress|restrain|banish|ditch|nix|minimi[sz]e|abolish|eradicate"
            r"|eschew|boycott|omit|discontinue|outlaw)(?:s|es|d|ed|ped|ing|ning|ping|bing|bed)?\b|\bban(?:s"
            r"|ned|ning)?\b"
        ),
        (
            r"\b(?:forbidden|forbidding|forbade|forgoing|foregoing|abstinence|abstinent|prohibition"
            r"|eliminat(?:ing|ion)|minimi[sz]ing|ceasing|abandoning|renouncing|curbing|dodging)\b"
        ),
        r"\b(?:giv(?:e|es|ing|en)|gave)\s+(?:\w+\s+){0,2}?up\b(?!\s+(?:my|a)\s+seat)",
        r"\bget(?:s|ting)?\s+rid\s+of\b|\bgot\s+rid\s+of\b|\bbe\s+rid\s+of\b|\brid\s+myself\b",
        (
            r"\bcut(?:s|ting)?\s+(?:\w+\s+){0,3}?(?:out|down|back)\b"
            r"|\bcut(?:s|ting)?\s+(?:off|the|my|all|any)?\s*(?:VICE)\b"
        ),
        (
            r"\b(?:swear|swears|swearing|swore|sworn)\s+off\b|\bcold\s+turkey\b|\bl(?:ay|ays|aying|aid)\s+off\b"
            r"|\bknock\s+(?:it\s+)?off\b|\bkeep(?:ing)?\s+(?:\w+\s+){0,3}?off\s+(?:my|the)?\s*(?:VICE)\b"
        ),
        (
            r"\b(?:break|breaks|breaking|broke|kick|kicks|kicking|kicked|shake|shaking|drop|dropping|lose"
            r"|losing|beat|beating|bust|busting|conquer|overcome)\s+(?:[\w-]+\s+){0,4}?habits?\b"
            r"|\bbreak(?:ing)?\s+(?:free|away|up)\s+(?:from|of|with)\b"
        ),
        (
            r"\b(?:reduce|reduces|reduced|reducing|reduction|decrease|decreases|decreased|decreasing|less"
            r"|lessen|lessening|fewer|scale\s+back|scaling\s+back|dial\s+(?:back|down)|dialing\s+(?:back"
            r"|down)|taper(?:ing)?\s+off|ease\s+off|easing\s+off|back\s+off|wean(?:ing|s)?|slash(?:ing)?)\b"
        ),
        (
            r"\b(?:stay|stays|staying|keep|keeps|keeping|kept)\s+(?:(?:myself|me|far|well)\s+)?away\s+from\b"
            r"|\bsteer(?:ing)?\s+clear\b|\bstay(?:ing)?\s+(?:off|clear)\b|\bkeep(?:ing)?\s+(?:myself\s+|me\s+)?from\b"
        ),
        r"\b(?:go|going|do|doing|live|living|make do|get by)\s+without\b",
        (
            r"\b(?:hold(?:ing)?\s+(?:back|off)|put\s+an?\s+end\s+to|call\s+it\s+quits|off[\s-]limits|taboo"
            r"|no\s+longer)\b"
        ),
        (
            r"\b(?:say|saying|bid)\s+(?:good-?bye|bye|farewell|so\s+long)\b|\b(?:good-?)?bye,?\s+(?:to\s+)?(?:VICE)\b"
            r"|\blet(?:ting)?\s+go\s+of\s+(?:my\s+)?(?:VICE)\b"
        ),
        (
            r"\b(?:drop|dropping|lower|lowering|lose|pass\s+on|pass\s+up|zero|fight|fighting|battle|beat|beating"
            r"|leave\s+behind|ignore|ignoring|deny|escape|escaping|refuse|refusing|reject|decline|purge|dump"
            r"|dumping)\s+(?:the\s+|my\s+|all\s+|any\s+|\w+\s+)?"
            r"(?:VICE|urges?|cravings?|temptations?|addictions?|impulses?)\b"
            r"(?!\s+(?:in|into|off|on the|brightness|volume|light)\b)"
        ),
        (
            r"\bnon-?\s?(?:smoker|drinker|drinking|smoking)\b|\b0\s+(?:VICE)\b|\banti-?\s?(?:VICE)\b"
            r"|\bfree\s+(?:of|from)\s+(?:VICE)\b"
        ),
    )
)


def find_english(text: str) -> list[Span]:
    """Return the spans of avoidance words in a decomposed text, in the order of the text."""
    masked = text
    for mask in _MASKS:
        masked = mask.sub(_blank, masked)
    return sorted(match.span() for keyword in _KEYWORDS for match in keyword.finditer(masked))


def _blank(match: re.Match[str]) -> str:
    """Return a filler of the same length without letters; spaces stay."""
    return "".join(" " if char == " " else _BLANK for char in match[0])
