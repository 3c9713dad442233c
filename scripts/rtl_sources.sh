#!/bin/sh
# rtl_sources - the RTL of all kinds of nodes, one file a line, in an order that every tool accepts: the lists rtl/*/*.f,
# that of common/ first. Whole networks (network/) are left out, since they need a generated header.
cd "$(dirname "$0")/.."
for list in rtl/common/common.f rtl/*/*.f; do
  case $list in rtl/network/*) continue ;; esac
  sed 's|^|rtl/|' "$list"
done | awk '!seen[$0]++'
