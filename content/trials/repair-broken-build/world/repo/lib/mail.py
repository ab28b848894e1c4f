"""Letters to customers, through the post office's service."""

import os


class Client:
    def __init__(self, key):
        if not key:
            raise ValueError("the post office wants a key")
        self.key = key

    def send(self, to, text):
        return "to %s with %s***: %s" % (to, self.key[:2], text)


CLIENT = Client(os.environ["MAIL_KEY"])


def send(to, text):
    return CLIENT.send(to, text)


def address():
    return "shop@example.org"
