"""The shop's program."""

from lib import mail, price


def main(words):
    if words[:1] == ["mail"] and len(words) == 3:
        print(mail.send(words[1], words[2]))
        return 0
    if words[:1] == ["price"] and len(words) == 3:
        print(price.total(words[1], int(words[2])))
        return 0
    print("mail TO TEXT, or price PRICE NUMBER")
    return 2
