#!/bin/sh
# synthesise_node - area and delays of one node with given parameters, as JSON: cells of Debian's osu018 (180 nm, before
# layout, without wires), by Yosys, abc and OpenSTA.
#
# Usage: synthesise_node.sh /ABSOLUTE/OUT.json MODULE [Parameter=value]... [setting:value]... -- SOURCE.sv...
#
# A setting is an input that is quasi-static in a run (rtl/common/node_settings.svh); it is tied to its value, so that the
# node is one for this way of running. Fault inputs are tied to 0. Memories become flip-flops and multiplexers; beside
# that their bits are counted. A clock's period holds the path from register to register (ns_inside), and that across a link:
# from a register to the output of one node (ns_out) and from the input of the next one to a register (ns_in).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
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
trap 'kill $tool 2>/dev/null; exit 1' HUP INT TERM
# Runs a tool such that a signal ends it at once.
run() {
  "$@" &
  tool=$!
  wait "$tool"
}

width_of() { case $1 in slot_cycles) echo 32 ;; port_model) echo 2 ;; *) echo 16 ;; esac; }
settings= ties= parameters=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    *=*)
      settings="$settings -set ${1%%=*} ${1#*=}"
      parameters="$parameters${parameters:+, }\"${1%%=*}\": ${1#*=}" ;;
    *:*)
      input=${1%%:*}
      ties="${ties}delete -input w:${input}_i
connect -nomap -nounset -set ${input}_i $(width_of "$input")'d${1#*:}
" ;;
    *) echo "synthesise_node: '$1': expected Parameter=value, setting:value or --" >&2; exit 2 ;;
  esac
  shift
done
shift
sources=
for source in "$@"; do sources="$sources \"$source\""; done
[ -z "$settings" ] || settings="chparam $settings $module"
for input in fault_drop_i fault_corrupt_i; do
  ties="${ties}delete -input w:$input
connect -nomap -nounset -set $input 0
"
done
cat > script.ys <<SCRIPT
read_verilog -sv -I$root/rtl$sources
$settings
hierarchy -check -top $module
rename -top $module
proc
flatten
$ties
delete t:\$assert
opt -full
wreduce
opt_clean
alumacc
opt
memory -nomap
opt_clean
select -assert-none t:\$dlatch t:\$adlatch t:\$_DLATCH_* t:\$_DLATCHSR_*
tee -q -o memories dump t:\$mem_v2 %n t:\$mem_v2 %i t:\$mem_v2 %u
tee -q -o registers stat -width
memory_map
opt -full
techmap
opt -fast
dfflegalize -cell \$_DFF_P_ 01
dfflibmap -liberty $liberty
abc -liberty $liberty -constr $root/scripts/explore/abc.constr -D 5000
opt_clean -purge
select -assert-none t:\$dlatch t:\$adlatch t:\$_DLATCH_* t:\$_DLATCHSR_*
tee -q -o cells stat -liberty $liberty
setundef -zero
splitnets
opt_clean -purge
write_verilog -noattr -noexpr mapped.v
SCRIPT
if ! run yosys -q -l log script.ys > messages 2>&1 || grep -q -e ERROR -e '^Latch inferred' log; then
  echo "synthesise_node: $module: $(grep -e ERROR -e '^Latch inferred' messages log | head -n 1)" >&2
  exit 1
fi
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
puts "== ns_out"
report_checks -path_delay max -from [all_registers -clock_pins] -to [get_ports tx_*] -format end
puts "== ns_in"
report_checks -path_delay max -from [get_ports rx_*] -to [all_registers -data_pins] -format end
SCRIPT
if ! run sta -exit timing.tcl > timing 2>&1 || grep -q '^Error' timing; then
  echo "synthesise_node: timing of $module: $(grep '^Error' timing | head -n 1)" >&2
  exit 1
fi
nand=$(awk '$1 == "cell" {inside = $2 == "(NAND2X1)"} inside && $1 == "area" {print $3 + 0; exit}' "$liberty")
memory_bits=$(awk '/^ *cell \$mem_v2/ {w = 0; s = 0} /parameter .*\\WIDTH / {w = $NF} /parameter .*\\SIZE / {s = $NF}
  /^ *end/ {b += w * s; w = 0; s = 0} END {print b + 0}' memories)
# A path takes the period of 100 ns less its slack; where there is none it takes nothing.
delays=$(awk '$1 == "==" {of = $2} /\((MET|VIOLATED)\)/ {ns[of] = 100 - $(NF - 1)}
  END {printf "\"ns_inside\": %.2f, \"ns_out\": %.2f, \"ns_in\": %.2f", ns["ns_inside"], ns["ns_out"], ns["ns_in"]}' timing)
awk -v module="$module" -v parameters="$parameters" -v bits="$memory_bits" -v nand="$nand" -v delays="$delays" \
  -v tools="$(yosys -V | cut -d' ' -f1,2), OpenSTA $(sta -version), osu018" '
  /Number of cells:/ {cells = $NF} $1 ~ /^DFF/ {registers += $2} /Chip area/ {area = $NF}
  END {
    printf "{\"module\": \"%s\", \"parameters\": {%s}, \"cells\": %d, \"flip_flops\": %d, \"memory_bits\": %d,", module,
      parameters, cells, registers, bits
    printf " \"um2\": %.0f, \"gate_equivalents\": %.0f, %s, \"tools\": \"%s\"}\n", area, area / nand, delays, tools
  }' cells > "$out.$$.tmp"
mv "$out.$$.tmp" "$out"
