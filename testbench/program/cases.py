"""Tables of commands: one row is one test."""
import pytest


def cases(*rows):
    """The rows of a table for pytest.mark.parametrize. A row is a name in plain words and then the arguments.

    The name with hyphens in place of its blanks is what `pytest -k` finds and what the report shows.
    """
    names = [name.replace(" ", "-") for name, *_ in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    assert not twice, f"two rows of one name: {twice}"
    return [pytest.param(*arguments, id=name) for name, (_, *arguments) in zip(names, rows)]
