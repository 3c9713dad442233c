"""Programs that a detector runs: in a group of their own, so that all of them end when their time is over. And their folders."""
import ctypes
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile

MOST_MEMORY = 6 << 30  # bytes of address space: a mutant may ask for any amount


LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1


def limits():
    os.setsid()
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a campaign that is killed leaves no simulation behind
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(words, seconds, **settings):
    """(exit code, output). The code is None if the time was over."""
    with subprocess.Popen([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          preexec_fn=limits, **settings) as child:
        try:
            out, _ = child.communicate(timeout=seconds)
            return child.returncode, out.decode(errors="replace")
        except BaseException as problem:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.communicate()
            if isinstance(problem, subprocess.TimeoutExpired):
                return None, ""
            raise


def new_folder(parent):
    """A folder for one mutant, whose name says which process made it."""
    parent.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(tempfile.mkdtemp(prefix=f"mutant.{os.getpid()}.", dir=parent))


def remove_forgotten(parent):
    """Folders of campaigns that were killed."""
    for folder in parent.glob("mutant.*"):
        if not pathlib.Path(f"/proc/{folder.name.split('.')[1]}").exists():
            shutil.rmtree(folder, ignore_errors=True)
