"""The words by which texts speak to reviewers and their tools, in several languages, and what they hide.

A match says where to look, never that somebody meant harm: reports about agents speak of prompts too.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator

from library import privacy

_GAP = r"[^\w.!?]{1,20}(?:\w+[^\w.!?]{1,20}){0,4}?"
_ORDERS = r"(?:instructions?|prompts?|rules?|guidelines?|directions?|polic(?:y|ies)|orders|findings|checks|context)"
_WHAT = (
    r"(?:submission|report|run|entry|playbook|lesson|contribution|item|post|record|one|content|text"
    r"|use case|correction)"
)
_WHO = (
    r"(?:reviewers?|moderators?|curators?|graders?|judges?|screeners?|(?:review|screening|moderation) "
    r"(?:agents?|bots?|models?|tools?|systems?)|(?:large )?language models?|llms?"
    r"|ai (?:agents?|models?|assistants?|reviewers?|systems?)|automated (?:screen|review|moderat)\w*"
    r"|ai(?= (?:reading|processing|evaluating|reviewing|screening|summari[sz]ing)))"
)
_IN_OTHER_LANGUAGES = re.compile("|".join((
    r"(?:ignorier|vergiss|vergesst|missacht|vernachlässig)\w*" + _GAP
    + r"(?:an)?(?:weisung|leitung|regel|vorgabe|prompt|instruktion)",
    r"(?:genehmig|akzeptier|veröffentlich)\w*\W+(?:bitte\W+)?(?:dies\w*|den|das)\W+(?:beitrag|bericht"
    r"|einreichung|eintrag)",
    r"(?:ignore[zr]?|oublie[zr]?|ne tiens pas compte|ne tenez pas compte)" + _GAP + r"(?:consigne|directive"
    r"|règle|instruction)",
    r"(?:approuve|accepte|valide)[zr]?\W+(?:cette|ce|la|le)\W+(?:soumission|contribution|rapport|proposition)",
    r"(?:ignor[ae]|olvid[ae]|haz caso omiso)\w*" + _GAP + r"(?:instrucci|órden|orden|regla|indicaci)",
    r"(?:aprueb|acept)\w+\W+(?:est[ea]|el|la)\W+(?:envío|informe|contribuci|propuesta)",
    r"(?:ignor[ea]|desconsider[ea]|esqueça)\w*" + _GAP + r"(?:instruç|regra|orden)",
    r"(?:aprov|aceit)\w+\W+(?:est[ea]|o|a)\W+(?:envio|relatório|submissão|contribuiç)",
    r"(?:ignora|dimentica|trascura)\w*" + _GAP + r"(?:istruzion|regol|indicazion)",
    r"(?:negeer|vergeet)\w*" + _GAP + r"(?:instructie|aanwijzing|regel)",
    r"(?:игнорируй|забудь|не обращай)\w*" + _GAP + r"(?:инструкци|указани|правил)",
    r"(?:忽略|无视|無視|忘记|忘掉|不要理会).{0,12}(?:指令|指示|说明|提示|规则)",
    r"(?:指示|命令|指令|プロンプト|ルール).{0,6}(?:無視|忘れ)",
    r"(?:지시|명령|지침|프롬프트|규칙).{0,8}(?:무시|잊)",
    r"(?:批准|通过|接受)(?:这|此|该|本)(?:个|篇|份|条)?(?:提交|报告|内容|条目)",
)), re.IGNORECASE)  # fmt: skip

_EARLIER = r"(?:previous|prior|above|earlier|all|any|every|your|these|system)"

INJECTIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile("|".join(shapes), flags))
    for what, flags, shapes in (
        (
            "tells its reader to set instructions aside",
            re.IGNORECASE,
            (
                r"\b(?:ignore|disregard|forget|(?:do not|don't|stop) (?:follow|obey"
                r"|apply)(?:ing)?)\b" + _GAP + _ORDERS + r"\b",
                r"\b(?:override|bypass|overlook|skip|waive)\b" + _GAP + _EARLIER + r"\b" + _GAP + _ORDERS + r"\b",
                r"\b(?:ignore|disregard|forget)\W+(?:the|all|everything|anything|what(?:ever)?)\b[^.!?]{0,30}?"
                r"\b(?:above|before|you were told|you know)\b",
                r"\b(?:skip|omit|waive|do not (?:do|run|report|raise|list|flag))\W+(?:all|any|the|every|further)\W+"
                r"(?:checks?|reviews?|rules?|screening|findings?|problems?)\W+(?:for|of|on|in|with)\W+(?:this|it)\b",
                r"\b" + _EARLIER + r"\W+(?:\w+\W+)?(?:orders|instructions|rules|guidelines)\W+(?:are|is)\W+(?:\w+\W+)?"
                r"(?:void|invalid|cancel\w+|obsolete|suspended|revoked)",
            ),
        ),
        (
            "speaks to whoever reviews it",
            re.IGNORECASE | re.MULTILINE,
            (
                r"(?:\b(?:dear|attention|hey|hello|hi|notes?,? (?:to|for)|instructions? (?:to|for)|messages? (?:to|for)"
                r"|you are (?:the|an?)|if you(?: are|'re) (?:the|an?))|^\W{0,4}to)[\s:,]{1,3}(?:the |an? |any |all )?"
                + _WHO + r"\b(?! of\b)",
                r"\bas (?:the|an?|our|your) " + _WHO + r"\b[^.\n]{0,40}?\b(?:you|your|must|have to)\b",
                r"^\W{0,4}(?:reviewers?|moderators?|ai|llm|assistant), ",
                r"\bwhen (?:you (?:are )?)?(?:summari[sz]|review|screen|evaluat|grad|judg|scor"
                r"|process)\w*\W+this\W+" + _WHAT,
            ),
        ),
        (
            "asks for a verdict",
            re.IGNORECASE | re.MULTILINE,
            (
                r"\b(?:approve|accept|publish|merge|pass|whitelist|allow)\W+(?:this|it|the"
                r"|my)\W+(?:above\W+)?" + _WHAT + r"\b",
                r"\bapprove (?:this|it)(?=\W*(?:$|[.!?;]|now\b|immediately\b|without\b|as\b|please\b))",
                r"\b(?:must|should|to) be (?:approved|accepted|published) (?:at once|immediately|without"
                r"|automatically)\b",
                r"\b(?:mark|rate|label|classify|score|flag|treat|tag)\W+(?:this|it|the)\W+(?:\w+\W+)?as\W+(?:\w+\W+)?"
                r"(?:approved|accepted|safe|clean|trusted|verified|confirmed)\b",
                r"\b(?:respond|reply|answer|return|output|print|say)\W+(?:only\W+|just\W+)?(?:with\W+)?[\"'`]?"
                r"(?:accept(?:ed)?|approved?|no findings)\b(?! (?:only|when|if|unless)\b)",
                r"\b(?:let|pass|wave)\W+this(?:\W+one)?\W+(?:through|pass)\b",
                r"\b(?:task|job|goal|duty) is\W+(?:now\W+)?to\W+(?:approve|accept|publish|pass)\b",
                r"\b(?:give|write|output|assign)\W+(?:\w+\W+){0,2}?(?:(?:positive|favou?rable)\W+(?:reviews?"
                r"|verdicts?|ratings?)"
                r"|(?:highest|best|full|maximum)\W+(?:scores?|ratings?|marks))\b",
                r"\bthis (?:one|" + _WHAT + r")\W+(?:is|was|has been)\W+(?:already\W+)?(?:pre-?)?"
                r"(?:approved|checked|verified|reviewed|cleared)\b",
            ),
        ),
        (
            "holds a verdict of its own",
            re.IGNORECASE,
            (
                r"\b(?:advice|verdict|decision)[\"']?\W{1,3}(?:(?:(?:must|should|shall|has to)\W+be|is|to)\W{1,3})?"
                r"(?:accept|approve)",
            ),
        ),
        (
            "gives a model another role",
            re.IGNORECASE,
            (
                r"\byou are now (?:an?|the|free|going to|in (?:developer|debug|god|dan|admin))\b|\bfrom now on,? you\b",
                r"\bpretend (?:to be|that you are)\b|\bact as (?:an? |the )?(?:admin\w*|approver|editor|moderator"
                r"|root)\b",
                r"\b(?:developer|debug|god|dan|admin) mode (?:is )?(?:on|enabled|activated)\b|\bjailbreak",
                r"\bnew (?:system )?(?:instructions?|orders?) ?(?:follow|:)|\bend of (?:the )?(?:submission"
                r"|(?:user|untrusted) \w+)\b",
            ),
        ),
        (
            "asks a model for what it was told",
            re.IGNORECASE,
            (
                r"\b(?:reveal|print|show|repeat|leak|output|disclose|send)\W+(?:me\W+)?(?:your|the|all)\W+(?:\w+\W+)?"
                r"(?:system prompt|(?:hidden|secret|initial|original) (?:prompt|instructions)|api keys?)\b",
                r"\b(?:reveal|print|show|leak|output|disclose"
                r"|send)\W+(?:me\W+)?your\W+(?:\w+\W+)?environment variables\b",
            ),
        ),
        (
            "holds marks by which chats tell their roles apart",
            re.MULTILINE,
            (
                r"<\|[\w ]{2,30}\|>|\[/?INST\]|<</?SYS>>",
                r"^\W{0,4}(?:SYSTEM|ASSISTANT|DEVELOPER|USER|Human|Assistant)\W{0,3}:"
                r"(?!\W*(?:\d|Ubuntu|Debian|Fedora|Arch|Linux|mac|Mac|Windows|WSL))",
                r"^#{1,6} ?(?:System|SYSTEM|Instructions?|Assistant|Human)\b ?:",
                r"^\W{0,4}[Ss]ystem (?:prompt|message|override|note)\W{0,3}:",
                r"(?i:\[\s?(?:system|admin|developer) (?:override|message|prompt|note|instructions?)[^\]\n]{0,20}\])",
                r"</?(?:system|assistant|human|instructions?|submission|untrusted\w*|user_input"
                r"|tool_result)\b[^>\n]{0,40}>",
            ),
        ),
    )
)  # fmt: skip
"""What is said of each sort, and its shapes; each is looked for in text without odd spellings."""

_TOLD_OF_OTHERS = re.compile(
    r"(?i)\b(?:it|they|agents?|models?|assistants?|bots?|sessions?|sub-?agents?|which|that|who)\b(?:\s[\w'-]+){0,2}?"
    r"\s(?:will|would|may|might|can|could|did|does|tends? to|seem(?:s|ed)? to|began to|begins to|started? to|starts to"
    r"|decided to|chose to|used to|not|to|n't|didn't|doesn't|don't)(?:\s\w+)?\s\Z"
    r"|\b(?:we|i|people|editors|users|maintainers)\s(?:\w+\s)?\Z"
)
"""What stands before a phrase that tells what an agent did, rather than telling somebody to do it."""

_COMMENT = re.compile(
    r"<!--|^\[(?://|comment)\]:\s*[#<]|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0",
    re.MULTILINE | re.IGNORECASE,
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_UNSEEN = re.compile(
    "[\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2800\u3164\uffa0\u034f\u061c]|[\ufe00-\ufe0f]{2,}|[\u0300-\u036f]{4,}"
)
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/_\-]{40,}={0,2}(?![A-Za-z0-9+/=])")
_SPACED = re.compile(r"\b(?:\w[ .\-_*]){5,}\w\b")
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈαεοινκτυρ",
    "aeopcyxisjdhqwABEKMHOPCTXISJaeoivktup",
)
_LONG_BLOB = 400


def injections(text: str) -> Iterator[tuple[str, int]]:
    """What in a text seems to be meant for reviewers or their tools: a clause each, and the line (from 1)."""
    plain = _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), privacy.normalised(text))
    versions = tuple(dict.fromkeys((plain, plain.translate(_LOOKALIKES))))
    english = [(what, line) for what, pattern in INJECTIONS if (line := _first(pattern, versions))]
    yield from english
    if not english and (line := _first(_IN_OTHER_LANGUAGES, versions)):  # some words are the same in several
        yield "tells its reader, in another language than English, what to do", line
    yield from _hidden(text)


def _first(pattern: re.Pattern[str], versions: Iterable[str]) -> int:
    """The line of the first match that tells somebody to do something; 0 without one."""
    for text in versions:
        for one in pattern.finditer(text):
            if not _told(text, one.start()):
                return _line(text, one.start())
    return 0


def _told(text: str, start: int) -> bool:
    return bool(_TOLD_OF_OTHERS.search(text[max(0, start - 60) : start]))


def _hidden(text: str) -> Iterator[tuple[str, int]]:
    """What a reader of the page would not see."""
    shown = _CODE.sub(lambda found: "\n" * found[0].count("\n"), text)
    if comment := _COMMENT.search(shown):
        yield "holds a comment or a style that a page hides", _line(shown, comment.start())
    if unseen := _UNSEEN.search(text):
        yield "holds characters that cannot be seen", _line(text, unseen.start())
    if blob := next((one for one in _BLOB.finditer(text) if _says_something(one[0])), None):
        yield "holds an encoded text", _line(text, blob.start())


def _says_something(blob: str) -> bool:
    """Whether a run of letters and figures is a text in base 64, or so long that nobody can read it."""
    if not (re.search("[A-Z]", blob) and re.search("[a-z]", blob)):
        return False
    body = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        told = base64.b64decode(body[: len(body) // 4 * 4], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return len(blob) >= _LONG_BLOB
    return told.replace("\n", " ").isprintable() and " " in told


def _line(text: str, start: int) -> int:
    return text.count("\n", 0, start) + 1
