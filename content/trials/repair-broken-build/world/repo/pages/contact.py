"""Where to write to."""

import marks

from lib import mail


def html():
    return marks.to_html("# Contact\n\nWrite to " + mail.address())
