"""Programs started as from a terminal."""
import signal

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def as_from_a_terminal():
    """Ends by signals even if the tests are run by something that ignores them, such as nohup. For preexec_fn."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
