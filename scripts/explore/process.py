"""Programs that a job runs and waits for."""
import subprocess


class Killed(Exception):
    """A program was killed: its job fails, and is done again when the study goes on."""


class TookTooLong(Exception):
    """A program was still at work after its time."""


def run(words, longest, **settings):
    """(exit code, stdout, stderr) of a program. A program that takes too long is asked to end, so that it ends its own
    children, and killed if it does not."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **settings) as child:
        try:
            out, errors = child.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            child.terminate()
            try:
                child.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                child.kill()
            raise TookTooLong(f"took longer than {longest} s") from None
        except BaseException:
            child.terminate()
            raise
    if child.returncode < 0 or child.returncode in (129, 130, 137, 143):
        raise Killed(f"{words[0]} was killed")
    return child.returncode, out, errors
