"""Output that cannot be written: stdout and files. One line on stderr, exit code 2, nothing half-written."""
import os
import resource
import signal
import subprocess

import pytest
from cases import cases

# Every command, each in a form that takes a moment.
COMMANDS = cases(
    ("run", "run ring:4 broadcast"),
    ("run as JSON", "run ring:4 broadcast --json"),
    ("plan", "plan ring:4 broadcast"),
    ("check", "check exchange.json"),
    ("replay", "replay exchange.json"),
    ("convert", "convert exchange.json other.json"),
    ("traffic", "traffic ring:4 uniform --measure 100"),
    ("dynamic broadcast", "dynamic-broadcast mesh:4x4 --packets 50"),
    ("survey", "survey ring:4"),
    ("verify", "verify --claim thesis.T8"),
    ("list", "list claims"),
    ("draw", "draw ring:4"),
    ("describe", "describe ring:4"),
    ("table", "table subtrees"),
    ("help", "--help"),
    ("help of a command", "run --help"),
)
# Every option and argument that names a file to be written.
FILES = cases(
    ("waveform", "x.fst", "run ring:4 broadcast --wave {}"),
    ("waveform of a replay", "x.fst", "replay exchange.json --wave {}"),
    ("waveform of a scan", "x.fst", "run mesh:4x4 partial-multinode-broadcast --active 0,3 --wave {}"),
    ("trace", "x.json", "run ring:4 broadcast --trace {}"),
    ("trace of a replay", "x.json.gz", "replay exchange.json --trace {}"),
    ("plan", "x.json", "plan ring:4 broadcast -o {}"),
    ("compressed plan", "x.json.gz", "plan ring:4 broadcast -o {}"),
    ("plan as XML", "x.xml", "plan ring:4 broadcast -o {}"),
    ("converted schedule", "x.msccl.json", "convert exchange.json {}"),
    ("JSON of claims", "x", "verify --claim thesis.T8 --json {}"),
    ("JUnit of claims", "x", "verify --claim thesis.T8 --junit {}"),
    ("page of claims", "x", "verify --claim thesis.T8 --markdown {}"),
    ("CSV of a sweep", "x", "traffic ring:4 uniform --measure 100 --sweep 0.1,0.2 --csv {}"),
    ("curve of a sweep", "x.svg", "traffic ring:4 uniform --measure 100 --sweep 0.1,0.2 --plot {}"),
    ("CSV of a dynamic broadcast", "x",
     "dynamic-broadcast mesh:4x4 --packets 50 --sweep 0.01,0.02 --csv {}"),
    ("CSV of a table", "x", "table subtrees --csv {}"),
    ("HTML of a table", "x", "table finite-queues fat-tree:2,2 --depths 2 --html {}"),
    ("certificate of a plan", "x", "plan ring:4 bcast --certificate {}"),
    ("certificates of a table", "x", "table optimality ring:4 --html y --csv z --certificate {}"),
    ("CSV of optima", "x", "table optimality ring:4 --html y --csv {}"),
    ("CSV of areas", "x", "table areas --csv {}"),
    ("DOT", "x.dot", "draw ring:4 -o {}"),
    ("picture", "x.svg", "draw ring:4 -o {}"),
)


def run_in_shell(program, before, command, after="", limit=None):
    """Runs the program as the last command of a shell: BEFORE safnet COMMAND AFTER, perhaps with a limit to files."""
    def prepare():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(["bash", "-c", f"{before} {program} {command} {after}"], stdin=subprocess.DEVNULL, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False, preexec_fn=prepare)


def assert_one_line(done, *words):
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("safnet: "), done
    for word in words:
        assert word in done.stderr, done


@pytest.mark.parametrize("command", COMMANDS)
def test_notices_that_stdout_is_full(program, bring, command):
    bring("exchange.json")
    assert_one_line(run_in_shell(program, "", command, ">/dev/full"), "stdout: cannot be written: No space left")


@pytest.mark.parametrize("command", COMMANDS)
def test_notices_that_stdout_is_closed(program, bring, command):
    bring("exchange.json")
    assert_one_line(run_in_shell(program, "", command, ">&-"), "stdout: cannot be written: Bad file descriptor")


@pytest.mark.parametrize("file, words", cases(
    ("full device", "/dev/full", "a line of SAFNET_DIGESTS could not be written\n"),
    ("no such folder", "none/digests", "SAFNET_DIGESTS: none/digests: cannot be written: No such file or directory\n")))
def test_says_that_a_digest_is_missing(program, file, words):
    assert_one_line(run_in_shell(program, f"SAFNET_DIGESTS={file}", "run ring:4 bcast", ""), words)


def run_into_broken_pipe(program, folder, before=""):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(["bash", "-c", f"{before} exec {program} list claims"], cwd=folder, stdout=writer,
                              stderr=subprocess.PIPE, encoding="utf-8", timeout=60, check=False)
    finally:
        os.close(writer)


def test_ends_by_sigpipe_when_nobody_reads(program, folder):
    done = run_into_broken_pipe(program, folder)
    assert done.returncode == -signal.SIGPIPE and done.stderr == "", done


def test_says_that_nobody_reads_if_sigpipe_is_ignored(program, folder):
    assert_one_line(run_into_broken_pipe(program, folder, "trap '' PIPE;"), "stdout: cannot be written: Broken pipe")


@pytest.mark.parametrize("streams, code", cases(
    ("no stderr", "2>&-", 2), ("full stderr", "2>/dev/full", 2), ("no stdin and stderr", "<&- 2>&-", 2),
    ("no stream at all", "<&- >&- 2>&-", 2)))
def test_refuses_without_a_place_to_say_why(program, folder, streams, code):
    done = run_in_shell(program, "", "frob", streams)
    assert done.returncode == code and done.stdout == "" and done.stderr == "", done


def test_files_are_not_opened_as_streams_that_were_closed(program, folder):
    done = run_in_shell(program, "", "verify --claim thesis.T8 --json x", "<&- 2>&-")
    assert done.returncode == 0 and "1 claims" in done.stdout
    assert (folder / "x").read_text().startswith("{") or (folder / "x").read_text().startswith("[")


@pytest.mark.parametrize("name, command", FILES)
def test_a_full_disk_leaves_what_was_there(program, bring, folder, name, command):
    """A limit to the size of files stands for a disk that is full from the first byte, or in the middle."""
    bring("exchange.json")
    run_in_shell(program, "", command.format("first_" + name))  # builds the hardware
    size = (folder / ("first_" + name)).stat().st_size
    for path in folder.iterdir():
        if path.name != "exchange.json":
            path.unlink()
    for limit in (0, size // 2, size - 1):
        (folder / name).write_text("before")
        before = sorted(folder.rglob("*"))
        assert_one_line(run_in_shell(program, "", command.format(name), limit=limit), name if "draw" not in command else "")
        assert (folder / name).read_text() == "before"
        assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name, command", FILES)
def test_a_file_that_cannot_be_made_is_refused_before_anything_runs(refuse, bring, folder, name, command):
    bring("exchange.json")
    (folder / name).mkdir()
    (folder / "plain").write_text("")
    refuse(r"this is a folder", command.format(name))
    refuse(r"folder that exists", command.format("no/such/" + name))
    refuse(r"folder that exists", command.format("plain/" + name))
    refuse(r"File name too long", command.format("x" * 300 + name))
    # Nobody, not even root, can make a file in /proc.
    refuse(r"/proc/" + name + r".*: expected", command.format("/proc/" + name))
    if "--" in command or "-o" in command:
        refuse(r"'': expected a word", command.format("''"))


# A program that fails these tests as root may replace what it should write to: it is not given anything in /dev.
def test_a_waveform_does_not_take_the_place_of_a_pipe(refuse, folder):
    os.mkfifo(folder / "pipe")
    refuse(r"--wave pipe: expected a regular file", "run ring:4 broadcast --wave pipe")
    refuse(r"--json pipe: expected a file that can be written", "verify --claim thesis.T8 --json pipe")  # nobody reads it


def test_stdout_pipes_and_links_are_written_to(program, succeed, folder):
    os.symlink("/proc/self/fd/1", folder / "stdout")
    done = run_in_shell(program, "", "verify --claim thesis.T8 --json stdout", "| cat")
    assert '"claim": "thesis.T8"' in done.stdout and "1 claims" in done.stdout, done
    run_in_shell(program, "", "verify --claim thesis.T8 --json stdout", "> both")
    text = (folder / "both").read_text()
    assert '"claim": "thesis.T8"' in text and "1 claims" in text
    os.symlink("target", folder / "link")
    succeed("table subtrees --csv link")
    assert (folder / "link").is_symlink() and "necklaces" in (folder / "target").read_text()


@pytest.mark.parametrize("folder_word, reason", [("/proc/nowhere", "No such file"), ("a_file", "Not a directory")])
def test_a_folder_for_hardware_that_cannot_be_made_is_named(program, folder, folder_word, reason):
    (folder / "a_file").write_text("")
    done = run_in_shell(program, f"SAFNET_BUILD={folder_word}", "run ring:4 alltoall --node pifo", "")
    assert done.returncode == 2
    assert_one_line(done, rf"{folder_word}/variants: cannot be written: {reason}")


def test_a_folder_for_hardware_that_may_only_be_read_is_named(program, folder):
    """With its variants there already: what cannot be made is the lock of the new one."""
    variants = folder / "hardware" / "variants"
    variants.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", variants], capture_output=True, check=False).returncode == 0
    if not mounted:
        variants.chmod(0o555)
        if os.access(variants, os.W_OK):
            pytest.skip("root may write to any folder, and cannot mount one here")
    try:
        done = run_in_shell(program, "SAFNET_BUILD=hardware", "run ring:4 alltoall --node pifo", "")
        assert done.returncode == 2
        assert_one_line(done, ".lock: cannot be written: " + ("Read-only file system" if mounted else "Permission denied"))
        assert "safnet: hardware/variants/pifo_r4_all_f1_" in done.stderr, done
    finally:
        if mounted:
            subprocess.run(["umount", variants], check=True)


def test_a_disk_that_is_full_before_hardware_is_built_is_named(program, folder):
    (folder / "small").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", "small"], cwd=folder, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk can be made by root alone")
    try:
        done = run_in_shell(program, "SAFNET_BUILD=small", "run ring:4 alltoall --node pifo", "")
        assert done.returncode == 2
        assert_one_line(done, "small/variants: cannot be written: 1 MB are free, and a build of hardware takes")
        assert not list((folder / "small" / "variants").glob("*.tmp"))
    finally:
        subprocess.run(["umount", "small"], cwd=folder, check=True)
