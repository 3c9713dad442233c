#!/bin/sh
# events_of - prints the sources in this folder that count events of the modules among the SOURCEs: MODULE_events.sv.
#
# Usage: events_of.sh SOURCE.sv...
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
echo "$folder/node_events.sv" "$folder/grant_events.sv"
for source in "$@"; do
  events=$folder/$(basename "$source" .sv)_events.sv
  [ ! -e "$events" ] || echo "$events"
done
