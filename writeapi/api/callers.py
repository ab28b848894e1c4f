"""Who is calling: a contributor by a valid key, else an address; nothing that the caller wrote is in the name."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from ..settings import ServiceSettings

NOBODY = "a:nobody"
"""The one bucket of every request without a usable address, such as those over a unix socket."""

_NETWORK_BITS = 64
_LONGEST = 64
_WITH_PORT = re.compile(r"\[(?P<six>[^\[\]]+)\](?::[0-9]{1,5})?|(?P<four>[0-9.]+):[0-9]{1,5}")
_PLAIN = re.compile(r"[0-9A-Fa-f.:]+(?:%[0-9A-Za-z._-]+)?")


def caller_of(environ: Mapping[str, Any], settings: ServiceSettings, contributor_id: int | None) -> str:
    """The caller of a WSGI request: those with the same name share their limits and their idempotency keys.

    `contributor_id` is the owner of a key that was found valid, or None. `settings.trusted_proxies` is the exact number
    of proxies before this process: with two, the second entry of `X-Forwarded-For` from the right is what the outer one
    saw. Fewer entries than proxies, or rubbish in that place, count as the address of the connection itself: a bucket
    that everybody shares who sends such things.
    """
    if contributor_id is not None:
        return f"c:{contributor_id:d}"
    connected = address_in(environ.get("REMOTE_ADDR"))
    address = _forwarded(environ.get("HTTP_X_FORWARDED_FOR"), settings.trusted_proxies) or connected
    return bucket_of(address, settings.secret) if address else NOBODY


def bucket_of(address: IPv4Address | IPv6Address, secret: bytes) -> str:
    """The bucket of an address: a whole IPv4 address, or the /64 that an IPv6 address lies in.

    Who has buckets but not the secret finds no address by trying all.
    """
    if isinstance(address, IPv4Address):
        canonical = str(address)
    else:
        canonical = f"{IPv6Address(int(address) >> _NETWORK_BITS << _NETWORK_BITS)}/{_NETWORK_BITS}"
    return "a:" + hmac.new(secret, canonical.encode(), hashlib.sha256).hexdigest()[:32]


def address_in(text: object) -> IPv4Address | IPv6Address | None:
    """The address that a text holds, with or without a port, brackets or a zone; None for anything else.

    An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        return None
    text = text.strip()
    if match := _WITH_PORT.fullmatch(text):
        text = match["six"] or match["four"]
    if not _PLAIN.fullmatch(text):
        return None
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address


def _forwarded(header: object, trusted_proxies: int) -> IPv4Address | IPv6Address | None:
    if trusted_proxies < 1 or not isinstance(header, str):
        return None
    entries = header.rsplit(",", trusted_proxies)
    if len(entries) < trusted_proxies:
        return None
    return address_in(entries[-trusted_proxies])
