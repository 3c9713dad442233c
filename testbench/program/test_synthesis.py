"""scripts/synthesise.sh --cells on the smallest routers: what it counts hangs together, and what it cannot build it refuses."""
import os
import subprocess

import pytest

SMALLEST = ("Radix=2", "QueueDepth=2", "HostDepth=2", "LabelDepth=2")


@pytest.fixture(name="synthesise")
def fixture_synthesise(root, tmp_path):
    """Calls the script; its files go to the test's folder."""

    def call(*arguments):
        return subprocess.run([root / "scripts" / "synthesise.sh", *arguments], capture_output=True, text=True,
                              env={**os.environ, "SYNTHESIS_FOLDER": str(tmp_path)})

    return call


def test_cells(synthesise):
    done = synthesise("--cells", "fifo_node", *SMALLEST)
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.replace("+", " ").split()[1:] for line in done.stdout.split("\n") if line.startswith("fifo-")}
    assert set(rows) == {"fifo-all", "fifo-one"}
    for row in rows.values():
        flip_flops, _, cells, mapped_flip_flops, area, equivalents = map(int, row[3:9])
        inside, to_output, from_input = map(float, row[9:])
        # The mapping may merge flip-flops; it adds none.
        assert 0.9 * flip_flops < mapped_flip_flops <= flip_flops < cells
        assert area // 24 - 1 <= equivalents <= area // 24 + 1  # a NAND2X1 has 24 um2
        assert 1 < to_output < inside < 50 and 1 < from_input < 50
    assert int(rows["fifo-one"][5]) < int(rows["fifo-all"][5])


@pytest.mark.parametrize("arguments, word", [
    (("--cells", "fifo_node", "Radix"), "'Radix'"),
    (("--cells", "fifo_node", "Depth=3"), "'Depth'"),
    (("fifo_node", "PortModel=1"), "PortModel"),
])
def test_refuses(synthesise, arguments, word):
    done = synthesise(*arguments)
    assert done.returncode == 2
    assert word in done.stderr and done.stderr.count("\n") == 1
