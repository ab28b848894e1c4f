"""What every file of a site holds, so that anybody finds damage: `SHA256SUMS`, signed where the builder has a key.

The file is the one of `sha256sum`, and the signature Ed25519's 64 bytes over it, which `openssl pkeyutl` checks too.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from library.durable import replace_file
from library.problems import LibraryError, UsageError

SUMS, SIGNATURE, PUBLIC_KEY = "SHA256SUMS", "SHA256SUMS.sig", ".well-known/playbooks-key.pem"
OWN = frozenset({SUMS, SIGNATURE, PUBLIC_KEY})  # the files that say what the others hold; no line is about them
KEY = "signing-key.pem"  # the private key, in the folder of the generations, which nobody serves


class NotAsBuilt(LibraryError):
    """The sums themselves are missing, damaged, or signed by another key, so nothing can be said of a site."""


def write_sums(public: Path, digests: Mapping[str, str], store: Path) -> int:
    """Write what the files hold, by their paths below `public`, signed where `store` has a key: how many files."""
    text = "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items())).encode()
    key = private_key(store)
    own = {SUMS: text} | ({PUBLIC_KEY: public_pem(key), SIGNATURE: key.sign(text)} if key else {})
    for name in OWN - own.keys():
        (public / name).unlink(missing_ok=True)
    for name, body in own.items():
        path = public / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_bytes() != body:
            replace_file(path, body)
    return len(own)


def private_key(store: Path) -> Ed25519PrivateKey | None:
    """The key that this builder signs with; None where it has none. Raises `UsageError` for what is no such key."""
    path = store / KEY
    if not path.exists():
        return None
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as why:
        raise UsageError(f"{path} holds no private key without a password; make another with `playbooks keys`") from why
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path} holds a key of another kind than Ed25519; make one with `playbooks keys`")
    return key


def make_key(store: Path) -> Ed25519PrivateKey:
    """A new private key in `store`, readable by its owner alone."""
    key = Ed25519PrivateKey.generate()
    with os.fdopen(os.open(store / KEY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        form = serialization.PrivateFormat.PKCS8
        file.write(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return key


def public_pem(key: Ed25519PrivateKey) -> bytes:
    """The public half, which readers check with."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.PEM, form)


def verified_sums(read: Callable[[str], bytes | None], trusted: bytes | None) -> dict[str, str]:
    """The SHA-256 of each file by its path, as the builder wrote it.

    `read` gives a file of the site, None for none; `trusted` is a public key as PEM that has to have signed it. Raises
    `NotAsBuilt`.
    """
    text, signature, own = (read(name) for name in (SUMS, SIGNATURE, PUBLIC_KEY))
    if text is None:
        raise NotAsBuilt(f"there is no {SUMS}: this is no whole site, or one of an older release; build it anew")
    pem = trusted or own
    if pem is not None:
        try:
            key = serialization.load_pem_public_key(pem)
            if not isinstance(key, Ed25519PublicKey):
                raise InvalidSignature
            key.verify(signature or b"", text)
        except (ValueError, InvalidSignature) as why:
            raise NotAsBuilt(f"{SUMS} is not signed by {'the key that is trusted' if trusted else PUBLIC_KEY}") from why
    try:
        lines = [line.split("  ", 1) for line in text.decode().splitlines()]
        return {path: digest for digest, path in lines}
    except ValueError as error:
        raise NotAsBuilt(f"{SUMS} is damaged") from error


def damage(sums: Mapping[str, str], read: Callable[[str], bytes | None]) -> Iterator[str]:
    """A line for each file that is missing or holds something else."""
    for path, digest in sums.items():
        body = read(path)
        if body is None:
            yield f"{path}: is missing"
        elif hashlib.sha256(body).hexdigest() != digest:
            yield f"{path}: holds something else"


def strangers(public: Path, sums: Mapping[str, str]) -> Iterator[str]:
    """A line for each file in a site's folder that no build wrote; forms of a file that is known are its own."""
    for folder, _, names in os.walk(public):
        for name in names:
            path = Path(folder, name).relative_to(public).as_posix()
            if path not in sums and path not in OWN and path.removesuffix(".gz").removesuffix(".br") not in sums:
                yield f"{path}: belongs to no build"
