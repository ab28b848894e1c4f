"""The `playbooks` command: a registry only; each package brings its own commands."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from library import __version__
from library.problems import LibraryError, UsageError


class LateCommand(click.Command):
    """A command as the list of commands and completion tell it, without loading the module that brings it.

    That takes seconds; its help is read from the module's text.
    """

    name: str

    def __init__(self, name: str, module: str) -> None:
        super().__init__(name)
        self.module = module

    def loaded(self) -> click.Command:
        """The command itself."""
        command: click.Command = getattr(import_module(self.module), self.name)
        return command

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence of the command's own help."""
        text = (Path(__file__).parent / f"{self.module.replace('.', '/')}.py").read_text(encoding="utf-8")
        functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
        self.help = next(ast.get_docstring(node) for node in functions if node.name == self.name)
        return super().get_short_help_str(limit)


_MODULES = (
    ("library.content.new", "init new"),
    ("library.commands", "check fmt schemas"),
    ("build.commands", "build"),
    ("build.verify", "verify keys"),
    ("server.commands", "serve"),
    ("server.operating", "work status"),
    ("library.interface.commands", "search find"),
    ("library.commands", "stats"),
    ("library.trials.commands", "trial"),
    ("client.addresses", "addresses"),
    ("server.operating", "contributors backup restore metrics"),
    ("server.review", "review"),
    ("server.mcp", "mcp"),
    ("server.deploy.commands", "deploy"),
    ("client.commands", "report submit sent"),
)
COMMANDS = {name: LateCommand(name, module) for module, names in _MODULES for name in names.split()}
"""Every command by its name, in the order of use."""


class Registry(click.Group):
    """The group of all commands.

    An error that we raise on purpose is one sentence and an exit code, never a traceback.
    """

    def main(self, *args: Any, **how: Any) -> Any:  # noqa: ANN401 - as click has it
        """Run a command line. Where even the words of an error cannot be written, the exit code alone says it."""
        try:
            return super().main(*args, **how)
        except OSError:
            sys.exit(1)

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
            ctx.exit(130)  # what shells say of a command that Ctrl+C ended
        except BrokenPipeError:
            raise  # whoever reads the output went away: click ends quietly
        except OSError as error:
            raise click.ClickException(f"{error.filename or 'the output'}: {error.strerror}") from error
        except ModuleNotFoundError as error:  # after an update that wants more than is installed
            why = f"the Python package {error.name} is not installed; run `make setup`, or install playbooks anew"
            raise click.ClickException(why) from error
        except (MemoryError, ImportError, SystemError) as error:  # what is in C says it of a part that it cannot load
            raise click.ClickException("there is not enough memory for this; what was there before stays") from error

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
