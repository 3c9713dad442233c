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
# Memories are counted in bits and then built from flip-flops and multiplexers, as without a memory generator. The full
# logs are in build/synth/, or the folder that SYNTHESIS_FOLDER names, and so is what is printed, as JSON: nodes.json with
# --cells, which `safnet table areas` reads, otherwise gates.json. Fails if Yosys reports an error or finds a latch.
set -eu
cd "$(dirname "$0")/.."

liberty=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
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

if [ "$to_cells" -eq 1 ]; then
  nand_area=$(awk '$1 == "cell" {inside = $2 == "(NAND2X1)"} inside && $1 == "area" {print $3 + 0; exit}' "$liberty")
  [ -n "$nand_area" ] || { echo "synthesise: $liberty has no area of a NAND2X1" >&2; exit 1; }
fi

output=${SYNTHESIS_FOLDER:-build/synth}
mkdir -p "$output"
json=$output/gates.json
[ "$to_cells" -eq 0 ] || json=$output/nodes.json
rm -f "$json"
version=$(yosys -V | cut -d' ' -f1,2)
rows=
sources=$(scripts/rtl_sources.sh)

# value_of <Parameter> <default>: what $chosen says of it
value_of() {
  found=$2
  for p in $chosen; do case $p in "$1"=*) found=${p#*=} ;; esac; done
  echo "$found"
}

# synthesise <node> <name> <Parameter> <value> <port model> <what else is particular>
synthesise() {
  node=$1
  name=$2
  settings="-set $3 $4"
  eval "parameters=\$$node"
  top=$node
  case $node in exchange_node) top=pifo_node ;; esac
  # Under one-port, and in nodes that scan first, the host has one injection port.
  case "$node $3=$4" in
    "pifo_node PortModel=0") ;;
    *) parameters=$(printf '%s\n' $parameters | grep -v '^InjectPorts=' | tr '\n' ' ') ;;
  esac
  for p in $parameters; do settings="$settings -set ${p%%=*} ${p#*=}"; done
  chosen="$parameters $3=$4"
  # Parts have no fault inputs.
  faults=
  case $node in *_node) faults="delete -input w:fault_drop_i w:fault_corrupt_i
connect -nomap -nounset -set fault_drop_i 0
connect -nomap -nounset -set fault_corrupt_i 0" ;; esac
  fixed=
  case $node in pifo_node | exchange_node | tdm_node) fixed="slot_cycles_i:32:1 link_latency_i:16:$(value_of LinkLatency 0)
port_model_i:2:$(value_of PortModel 0)" ;; esac
  case $node in pifo_node | exchange_node) fixed="$fixed grant_cycles_i:16:$(value_of GrantCycles 0)
queue_depth_i:16:$(value_of QueueDepth 16)" ;; tdm_node) fixed="$fixed window_i:16:$(value_of Window 4)" ;; esac
  for setting in $fixed; do
    input=${setting%%:*}
    value=${setting#*:}
    faults="$faults
delete -input w:$input
connect -nomap -nounset -set $input ${value%:*}'d${value#*:}"
  done
  script=$output/$name.ys
  cat > "$script" <<SCRIPT
read_verilog -sv -Irtl $(echo $sources)
chparam $settings $top
hierarchy -check -top $top
rename -top $top
proc
flatten
$faults
delete t:\$assert
opt -full
wreduce
opt_clean
alumacc
opt
memory -nomap
opt_clean
select -assert-none t:\$dlatch t:\$adlatch t:\$_DLATCH_* t:\$_DLATCHSR_*
tee -q -o $output/$name.memories dump t:\$mem_v2 %n t:\$mem_v2 %i t:\$mem_v2 %u
tee -q -o $output/$name.registers stat -width
memory_map
opt -full
techmap
opt -fast
design -save gates
abc -fast
opt -fast
opt_clean
select -assert-none t:\$dlatch t:\$adlatch t:\$_DLATCH_* t:\$_DLATCHSR_*
check -assert
tee -q -o $output/$name.gates stat
tee -q -o $output/$name.depth ltp -noff
SCRIPT
  [ "$to_cells" -eq 0 ] || add_mapping >> "$script"
  if ! yosys -q -l "$output/$name.log" "$script" > "$output/$name.messages" 2>&1; then
    echo "synthesise: $name failed, see $output/$name.log" >&2
    tail -n 5 "$output/$name.log" >&2
    exit 1
  fi
  if grep -e 'ERROR' -e '^Latch inferred' "$output/$name.log" >&2; then exit 1; fi
  # memory bits: width x words of every memory
  memory_bits=$(awk '/^ *cell \$mem_v2/ {w = 0; s = 0} /parameter .*\\WIDTH / {w = $NF} /parameter .*\\SIZE / {s = $NF}
    /^ *end/ {b += w * s; w = 0; s = 0} END {print b + 0}' "$output/$name.memories")
  registers=$(awk '$1 ~ /^\$(dff|dffe|sdff|sdffe|sdffce|adff|adffe|aldff)_[0-9]+$/ {n = $1; sub(/.*_/, "", n); s += n * $2}
    END {print s + 0}' "$output/$name.registers")
  cells=$(awk '/Number of cells:/ {print $NF}' "$output/$name.gates")
  flip_flops=$(awk '$1 ~ /^\$_S?DFF/ {s += $2} END {print s + 0}' "$output/$name.gates")
  depth=$(sed -n 's/.*(length=\([0-9]*\)).*/\1/p' "$output/$name.depth" | head -n 1)
  printf '%-10s %12s %12s %12s %12s %8s' "$name" "$((cells - flip_flops))" "$registers" "$memory_bits" "$flip_flops" \
    "$depth"
  [ "$to_cells" -eq 0 ] || print_mapping
  echo
  rows="$rows${rows:+,
}$(json_row "$node" "$name" "$5" "$6")"
}

# json_row <node> <name> <port model> <what else>: what was printed, as an object on a line
json_row() {
  printf '  {"name": "%s", "node": "%s", "ports": "%s", "words": "%s", "parameters": "%s",' "$2" "$1" "$3" "$4" "$(echo $chosen)"
  printf ' "logic_gates": %d, "registers": %d, "memory_bits": %d, "flip_flops": %d, "depth": %d' \
    "$((cells - flip_flops))" "$registers" "$memory_bits" "$flip_flops" "$depth"
  if [ "$to_cells" -eq 1 ]; then
    # shellcheck disable=SC2046,SC2086  # lists of numbers
    set -- $mapped $equivalents $(echo "$delays" | tr -d +)
    printf ', "cells": %d, "cell_flip_flops": %d, "um2": %d, "gate_equivalents": %d, "ns": %s' "$1" "$2" "$3" "$4" "$5"
    [ $# -eq 5 ] || printf ', "ns_to_link": %s, "ns_from_link": %s' "$6" "$7"
  fi
  printf '}'
}

# Yosys commands that map the gates of $name to cells; inputs are driven by an INVX4, outputs drive 0.05 pF.
add_mapping() {
  printf 'set_driving_cell INVX4\nset_load 0.05\n' > "$output/$name.constraints"
  cat <<SCRIPT
design -load gates
dfflegalize -cell \$_DFF_P_ 01
dfflibmap -liberty $liberty
abc -liberty $liberty -constr $output/$name.constraints -D 5000
opt_clean -purge
tee -q -o $output/$name.cells stat -liberty $liberty
setundef -zero
splitnets
opt_clean -purge
write_verilog -noattr -noexpr $output/$name.v
SCRIPT
}

# Cells, flip-flops among them, um2, gate equivalents (of a NAND2X1), and ns: between registers; from a register to the
# output and from the input to a register, of the ports between nodes.
print_mapping() {
  mapped=$(awk '/Number of cells:/ {cells = $NF} $1 ~ /^DFF/ {registers += $2} /Chip area/ {area = $NF}
    END {printf "%8d %7d %9.0f", cells, registers, area}' "$output/$name.cells")
  equivalents=$(awk -v nand="$nand_area" '/Chip area/ {area = $NF} END {printf "%.0f", area / nand}' \
    "$output/$name.cells")
  cat > "$output/$name.tcl" <<SCRIPT
read_liberty $liberty
read_verilog $output/$name.v
link_design $top
create_clock -name clock -period 100 [get_ports clk_i]
set inputs {}
foreach port [all_inputs] {
  if {[get_property \$port full_name] != "clk_i"} { lappend inputs \$port }
}
set_input_delay 0 -clock clock \$inputs
set_output_delay 0 -clock clock [all_outputs]
set_driving_cell -lib_cell INVX4 \$inputs
set_load 0.05 [all_outputs]
report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -format end
SCRIPT
  case $node in *_node) cat >> "$output/$name.tcl" <<SCRIPT
report_checks -path_delay max -from [all_registers -clock_pins] -to [get_ports tx_*] -format end
report_checks -path_delay max -from [get_ports rx_*] -to [all_registers -data_pins] -format end
SCRIPT
  esac
  if ! sta -exit "$output/$name.tcl" > "$output/$name.timing" 2>&1 || grep -q '^Error' "$output/$name.timing"; then
    echo "synthesise: timing of $name failed, see $output/$name.timing" >&2
    exit 1
  fi
  # A path takes the period less its slack.
  delays=$(awk '/\((MET|VIOLATED)\)/ {ns[++n] = 100 - $(NF - 1)}
    END {printf "%8.1f", ns[1]; if (n == 3) printf " %6.1f + %4.1f", ns[2], ns[3]}' "$output/$name.timing")
  printf ' %s %8s %s' "$mapped" "$equivalents" "$delays"
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
