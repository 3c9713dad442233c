#!/bin/sh
# run_icarus_bench - compiles all RTL and the two-node bench with Icarus Verilog and runs it. Icarus exits with 0 after a
# failed assertion, so the log is searched as well.
set -eu
cd "$(dirname "$0")/.."

output=build/icarus
mkdir -p "$output"
# shellcheck disable=SC2046  # a list of files
iverilog -g2012 -Wall -o "$output/two_node_bench" -s icarus_two_node_bench \
  $(sed 's,^,rtl/,' rtl/rtl.f) testbench/icarus_two_node_bench.sv > "$output/compile.log" 2>&1 || {
  cat "$output/compile.log" >&2
  exit 1
}
# Icarus remarks that constant parts of a vector wake up a process whenever any part changes: slower, not wrong.
if grep -v -e 'sorry: constant selects in always_\* processes' -e 'timescale' "$output/compile.log" >&2; then
  echo "run_icarus_bench: warnings from the compiler" >&2
  exit 1
fi
status=0
timeout 120 vvp -n "$output/two_node_bench" > "$output/run.log" 2>&1 || status=$?
cat "$output/run.log"
if [ "$status" -ne 0 ] || grep -q -i -e assert -e error -e fatal -e warning "$output/run.log"; then
  echo "run_icarus_bench: failed" >&2
  exit 1
fi
[ "$(tail -n 1 "$output/run.log")" = "two_node_bench: PASS" ] || {
  echo "run_icarus_bench: the bench did not finish" >&2
  exit 1
}
