"""Where to send, and with which key: from an option, the environment or the library's own settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from library.content import loading
from library.problems import UsageError
from library.records.fields import Url
from library.records.models import Site

API = "/api/v1"
LONGEST_KEY = 200


def base_address(given: str | None, environment: Mapping[str, str], content: Path, today: date) -> str:
    """The base address of the API; an address of a site has its API below it.

    The option comes first, then `PLAYBOOKS_URL`, then `site.yaml` in the content. Raises `UsageError`.
    """
    text = given if given is not None else environment.get("PLAYBOOKS_URL") or _of_content(content, today)
    if not text:
        raise UsageError(f"say where the library is: --base-url, PLAYBOOKS_URL, or a site.yaml in {content}")
    try:
        url: str = TypeAdapter(Url).validate_python(text)
    except ValidationError:
        url = ""
    if not url or set("?#") & set(url):
        raise UsageError(f"{text!r} is no plain http(s) address, such as https://library.example")
    url = url.rstrip("/")
    return url if url.endswith(API) else url + API


def _of_content(content: Path, today: date) -> str:
    if not (content / "site.yaml").is_file():
        return ""
    record = loading.read(content, "site.yaml", today).record
    return (record.api_url or record.base_url) if isinstance(record, Site) else ""


def api_key(environment: Mapping[str, str], file: Path | None, url: str) -> str | None:
    """The key to send, from a file or from `PLAYBOOKS_KEY`; None to send without one.

    Raises `UsageError` for one that is no key, or that would go over the network in plain text.
    """
    source = f"{file}" if file else "PLAYBOOKS_KEY"
    try:
        text = file.read_text(encoding="utf-8") if file else environment.get("PLAYBOOKS_KEY", "")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as a key") from error
    key = text.strip()
    if not key and not file:
        return None
    if not key.isascii() or not key.isprintable() or " " in key or not 1 <= len(key) <= LONGEST_KEY:
        raise UsageError(f"{source} holds no API key: one word, as it was shown once")
    if not url.startswith("https://") and not _is_here(urlsplit(url).hostname or ""):
        raise UsageError(f"a key goes over https only, and {url} is not; use its https address, or send without a key")
    return key


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
