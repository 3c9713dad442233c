#!/bin/sh
# synthesise - what one node costs in Yosys' generic gate library: cells, flip-flops, memory bits, logic depth.
#
#   scripts/synthesise.sh [--cells] [pifo_node|fifo_node|tdm_node|exchange_node|scan_node] [Parameter=value]...
#
# With --cells it is mapped to standard cells as well: their number and area, and the delays that a static timing analysis
# finds (OpenSTA), within the node and across a link of latency 0 to a node of the same kind. Cells are Debian's osu018:
# 180 nm, typical corner, before layout, without wires. Areas differ by 2 % and delays by 10 % when only names change.
#
# For example: scripts/synthesise.sh pifo_node Radix=8 QueueDepth=16. Without a name all nodes are built. A parameter
# goes to every node that has it. The pifo_node and the fifo_node are built all-port and one-port, the tdm_node (all-port)
# with and without combine units. A part is built beside its node: a tree_sum of the exchange_node (a pifo_node with
# ScansFirst, all-port), the scan_unit of the scan_node; parameters do not reach these. Links belong to a node: with
# LinkLatency their registers count. Their fault inputs are tied to 0, and the settings of a run to what is built: a node
# for one way of running, with slots of one cycle.
# Memories are counted in bits and then built from flip-flops and multiplexers, as without a memory generator. Each node is
# synthesised by synthesise_node.sh. What is printed is in build/synth/ too, or the folder that SYNTHESIS_FOLDER names, as JSON:
# nodes.json with --cells, which `safnet table areas` reads, otherwise gates.json. Fails if Yosys reports an error or finds a latch.
set -eu
cd "$(dirname "$0")/.."

to_cells=0
if [ "${1:-}" = --cells ]; then to_cells=1; shift; fi

nodes="pifo_node fifo_node tdm_node exchange_node scan_node"
case ${1:-} in pifo_node | fifo_node | tdm_node | exchange_node | scan_node) nodes=$1; shift ;; esac

# Defaults of this script, not of the modules: small nodes.
pifo_node="Radix=4 FlitWidth=64 Flits=1 QueueDepth=8 HostDepth=8 LabelDepth=16 RankLevels=4"
fifo_node="Radix=4 FlitWidth=64 Flits=1 QueueDepth=8 HostDepth=8 LabelDepth=16"
tdm_node="Radix=4 FlitWidth=64 Flits=1 Buffers=8 ProgramDepth=4 Window=4"
exchange_node=$pifo_node
tree_sum="Radix=4"
scan_node="Radix=4 Digits=2 DigitWidth=1 Classes=2 FlitWidth=64 LengthWidth=1 Pieces=1"
scan_unit="Digits=2 DigitWidth=1 RemainderWidth=1"
for argument in "$@"; do
  case $argument in
    PortModel=* | Combining=*) echo "synthesise: every ${argument%%=*} of interest is built" >&2; exit 2 ;;
    [A-Z]*=[0-9]*) ;;
    *) echo "synthesise: '$argument' is not Parameter=value" >&2; exit 2 ;;
  esac
  name=${argument%%=*}
  known=0
  for node in $nodes; do
    case $node in exchange_node) module=pifo_node ;; *) module=$node ;; esac
    grep -qs "^  parameter int $name  *=" rtl/*/"$module.sv" rtl/*/"${module%_node}_parameters.svh" || continue
    known=1
    eval "parameters=\$$node"
    # shellcheck disable=SC2154,SC2086  # set by eval; a list
    parameters="$(printf '%s\n' $parameters | grep -v "^$name=" | tr '\n' ' ')$argument"
    eval "$node=\$parameters"
  done
  [ "$known" -eq 1 ] || { echo "synthesise: '$name' is no parameter of $nodes" >&2; exit 2; }
done

output=${SYNTHESIS_FOLDER:-build/synth}
mkdir -p "$output"
output=$(cd "$output" && pwd)
json=$output/gates.json
[ "$to_cells" -eq 0 ] || json=$output/nodes.json
rm -f "$json"
version=$(yosys -V | cut -d' ' -f1,2)
rows=
sources=$(scripts/rtl_sources.sh | sed "s|^|$PWD/|")

# value_of <Parameter> <default>: what $chosen says of it
value_of() {
  found=$2
  for p in $chosen; do case $p in "$1"=*) found=${p#*=} ;; esac; done
  echo "$found"
}

# number <key>: of the present node's result; empty if it has none
number() {
  sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" "$output/$name.json"
}

# synthesise <node> <name> <Parameter> <value> <port model> <what else is particular>
synthesise() {
  node=$1
  name=$2
  eval "parameters=\$$node"
  top=$node
  case $node in exchange_node) top=pifo_node ;; esac
  # Under one-port, and in nodes that scan first, the host has one injection port.
  case "$node $3=$4" in
    "pifo_node PortModel=0") ;;
    *) parameters=$(printf '%s\n' $parameters | grep -v '^InjectPorts=' | tr '\n' ' ') ;;
  esac
  chosen="$parameters $3=$4"
  fixed=
  case $node in pifo_node | exchange_node | tdm_node)
    fixed="slot_cycles:1 link_latency:$(value_of LinkLatency 0) port_model:$(value_of PortModel 0)" ;; esac
  case $node in
    pifo_node | exchange_node) fixed="$fixed grant_cycles:$(value_of GrantCycles 0) queue_depth:$(value_of QueueDepth 16)" ;;
    tdm_node) fixed="$fixed window:$(value_of Window 4)" ;;
  esac
  how=--gates
  [ "$to_cells" -eq 0 ] || how="$how --cells"
  case $node in *_node) ;; *) how="$how --part" ;; esac
  rm -f "$output/$name.json"
  # shellcheck disable=SC2086  # lists of words
  scripts/synthesise_node.sh $how "$output/$name.json" "$top" $chosen $fixed -- $sources ||
    { echo "synthesise: $name failed, see $output/$name.json.log" >&2; exit 1; }
  printf '%-10s %12s %12s %12s %12s %8s' "$name" "$(number logic_gates)" "$(number registers)" "$(number memory_bits)" \
    "$(number flip_flops)" "$(number depth)"
  if [ "$to_cells" -eq 1 ]; then
    printf ' %8s %7s %9s %8s %8.1f' "$(number cells)" "$(number cell_flip_flops)" "$(number um2)" "$(number gate_equivalents)" \
      "$(number ns_inside)"
    [ -z "$(number ns_out)" ] || printf ' %6.1f + %4.1f' "$(number ns_out)" "$(number ns_in)"
  fi
  echo
  rows="$rows${rows:+,
}$(json_row "$node" "$name" "$5" "$6")"
}

# json_row <node> <name> <port model> <what else>: what was printed, as an object on a line
json_row() {
  printf '  {"name": "%s", "node": "%s", "ports": "%s", "words": "%s", "parameters": "%s",' "$2" "$1" "$3" "$4" "$(echo $chosen)"
  printf ' "logic_gates": %d, "registers": %d, "memory_bits": %d, "flip_flops": %d, "depth": %d' "$(number logic_gates)" \
    "$(number registers)" "$(number memory_bits)" "$(number flip_flops)" "$(number depth)"
  if [ "$to_cells" -eq 1 ]; then
    printf ', "cells": %d, "cell_flip_flops": %d, "um2": %d, "gate_equivalents": %d, "ns": %.1f' "$(number cells)" \
      "$(number cell_flip_flops)" "$(number um2)" "$(number gate_equivalents)" "$(number ns_inside)"
    [ -z "$(number ns_out)" ] || printf ', "ns_to_link": %.1f, "ns_from_link": %.1f' "$(number ns_out)" "$(number ns_in)"
  fi
  printf '}'
}

echo "$version, generic library: gates are two-input cells, inverters and multiplexers"
for node in $nodes; do
  eval "echo \"$node with \$$node\""
  printf '%-10s %12s %12s %12s %12s %8s' '' 'logic gates' 'registers' 'memory bits' 'all in FFs' 'depth'
  [ "$to_cells" -eq 0 ] || printf ' %8s %7s %9s %8s %8s %13s' cells 'FFs' um2 'gate eq.' ns 'ns of a link'
  echo
  case $node in
    pifo_node | fifo_node)
      synthesise "$node" "${node%_node}-all" PortModel 0 all-port ''
      synthesise "$node" "${node%_node}-one" PortModel 1 one-port ''
      ;;
    tdm_node)
      synthesise tdm_node storing Combining 0 all-port "without combine units"
      synthesise tdm_node combining Combining 1 all-port "with combine units"
      ;;
    exchange_node)
      synthesise exchange_node exchange ScansFirst 1 all-port 'a pifo_node with ScansFirst'
      synthesise tree_sum tree-sum Width 16 '' 'a part of the exchange_node'
      ;;
    scan_node)
      synthesise scan_node scan LinkLatency 0 all-port ''
      synthesise scan_unit scan-unit FlitWidth 64 '' 'a part of the scan_node'
      ;;
  esac
done
printf '{"synthesiser": "%s", "cells": "%s", "nodes": [\n%s\n]}\n' "$version" \
  "$([ "$to_cells" -eq 0 ] || echo 'osu018, 180 nm')" "$rows" > "$json.tmp"
mv "$json.tmp" "$json"
if [ "$to_cells" -eq 1 ]; then
  echo "cells: osu018, 180 nm, before layout, no wires; memories in flip-flops. gate eq.: area in NAND2X1. ns: between registers;"
  echo "ns of a link: from a register to an output, and from an input to a register, which the period must hold together."
fi
echo "registers: flip-flops outside memories. Gates and depth include the decoders and multiplexers of memories that"
echo "are built from flip-flops ('all in FFs'). depth: gates on the longest path between registers (ltp -noff)."
