#!/bin/sh
# synthesise_node - what one node with given parameters costs, as JSON.
#
# Usage: synthesise_node.sh [--gates] [--cells] [--ice40] [--part] /ABSOLUTE/OUT.json MODULE [Parameter=value]... [setting:value]... -- SOURCE.sv...
#   --gates   in Yosys' generic gate library: gates, registers (flip-flops outside memories), logic depth
#   --cells   in cells of Debian's osu018 (180 nm, before layout, without wires), by Yosys, abc and OpenSTA: area and delays
#   --ice40   on an iCE40 FPGA, by Yosys and nextpnr-ice40: its cells, and its clock after place and route, as
#             synthesise_node_ice40.py says
#   --part    a part of a node, which has neither fault inputs nor links
#
# A setting is an input that is quasi-static in a run (rtl/common/node_settings.svh); it is tied to its value, so that the
# node is one for this way of running. Fault inputs are tied to 0. Memories become flip-flops and multiplexers, but
# block RAM of an iCE40 where Yosys can; beside that their bits are counted. A clock's period holds the path from register to
# register, and that across a link. In osu018 these are ns_inside; and ns_out, from a register to the output of one node, with
# ns_in, from the input of the next one to a register.
#
# Fails, with a line, if a tool reports an error or Yosys finds a latch; its log is then OUT.json.log.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
gates= cells= ice40= part=
while :; do
  case ${1:-} in
    --gates) gates=1 ;;
    --cells) cells=1 ;;
    --ice40) ice40=1 ;;
    --part) part=1 ;;
    *) break ;;
  esac
  shift
done
out=$1
module=$2
shift 2
liberty=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
# Beside the result, so that nothing of a synthesis that was killed outlasts the next one.
work=$out.work
rm -rf "$work"
mkdir -p "$work"
cd "$work"
trap 'rm -rf "$work"' EXIT
tool=
trap 'kill $tool 2>/dev/null; exit 143' HUP INT TERM
# Runs a tool such that a signal ends it at once.
run() {
  "$@" &
  tool=$!
  wait "$tool"
}
# fail <words>: keeps the log
fail() {
  cp log "$out.log" 2>/dev/null || true
  echo "synthesise_node: $*" >&2
  exit 1
}

width_of() { case $1 in slot_cycles) echo 32 ;; port_model) echo 2 ;; *) echo 16 ;; esac; }
# tie <input> <value>: Yosys commands
tie() {
  printf 'delete -input w:%s\nconnect -nomap -nounset -set %s %s\n' "$1" "$1" "$2"
}
: > ties.ys
settings= parameters=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    *=*)
      settings="$settings -set ${1%%=*} ${1#*=}"
      parameters="$parameters${parameters:+, }\"${1%%=*}\": ${1#*=}" ;;
    *:*) tie "${1%%:*}_i" "$(width_of "${1%%:*}")'d${1#*:}" >> ties.ys ;;
    *) echo "synthesise_node: '$1': expected Parameter=value, setting:value or --" >&2; exit 2 ;;
  esac
  shift
done
shift
sources=
for source in "$@"; do sources="$sources \"$source\""; done
[ -z "$settings" ] || settings="chparam $settings $module"
[ -n "$part" ] || { tie fault_drop_i 0; tie fault_corrupt_i 0; } >> ties.ys
no_latches='select -assert-none t:$dlatch t:$adlatch t:$_DLATCH_* t:$_DLATCHSR_*'
# -defer: modules that the node has not are not built, and their names do not change the order of optimisations.
cat > script.ys <<SCRIPT
read_verilog -sv -defer -I$root/rtl$sources
$settings
hierarchy -check -top $module
rename -top $module
proc
flatten
script ties.ys
delete t:\$assert
opt -full
wreduce
opt_clean
alumacc
opt
memory -nomap
opt_clean
$no_latches
tee -q -o memories dump t:\$mem_v2 %n t:\$mem_v2 %i t:\$mem_v2 %u
tee -q -o registers stat -width
SCRIPT
[ -z "$ice40" ] || cat >> script.ys <<SCRIPT
design -save memories
synth_ice40 -top $module -run :map_ffram
tee -q -o unmapped_memories dump t:\$mem_v2 %n t:\$mem_v2 %i t:\$mem_v2 %u
write_rtlil ice40.il
design -load memories
SCRIPT
[ -z "$gates$cells" ] || cat >> script.ys <<SCRIPT
memory_map
opt -full
techmap
opt -fast
design -save start
SCRIPT
[ -z "$gates" ] || cat >> script.ys <<SCRIPT
abc -fast
opt -fast
opt_clean
$no_latches
check -assert
tee -q -o gates stat
tee -q -o depth ltp -noff
design -load start
SCRIPT
[ -z "$cells" ] || cat >> script.ys <<SCRIPT
dfflegalize -cell \$_DFF_P_ 01
dfflibmap -liberty $liberty
abc -liberty $liberty -constr $root/scripts/synthesise_node.constr -D 5000
opt_clean -purge
$no_latches
tee -q -o cells stat -liberty $liberty
setundef -zero
splitnets
opt_clean -purge
write_verilog -noattr -noexpr mapped.v
SCRIPT
if ! run yosys -q -l log script.ys > messages 2>&1 || grep -q -e ERROR -e '^Latch inferred' log; then
  fail "$module: $(grep -h -e ERROR -e '^Latch inferred' messages log | head -n 1)"
fi

# memory_bits <dump>: width times words of every memory.
memory_bits() {
  awk '/^ *cell \$mem_v2/ {w = 0; s = 0} /parameter .*\\WIDTH / {w = $NF} /parameter .*\\SIZE / {s = $NF}
    /^ *end/ {b += w * s; w = 0; s = 0} END {print b + 0}' "$1"
}
found="\"memory_bits\": $(memory_bits memories)"
if [ -n "$gates" ]; then
  all=$(awk '/Number of cells:/ {print $NF}' gates)
  flip_flops=$(awk '$1 ~ /^\$_S?DFF/ {s += $2} END {print s + 0}' gates)
  registers=$(awk '$1 ~ /^\$(dff|dffe|sdff|sdffe|sdffce|adff|adffe|aldff)_[0-9]+$/ {n = $1; sub(/.*_/, "", n); s += n * $2}
    END {print s + 0}' registers)
  depth=$(sed -n 's/.*(length=\([0-9]*\)).*/\1/p' depth | head -n 1)
  found="$found, \"logic_gates\": $((all - flip_flops)), \"registers\": $registers, \"flip_flops\": $flip_flops, \"depth\": ${depth:-0}"
fi
if [ -n "$cells" ]; then
  cat > timing.tcl <<SCRIPT
read_liberty $liberty
read_verilog mapped.v
link_design $module
create_clock -name clock -period 100 [get_ports clk_i]
set inputs {}
foreach port [all_inputs] {
  if {[get_property \$port full_name] != "clk_i"} { lappend inputs \$port }
}
set_input_delay 0 -clock clock \$inputs
set_output_delay 0 -clock clock [all_outputs]
set_driving_cell -lib_cell INVX4 \$inputs
set_load 0.05 [all_outputs]
puts "== ns_inside"
report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] -format end
SCRIPT
  [ -n "$part" ] || cat >> timing.tcl <<SCRIPT
puts "== ns_out"
report_checks -path_delay max -from [all_registers -clock_pins] -to [get_ports tx_*] -format end
puts "== ns_in"
report_checks -path_delay max -from [get_ports rx_*] -to [all_registers -data_pins] -format end
SCRIPT
  if ! run sta -exit timing.tcl > timing 2>&1 || grep -q '^Error' timing; then
    fail "timing of $module: $(grep '^Error' timing | head -n 1)"
  fi
  nand=$(awk '$1 == "cell" {inside = $2 == "(NAND2X1)"} inside && $1 == "area" {print $3 + 0; exit}' "$liberty")
  # A path takes the period of 100 ns less its slack; where there is none it takes nothing.
  delays=$(awk '$1 == "==" {names[++n] = $2} /\((MET|VIOLATED)\)/ {ns[n] = 100 - $(NF - 1)}
    END {for (i = 1; i <= n; i++) printf ", \"%s\": %.2f", names[i], ns[i]}' timing)
  found="$found, $(awk -v nand="$nand" '/Number of cells:/ {cells = $NF} $1 ~ /^DFF/ {registers += $2} /Chip area/ {area = $NF}
    END {printf "\"cells\": %d, \"cell_flip_flops\": %d, \"um2\": %.0f, \"gate_equivalents\": %.0f", cells, registers, area, area / nand}' \
    cells)$delays"
fi
if [ -n "$ice40" ]; then
  run python3 -B "$root/scripts/synthesise_node_ice40.py" ice40.il "$module" "$(memory_bits unmapped_memories)" > ice40 2> log ||
    fail "$module: $(tail -n 1 log)"
  found="$found, $(sed 's/^{//; s/}$//' ice40)"
fi
printf '{"module": "%s", "parameters": {%s}, %s, "tools": "%s"}\n' "$module" "$parameters" "$found" \
  "$(yosys -V | cut -d' ' -f1,2)${cells:+, OpenSTA $(sta -version), osu018}${ice40:+, $(nextpnr-ice40 -V 2>&1 | sed 's/.*(Version \(.*\))/nextpnr-ice40 \1/')}" > "$out.$$.tmp"
mv "$out.$$.tmp" "$out"
