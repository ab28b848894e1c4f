"""Units for systemd, gunicorn's settings and an environment: the files of `deploy/` with the paths of one machine."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from build.settings import PROJECT
from library.problems import UsageError

SOURCE = PROJECT / "deploy"
ENVIRONMENT = "environment"
"""What whoever runs it writes into: it is made once, and never written over."""

_UNREADABLE = ("/home/", "/root/", "/run/user/")
"""What `ProtectHome` keeps from every unit."""


@dataclass(frozen=True)
class Machine:
    """Where everything lies on a machine; as it stands here, in the files of `deploy/`.

    `library` is the folder with `content`, `commands` that of `playbooks` and gunicorn, `root` the built site, `folder`
    where these files will be.
    """

    library: str = "/srv/playbooks/app"
    commands: str = "/srv/playbooks/app/.venv/bin"
    root: str = "/srv/playbooks/site"
    folder: str = "/etc/playbooks"
    user: str = "playbooks"

    def __post_init__(self) -> None:
        """Refuse what a unit would read as something else: all of it at once."""
        named = {"--library": self.library, "--commands": self.commands, "--root": self.root, "--folder": self.folder}
        wrong = [
            f"{option} is {value!r}; it must be an absolute path of letters, digits and . / _ - alone"
            for option, value in named.items()
            if not re.fullmatch(r"/[A-Za-z0-9_./-]+", value)
        ]
        if not re.fullmatch(r"[a-z_][a-z0-9_-]{0,31}", self.user):
            wrong.append(f"--user is {self.user!r}; it must be the name of an account, such as playbooks")
        if wrong:
            raise UsageError("\n".join(wrong))

    @property
    def unreadable(self) -> tuple[str, ...]:
        """What lies below a home folder, which the units may not read."""
        places = (self.library, self.commands, str(Path(self.commands, "python").resolve()), self.root, self.folder)
        return tuple(place for place in places if place.startswith(_UNREADABLE))

    def filled(self, text: str) -> str:
        """A file of `deploy/`, its paths and its account those of this machine."""
        ours = Machine()
        places = {
            ours.commands: self.commands,
            ours.library: self.library,
            ours.root: self.root,
            str(PurePosixPath(ours.root).parent): str(PurePosixPath(self.root).parent),
            ours.folder: self.folder,
            f"User={ours.user}": f"User={self.user}",
        }
        return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)


def systemd_files(told: Machine) -> Mapping[str, str]:
    """Every file by its name below the folder where they will be."""
    found = {"gunicorn.conf.py": (SOURCE / "gunicorn.conf.py").read_text(encoding="utf-8")}
    for path in sorted((SOURCE / "systemd").iterdir()):
        name = path.name if path.name == ENVIRONMENT else f"systemd/{path.name}"
        found[name] = told.filled(path.read_text(encoding="utf-8"))
    return found
