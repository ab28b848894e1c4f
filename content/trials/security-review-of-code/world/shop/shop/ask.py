"""One request to an instance of its own: prints status and ETag, then the body."""

import hashlib
import json
import sys
from urllib.parse import parse_qsl, unquote, urlsplit

from . import api, legacy  # noqa: F401  the routes
from .data import fresh
from .router import Refused, answer


def asked(method, path, session="", data="{}"):
    url = urlsplit(path)
    request = {"session": session, "query": dict(parse_qsl(url.query)), "body": json.loads(data), "database": fresh()}
    try:
        status, body = 200, answer(method, unquote(url.path), request)
    except Refused as refused:
        status, body = refused.status, str(refused)
    except Exception:
        status, body = 500, "something went wrong"
    return status, json.dumps(body)


def etag(body):
    return hashlib.md5(body.encode()).hexdigest()


def main():
    method, path, *words = sys.argv[1:]
    options = dict(zip(words[::2], words[1::2]))
    status, body = asked(method, path, options.get("--as", ""), options.get("--data", "{}"))
    print(status, etag(body))
    print(body)


if __name__ == "__main__":
    sys.exit(main())
