"""What `make install-python` puts into a prefix, used from outside of the repository: program, C++ library, Python module."""
import fcntl
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from terminal import as_from_a_terminal

PYTHON = "/usr/bin/python3"  # Debian's, for which the module is compiled


@pytest.fixture(scope="module", name="prefix")
def fixture_prefix(root, program, tmp_path_factory):
    """A prefix that everything has been installed to. It is made once: linking the library takes some seconds."""
    prefix = tmp_path_factory.mktemp("install") / "prefix"
    build = program.parent
    assert build == root / "build", "the tests of what is installed need the program of this checkout"
    with open(build / "install.lock", "w", encoding="utf-8") as lock:  # another process of these tests may link the library
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "-C", root, "install-python", f"PREFIX={prefix}", f"PYTHON={PYTHON}"], capture_output=True, text=True,
            check=False, env={key: value for key, value in os.environ.items() if not key.startswith("MAKE")})
    assert done.returncode == 0, done.stdout + done.stderr
    return prefix


@pytest.fixture(scope="module", name="home")
def fixture_home(tmp_path_factory):
    """A user's home folder: nodes that are built once for all of these tests are kept there."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(name="call")
def fixture_call(prefix, home, folder):
    """Runs words with the environment of a user who knows of the prefix alone."""

    def run(*words, expected=0, environment=None, **more):
        variables = {"PATH": f"{prefix}/bin:/usr/bin:/bin", "HOME": str(home), "LD_LIBRARY_PATH": f"{prefix}/lib",
                     "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "PYTHONPATH": f"{prefix}/lib/python3/dist-packages",
                     **(environment or {})}
        done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, timeout=600, check=False, **more)
        assert done.returncode == expected, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def block(page, language):
    return re.search(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)[1]


def shown(page):
    """What a page says that its example prints."""
    return next(text for language, text in re.findall(r"```(\w*)\n(.*?)```", page.read_text(), re.DOTALL) if not language)


def test_the_program_runs_from_its_prefix(call, prefix, home):
    assert re.search(r"verdict +optimal", call("safnet", "run", "ring:4", "alltoall"))
    assert any((home / ".cache" / "safnet" / "variants").iterdir())
    call("safnet", "export", "ring:3", "alltoall", "-o", "out")
    assert "PASS" in call("make", "-s", "-C", "out", "icarus")
    version = call("safnet", "--version").split()
    assert version[0] == "safnet" and re.fullmatch(r"\d+\.\d+\.\d+", version[1])
    assert call("pkg-config", "--modversion", "safnet").strip() == version[1]


def test_what_is_missing_from_the_prefix_is_named(call, prefix):
    """It is the prefix's RTL that is built, not that of the repository."""
    source = prefix / "share" / "safnet" / "rtl" / "common" / "slot_timer.sv"
    text = source.read_text()
    source.unlink()
    try:
        assert str(source) in call("safnet", "run", "ring:4", "alltoall", "--node", "pifo", "--flits", "2", expected=1)
    finally:
        source.write_text(text)


def test_the_cpp_example_prints_what_the_page_shows(call, root, folder):
    page = root / "sim" / "library" / "README.md"
    (folder / "example.cpp").write_text(block(page, "cpp"))
    flags = call("pkg-config", "--cflags", "--libs", "safnet").split()
    call("g++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "example.cpp", *flags, "-o", "example")
    printed = call("./example")
    assert printed.startswith(shown(page))
    assert printed.removeprefix(shown(page)).startswith("topology 'taurus:4x4': no family 'taurus'")


def test_the_systemc_platform_ends_in_the_same_cycle_with_rtl_and_reference(call, root, folder):
    flags = call("pkg-config", "--cflags", "--libs", "safnet-systemc").split()
    source = root / "sim" / "systemc" / "example" / "allreduce_platform.cpp"
    call("g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", str(source), *flags, "-o", "platform")
    quiet = {"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"}
    expected = shown(root / "sim" / "systemc" / "README.md")
    for model in ("rtl", "systemc"):
        assert call("./platform", model, f"waves_{model}", environment=quiet).endswith(expected)
    waves = [re.sub(r"\$date.*?\$end", "", (folder / f"waves_{model}.vcd").read_text(), flags=re.DOTALL) for model in ("rtl", "systemc")]
    assert waves[0] == waves[1] and " delivered " in waves[0]
    assert call("./platform", "rlt", expected=2, environment=quiet) == "model 'rlt': expected rtl or systemc\n"


def test_every_header_stands_alone(call, prefix, folder):
    for header in sorted((prefix / "include" / "safnet").iterdir()):
        (folder / "one.cpp").write_text(f"#include <safnet/{header.name}>\n")
        call("g++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{prefix}/include", "-fsyntax-only", "one.cpp")


def test_the_python_example_prints_what_the_page_shows(call, root, folder):
    page = root / "sim" / "python" / "README.md"
    (folder / "example.py").write_text(block(page, "python"))
    assert call(PYTHON, "example.py") == shown(page)


def test_the_sweep_draws_its_picture(call, root, folder):
    call(PYTHON, str(root / "sim" / "python" / "example" / "sweep.py"), "sweep.svg")
    assert "<svg" in (folder / "sweep.svg").read_text()


def test_python_has_the_numbers_of_the_program(call):
    out = call(PYTHON, "-c", """
import networkx, safnet
assert safnet.from_networkx(networkx.petersen_graph()).nodes == 10
assert safnet.from_networkx(networkx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])).neighbours(0) == [1]
plan = safnet.Plan(safnet.Topology("hypercube:3"), "allreduce", ports="one")
assert (plan.steps, plan.lower_bound) == (3, 3) and len(plan.sends) == 24, (plan.steps, plan.lower_bound, len(plan.sends))
plan.save("plan.json")
again = safnet.Plan.load("plan.json")
assert (again.sends == plan.sends).all()
outcome = safnet.replay(again, flits=3, link_latency=1, trace=True)
assert outcome.cycles == 12 and outcome.problems == [], (outcome.cycles, outcome.problems)
reference = safnet.replay(again, flits=3, link_latency=1, trace=True, reference=True)
assert (outcome.crossings == reference.crossings).all() and (outcome.arrivals == reference.arrivals).all()
crossings = outcome.crossings
assert not crossings.flags.owndata and crossings.base is not None
total = crossings["cycle"].sum()
del outcome
assert crossings["cycle"].sum() == total
steps, reason = safnet.lower_bound(safnet.Topology("torus:4x4"), "alltoall")
assert steps == 8 and reason, (steps, reason)
open("proof.json", "w").write(safnet.certificate(safnet.Topology("torus:4x4"), "alltoall"))
print(safnet.run(safnet.Topology("torus:4x4"), "alltoall").verdict)
""")
    assert out == "optimal\n"


def test_a_certificate_of_python_is_accepted(call, root):
    call(PYTHON, "-c", "import safnet; open('proof.json', 'w').write(safnet.certificate(safnet.Topology('torus:4x4'), 'alltoall'))")
    call(PYTHON, str(root / "scripts" / "check_certificate.py"), "proof.json")


@pytest.mark.parametrize("expression, says", [
    ("safnet.Topology('taurus:4')", r"ValueError: topology 'taurus:4': no family"),
    ("safnet.run(ring, 'alltoal')", r"ValueError: collective 'alltoal': expected broadcast"),
    ("safnet.run(ring, 'partial-exchange')", r"ValueError: collective 'partial-exchange': expected one that has no active nodes"),
    ("safnet.run(ring, 'alltoall', flits=-1)", r"ValueError: flits -1: expected 0 to"),
    ("safnet.run(ring, 'alltoall', flits=65)", r"ValueError: flits 65: expected 1 to 64"),
    ("safnet.run(ring, 'alltoall', flits='two')", r"TypeError"),
    ("safnet.run(ring, 'bcast', root=4)", r"ValueError: root 4: expected a node from 0 to 3"),
    ("safnet.run(ring, 'alltoall', ports='two')", r"ValueError: .*'two': expected"),
    ("safnet.run(ring, 'alltoall', kind='none')", r"ValueError: --node 'none': no such kind of node"),
    ("plan = safnet.Plan(ring, 'alltoall'); safnet.replay(plan, flits=65)", r"ValueError: flits 65: expected 1 to 64"),
    ("safnet.Plan.load('nowhere.json')", r"ValueError: nowhere.json: not found"),
    ("safnet.from_networkx(networkx.empty_graph(3))", r"ValueError: graph: no edges"),
])
def test_python_is_told_what_was_wrong(expression, says, call):
    out = call(PYTHON, "-c", f"import networkx, safnet; ring = safnet.Topology('ring:4'); {expression}", expected=1)
    assert re.search("^" + says, out, re.MULTILINE), out


def test_ctrl_c_ends_a_run_and_other_threads_go_on(call, prefix, home, folder):
    (folder / "long.py").write_text("""
import threading, time, safnet
topology = safnet.Topology("torus:8x8")
safnet.run(topology, "alltoall", algorithm="furthest-first", kind="pifo")  # builds the nodes
ticks = 0
def tick():
    global ticks
    while True:
        ticks += 1
        time.sleep(0.01)
threading.Thread(target=tick, daemon=True).start()
print("ready", flush=True)
try:
    safnet.run(topology, "alltoall", algorithm="furthest-first", kind="pifo", messages=20000)
except KeyboardInterrupt:
    print("interrupted", ticks > 20)
""")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": f"{prefix}/lib/python3/dist-packages"}
    with subprocess.Popen([PYTHON, "long.py"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True,
                          preexec_fn=as_from_a_terminal) as running:
        assert running.stdout.readline() == "ready\n"
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=300)[0] == "interrupted True\n"  # nodes for so many messages may have to be built first
    assert running.returncode == 0


def test_pages_for_the_shell(call, prefix, folder):
    page = call("man", "-l", str(prefix / "share" / "man" / "man1" / "safnet.1")) if shutil.which("man") else \
        (prefix / "share" / "man" / "man1" / "safnet.1").read_text()
    assert "safnet run" in page and "safnet export" in page and "EXIT STATUS" in page
    completion = prefix / "share" / "bash-completion" / "completions" / "safnet"

    def completed(*words):
        quoted = " ".join(f"'{word}'" for word in words)
        return call("bash", "-c", f"source {completion}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _safnet; echo ${{COMPREPLY[@]}}").split()

    call("zsh", "-n", str(prefix / "share" / "zsh" / "vendor-completions" / "_safnet"))
    assert completed("safnet", "ex") == ["explore", "export"]
    assert completed("safnet", "run", "tor") == ["torus"]
    assert completed("safnet", "run", "torus:4x4", "allr") == ["allreduce"]
    assert completed("safnet", "run", "torus:4x4", "alltoall", "--slot", "") == ["lockstep", "free"]
    assert completed("safnet", "run", "torus:4x4", "alltoall", "--link-l") == ["--link-latency"]


def test_every_member_of_the_interface_is_documented(root):
    done = subprocess.run(["make", "-s", "-C", root, "reference"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stdout + done.stderr


def test_uninstall_leaves_nothing(root, program, prefix, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(prefix, copy, symlinks=True)
    subprocess.run(["make", "-s", "-C", root, "uninstall", f"PREFIX={copy}"], check=True, stdout=subprocess.DEVNULL)
    assert not [path for path in copy.rglob("*") if not path.is_dir()]
