"""What the form of an address gives away; no address is ever fetched."""

import ipaddress
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlsplit

HOSTS = tomllib.loads(Path(__file__).with_name("hosts.toml").read_text(encoding="utf-8"))
_SHORTENERS = frozenset(HOSTS["shorteners"])
_NOT_PUBLIC = re.compile(
    r"(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|corp|home|private|test|invalid|example|onion"
    r"|example\.(?:com|net|org)|home\.arpa)$"
)
_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hs(?:enc|mi)|aff(?:iliate)?(?:_?id)?|referral\w*"
)
_CARRIES_SECRET = re.compile(r"(?i)(?:access_?|auth_?|id_?|session_?)?(?:token|password|passwd|secret|api_?key|sid)")
_PROGRAM = re.compile(r"(?i)\.(?:exe|msi|dmg|pkg|scr|bat|cmd|apk|jar|vbs|ps1|iso)$")
_IN_TEXT = re.compile(r"https?://[^\s<>\"'`)\]}|]{3,2000}", re.IGNORECASE)


def in_text(text: str) -> list[str]:
    """The addresses in running text, without the punctuation that follows them."""
    return [found.rstrip(".,;:!?*_") for found in _IN_TEXT.findall(text)]


def host_of(address: str) -> str:
    """The host of an address in small letters, without `www.`; empty where there is none."""
    try:
        return (urlsplit(address).hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return ""


def shortened(address: str) -> bool:
    """Whether an address hides another."""
    return host_of(address) in _SHORTENERS


def oddities(address: str) -> Iterator[str]:
    """What is odd about an address that was given as a source, a clause each."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        yield "cannot be read"
        return
    host = host_of(address)
    if shortened(address):
        yield "hides where it leads (a shortener)"
    if _number(host):
        yield "names a machine by its number"
    elif "." not in host or _NOT_PUBLIC.search(host):
        yield "leads to no public place"
    if host.startswith("xn--") or ".xn--" in host or not host.isascii():
        yield "has letters in its host that may look like others"
    if "@" in parts.netloc:
        yield "holds credentials"
    if port not in (None, 80, 443):
        yield f"has the unusual port {port}"
    if _PROGRAM.search(parts.path):
        yield "leads to a file that runs"
    yield from _of_query(parts)


def _of_query(parts: SplitResult) -> Iterator[str]:
    names = [name for name, _ in parse_qsl(parts.query[:2_000], keep_blank_values=True)]
    if any(_TRACKING.fullmatch(name.lower()) for name in names):
        yield "follows its readers (a tracking parameter)"
    if any(_CARRIES_SECRET.fullmatch(name) for name in names):
        yield "carries what looks like a secret"


def _number(host: str) -> bool:
    """Whether a host is an IP address, in whatever way it is written."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return bool(re.fullmatch(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}", host))
    return True
