"""What Snakemake tells of its jobs, as a line of progress with the time that is left, and the words of a job that failed."""
import os
import sys
import time

from snakemake.logging import logger

logger.log_handler.clear()  # only what stands here is shown; Snakemake keeps all of it in its log
STARTED = time.monotonic()
SHOWN = {"line": ""}


def put(line):
    if sys.stderr.isatty():
        sys.stderr.write("\r" + line.ljust(len(SHOWN["line"])))
        sys.stderr.flush()
        SHOWN["line"] = line


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def log_handler(message):
    """Called by Snakemake for each of its messages."""
    level = message.get("level")
    if level == "progress" and message["total"] > 0:
        done, total = message["done"], message["total"]
        spent = time.monotonic() - STARTED
        left = f", some {clock(spent / done * (total - done))} left" if 0 < done < total else ""
        # Of a study that measures its points in several goes, which ones these are.
        put(f"{os.environ.get('SAFNET_POINTS', '')}{done} of {total} jobs, {clock(spent)}{left}")
        if done == total and sys.stderr.isatty():
            sys.stderr.write("\n")
            SHOWN["line"] = ""
    elif level in ("job_error", "error", "critical"):
        sys.stderr.write("\n" + str(message.get("msg") or f"job {message.get('name')} failed: {message.get('output')}") + "\n")
