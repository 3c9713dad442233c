"""A signal ends the program, and all that it has started, at once; nothing half-made is left behind."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from conftest import wait_until
from terminal import ENDING, as_from_a_terminal

SECONDS = 5  # within which all has ended, on a machine that does much else


class Running:
    """A command that runs in the background, in a process group of its own, with its own folder for hardware."""

    def __init__(self, program, folder, command):
        self.build = folder / "hardware"
        self.process = subprocess.Popen(
            [program, *command.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "SAFNET_BUILD": str(self.build)}, start_new_session=True, encoding="utf-8",
            preexec_fn=as_from_a_terminal)

    def builders(self):
        """The processes that work in the folder for hardware."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd").startswith(str(self.build)):
                    found.append((process / "cmdline").read_text().split("\0")[0])
            except OSError:
                pass  # it has ended
        return found

    def temporaries(self):
        return sorted(path.name for path in self.build.glob("variants/*.tmp"))

    def ends_by(self, number):
        """Sends the signal to the group, as a terminal does, and checks how the program ends."""
        os.killpg(self.process.pid, number)
        wait_until(lambda: self.process.poll() is not None, SECONDS)
        out, err = self.process.communicate(timeout=60)  # the pipes are open as long as a builder is left
        assert self.process.returncode == -number and err == ""
        assert out == "" or out.startswith("claim ") and out.endswith("\n")  # lines that were decided are printed


@pytest.fixture
def start(program, folder):
    started = []

    def run(command):
        started.append(Running(program, folder, command))
        return started[-1]

    yield run
    for running in started:
        if running.process.poll() is None:
            running.process.terminate()
            running.process.wait(timeout=10)


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
@pytest.mark.parametrize("command", ["run ring:4 broadcast", "verify --claim thesis.T*"], ids=["one-build", "many-builds"])
def test_a_signal_ends_builds(start, number, command):
    running = start(command)
    wait_until(lambda: any("cc1plus" in name or "verilator_bin" in name for name in running.builders()))
    running.ends_by(number)
    wait_until(lambda: not running.builders(), SECONDS)
    assert running.temporaries() == []


def test_a_process_that_waits_for_a_build_goes_on_when_its_builder_is_ended(start):
    first = start("run ring:4 broadcast")
    wait_until(first.temporaries)
    before = first.temporaries()
    second = start("run ring:4 broadcast")
    time.sleep(0.3)
    assert first.temporaries() == before
    first.ends_by(signal.SIGINT)
    wait_until(lambda: second.temporaries() not in ([], before))
    second.ends_by(signal.SIGTERM)
    wait_until(lambda: not second.builders(), SECONDS)
    assert second.temporaries() == []


def test_what_a_killed_build_has_left_is_removed_by_the_next(start):
    first = start("run ring:4 broadcast")
    wait_until(first.temporaries)
    before = first.temporaries()
    first.process.kill()
    first.process.wait()
    assert first.temporaries() == before
    second = start("run ring:4 broadcast")
    wait_until(lambda: second.temporaries() not in ([], before))
    assert not set(before) & set(second.temporaries())
    second.ends_by(signal.SIGTERM)


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_signal_leaves_no_half_written_file(program, folder, number):
    running = subprocess.Popen([program, *"run torus:8x8x8 total-exchange --wave x.fst --trace x.json".split()], cwd=folder,
                               stdin=subprocess.DEVNULL, preexec_fn=as_from_a_terminal)
    wait_until(lambda: list(folder.iterdir()), 200)  # the hardware may have to be built
    running.send_signal(number)
    assert running.wait(timeout=10) == -number
    assert list(folder.iterdir()) == []


def has_nameless_files(folder):
    """Whether the file system has files that are gone with the process that writes them."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


def writes_below(process, folder):
    """Whether the process has something open in the folder, under a name or without one."""
    try:
        return any(os.readlink(each).startswith(str(folder)) for each in pathlib.Path(f"/proc/{process}/fd").iterdir())
    except OSError:
        return False  # it has ended, or the descriptor was closed meanwhile


def test_a_file_that_a_kill_cuts_off_leaves_nothing(program, succeed, folder):
    if not has_nameless_files(folder):
        pytest.skip("the file system has no files without a name: a kill leaves one that begins with .safnet_")
    (folder / "to").mkdir()
    succeed("plan torus:8x8x8 alltoall -o plan.json")
    with subprocess.Popen([program, "convert", "plan.json", "to/again.json.gz"], cwd=folder) as running:
        wait_until(lambda: writes_below(running.pid, folder / "to"))
        running.kill()
    assert running.returncode == -signal.SIGKILL
    assert list((folder / "to").iterdir()) == []
    succeed("convert plan.json to/again.json.gz")
    assert [path.name for path in (folder / "to").iterdir()] == ["again.json.gz"]


def test_a_signal_that_is_ignored_stays_ignored(program, folder):
    """As nohup does."""
    done = subprocess.run(["bash", "-c", f"trap '' HUP; {program} survey ring:4 & sleep 0.05; kill -HUP $!; wait $!"],
                          stdout=subprocess.PIPE, timeout=300, check=False)
    assert done.returncode == 0 and b"broadcast" in done.stdout


def test_a_shared_object_that_is_cut_off_is_built_again(start, succeed, root, folder):
    succeed("run ring:4 broadcast")  # builds it, if it is not there
    for each in (root / "build" / "variants").glob("pifo_r4_all_f1_*"):
        if each.is_dir() and each.suffix != ".tmp":  # which another test is building
            shutil.copytree(each, folder / "hardware" / "variants" / each.name)
    whole = start("run ring:4 broadcast")
    assert whole.process.wait(timeout=60) == 0 and whole.temporaries() == []
    for each in (folder / "hardware" / "variants").glob("*/variant.so"):
        os.truncate(each, each.stat().st_size - 1)
    start("run ring:4 broadcast")
    wait_until(whole.temporaries)
