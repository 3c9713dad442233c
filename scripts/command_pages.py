#!/usr/bin/env python3
"""command_pages - the manual page of safnet, and what bash and zsh complete its words with, from its own --help.

    command_pages.py SAFNET FOLDER      writes FOLDER/safnet.1, safnet.bash and _safnet
"""
import pathlib
import re
import subprocess
import sys


def printed(safnet, *words):
    return subprocess.run([safnet, *words], check=True, capture_output=True, text=True).stdout


def sections(text):
    """{heading: its lines} of a help text; those before the first heading below ''."""
    found, heading = {"": []}, ""
    for line in text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            heading = line[:-1]
            found[heading] = []
        elif line.strip():
            found[heading].append(line)
    return found


def entries(lines):
    """[(words, meaning)] of lines such as `  --flits INT=1   flits in a packet`, whose meaning may begin in the next."""
    found = []
    for line in lines:
        if line.startswith("  ") and not line.startswith("   "):
            words, _, meaning = line.strip().partition("  ")
            found.append([words, meaning.strip()])
        elif found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return [tuple(entry) for entry in found]


def is_option(words):
    return words.startswith("-")


class Command:
    """What the help of a subcommand says."""

    def __init__(self, safnet, name, summary):
        self.name, self.summary = name, summary
        self.groups = {heading: entries(lines) for heading, lines in sections(printed(safnet, name, "--help")).items() if heading}

    def options(self):
        """[(its names, the words that it may have, whether it has one, meaning)]"""
        for group in self.groups.values():
            for words, meaning in group:
                if is_option(words):
                    names = words.split()[0].split(",")
                    choice = re.search(r"\{([^}]*)\}", words)
                    yield names, choice[1].split(",") if choice else [], len(words.split()) > 1, meaning


def troff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def manual(version, commands, summary):
    page = [f'.TH SAFNET 1 "" "{version}" "User Commands"', ".SH NAME", f"safnet \\- {troff(summary.partition(': ')[2])}",
            ".SH SYNOPSIS", ".B safnet", ".I COMMAND", "[\\fIOPTIONS\\fR]", ".SH COMMANDS"]
    for command in commands:
        page += [".SS " + troff(f"safnet {command.name}"), troff(command.summary)]
        for heading, group in command.groups.items():
            if heading not in ("Options", "Positionals", "OPTIONS", "POSITIONALS"):
                page += [".PP", f"{troff(heading)}:"]
            for words, meaning in group:
                page += [".TP", "\\fB" + troff(words) + "\\fR", troff(meaning) or "\\&"]
    page += [
        ".SH EXIT STATUS", ".TP", "0", "all checks hold", ".TP", "1", "a check failed", ".TP", "2",
        "bad input, or output that cannot be written: one line on stderr", ".TP", "3", "the run got stuck",
        ".SH ENVIRONMENT", ".TP", "SAFNET_BUILD", "where verilated nodes are kept, ~/.cache/safnet for an installed program",
        ".TP", "SAFNET_ROOT", "where rtl/ and sim/ are", ".TP", "SAFNET_DIGESTS", "a file that every run adds a line to",
        ".SH FILES", ".TP", "PREFIX/share/safnet", "what nodes are built from"]
    return "\n".join(page) + "\n"


def names_of(safnet, what):
    """First words of `safnet list WHAT`, as far as they are names: "group" of "group(A;NODES)"."""
    names = (re.match(r"[a-z][\w-]*", line) for line in printed(safnet, "list", what).splitlines())
    return sorted({name[0] for name in names if name})


def bash(commands, collectives, topologies):
    cases, values = [], {}
    for command in commands:
        options = [name for names, *_ in command.options() for name in names]
        cases.append(f"    {command.name}) words='{' '.join(options)}' ;;")
        for names, choices, *_ in command.options():
            if choices:
                values[f"{command.name} {names[-1]}"] = choices
    chosen = "\n".join(f"    '{key}') COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;" for key, words in values.items())
    return f"""# Completion of safnet for bash. A topology ends with a colon, behind which its size follows.
_safnet() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(command.name for command in commands)}' -- "$word"))
    return
  fi
  case "$command $before" in
{chosen}
  esac
  case $command in
{chr(10).join(cases)}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *)
      COMPREPLY=($(compgen -f -- "$word"))
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY+=($(compgen -W '{' '.join(topologies)}' -- "$word"))
      else COMPREPLY+=($(compgen -W '{' '.join(collectives)}' -- "$word")); fi ;;
  esac
}}
complete -o nosort -F _safnet safnet
"""


def zsh_word(text):
    return re.sub(r"[\[\]:'\"`$\\]", " ", text)


def zsh(commands, collectives, topologies):
    listed = "\n".join(f"  '{command.name}:{zsh_word(command.summary)}'" for command in commands)
    cases = []
    for command in commands:
        options = []
        for names, choices, takes_value, meaning in command.options():
            of_values = f":value:({' '.join(choices)})" if choices else ":value: " if takes_value else ""
            options.append(f"'{names[-1]}[{zsh_word(meaning)[:100]}]{of_values}'")
        cases.append(f"    {command.name}) _arguments {' '.join(options)} '2:topology or file:_safnet_topologies' '3:collective or file:_safnet_collectives' '*:file:_files' ;;")
    return f"""#compdef safnet
_safnet_topologies() {{ compadd -S '' -- {' '.join(topologies)}; _files }}
_safnet_collectives() {{ compadd -- {' '.join(collectives)}; _files }}
local -a commands
commands=(
{listed}
)
if (( CURRENT == 2 )); then
  _describe command commands
else
  case $words[2] in
{chr(10).join(cases)}
  esac
fi
"""


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    safnet, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    text = printed(safnet, "--help")
    commands = [Command(safnet, name, summary) for name, summary in entries(sections(text)["Subcommands"])]
    version = printed(safnet, "--version").strip()
    collectives, topologies = names_of(safnet, "collectives"), names_of(safnet, "topologies")
    (folder / "safnet.1").write_text(manual(version, commands, text.splitlines()[0]))
    (folder / "safnet.bash").write_text(bash(commands, collectives, topologies))
    (folder / "_safnet").write_text(zsh(commands, collectives, topologies))


if __name__ == "__main__":
    main()
