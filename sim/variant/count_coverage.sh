#!/bin/sh
# count_coverage - makes verilated sources count what they reach where `make coverage` looks for it. To be called between
# Verilator and the compiler.
#
# Usage: count_coverage.sh MODEL_FOLDER PREFIX COVERAGE_FOLDER
#        count_coverage.sh --options [toggles]    prints Verilator's options for it, with toggles of signals or without
#
# COVERAGE_FOLDER then has PREFIX.points, a line for each point with its counter's number, file, line, column, module and what
# it is; the model counts in PREFIX.counters beside it, one 32-bit number for a point (coverage_counters.hpp). All models of
# a program count together: there is no list of points in the memory of each, as Verilator's own runtime keeps it.
set -eu
if [ "$1" = --options ]; then
  # Without -fno-split Verilator 5.006 takes an `if` whose branch changes its own condition apart, and counts after the change.
  echo "--coverage-line --coverage-user -fno-split ${2:+--coverage-toggle --coverage-max-width 64}"
  exit
fi
model=$1 prefix=$2 folder=$3
mkdir -p "$folder"
sed -n 's/^ *vlSelf->__vlCoverInsert(&(vlSymsp->__Vcoverage\[\([0-9]*\)\]), [^,]*, \(.*\));$/\1, \2/p' "$model"/*.cpp \
  > "$folder/$prefix.points.$$"
mv "$folder/$prefix.points.$$" "$folder/$prefix.points"
# What goes: the calls that list the points, and what they call; and that two threads may count at once, which takes most of
# the time, for a count that is lost does not matter.
sed -i -e '/->__vlCoverInsert(&/d' -e '/__vlCoverInsert(/,/^}/{/assert(sizeof/,/linescovp);$/d}' \
  -e 's/^\( *\)vlSymsp->\(__Vcoverage\[[0-9]*\]\)\.fetch_add(1, std::memory_order_relaxed);/\1++vlSymsp->\2;/' \
  -e 's/__vlCoverInsert(std::atomic<uint32_t>\*/__vlCoverInsert(uint32_t*/' "$model"/*.cpp
sed -i 's/__vlCoverInsert(std::atomic<uint32_t>\*/__vlCoverInsert(uint32_t*/' "$model"/*.h
sed -i -e "s|^    std::atomic<uint32_t> __Vcoverage\[\([0-9]*\)\];|    static inline safnet::CoverageCounter* const __Vcoverage = safnet::coverage_counters(\"$folder/$prefix.counters\", \1);|" \
  -e '1i #include "sim/variant/coverage_counters.hpp"' "$model/${prefix}__Syms.h"
grep -q 'coverage_counters("' "$model/${prefix}__Syms.h" || [ ! -s "$folder/$prefix.points" ] || {
  echo "count_coverage: $model/${prefix}__Syms.h: no counters; expected Verilator 5.006" >&2; exit 1; }
