"""Programs that a detector runs: in a group of their own, so that all of them end when their time is over."""
import os
import resource
import signal
import subprocess

MOST_MEMORY = 6 << 30  # bytes of address space: a mutant may ask for any amount


def limits():
    os.setsid()
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
