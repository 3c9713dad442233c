#!/bin/sh
# lint - `verilator --lint-only -Wall` on the RTL with many parameter sets, and on the examples of its pages; fails on any
# warning.
set -u
cd "$(dirname "$0")/.."

sources=$(scripts/rtl_sources.sh --hosts)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
failed=0

# lint <top module> <include directory> <parameter=value>...
lint() {
  top=$1
  include=$2
  shift 2
  options=
  for parameter in "$@"; do options="$options -G$parameter"; done
  extra=
  case $top in pifo_network | tdm_network) extra=$(sed 's|^|rtl/|' rtl/network/network.f) ;; esac
  checked=$((checked + 1))
  # shellcheck disable=SC2086  # lists of files and options
  if ! verilator --lint-only -Wall rtl/common/lint.vlt -Irtl -I"$include" --top-module "$top" $options $sources $extra \
      > "$work/log" 2>&1; then
    failed=$((failed + 1))
    echo "lint: $top $*" >&2
    cat "$work/log" >&2
  fi
}

lint slot_timer rtl
for model in 0 1; do
  for radix in 1 2 4 8; do lint pifo_node rtl PortModel=$model Radix=$radix; done
  for flits in 3 4; do
    for latency in 0 1; do
      lint pifo_node rtl PortModel=$model Flits=$flits LinkLatency=$latency
    done
  done
  for ranks in 1 256; do lint pifo_node rtl PortModel=$model RankLevels=$ranks; done
  for radix in 1 5; do lint pifo_node rtl PortModel=$model Radix=$radix DealsLinks=1; done
  lint pifo_node rtl PortModel=$model QueueDepth=1 HostDepth=1 LabelDepth=1 NodeIdWidth=1 TagWidth=1 FlitWidth=32
done
for ports in 2 3 5; do
  lint pifo_node rtl Radix=5 InjectPorts=$ports HostDepth=2
  lint pifo_node rtl Radix=5 InjectPorts=$ports HostDepth=3 Flits=4 RankLevels=256
done
lint pifo_node rtl Radix=5 InjectPorts=5 HostDepth=2 DealsLinks=1
for ranks in 1 4; do
  lint pifo_node rtl PortModel=1 RestRanks=1 DealsLinks=1 RankLevels=$ranks
  lint pifo_node rtl PortModel=1 RestRanks=1 Radix=1 QueueDepth=1 HostDepth=1 RankLevels=$ranks
  lint pifo_node rtl PortModel=1 RestRanks=1 Radix=6 QueueDepth=3 HostDepth=5 RankLevels=$ranks Flits=3
done
for latency in 0 1; do
  grant=$((2 * latency + 2))
  for radix in 1 4; do
    lint pifo_node rtl PortModel=1 Radix=$radix LinkLatency=$latency GrantCycles=$grant
    lint pifo_node rtl PortModel=1 Radix=$radix LinkLatency=$latency GrantCycles=$grant Flits=4
  done
done
lint pifo_network testbench/rtl/network/ring
lint pifo_network testbench/rtl/network/ring InjectPorts=2 HostDepth=2
lint pifo_network testbench/rtl/network/ring PortModel=1 DealsLinks=1 RestRanks=1
lint pifo_network testbench/rtl/network/ring Flits=4 LinkLatency=1 PortModel=1 GrantCycles=4
lint pifo_network testbench/rtl/network/one_way PortModel=1 GrantCycles=2

for model in 0 1 2; do
  for radix in 1 2 4 8; do lint fifo_node rtl PortModel=$model Radix=$radix; done
  for flits in 3 4; do
    for latency in 0 1; do
      lint fifo_node rtl PortModel=$model Flits=$flits LinkLatency=$latency SlotCycles=$((flits + latency))
    done
  done
  lint fifo_node rtl PortModel=$model QueueDepth=1 HostDepth=1 LabelDepth=1 NodeIdWidth=1 TagWidth=1 FlitWidth=32
  lint fifo_node rtl PortModel=$model Radix=6 QueueDepth=3 HostDepth=5 LabelDepth=5 Flits=3
done
for latency in 0 1; do
  grant=$((2 * latency + 2))
  for radix in 1 4; do lint fifo_node rtl PortModel=1 Radix=$radix LinkLatency=$latency GrantCycles=$grant Flits=4; done
done

for radix in 1 2 4 8; do lint tdm_node rtl Radix=$radix; done
for flits in 1 3 4; do
  for latency in 0 1 2; do
    lint tdm_node rtl Flits=$flits LinkLatency=$latency
    lint tdm_node rtl Flits=$flits LinkLatency=$latency Combining=0
    lint tdm_node rtl Flits=$flits LinkLatency=$latency Loopbacks=2
  done
done
for flits in 1 3; do
  for delay in 1 6 64; do
    lint tdm_node rtl Flits=$flits LinkLatency=$delay UnequalLinks=1
    lint tdm_node rtl Flits=$flits LinkLatency=$delay UnequalLinks=1 Loopbacks=1
  done
  lint tdm_network testbench/rtl/network/ring Flits=$flits LinkLatency=6 UnequalLinks=1
done
for combining in 0 1; do
  for buffers in 1 2 3 32; do lint tdm_node rtl Combining=$combining Buffers=$buffers; done
  for flits in 1 4; do
    lint tdm_node rtl Combining=$combining Flits=$flits Buffers=1 ProgramDepth=2 Window=1 CountWidth=1 \
      GenerationWidth=1 NameWidth=1 FlitWidth=16
    lint tdm_node rtl Combining=$combining Flits=$flits Radix=1 Buffers=1 ProgramDepth=2 Window=1
    lint tdm_node rtl Combining=$combining Flits=$flits CountWidth=8 GenerationWidth=32 ProgramDepth=16 Window=7
    lint tdm_node rtl Combining=$combining Flits=$flits NameWidth=$((32 - flits / 2 - 1)) Buffers=5
    lint tdm_network testbench/rtl/network/ring Combining=$combining Flits=$flits Loopbacks=$combining
  done
done
lint tdm_network testbench/rtl/network/ring Flits=4 LinkLatency=1
lint tdm_network testbench/rtl/network/one_way
for radix in 64 128; do lint tdm_node rtl Radix=$radix Combining=0; done

lint exchange_timer rtl
for radix in 1 2 4; do lint pifo_node rtl ScansFirst=1 Radix=$radix; done
for flits in 3 4; do
  lint pifo_node rtl ScansFirst=1 Flits=$flits LinkLatency=1
  lint pifo_node rtl ScansFirst=1 Flits=$flits QueueDepth=1 HostDepth=1 LabelDepth=5 RankLevels=1 NodeIdWidth=1 TagWidth=1
done

for digits in 1 2 3 4 8; do
  for width in 1 2; do lint scan_node rtl Digits=$digits DigitWidth=$width Classes=$digits Radix=$((2 * digits)); done
done
for classes in 1 2 3; do
  for pieces in 1 2; do lint scan_node rtl Digits=2 Classes=$classes Pieces=$pieces; done
done
for latency in 0 1 3; do
  for length in 1 2 5; do lint scan_node rtl LinkLatency=$latency LengthWidth=$length Pieces=$((latency % 2 + 1)); done
done
lint scan_node rtl Digits=1 DigitWidth=8 Classes=1 Radix=2 Pieces=2
lint scan_node rtl Digits=1 DigitWidth=1 Classes=1 Radix=1 LengthWidth=1
lint scan_node rtl Digits=8 DigitWidth=1 Classes=9 Radix=9

for router in 1 2 4 5; do
  for flits in 2 3 5; do lint axi_stream_host rtl Radix=$router Flits=$flits SinkDepth=$flits; done
done
for ports in 1 3; do lint router_host rtl InjectPorts=$ports RankWidth=$ports; done
lint tdm_host rtl
for classes in 1 3; do lint scan_host rtl Classes=$classes; done
lint delivery_checker rtl

# The examples of the pages: what stands in a README.md of rtl/ between ```systemverilog and ```, one module each.
for page in rtl/*/README.md; do
  awk -v work="$work" '
    /^```systemverilog$/ { inside = 1; text = ""; next }
    /^```$/ && inside { inside = 0; printf "%s", text > (work "/" name ".sv"); print name; next }
    inside { text = text $0 "\n"; if ($1 == "module") { name = $2; sub(/[^A-Za-z0-9_].*/, "", name) } }' "$page" > "$work/names"
  while read -r name; do
    checked=$((checked + 1))
    # shellcheck disable=SC2086  # a list of files
    extra=
    [ "$page" != rtl/network/README.md ] || extra="-Itestbench/rtl/network/ring $(sed 's|^|rtl/|' rtl/network/network.f)"
    if ! verilator --lint-only -Wall rtl/common/lint.vlt -Irtl --top-module "$name" $sources $extra "$work/$name.sv" > "$work/log" 2>&1; then
      failed=$((failed + 1))
      echo "lint: the example $name of $page" >&2
      cat "$work/log" >&2
    fi
  done < "$work/names"
done

echo "lint: $checked parameter sets and examples, $failed with warnings"
[ "$failed" -eq 0 ]
