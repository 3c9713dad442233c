"""scripts/prove as a process: what it leaves running when it is ended."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from conftest import ROOT

LONG_PROOF = "axi_stream_host_stream"  # its solvers run for minutes


def commands_of_session(session):
    """The names of the processes of a session that still run."""
    names = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = stat.read_text(encoding="utf-8").split("(", 1)[1].rsplit(") ", 1)
        except OSError:  # it has just ended
            continue
        state, _, _, its_session = fields.split()[:4]
        if int(its_session) == session and state != "Z":
            names.append(name)
    return names


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
    return condition()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_solvers_end_with_the_program_that_started_them(tmp_path, number):
    # A tree of its own, so that what is kept in build/prove is not that of another run.
    (tmp_path / "scripts").mkdir()
    for name in ("prove", "induction_step.py", "rtl_modules.py"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    for name in ("rtl", "testbench"):
        (tmp_path / name).symlink_to(ROOT / name)
    with subprocess.Popen([tmp_path / "scripts/prove", "-j", "2", LONG_PROOF], start_new_session=True, stdout=subprocess.DEVNULL) as prove:
        try:
            assert wait_until(lambda: any("abc" in name for name in commands_of_session(prove.pid)), 120)
            prove.send_signal(number)
            assert prove.wait(30) == 128 + number
            assert wait_until(lambda: not commands_of_session(prove.pid), 30), commands_of_session(prove.pid)
        finally:
            if commands_of_session(prove.pid):
                os.killpg(prove.pid, signal.SIGKILL)
