"""The `playbooks` command: a registry only; each package brings its own commands."""

from importlib import import_module

import click

from library import __version__
from library.problems import LibraryError, UsageError

INTERRUPTED = 130
"""What shells say of a command that Ctrl+C ended."""


class LateCommand(click.Command):
    """A command as the list of commands and completion tell it, without the module that brings it: that takes seconds.

    What it tells is the first sentence of the command's own help; a test holds the two together.
    """

    name: str

    def __init__(self, name: str, module: str, told: str) -> None:
        super().__init__(name, help=told)
        self.module = module

    def loaded(self) -> click.Command:
        """The command itself."""
        try:
            command: click.Command = getattr(import_module(self.module), self.name)
        except ModuleNotFoundError as error:  # after an update that wants more than is installed
            why = f"the Python package {error.name} is not installed; run `make setup`, or install playbooks anew"
            raise click.ClickException(why) from error
        return command


_ROWS = (
    ("init", "library.content.new", "Start an empty library in FOLDER, with one example that shows the form."),
    (
        "new",
        "library.content.new",
        "Begin a playbook, lesson, agent or task: a file in the canonical form, with a place for each thing to write.",
    ),
    ("check", "library.commands", "Check the content and print every problem with its place and mend."),
    ("fmt", "library.commands", "Write YAML files in the canonical form; comments stay."),
    (
        "schemas",
        "library.commands",
        "Write the JSON Schemas of content files to FOLDER, where editors look for them: beside the content.",
    ),
    ("build", "build.commands", "Build the static site and API from the content."),
    (
        "serve",
        "server.commands",
        "Build the content, then serve the site and the API on one port, and do what follows from the queue.",
    ),
    (
        "work",
        "server.operating",
        "Do what follows from the queue, for as long as it runs: screen, publish, build, settle, forget.",
    ),
    ("status", "server.operating", "Say what waits, who works, and how each job ended."),
    ("search", "library.search.commands", "Find playbooks, lessons, agents and jobs in a built site, in plain words."),
    (
        "find",
        "library.search.commands",
        "Find the one playbook for a task, ready to use; `-` reads the task from standard input.",
    ),
    ("stats", "library.commands", "Print the counts of the library: records, evidence, runs, trust."),
    (
        "trial",
        "library.trials.commands",
        "Prove a playbook's commands and checks on a prepared case, and run agents on it.",
    ),
    (
        "addresses",
        "client.addresses",
        "Ask whether the pages that the content names are there; exit 1 when some are gone.",
    ),
    ("contributors", "server.operating", "Look after contributors and their keys."),
    (
        "pending",
        "server.operating",
        "Print, as JSON, how many run reports of each playbook are pending, or approved and not yet in the content.",
    ),
    (
        "backup",
        "server.operating",
        "Write the queue to PLACE: a new file, or a folder, where it gets a name with the time.",
    ),
    ("restore", "server.operating", "Make the queue what FILE holds, and bring it to the newest schema."),
    (
        "prune",
        "server.operating",
        "Forget from where things were sent, and the answers kept for repeated requests, when they are old enough.",
    ),
    (
        "metrics",
        "server.operating",
        "Serve /metrics for Prometheus: the queue, the outbox, and the requests that gunicorn's workers counted.",
    ),
    ("review", "server.review", "Review what was sent: screen it, decide about it, and publish what was accepted."),
    ("mcp", "server.mcp_command", "Serve the library to agents over MCP."),
    (
        "deploy",
        "server.deploy.commands",
        "Write the configuration of the servers before the service, from its tables of routes and operations.",
    ),
    ("report", "client.commands", "Report how a run of a playbook went."),
    ("submit", "client.commands", "Send a use case, a lesson, a correction or a whole playbook."),
    (
        "sent",
        "client.commands",
        "List the reports and submissions that were sent with your key, or show where one of them stands.",
    ),
)
COMMANDS = {name: LateCommand(name, module, sentence) for name, module, sentence in _ROWS}
"""Every command by its name, in the order of use."""


class Registry(click.Group):
    """The group of all commands.

    An error that we raise on purpose is one sentence and an exit code, never a traceback.
    """

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; 2 for wrong use, 130 after Ctrl+C, 1 for anything else that cannot be done."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx=None) from error
        except LibraryError as error:
            raise click.ClickException(str(error)) from error
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nAborted!", err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            raise  # whoever reads the output went away: click ends quietly
        except OSError as error:
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of their use, not of the alphabet."""
        del ctx
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was asked for, itself. Of an unknown one click says which are near."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, LateCommand) else command, rest


@click.group(
    cls=Registry, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="playbooks")
def main() -> None:
    """A library of playbooks for jobs done with AI agents: YAML files in, a site and an API out.

    Exit codes: 0 all is well, 1 problems in the content, 2 wrong use, 130 after Ctrl+C.
    """


if __name__ == "__main__":
    main()
