"""`turnwright completion SHELL`: prints a script that completes commands and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turnwright.app.option_fields import argument
from turnwright.cli.parser import CommandSpec, GivenOptions, completion_script
from turnwright.errors import EXIT_OK

_DESCRIPTION = """\
Add the line to the file that your shell reads at its start:

  bash   eval "$(turnwright completion bash)"    in ~/.bashrc
  zsh    eval "$(turnwright completion zsh)"    in ~/.zshrc
  fish   turnwright completion fish | source    in ~/.config/fish/config.fish"""


@dataclass(frozen=True)
class CompletionOptions:
    """The shell for which the script is printed."""

    shell: Literal["bash", "zsh", "fish"] = argument("SHELL", "bash, zsh or fish")


def run(given: GivenOptions) -> int:
    """Print the completion script of a shell."""
    print(completion_script(given.make(CompletionOptions).shell))
    return EXIT_OK


COMMAND = CommandSpec(run, _DESCRIPTION, (CompletionOptions,), examples={"bash": "print the script for bash"})
