#!/bin/sh
# run_icarus_bench - compiles all RTL and the benches for Icarus Verilog (two pifo_nodes, two fifo_nodes, three tdm_nodes,
# four exchange_nodes, three scan_nodes, two fifo_nodes behind AXI4-Stream, the lanes of such a host) and runs them.
# Icarus exits with 0 after a failed assertion, so the logs are searched as well.
set -eu
cd "$(dirname "$0")/.."

output=build/icarus
mkdir -p "$output"

# run <bench> [Parameter=value]: testbench/icarus/icarus_<bench>.sv, which prints "<bench>: PASS" as its last line
run() {
  # shellcheck disable=SC2046  # a list of files
  iverilog -g2012 -Wall -Irtl -o "$output/$1" -s "icarus_$1" ${2:+-P "icarus_$1.$2"} \
    $(scripts/rtl_sources.sh --hosts) "testbench/icarus/icarus_$1.sv" > "$output/$1.compile.log" 2>&1 || {
    cat "$output/$1.compile.log" >&2
    exit 1
  }
  # Icarus remarks that a process that reads a constant part of a vector runs when any part changes: slower, not wrong.
  if grep -v -e 'sorry: constant selects in always_\* processes' -e 'timescale' "$output/$1.compile.log" >&2; then
    echo "run_icarus_bench: warnings from the compiler for $1" >&2
    exit 1
  fi
  status=0
  timeout 120 vvp -n "$output/$1" > "$output/$1.log" 2>&1 || status=$?
  cat "$output/$1.log"
  if [ "$status" -ne 0 ] || grep -q -i -e assert -e error -e fatal -e warning "$output/$1.log"; then
    echo "run_icarus_bench: $1 failed" >&2
    exit 1
  fi
  [ "$(tail -n 1 "$output/$1.log")" = "$1: PASS" ] || {
    echo "run_icarus_bench: $1 did not finish" >&2
    exit 1
  }
}

run two_node_bench
run two_node_bench FifoNodes=1
run two_node_bench InjectPorts=2
run tdm_bench
run exchange_bench
run scan_bench
run axi_bench
run axi_lanes_bench
