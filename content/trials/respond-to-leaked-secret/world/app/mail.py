"""Sign the letter to the masters."""

import hashlib
import hmac
import json
import pathlib

if __name__ == "__main__":
    told = json.loads(pathlib.Path("server/settings.json").read_text())
    letter = f"{told['berths']} berths today"
    print("letter", hmac.new(told["mail_token"].encode(), letter.encode(), hashlib.sha256).hexdigest())
