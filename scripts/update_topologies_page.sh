#!/usr/bin/env bash
# Brings the table of topologies in cpp_model/graph/family/README.md and the pictures beside it up to date.
# Usage: scripts/update_topologies_page.sh [--check] [build/safnet]
# --check changes nothing and fails if something is not up to date. Pictures are compared by the fingerprint
# of the DOT text that they were made from, since another version of Graphviz may draw a little differently.
set -euo pipefail
cd "$(dirname "$0")/.."
check=false
if [ "${1:-}" = --check ]; then
    check=true
    shift
fi
safnet=${1:-build/safnet}
page=cpp_model/graph/family/README.md
pictures=cpp_model/graph/family/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$safnet" list topologies --markdown >"$work/table"
for marker in begin end; do
    [ "$(grep -cx "<!-- topologies: $marker -->" "$page")" -eq 1 ] ||
        { echo "$page: expected one line '<!-- topologies: $marker -->'" >&2; exit 2; }
done
awk -v table="$work/table" '
    /^<!-- topologies: end -->$/ { skip = 0 }
    !skip { print }
    /^<!-- topologies: begin -->$/ { skip = 1; while ((getline line <table) > 0) print line }
' "$page" >"$work/README.md"

mkdir "$work/pictures"
"$safnet" list topologies --pictures "$work/pictures"

if ! $check; then
    cmp -s "$work/README.md" "$page" || cat "$work/README.md" >"$page"
    mkdir -p "$pictures"
    rm -f "$pictures"/*.svg
    cp "$work/pictures"/*.svg "$pictures"
    exit 0
fi

stale=0
diff -u "$page" "$work/README.md" >&2 || stale=1
made_from() {  # the names of all pictures in a folder, each with what it was made from
    (cd "$1" && grep -o '<desc>.*</desc>' -- *.svg)
}
diff -u <(made_from "$pictures") <(made_from "$work/pictures") >&2 || stale=1
[ "$stale" -eq 0 ] || { echo "the page of topologies is not up to date; expected: make page" >&2; exit 1; }
