"""The modules of rtl/: their files, and which has which inside."""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTANCE = re.compile(r"^\s*(?:end else |else )?([a-z]\w*)\s*(?:#\s*\(|u_\w+)", re.M)


@functools.cache
def files():
    """{module: its file}, packages included."""
    return {path.stem: path for path in sorted(ROOT.glob("rtl/*/*.sv"))}


def instances(text):
    """Modules of rtl/ that a source instantiates."""
    return {module for module in INSTANCE.findall(re.sub(r"//[^\n]*", "", text)) if module in files()}


@functools.cache
def uses(module):
    return frozenset(instances(files()[module].read_text(encoding="utf-8")))


def inside(modules):
    """All that these modules have inside, at any depth."""
    found, left = set(), list(modules)
    while left:
        new = uses(left.pop()) - found
        found |= new
        left += new
    return found
