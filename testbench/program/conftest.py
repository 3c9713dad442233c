"""What all tests of the program share: the program, how to call it, and files that several tests read.

Every test starts in an empty folder of its own. README.md in this folder says how to add a test.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time
from typing import NamedTuple

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# `make test SANITIZE=...`: sanitizers reserve terabytes of addresses, which a limit of memory does not allow, and programs
# without them cannot load a library that has them. Others run none of our C++: scripts and Yosys.
SANITIZED = bool(os.environ.get("SAFNET_SANITIZE"))
NOT_SANITIZED = ["test_memory.py", "test_install.py", "scripts/test_mutation.py", "scripts/test_induction_step.py", "scripts/test_synthesis.py", "scripts/test_coverage.py"]
# `make coverage`: what users install and build is of the program in build/.
COUNTED = bool(os.environ.get("SAFNET_COVERAGE"))
collect_ignore = NOT_SANITIZED if SANITIZED else ["test_install.py"] if COUNTED else []
# An hour of hardware where the program is as slow as that, of which every kind is in other tests.
AN_HOUR = "test_the_page_of_findings_is_what_verify_writes"
# `make coverage`: counts would not fit on a full disk. The thread sanitizer writes a file when a program begins.
WRITES_ITS_OWN = COUNTED or os.environ.get("SAFNET_SANITIZE") == "thread"
# The program is so many times slower at most.
SLOWER = 10 if SANITIZED else 1


def pytest_addoption(parser):
    parser.addoption("--safnet", default=ROOT / "build" / "safnet", help="the program under test (default: build/safnet)")


# Tests of some minutes come first: pytest-xdist hands out tests in batches, and what is in the batch of a worker that is busy with
# a long test, nobody else takes.
LONG_FIRST = "test_pages.py"


def pytest_collection_modifyitems(items):
    if WRITES_ITS_OWN:
        items[:] = [item for item in items if "full_disk" not in item.name and "disk_that_is_full" not in item.name]
    if COUNTED or SANITIZED:
        items[:] = [item for item in items if item.name != AN_HOUR]
    items.sort(key=lambda item: item.path.name != LONG_FIRST)


def wait_until(condition, seconds=60, pause=0.01):
    """Looks, with pauses of so many seconds, until the condition holds.

    The seconds are those that it slept: a clock also counts those for which a virtual machine stood still.
    """
    slept = 0
    while not condition():
        assert slept < seconds, "it did not come to that"
        time.sleep(pause)
        slept += pause


class Result(NamedTuple):
    """How a call of the program ended."""

    code: int
    out: str
    err: str

    def says(self, pattern):
        """Whether the regular expression is found in a line of stdout or stderr."""
        return any(re.search(pattern, line) for line in (self.out + "\n" + self.err).split("\n"))

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out[:4000]}\n--- stderr\n{self.err[:4000]}"


@pytest.fixture(scope="session")
def root():
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def program(request):
    """The absolute path of the program under test."""
    path = pathlib.Path(request.config.getoption("--safnet"))
    path = (request.config.invocation_params.dir / path).resolve()
    assert path.is_file(), f"{path} does not exist; `make` builds it"
    return path


@pytest.fixture(scope="session")
def run_program(program):
    """Runs the program in a folder: run_program(folder, "run", "ring:4", "broadcast") or one string of words."""

    # The limit, in seconds, leaves time to build hardware: the first test that needs some waits for it.
    def run(folder, *arguments, timeout=600, env=None):
        if len(arguments) == 1:
            arguments = shlex.split(arguments[0])
        done = subprocess.run(
            [program, *map(str, arguments)], cwd=folder, env=env, timeout=timeout * SLOWER, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="backslashreplace", check=False)
        return Result(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The empty folder in which the test and the program work."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def safnet(run_program, folder):
    """Runs the program in the test's folder and returns its Result: safnet("run ring:4 broadcast")."""

    def run(*arguments, **options):
        return run_program(folder, *arguments, **options)

    return run


@pytest.fixture
def succeed(safnet):
    """succeed(command): runs the program, which must exit with code 0, and returns its Result."""

    def check(*arguments, **options):
        __tracebackhide__ = True
        result = safnet(*arguments, **options)
        if result.code != 0:
            pytest.fail(f"expected exit code 0, got {result}")
        return result

    return check


@pytest.fixture
def expect(safnet):
    """expect(code, pattern, command): the exit code, and a line of stdout or stderr that matches the pattern."""

    def check(code, pattern, *arguments):
        __tracebackhide__ = True
        result = safnet(*arguments)
        if result.code != code:
            pytest.fail(f"expected exit code {code}, got {result}")
        if not result.says(pattern):
            pytest.fail(f"expected a line with /{pattern}/, got {result}")

    return check


@pytest.fixture
def refuse(safnet, folder):
    """refuse(pattern, command): bad input. Exit code 2, exactly one line, on stderr, that names what is wrong.

    A refused command must neither leave a file behind nor remove one.
    """

    def check(pattern, *arguments):
        __tracebackhide__ = True
        before = sorted(folder.rglob("*"))
        result = safnet(*arguments, timeout=60)
        if result.code != 2:
            pytest.fail(f"expected exit code 2, got {result}")
        if result.out != "":
            pytest.fail(f"expected nothing on stdout, got {result}")
        if result.err.count("\n") != 1 or not result.err.endswith("\n"):
            pytest.fail(f"expected exactly one line on stderr, got {result}")
        if not re.search(pattern, result.err):
            pytest.fail(f"expected /{pattern}/ on stderr, got {result}")
        after = sorted(folder.rglob("*"))
        if after != before:
            pytest.fail(f"a refused command changed the files in its folder from {before} to {after}")

    return check


# ---- schedules that several tests read ----

EXCHANGE = "plan ring:4 total-exchange"
SCHEDULES = {
    "exchange.json": EXCHANGE,
    "exchange.json.gz": EXCHANGE,
    "exchange.msccl.json": EXCHANGE,
    "exchange.xml": EXCHANGE,
    "mesh.json": "plan mesh:4x4 total-exchange --ports one",
    "cycles.json": "plan ring:4 broadcast --slot free --flits 3",
}


@pytest.fixture(scope="session")
def planned(run_program, tmp_path_factory):
    """planned(name): the path of a schedule of the table above. It is planned when the first test asks for it."""
    place = tmp_path_factory.mktemp("schedules")

    def plan(name):
        if not (place / name).exists():
            result = run_program(place, f"{SCHEDULES[name]} -o {name}")
            assert result.code == 0 and (place / name).exists(), f"{name} cannot be planned: {result}"
        return place / name

    return plan


@pytest.fixture
def bring(planned, folder):
    """bring(name, ...): copies of schedules of the table above, in the test's folder."""

    def copy(*names):
        for name in names:
            shutil.copy(planned(name), folder)

    return copy
