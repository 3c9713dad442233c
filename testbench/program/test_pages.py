"""The pages for readers: what they quote of the program's output is what it prints, and their counts are its counts."""
import re
import subprocess

import pytest
from conftest import ROOT


class Example:
    """Commands of a page, and the lines of output that the page shows below them."""

    def __init__(self, commands, lines):
        self.commands, self.lines = commands, lines


def examples(text):
    """The examples of a page: commands are lines indented by four spaces; the output of the last such lines follows in a fence."""
    found, commands, fence, indented = [], [], None, False
    for line in text.split("\n"):
        if line.startswith("```"):
            if fence is not None and commands:
                found.append(Example(commands, fence))
                commands = []
            fence = [] if fence is None else None
        elif fence is not None:
            fence.append(line)
        elif line.startswith(("    build/safnet", "    sed ")):
            commands = (commands if indented else []) + [line.strip().split(" && gtkwave")[0]]
        elif line.startswith("#"):
            commands = []
        indented = line.startswith("    ")
    return found


def sections():
    """The front page as a whole, since its examples use each other's files, and the sections of the commands' page that have examples."""
    found = {"README.md": (ROOT / "README.md").read_text()}
    for section in re.split(r"^## ", (ROOT / "sim/command/README.md").read_text(), flags=re.M):
        found[section.partition("\n")[0]] = section
    return {title: text for title, text in found.items() if examples(text)}


# These examples take minutes; test_certificates.py, which needs the whole table anyway, holds its output against the pages.
WHOLE_TABLE = ["build/safnet table optimality"]
CHECKED_TABLE = ["build/safnet table optimality --certificate bounds.json && scripts/check_certificate.py bounds.json"]


def first_missing(lines, output):
    """The first of the lines that is not in the output, in their order; "..." stands for any text within a line."""
    position = 0
    printed = output.split("\n")
    for line in lines:
        if not line.strip() or line.strip() == "...":
            continue
        pattern = r"\s+".join(".*".join(map(re.escape, word.split("..."))) for word in line.split())
        while position < len(printed) and not re.match(r"\s*" + pattern + (r"\s*$" if "..." not in line else ""), printed[position]):
            position += 1
        if position == len(printed):
            return line
        position += 1
    return None


@pytest.mark.parametrize("title", sections())
def test_examples_print_what_the_pages_show(title, root, program, folder):
    (folder / "build").mkdir()
    (folder / "build" / "safnet").symlink_to(program)
    for used in ("cpp_model", "scripts"):  # networks in files, and what checks certificates
        (folder / used).symlink_to(root / used)
    wrong = []
    for example in examples(sections()[title]):
        if example.commands in (WHOLE_TABLE, CHECKED_TABLE):
            continue
        script = "\n".join(example.commands)
        done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=1200, check=False)
        missing = first_missing(example.lines, done.stdout)
        if missing is not None:
            wrong.append(f"{script}\ndoes not print\n{missing}\nbut\n{done.stdout[:3000]}{done.stderr[:1000]}")
    assert not wrong, "\n\n".join(wrong)


def test_the_page_of_findings_is_what_verify_writes(root, run_program, folder):
    done = run_program(folder, "verify --markdown findings.md", timeout=2400)
    assert done.code == 0, done
    written, kept = (path.read_text().split("\n") for path in (folder / "findings.md", root / "cpp_model/claim/findings.md"))
    different = [f"line {i}\n- {old}\n+ {new}" for i, (old, new) in enumerate(zip(kept, written), 1) if old != new]
    assert not different and len(written) == len(kept), "\n".join(different[:5])


def test_counts_of_the_front_page(root, succeed):
    page = (root / "README.md").read_text()
    claims = succeed("list claims").out.strip().split("\n")
    assert re.search(rf"\b{len(claims)} statements\b", page), f"{len(claims)} statements in the ledger"
