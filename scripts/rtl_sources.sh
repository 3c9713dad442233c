#!/bin/sh
# rtl_sources - the RTL of all kinds of nodes, one file a line, in an order that every tool accepts: the lists rtl/*/*.f,
# that of common/ first. Whole networks (network/) are left out, since they need a generated header, and so are hosts, unless
# asked for by --hosts: a node is synthesised without them, and what abc makes of it depends on all names that Yosys has read.
cd "$(dirname "$0")/.."
hosts=
[ "${1:-}" != --hosts ] || hosts=rtl/host/host.f
for list in rtl/common/common.f rtl/*/*.f $hosts; do
  case $list in rtl/network/*) continue ;; rtl/host/*) [ "$hosts" ] || continue ;; esac
  sed 's|^|rtl/|' "$list"
done | awk '!seen[$0]++'
