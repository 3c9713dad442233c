#!/usr/bin/env bash
# Tests of the program as a user meets it: exit codes, one-line messages, files, and what a second run costs.
# Usage: scripts/test_program.sh build/safnet
set -u
safnet=$(realpath "${1:?the program to be tested}")
root=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

report() {  # name, condition's exit code
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        sed 's/^/    /' out err 2>/dev/null | head -20
    fi
}

# expect NAME CODE PATTERN ARGUMENTS...: the exit code, and a pattern somewhere in what was printed.
expect() {
    local name=$1 code=$2 pattern=$3
    shift 3
    timeout 300 "$safnet" "$@" >out 2>err
    local got=$?
    [ "$got" -eq "$code" ] && grep -qE -- "$pattern" out err
    report "$name: exit code $got, expected $code and /$pattern/" $?
}

# refuse NAME PATTERN ARGUMENTS...: bad input. Exit code 2, exactly one line, on stderr, that names the word.
refuse() {
    local name=$1 pattern=$2
    shift 2
    timeout 60 "$safnet" "$@" >out 2>err
    local got=$?
    [ "$got" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] && grep -qE -- "$pattern" err
    report "$name: exit code $got, expected 2 and one line with /$pattern/" $?
}

# ---- good runs ----
expect 'one-port torus' 0 'verdict +optimal' run torus:4x4 total-exchange --ports one
expect 'MPI name' 0 'total-exchange on ring:5' run ring:5 alltoall
expect 'root by coordinates' 0 'verdict +optimal' run mesh:4x3 broadcast --root 1,2
expect 'lists topologies' 0 '^hypercube' list topologies
expect 'lists collectives' 0 '^broadcast +bcast' list collectives
expect 'lists algorithms' 0 'parity-message-shift' list algorithms
expect 'lists claims' 0 'thesis.T17' list claims
expect 'help' 0 '--queue-depth' run --help
expect 'disjoint paths' 0 '4 of 4 delivered' run torus:5x5 multipath --root 0,1 --destination 3,3
expect 'disjoint paths, JSON' 0 '"destination":18' run torus:5x5 multipath --destination 3,3 --json
expect 'an algorithm as printed that never ends' 1 'stopped: hosts got' run ring:2 broadcast --algorithm weight-rule-as-printed
expect 'the same on the reference' 1 'stopped: ' run extended-ring:8,3 broadcast --algorithm weight-rule-as-printed --model systemc
expect 'a refuted claim' 0 'counterexample: complete:4 .* 2 steps; printed: .*3 steps' verify --claim thesis.B8
refuse 'destination that is the root' 'destination 4' run ring:9 multipath --root 4 --destination 4
refuse 'destination out of range' "'9'" run ring:9 multipath --destination 9
refuse 'destination of a broadcast' '--destination 3' run ring:9 broadcast --destination 3
expect 'stuck run' 3 'cycle of waiting nodes' run ring:16 total-exchange --algorithm message-shift --queue-depth 1
expect 'broken port model' 1 'received two packets at once' run mesh:3x3 total-exchange --ports one --grants off
printf '0 1\n1 2  # a comment\n\n2 0\n2 3\n' >edges.txt
expect 'edge list' 0 '12 of 12 delivered' run graph:edges.txt total-exchange --ports one

cat >triple.graphml <<'XML'
<graphml><graph edgedefault="directed"><node id="nw"/><node id="ne"/><node id="se"/>
<edge source="nw" target="ne"/><edge source="ne" target="se"/><edge source="se" target="ne"/><edge source="ne" target="nw"/>
</graph></graphml>
XML
expect 'GraphML, root by name' 0 'lower bound +2 ' run graph:triple.graphml broadcast --root se
printf 'graph { a -- b -- c; a -- b [color=red] }\n' >abc.gv
expect 'DOT' 0 '3 nodes, 6 links' run graph:abc.gv broadcast --root c

# ---- what a network is ----
expect 'describes a mesh' 0 'average status +328, the same by formula' describe mesh:5x4x4
expect 'describes without a formula' 0 'average status +8/3$' describe graph:abc.gv
expect 'names the hardware' 0 'nodes of 32 ports' describe complete:20
expect 'finds the cuts' 0 '8 edges across the middle of each of 2 dimensions of size 4' describe torus:4x4
expect 'knows a Cayley graph' 0 'Cayley graph +yes' describe star:5
expect 'leaves and routers of a fat tree' 0 'nodes +11: 8 processors, 3 routers' describe fat-tree:4x2,1,3
expect 'levels of a fat tree' 0 '^ +1 +2 +4 +7 +1 +8$' describe fat-tree:4x2,1,3
expect 'how its leaves are parted' 0 'bisection +3 full-duplex edges' describe fat-tree:4x2,1,3
expect 'distances between leaves alone' 0 'diameter +6, the same by formula' describe fat-tree:2,3,exponential
expect 'the same as JSON' 0 '"processors":8,"routers":7.*"capacity":4.*"bisection_width":4' describe fat-tree:2,3,exponential --json
expect 'another spelling of a fat tree' 0 '^fat-tree:2,3,exponential$' describe fat-tree:2x2x2,1,2,4
refuse 'a fat tree without a height' "'2': expected K,H" describe fat-tree:2
refuse 'a fat tree of one child each' "'1': expected an arity" describe fat-tree:1,3
refuse 'a fat tree too high' "'99': expected a height" describe fat-tree:2,99
refuse 'no such capacities' "'foo'" describe fat-tree:2,3,foo
refuse 'too few capacities' '2 capacities; expected' describe fat-tree:2,3,1,2
refuse 'capacities twice' "'exponential'" describe fat-tree:2,3,exponential,1
refuse 'more ports than nodes have' '128 ports' describe fat-tree:4,4,exponential
refuse 'a fat tree of no children' "'0': expected an arity" describe fat-tree:2x0
refuse 'a fat tree of nothing' "'': expected K,H" describe fat-tree:
refuse 'a fat tree beyond all numbers' "'99999999999999999999'" describe fat-tree:99999999999999999999,3
refuse 'a router as a root' 'router_1_0|8' run fat-tree:2,3 broadcast --root router_1_0
for topology in linear:65536 mesh:256x256 hypercube:16 butterfly:12 tree:2,15 star:8 circulant:65536,1,255; do
    timeout 20 "$safnet" describe $topology --json >out 2>err && python3 - <<'PY' 2>>err
import json
d = json.load(open("out"))
n, pairs = d["nodes"], d["node_pairs_at_distance"]
assert sum(pairs) == n * (n - 1) // 2
assert len(pairs) - 1 == d["diameter"]["search"]
assert 2 * sum(i * p for i, p in enumerate(pairs)) == d["total_status"]["search"]
for key in ("diameter", "total_status", "status_of_node_0", "degree_of_node_0"):
    assert d[key]["formula"] in (None, d[key]["search"]), key
assert d["formulas_agree"]
PY
    report "describes $topology in seconds, with consistent numbers" $?
done
python3 - >wide.txt <<'PY'
for v in range(65536):
    print(v, (v + 1) % 65536)
for v in range(0, 32768, 2):
    print(v, v + 32768)
PY
expect 'leaves out what takes too long' 0 'diameter +left out' describe graph:wide.txt
expect 'leaves it out of JSON' 0 '"average_status":null.*"node_pairs_at_distance":null' describe graph:wide.txt --json

# ---- tables of the papers ----
expect 'necklaces of the paper' 0 '^torus:3x3x3 +3 +2 +212  212 121 +212 121 212 121 212 121$' table necklaces
expect 'necklaces of a doubled cube' 0 '^doubled-cube:2 +1 +2 +10 ' table necklaces doubled-cube:2
expect 'sizes of subtrees by formula' 0 '^30 +1000 +10{90} ' table subtrees 30,1000
"$safnet" table subtrees --csv subtrees.csv >out 2>err && python3 - <<'PY' 2>>err
import csv
from fractions import Fraction
rows = list(csv.DictReader(open("subtrees.csv")))
assert len(rows) == 29
for r in rows:
    n, k = int(r["n"]), int(r["k"])
    mean = Fraction(k ** n - 1, 2 * n)
    assert Fraction(r["mean"]) == mean and Fraction(r["ratio"]) == int(r["largest"]) / mean
    assert abs(Fraction(r["decimal ratio"]) - Fraction(r["ratio"])) <= Fraction(1, 200)
assert [(r["n"], r["k"]) for r in rows if "printed: ratio" in r["note"]] == [("4", "6"), ("5", "4"), ("5", "5"), ("7", "3")]
PY
report 'the table of subtrees as CSV, with the misprints of the paper' $?
refuse 'no such table' 'nonsense' table nonsense
"$safnet" table finite-queues fat-tree:2,2 --depths 1,2 --csv queues.csv --html queues.html >out 2>err && python3 - <<'PY' 2>>err
import csv, html.parser
rows = list(csv.DictReader(open("queues.csv")))
assert len(rows) == 15 and {r["bound"] for r in rows} == {"5", "7", "80", "112"}, rows
for row in rows:
    assert int(row["bound"]) <= int(row["as needed"]) <= int(row["Q=2"]) <= int(row["Q=1"]), row
    if row["packets"] != "16 flits, free":
        assert int(row["Q=2"]) < int(row["Q=1"]), row
html.parser.HTMLParser().feed(open("queues.html").read())
PY
report 'what shallow queues cost on fat trees' $?
refuse 'finite queues of a ring' "'ring:4': expected a fat tree" table finite-queues ring:4
refuse 'queues of nothing' "'0'" table finite-queues --depths 1,0
refuse 'depths of a table that has none' '--depths' table subtrees --depths 2
refuse 'messages of finite queues' '--messages' table finite-queues --messages 2
refuse 'necklaces of unequal sides' 'torus:3x4' table necklaces torus:3x4
refuse 'subtrees of no size' "'4,x'" table subtrees 4,3 4,x
refuse 'table into nowhere' '/no/such/folder' table necklaces --csv /no/such/folder/x.csv

# ---- collectives of copied and combined packets, several messages ----
expect 'an allgather' 0 'verdict +optimal' run mesh:3x3 allgather --algorithm auto
expect 'the same by the papers name' 0 '^multinode-broadcast on ring:5 ' run ring:5 multinode-broadcast
expect 'a reduce-scatter of two messages' 0 '^multinode-accumulation of 2 messages on ring:4 ' run ring:4 reduce-scatter --messages 2
expect 'an allreduce' 0 'verdict +optimal' run hypercube:3 allreduce --algorithm auto
expect 'routers repeat what they have' 0 '60 of 60 delivered' run ring:4 total-exchange --messages 5
expect 'messages in JSON' 0 '"messages":3' run ring:4 broadcast --messages 3 --json
expect 'plan several messages' 0 'valid +yes' plan ring:4 alltoall --messages 3 -o several.json
expect 'check counts them' 0 'lower bound +6 ' check several.json
expect 'replay counts them' 0 'lower bound +6 ' replay several.json
expect 'plan an allreduce' 0 'valid +yes' plan ring:4 allreduce --messages 4 -o allreduce.json.gz
expect 'check it' 0 'valid +yes' check allreduce.json.gz
expect 'run it, four flits' 0 'as planned, to the cycle' replay allreduce.json.gz --flits 4 --link-latency 1
expect 'a searched optimum' 0 'verdict +optimal' run linear:6 allgather --ports one --algorithm optimal
refuse 'no messages' 'messages' run ring:4 broadcast --messages 0
refuse 'messages of a word' 'many' run ring:4 broadcast --messages many
refuse 'more messages than tags' '65535' run torus:64x64 total-exchange --messages 65535
refuse 'a search on a large network' 'optimal' run ring:40 allgather --algorithm optimal

# ---- what is optimal where ----
"$safnet" table optimality ring:4 kautz:2,2 'edges:0-1,0-2,1-2,2-3' --csv grid.csv --html grid.html >out 2>err && python3 - <<'PY' 2>>err
import csv
from html.parser import HTMLParser
rows = list(csv.DictReader(open("grid.csv")))
assert len(rows) == 3 * 8 * 2
for r in rows:
    assert r["standing"] in ("optimal", "best known"), r
    assert int(r["steps"]) - int(r["lower_bound"]) == int(r["gap"]) >= 0
    assert (r["standing"] == "optimal") == (r["gap"] == "0")
    assert r["bound"] and r["algorithm"] and r["node"] in ("pifo", "tdm")
class Cells(HTMLParser):
    cells, open = [], []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta",): self.open.append(tag)
        if tag == "td" and "title" in dict(attributes): self.cells.append(dict(attributes))
    def handle_endtag(self, tag): assert self.open.pop() == tag
page = Cells()
page.feed(open("grid.html").read())
assert not page.open and len(page.cells) == len(rows)
assert sum(c["class"] == "optimal" for c in page.cells) == sum(r["standing"] == "optimal" for r in rows)
PY
report 'the grid as text, CSV and HTML' $?
expect 'one port model, several messages' 0 '^8 cells' table optimality ring:4 --ports one --messages 2 --csv m.csv --html m.html
refuse 'optimality of nothing' 'nonsense' table optimality nonsense
refuse 'messages of a table that has none' 'optimality' table subtrees --messages 2
refuse 'grid into nowhere' '/no/such/folder' table optimality ring:4 --html /no/such/folder/x.html

# ---- one-way links ----
expect 'a network of one-way links' 0 'links +24, one way each' describe kautz:2,3
expect 'its distances by formula' 0 'diameter +3, the same by formula' describe kautz:2,3
expect 'routers over one-way links' 0 'verdict +optimal' run kautz:2,2 scatter --ports one
expect 'an arrow for each' 0 '^  "ab" -> "ba";$' draw kautz:2,2
printf 'digraph {\n  a -> b; b -> c; c -> a; a -> c;\n}\n' >oneway.gv
expect 'a digraph' 0 'links +4, one way each' describe graph:oneway.gv
for file in oneway.json oneway.msccl.json oneway.xml; do
    "$safnet" plan kautz:2,2 total-exchange --ports one -o $file >out 2>err
    expect "a timetable over one-way links, $file" 0 'as planned, to the cycle' replay $file --topology kautz:2,2 \
        --ports one --buffers 32
done
"$safnet" plan kautz:2,2 broadcast --reverse -o oneway.json >out 2>err
expect 'backwards over the links turned round' 0 'reduction on transpose\(kautz:2,2\)' check oneway.json
refuse 'one-way links on the reference' 'one-way links with --model systemc' run kautz:2,2 broadcast --model systemc
refuse 'an algorithm for edges' 'node-invariant: needs links both ways' plan kautz:2,2 total-exchange --algorithm node-invariant
refuse 'links that lead nowhere back' 'node 1 cannot reach node 0' run links:0-1,1-2,2-1 broadcast
expect 'double links' 0 'steps +2 ' plan dgx-1 scatter
expect 'the same from its file' 0 'links +48, 24 full-duplex edges' describe "graph:$root/cpp_model/graph/dgx1.topology.json"

# ---- pictures ----
expect 'prints DOT' 0 '^  "0_0" -- "0_1";$' draw mesh:2x2
"$safnet" draw torus:4x4 -o te.svg >out 2>err && "$safnet" draw graph:abc.gv -o abc.png >>out 2>>err && [ ! -s out ] &&
    grep -q '<svg' te.svg && ! grep -q '<!--' te.svg && [ "$(head -c 4 abc.png | tail -c 3)" = PNG ]
report 'draws SVG and PNG' $?
"$safnet" draw fat-tree:2,3,exponential -o fat.svg >out 2>err && [ "$(grep -c '<polygon' fat.svg)" -ge 8 ] && grep -q '>4</text>' fat.svg
report 'a fat tree with the number of links of its branches' $?
"$safnet" draw butterfly:3 -o b.dot && "$safnet" describe graph:b.dot >out 2>err && grep -q 'average status  55' out
report 'reads what it draws' $?
refuse 'too large to draw' '1024' draw hypercube:11
refuse 'no such picture format' 'x.jpeg' draw ring:4 -o x.jpeg
refuse 'picture into nowhere' '/no/such/folder' draw ring:4 -o /no/such/folder/x.svg
refuse 'pictures into nowhere' '/no/such/folder' list topologies --pictures /no/such/folder
refuse 'Markdown of claims' '--markdown' list claims --markdown
mkdir pictures
PATH=/nonexistent "$safnet" list topologies --pictures pictures >out 2>err
[ $? -eq 2 ] && { PATH=/nonexistent "$safnet" draw ring:4 -o x.svg >>out 2>>err; [ $? -eq 2 ]; } &&
    [ ! -s out ] && [ "$(grep -c Graphviz err)" -eq 2 ] && [ "$(wc -l <err)" -eq 2 ] && [ -z "$(ls pictures)" ] && [ ! -e x.svg ]
report 'without Graphviz: one line, and nothing is half-written' $?
"$safnet" list topologies --pictures pictures >out 2>err && [ -z "$(find pictures -name '*.svg' -size +12k)" ] &&
    [ "$(find pictures -name '*.svg' | wc -l)" -eq "$("$safnet" list topologies | wc -l)" ] &&
    python3 -c 'import glob, xml.etree.ElementTree as x; [x.parse(f) for f in glob.glob("pictures/*")]' 2>>err
report 'a small, well-formed picture of every family' $?
"$root/scripts/update_topologies_page.sh" --check "$safnet" >out 2>err
report 'the page of topologies is up to date' $?

# ---- the SystemC reference in the place of the RTL ----
expect 'reference' 0 'verdict +optimal' run torus:4x4 total-exchange --ports one --model systemc
expect 'the report says which model ran' 0 'model +systemc' run ring:5 broadcast --model systemc
expect 'reference that gets stuck' 3 'cycle of waiting nodes' \
    run ring:16 total-exchange --algorithm message-shift --queue-depth 1 --model systemc
expect 'reference under a broken port model' 1 'received two packets at once' \
    run mesh:3x3 total-exchange --ports one --grants off --model systemc
for model in rtl systemc; do
    "$safnet" run mesh:3x3 total-exchange --ports one --flits 2 --link-latency 1 --slot free --queue-depth 2 \
        --trace $model.trace.json --model $model --json >$model.json 2>err
done
cmp rtl.trace.json systemc.trace.json >out 2>>err && python3 - <<'PY' 2>>err
import json
r, s = json.load(open("rtl.json")), json.load(open("systemc.json"))
assert (r.pop("model"), s.pop("model")) == ("rtl", "systemc")
for key in ("node_evaluations", "build_seconds", "run_seconds"):
    del r[key], s[key]
assert r == s, (r, s)
PY
report 'RTL and reference print the same JSON and write the same trace' $?
refuse 'no such model' 'fpga' run ring:4 broadcast --model fpga
refuse 'waveform of the reference' '--wave' run ring:4 broadcast --model systemc --wave x.fst
refuse 'whole network and reference' '--whole-network' run ring:4 broadcast --model systemc --whole-network
refuse 'threads of the reference' '--threads 2' run ring:4 broadcast --model systemc --threads 2
refuse 'trace of the reference that would not fit' '20000000' run torus:40x40 total-exchange --model systemc

# ---- JSON ----
"$safnet" run ring:8 total-exchange --flits 3 --link-latency 2 --json >out 2>err
python3 - <<'PY' 2>>err
import json
r = json.load(open("out"))
for key in ("topology nodes links collective algorithm model ports flits steps cycles slot_cycles closed_form lower_bound verdict "
            "transmissions delivered expected_deliveries lost duplicated peak_queue mean_delay build_seconds run_seconds").split():
    assert key in r, key
assert (r["steps"], r["cycles"], r["slot_cycles"], r["verdict"]) == (8, 40, 5, "optimal"), r
assert (r["delivered"], r["lost"], r["duplicated"]) == (56, 0, 0)
PY
report 'JSON of a run' $?
"$safnet" run mesh:3x3 total-exchange --json >out 2>err && grep -q '"closed_form":null' out
report 'closed form is null where there is none' $?

# ---- files ----
"$safnet" run torus:3x3 total-exchange --ports one --wave te.fst --trace te.json >out 2>err
[ -s te.fst ] && [ -s te.gtkw ] && python3 - <<'PY' 2>>err
import json
t = json.load(open("te.json"))
assert t["format"] == "safnet-schedule" and t["collective"] == "total-exchange" and t["packets"]["of"] == "collective"
assert len(t["sends"]["link"]) == len(t["sends"]["packet"]) == sum(t["sends"]["count"]) == 108
PY
report 'waveform, GTKWave view and trace are written' $?
fst2vcd te.fst >te.vcd 2>>err && python3 - <<'PY' 2>>err
# Every signal that the GTKWave view opens is in the waveform.
import re
scopes, names = [], set()
for line in open("te.vcd"):
    word = line.split()
    if line.startswith("$scope"):
        scopes.append(word[2])
    elif line.startswith("$upscope"):
        scopes.pop()
    elif line.startswith("$var"):
        names.add(".".join(scopes) + "." + word[4])
    elif line.startswith("$enddefinitions"):
        break
shown = [re.sub(r"\[\d+:\d+\]$", "", l.split("} ")[1].strip()) for l in open("te.gtkw") if l.startswith("+{")]
assert len(shown) > 9 * 9, len(shown)
for name in shown:
    assert name in names, name
assert any(n.startswith("node_2_1.") for n in names)
PY
report 'the GTKWave view opens on signals that exist' $?
"$safnet" run torus:3x3 total-exchange --wave few.fst --wave-nodes '4' --wave-cycles 2:3 >out 2>err
fst2vcd few.fst >few.vcd 2>>err
grep -q 'module node_1_1 ' few.vcd && ! grep -q 'module node_0_0 ' few.vcd && ! grep -qE '^#40' few.vcd && grep -qE '^#20' few.vcd
report 'nodes and cycles of a waveform can be chosen' $?

# ---- the ledger ----
"$safnet" verify --claim 'thesis.T6' --json claims.json --junit claims.xml >out 2>err
report 'one claim' $?
python3 - <<'PY' 2>>err
import json, xml.etree.ElementTree as x
c = json.load(open("claims.json"))
assert len(c) == 1 and c[0]["verdict"] == "confirmed" and len(c[0]["runs"]) >= 30
s = x.parse("claims.xml").getroot()[0]
assert s.get("failures") == "0" and len(s) == int(s.get("tests"))
PY
report 'JSON and JUnit of the ledger' $?

# ---- schedules: plan, check, replay, convert ----
# Nodes of 32 buffers for most replays, so that they share the hardware.
expect 'plans' 0 'lower bound +43 steps .*: optimal' plan mesh:4x4 total-exchange --ports one -o line.json
expect 'says what it wrote' 0 'written +te.json.gz' plan ring:4 total-exchange -o te.json.gz
for file in te.json te.msccl.json te.xml; do "$safnet" plan ring:4 total-exchange -o $file >out 2>err || break; done
[ -s te.json ] && [ -s te.msccl.json ] && [ -s te.xml ] && [ "$(head -c 2 te.json.gz | od -An -tx1)" = ' 1f 8b' ] &&
    gunzip -c te.json.gz | cmp - te.json >>out 2>>err
report 'writes a schedule in every format' $?
"$safnet" plan torus:3x3 partial-exchange --active '0,0;1,1;2,2' --json >out 2>err && python3 - <<'PY' 2>>err
import json
p = json.load(open("out"))
assert p["valid"] and p["violations"] == [] and p["steps"] == p["lower_bound"] == 2, p
assert (p["packets"], p["destinations"], p["flits"], p["slot_cycles"]) == (24, 24, 1, 1), p
for key in "algorithm source choice sends most_hops utilisation peak_buffers plan_seconds check_seconds".split():
    assert key in p, key
PY
report 'JSON of a plan' $?
expect 'free running: bounded in cycles' 0 'lower bound +6 steps .*: optimal' plan ring:4 broadcast --slot free --flits 3 -o free.json
expect 'a schedule of cycles is bounded in cycles' 0 'lower bound +6 steps' check free.json
expect 'checks' 0 'lower bound +43 steps' check line.json
sed 's/"link": \[1,/"link": [0,/' line.json >wrong.json
expect 'says what is wrong in words' 1 'slot 1: node 1_1 sends packet .* node 1_0 is receiving another packet' check wrong.json
"$safnet" check wrong.json --json >out 2>err
[ $? -eq 1 ] && python3 - <<'PY' 2>>err
import json
c = json.load(open("out"))
assert not c["valid"] and c["violation_count"] >= len(c["violations"]) >= 1 and "steps" not in c, c
assert c["violations"][0]["rule"] and c["violations"][0]["text"].startswith("slot 1: "), c
PY
report 'JSON of an invalid schedule' $?
expect 'an invalid schedule is not run' 1 'force runs it all the same' replay wrong.json

expect 'replays' 0 '640 of 640 in the very cycle of the plan, 0 late' replay line.json --buffers 32
expect 'as many threads as one likes' 0 'as planned, to the cycle' replay line.json --buffers 32 --threads 2
expect 'in longer packets' 0 '10 cycles, 5 per slot\), planned 2 \(10 cycles' replay te.json --buffers 32 --flits 4 --link-latency 1
expect 'on routers' 0 'steps +2 \(2 cycles, 1 per slot\), planned 2$' replay te.json --node pifo
"$safnet" replay te.json --node pifo --trace pifo.json --json >out 2>err && grep -q '"planned_steps":2' out &&
    "$safnet" check pifo.json >out 2>>err
report 'JSON and trace of a replay on routers' $?
refuse 'buffers of routers' '--buffers' replay te.json --node pifo --buffers 32
refuse 'one-port timetables on routers' 'all-port' replay line.json --node pifo
"$safnet" replay te.json --buffers 32 --wave replay.fst --trace replayed.json.gz >out 2>err
[ ! -s err ] && [ -s replay.fst ] && [ -s replay.gtkw ] && grep -q 'as planned' out && fst2vcd replay.fst >replay.vcd 2>>err &&
    grep -q 'module node_3 ' replay.vcd
report 'waveform and GTKWave view of a replay' $?
"$safnet" check replayed.json.gz --json >a.out 2>err && "$safnet" check te.json --json >b.out 2>>err && python3 - <<'PY' 2>>err
import gzip, json
a, b = json.load(open("a.out")), json.load(open("b.out"))
for key in ("file", "remarks"):
    del a[key], b[key]
assert a == b and a["valid"], (a, b)
assert json.load(gzip.open("replayed.json.gz"))["sends"] == json.load(open("te.json"))["sends"]
PY
report 'what the hardware did is the plan' $?
"$safnet" replay line.json --buffers 32 --json >out 2>err && python3 - <<'PY' 2>>err
import json
r = json.load(open("out"))
assert r["planned_cycles"] == r["cycles"] == r["steps"] == 43 and r["sends"] == r["on_time"] == r["transmissions"] == 640, r
assert (r["late"], r["lost"], r["duplicated"], r["stuck"], r["problems"], r["waits"]) == (0, 0, 0, False, [], []), r
assert r["peak_buffers"] == r["measured_buffers"] < r["buffers"] == 32, r
PY
report 'JSON of a replay' $?
expect 'hosts that feed too slowly' 1 'ran dry while instructions were left' replay line.json --buffers 32 --feed-interval 4
"$safnet" run torus:4x4 total-exchange --trace run.json >out 2>err
expect 'the trace of a run is a schedule' 0 'valid +yes' check run.json
expect 'which the other kind of node obeys' 0 '512 of 512 in the very cycle' replay run.json --buffers 32

# broadcast_of NAME SLOTS COUNTS LINKS: one packet from node 0 of ring:4; link 0 leads 0-1, 2 1-2, 4 2-3, 7 3-2.
broadcast_of() {
    local packets
    packets=$(sed 's/[0-9]\+/0/g' <<<"$4")
    printf '{"format":"safnet-schedule","version":1,"collective":"broadcast","ports":"all","network":"ring:4",
"packets":{"of":"collective","flits":1},"sends":{"slot":[%s],"count":[%s],"link":[%s],"packet":[%s]}}\n' \
        "$2" "$3" "$4" "$packets" >"$1.json"
}
broadcast_of early 1 3 0,1,2
broadcast_of circle 1,2 2,1 0,4,7
broadcast_of nobody 1,2 1,1 0,4
expect 'a send before its packet is there' 1 'node 1 sends packet 0 .* has it complete at the end of cycle 1' check early.json
expect 'runs late, and says why' 1 'late: node 1 was to send packet 0 .* to node 2 in slot 1 and waits for it from node 0' \
    replay early.json --force --buffers 32
expect 'nodes that wait for each other' 3 'stuck: cycle of waiting nodes: 2 -> 3 -> 2' replay circle.json --force --buffers 32
expect 'a node that waits for nobody' 3 'stuck: node 2 .* waits for it, which nobody sends it' \
    replay nobody.json --force --buffers 32

# ---- backwards ----
expect 'a scatter backwards' 0 '^gather on torus:4x4' plan torus:4x4 scatter --reverse -o gather.json
expect 'a broadcast backwards' 0 '^reduction on torus:4x4' plan torus:4x4 broadcast --reverse --operation max -o reduction.json
expect 'a partial exchange backwards' 0 'valid +yes' plan torus:3x3 partial-exchange --active '0;4' --reverse
expect 'a gather runs' 0 'as planned' replay gather.json --buffers 32
expect 'a reduction runs' 0 '1 of 1 delivered' replay reduction.json --buffers 32
grep -q '"operation": "max"' reduction.json
report 'the operation is kept' $?
refuse 'routers do not combine' 'reduction' replay reduction.json --node pifo

# ---- other formats ----
# same_run FILE...: their replays differ in nothing but names and times.
same_run() {
    local file
    for file in "$@"; do
        "$safnet" replay "$file" --topology ring:4 --buffers 32 --json >"$file.run" 2>>err || return 1
    done
    python3 - "$@" <<'PY' 2>>err
import json, sys
runs = [json.load(open(f + ".run")) for f in sys.argv[1:]]
for r in runs:
    for key in ("file", "remarks", "build_seconds", "run_seconds"):
        del r[key]
    assert r["late"] == 0 and r == runs[0], (r, runs[0])
PY
}
n=0
: >err
for from in te.json te.json.gz te.msccl.json te.xml; do
    for to in json json.gz msccl.json xml; do
        "$safnet" convert $from from$n.$to --topology ring:4 >out 2>>err || echo "$from to $to" >>err
    done
    n=$((n + 1))
done
same_run te.json te.xml te.msccl.json from0.json.gz from0.xml from1.msccl.json from2.xml from2.json from3.msccl.json from3.json from3.xml &&
    [ ! -s err ] && cmp from0.json te.json >>out 2>>err && cmp from1.json te.json >>out 2>>err && cmp from2.xml te.xml >>out 2>>err
report 'every format into every other, and the same run' $?

cat >allreduce.py <<'PY'
n = 4
print(f'<algo name="ring" proto="Simple" nchannels="1" nchunksperloop="{n}" ngpus="{n}" coll="allreduce" inplace="1">')
for r in range(n):
    print(f'<gpu id="{r}" i_chunks="{n}" o_chunks="0" s_chunks="0"><tb id="0" send="{(r + 1) % n}" recv="{(r - 1) % n}" chan="0">')
    steps = [("s", r)] + [("rrs", (r - k) % n) for k in range(1, n - 1)] + [("rrcs", (r + 1) % n)]
    steps += [("rcs", (r - k) % n) for k in range(n - 2)] + [("r", (r + 2) % n)]
    for i, (kind, c) in enumerate(steps):
        print(f'<step s="{i}" type="{kind}" srcbuf="i" srcoff="{c}" dstbuf="i" dstoff="{c}" cnt="1" depid="-1" deps="-1" hasdep="0"/>')
    print("</tb></gpu>")
print("</algo>")
PY
python3 allreduce.py >allreduce.xml
expect 'MSCCL: a ring allreduce in 2(n - 1) steps' 0 'allreduce of 4 ranks.* scheduled in 6 steps' check allreduce.xml --topology ring:4
expect 'one-port, the same' 0 'steps +6 ' check allreduce.xml --topology ring:4 --ports one
for to in json msccl.json xml; do "$safnet" convert allreduce.xml ring_sum.$to --topology ring:4 >out 2>err || break; done
same_run allreduce.xml ring_sum.json ring_sum.msccl.json ring_sum.xml && grep -q '"delivered":16,' allreduce.xml.run
report 'MSCCL: a ring allreduce sums on the hardware, from every format' $?
cat >hand.msccl.json <<'JSON'
{"msccl_type": "algorithm", "name": "by hand",
 "topology": {"msccl_type": "topology", "name": "three in a row", "links": [[0,1,0],[1,0,1],[0,1,0]], "switches": []},
 "collective": {"msccl_type": "collective", "name": "Broadcast(n=3,root=0)", "nodes": 3, "chunks": [
  {"msccl_type": "chunk", "pre": [0], "post": [0,1,2], "addr": 0}, {"msccl_type": "chunk", "pre": [0], "post": [0,1,2], "addr": 1}]},
 "instance": {"msccl_type": "instance", "steps": 3, "extra_rounds": 0, "chunks": 1, "pipeline": null},
 "input_map": {"0": [0,1]}, "output_map": {"0": [0,1], "1": [0,1], "2": [0,1]},
 "steps": [{"msccl_type": "step", "rounds": 1, "sends": [[0,0,1]]}, {"msccl_type": "step", "rounds": 1, "sends": [[1,0,1],[0,1,2]]},
  {"msccl_type": "step", "rounds": 1, "sends": [[1,1,2]]}]}
JSON
expect 'SCCL: a broadcast of two chunks' 0 'published rounds 3, imported in 3 steps' check hand.msccl.json
expect 'SCCL: it runs' 0 '4 of 4 delivered' replay hand.msccl.json --buffers 32

# ---- runs of timetables ----
expect 'the best of all algorithms' 0 'chosen +list-scheduling: 43 steps' run mesh:4x4 total-exchange --ports one --algorithm auto
expect 'routers where they are as good' 0 'verdict +optimal' run torus:4x4 scatter --algorithm auto
expect 'gather' 0 'verdict +optimal' run torus:4x4 gather --root 1,1
expect 'reduction' 0 '1 of 1 delivered' run torus:4x4 reduction
expect 'partial exchange, on-line' 0 '93 cycles, 5 per slot; 8 of them are a scan' run mesh:4x4 partial-exchange --active 0,5,10 --flits 4 --link-latency 1
expect 'its bound in cycles' 0 '"scan_cycles":4,"published_bound_cycles":34,' run mesh:4x4 partial-exchange --active 0,5,10 --json
expect 'the same on a torus' 0 '21 cycles, 1 per slot; 4 of them are a scan' run torus:4x4 partial-exchange --active 0,5,10 --trace pe.json
expect 'its trace is a schedule' 0 'valid +yes' check pe.json
expect 'partial gather backwards' 0 'steps +17 ' run mesh:4x4 partial-gather --active 0,5,10 --algorithm reversed-row-column-classes
expect 'concurrent broadcasts' 0 '16 of 16 delivered' run linear:5 concurrent-broadcast --active 0,0,0,3
expect 'concurrent broadcasts, planned' 0 'steps +6 ' plan linear:5 concurrent-broadcast --active 0,0,0,3 -o cb.json
expect 'a node is there as often as it has packets' 0 'packets +4, 16 destinations' check cb.json
expect 'concurrent broadcasts in halves' 0 'pieces +2 of each packet, 2 of 4 flits' run ring:5 concurrent-broadcast --active 0,0,0,3 --flits 4 --algorithm pass-on-first-halves
expect 'partial exchange' 0 '24 of 24 delivered' run torus:3x3 partial-exchange --active '0,0;1,1;2,2'
expect 'a policy as a timetable' 0 'node +tdm' run ring:4 broadcast --node tdm
expect 'a claim about timetables' 0 'thesis.X3 .*confirmed' verify --claim 'thesis.X3'
for what in collectives algorithms; do
    "$safnet" list $what >out 2>err && ! grep -qE '^[^ ]+ [^ ]' out
    report "columns of list $what" $?
done

# ---- bad schedules and bad words about them ----
# break_json NAME PATTERN PYTHON: s, a good schedule, changed, is refused, by PATTERN.
before=$(find . -type f | sort | md5sum)
break_json() {
    python3 -c "
import json, sys
s = json.load(open('te.json'))
text = None
$3
open('broken.json', 'w').write(json.dumps(s) if text is None else text)" || report "$1: the test itself" 1
    refuse "$1" "$2" check broken.json
}
break_json 'schedule without a format' 'format' "del s['format']"
break_json 'another format' 'netlist' "s['format'] = 'netlist'"
break_json 'a version of the future' '2' "s['version'] = 2"
break_json 'no port model' 'ports' "del s['ports']"
break_json 'port model by no name' 'both' "s['ports'] = 'both'"
break_json 'collective by no name' 'gossip' "s['collective'] = 'gossip'"
break_json 'operation by no name' 'xor' "s['operation'] = 'xor'"
break_json 'unknown key' 'colour' "s['colour'] = 1"
break_json 'key given twice' 'ports' "text = json.dumps(s).replace('\"ports\"', '\"ports\": \"all\", \"ports\"', 1)"
break_json 'no network' 'network' "del s['network']"
break_json 'network by no name' 'cloud' "s['network'] = 'cloud:4'"
break_json 'network that is too large' '65536' "s['network'] = 'mesh:4000x4000'"
break_json 'network from a file' 'graph:' "s['network'] = 'graph:/etc/passwd'"
break_json 'a port that leads nowhere' '7' "s['network'] = {'ports': [[[7, 0]], [[0, 0]]]}"
break_json 'two ports that lead to one' 'another link' "s['network'] = {'ports': [[[1, 0]], [[0, 0], [0, 0]]]}"
break_json 'root that does not exist' '9' "s['root'] = 9"
break_json 'no packets' 'packets' "del s['packets']"
break_json 'packets of nothing' 'nothing' "s['packets']['of'] = 'nothing'"
break_json 'packets of no flits' 'flits' "s['packets']['flits'] = 0"
break_json 'flits beyond counting' '99999999999' "s['packets']['flits'] = 99999999999"
break_json 'negative slot length' '-1' "s['slot_cycles'] = -1"
break_json 'slots of no length' 'slot_cycles' "s['slot_cycles'] = 0"
break_json 'latency that is text' 'link_latency' "s['link_latency'] = 'long'"
break_json 'numbers with a point' '1.5' "s['sends']['slot'][0] = 1.5"
break_json 'no sends' 'sends' "del s['sends']"
break_json 'slot zero' 'slot' "s['sends']['slot'][0] = 0"
break_json 'link that does not exist' '88' "s['sends']['link'][0] = 88"
break_json 'packet that does not exist' '77' "s['sends']['packet'][0] = 77"
break_json 'columns of different lengths' 'packet' "s['sends']['packet'].pop()"
break_json 'counts that add up to something else' '13 sends' "s['sends']['count'][0] = 5"
break_json 'counts beyond counting' '4000000000' "s['sends']['count'][0] = 4000000000"
break_json 'columns of nothing' 'link' "s['sends']['link'] = None"
break_json 'origin that does not exist' '44' "s['packets'] = {'flits': 1, 'origin': [44], 'tag': [0], 'destinations': [1]}"
break_json 'destination that does not exist' '55' "s['packets'] = {'flits': 1, 'origin': [0], 'tag': [0], 'destinations': [55]}"
break_json 'an array of schedules' 'object' "s = [s]"
break_json 'nested deeply' 'broken.json' "text = '[' * 1000000"
break_json 'cut short' 'broken.json' "text = json.dumps(s)[:-40]"
break_json 'an empty file' 'broken.json' "text = ''"
break_json 'no JSON' 'broken.json' "text = 'slot 1: 0 -> 1'"
break_json 'control characters' 'broken.json' "s['network'] = 'ring:\\x1b[31m\\n4'"
break_json 'an endless word' 'broken.json' "s['network'] = 'r' * 1000000"
head -c 60 te.json.gz >cut.json.gz
refuse 'compressed and cut short' 'cut.json.gz' check cut.json.gz
cp te.json plain.json.gz && head -c 3000 /dev/urandom >noise.json
refuse 'noise' 'noise.json' check noise.json
refuse 'a schedule that is missing' 'missing.json' check missing.json
refuse 'a folder as a schedule' 'broken' check "$work/pictures.json/broken"
refuse 'no such format' 'te.yaml' convert te.json te.yaml
refuse 'a schedule from no format' 'edges.txt' check edges.txt
refuse 'MSCCL without a network' '--topology' check te.xml
refuse 'MSCCL on another network' '5' check te.xml --topology ring:5
refuse 'MSCCL port model' 'both' check te.xml --topology ring:4 --ports both
# break_text NAME PATTERN FILE SED: the same for files of others.
break_text() {
    sed "$4" "$3" >"broken.${3#*.}"
    refuse "$1" "$2" check "broken.${3#*.}" --topology ring:4
}
break_text 'MSCCL: no such collective' 'gossip' te.xml 's/alltoall/gossip/'
break_text 'MSCCL: no such buffer' "'q'" te.xml '0,/srcbuf="i"/s//srcbuf="q"/'
break_text 'MSCCL: no such step' "'zz'" te.xml '0,/type="s"/s//type="zz"/'
break_text 'MSCCL: a chunk beyond its buffer' '99' te.xml '0,/srcoff="2"/s//srcoff="99"/'
break_text 'MSCCL: a rank that does not exist' '17' te.xml '0,/send="1"/s//send="17"/'
break_text 'MSCCL: a number that is none' 'many' te.xml '0,/ngpus="4"/s//ngpus="many"/'
break_text 'MSCCL: a document type' 'broken.xml' te.xml '1s/^/<!DOCTYPE a [<!ENTITY b "c">]>/'
break_text 'MSCCL: blocks that wait for ever' 'rank' allreduce.xml '0,/type="s"/s//type="r"/'
break_text 'MSCCL: an ending is missing' 'broken.xml' te.xml '$d'
break_text 'SCCL: a node without a link to it' 'cannot be reached' hand.msccl.json 's/\[0,1,0\],\[1,0,1\]/[0,1,0],[0,0,0]/'
break_text 'SCCL: a chunk that is not there yet' '1' hand.msccl.json 's/\[\[0,0,1\]\]/[[0,1,2]]/'
break_text 'SCCL: a chunk that does not exist' '9' hand.msccl.json 's/\[\[0,0,1\]\]/[[9,0,1]]/'
break_text 'SCCL: no link there' '2' hand.msccl.json 's/\[\[0,0,1\]\]/[[0,0,2]]/'
break_text 'SCCL: no steps' 'steps' hand.msccl.json 's/"steps": \[/"stops": [/'
refuse 'a plan into nowhere' '/no/such/folder' plan ring:4 broadcast -o /no/such/folder/x.json
refuse 'a plan onto a folder' 'pictures' plan ring:4 broadcast -o pictures
refuse 'a plan in no format' 'x.txt' plan ring:4 broadcast -o x.txt
refuse 'a conversion into nowhere' '/no/such/folder' convert te.json /no/such/folder/x.json
refuse 'a multipath transfer cannot be planned' 'multipath' plan ring:4 multipath
refuse 'no such operation' 'xor' plan ring:4 broadcast --reverse --operation xor
refuse 'no such planner' 'message-shift' plan linear:4 scatter --algorithm message-shift
refuse 'a partial exchange on what is no square' 'needs a p x p array' run mesh:3x4 partial-exchange --active 0,5 --algorithm row-column-classes
refuse 'a partial exchange on no array' 'needs a p x p array' run ring:9 partial-exchange --active 0,5 --algorithm row-column-classes
refuse 'a partial exchange, one-port' 'needs --ports all' run mesh:3x3 partial-exchange --active 0,5 --ports one --algorithm row-column-classes
refuse 'a partial exchange of nobody' "'random:0:1'" run mesh:3x3 partial-exchange --active random:0:1
refuse 'a scan without its RTL' '--model systemc' run mesh:3x3 partial-exchange --active 0,5 --model systemc
refuse 'a scan in network.sv' '--whole-network' run mesh:3x3 partial-exchange --active 0,5 --whole-network
refuse 'concurrent broadcasts of whom' 'expected --active' run ring:5 concurrent-broadcast
refuse 'concurrent broadcasts of a node that does not exist' "'5'" run ring:5 concurrent-broadcast --active 0,5
refuse 'concurrent broadcasts on a mesh' 'needs a linear array, or a ring' run mesh:3x3 concurrent-broadcast --active 0
refuse 'halves in an array' 'needs a ring' run linear:4 concurrent-broadcast --active 0 --algorithm pass-on-first-halves
refuse 'a partial exchange of whom' '--active' plan ring:4 partial-exchange
refuse 'active nodes that do not exist' '9' run ring:4 partial-gather --active 0,9
refuse 'active nodes of a broadcast' '--active' run ring:4 broadcast --active 0,1
refuse 'queue depth of a timetable' '--queue-depth' run ring:4 gather --queue-depth 4
refuse 'a timetable on the reference' '--model systemc' run ring:4 gather --model systemc
refuse 'packets for a schedule that has them' 'schedule of steps' replay free.json --flits 2
refuse 'too few buffers' '--buffers 1' replay line.json --buffers 1
refuse 'no such node' 'fpga' replay te.json --node fpga
refuse 'wave nodes of a replay' '9' replay te.json --wave y.fst --wave-nodes 9
refuse 'the trace of a replay in no format' 'y.txt' replay te.json --trace y.txt --wave y.fst
refuse 'the trace of a run in no format' 'y.txt' run ring:4 broadcast --trace y.txt
refuse 'a schedule that MSCCL cannot say' 'MSCCL files cannot hold it' plan ring:4 partial-exchange --active 0,2 -o bad.xml
rm -f broken.* cut.json.gz plain.json.gz noise.json
[ "$(find . -type f | sort | md5sum)" = "$before" ]
report 'refused plans, checks, replays and conversions leave no files, whole or half' $?

# ---- bad input ----
refuse 'no such topology' "nosuch" run nosuch:4 broadcast
refuse 'topology without size' 'torus' run torus broadcast
refuse 'size of one' "1" run ring:1 broadcast
refuse 'size of a novel' '99999999999999999999' run ring:99999999999999999999 broadcast
refuse 'too many nodes' '65536' run mesh:4000x4000 broadcast
refuse 'too many dimensions' 'hypercube:40' run hypercube:40 broadcast
refuse 'empty dimension' 'torus:4xx4' run torus:4xx4 broadcast
refuse 'no such collective' 'nosuch' run ring:4 nosuch
refuse 'no such algorithm' 'nosuch' run ring:4 broadcast --algorithm nosuch
refuse 'algorithm out of its domain' 'even number' run ring:5 total-exchange --algorithm parity-message-shift
refuse 'no such port model' 'both' run ring:4 broadcast --ports both
refuse 'root out of range' '17' run ring:4 broadcast --root 17
refuse 'root that is no node' 'x' run ring:4 broadcast --root x
refuse 'root of what has none' 'no use for a root' plan ring:8 allgather --root 3
refuse 'flits out of range' '--flits 0' run ring:4 broadcast --flits 0
refuse 'flits that are no number' 'many' run ring:4 broadcast --flits many
refuse 'latency out of range' '--link-latency 1000' run ring:4 broadcast --link-latency 1000
refuse 'queue depth out of range' '--queue-depth -3' run ring:4 broadcast --queue-depth=-3
refuse 'unknown option' '--nosuch' run ring:4 broadcast --nosuch
refuse 'no such slot mode' 'sometimes' run ring:4 broadcast --slot sometimes
refuse 'wave into nowhere' '/no/such/folder' run ring:4 broadcast --wave /no/such/folder/x.fst
refuse 'trace onto a folder' '--trace' run ring:4 broadcast --trace .
refuse 'wave cycles' '5' run ring:4 broadcast --wave x.fst --wave-cycles 5
refuse 'wave nodes' '9' run ring:4 broadcast --wave x.fst --wave-nodes 9
refuse 'tree' 'oak' run ring:4 scatter --tree oak
refuse 'tree where none is used' '--tree' run ring:4 total-exchange --tree depth-first
refuse 'no such list' 'nosuch' list nosuch
refuse 'no such claim' 'nosuch' verify --claim nosuch
refuse 'total exchange on too many nodes' '4096' run hypercube:13 total-exchange
refuse 'no command' 'subcommand' 
[ ! -e x.fst ]
report 'bad input leaves no files' $?
refuse 'edge list that is missing' 'missing.txt' run graph:missing.txt broadcast
printf '0 1\n1 banana\n' >bad.txt
refuse 'edge list with a word' 'banana' run graph:bad.txt broadcast
printf '0 1\n2 3\n' >split.txt
refuse 'edge list in two parts' 'connected' run graph:split.txt broadcast
printf 'digraph {\n  a -> b;\n}\n' >oneway.dot
refuse 'DOT with no way back' "'b' cannot reach node 'a'" run graph:oneway.dot broadcast
printf '<graphml>\n<graph edgedefault="undirected"><hyperedge/></graph></graphml>' >hyper.graphml
refuse 'GraphML with hyperedges' 'hyper.graphml:2: .*hyperedges' describe graph:hyper.graphml
python3 -c 'print("graph " + "{" * 1000000)' >deep.dot
refuse 'DOT nested deeply' 'deep.dot:1: .*nested too deeply' draw graph:deep.dot
head -c 100000 /dev/urandom >noise.txt
refuse 'edge list of noise' 'noise.txt' run graph:noise.txt broadcast
refuse 'a folder as edge list' "$work" run "graph:$work" broadcast

# ---- partial collectives ----
partial='run mesh:4x4 partial-multinode-broadcast'
expect 'a partial broadcast in parts' 0 'cycles +108: rank scan 12 \+ packing 48 \+ broadcast 48' \
    $partial --active 0,3,7 --flits 16 --split
expect 'a partial broadcast of whole packets' 0 'cycles +216: ' $partial --active 0,3,7 --flits 16
expect 'its deliveries, as JSON' 0 '"cycles":108.*"lost":0,"duplicated":0' \
    $partial --active 0,3,7 --flits 16 --split --json
refuse 'a partial broadcast of nobody knows whom' '--active' $partial
refuse 'more active nodes than there are' '99' $partial --active random:99:1
refuse 'a random set without a number' 'random:x' $partial --active random:x
refuse 'a partial broadcast on unequal sides' '3x4' run mesh:3x4 partial-multinode-broadcast --active 0
refuse 'packing in parts' '--split' run mesh:4x4 packing --active 0,3 --split
refuse 'no way round an array' '--alternating' $partial --active 0,3 --alternating
refuse 'two flits of header' '--header-flits' $partial --active 0,3 --header-flits 2
refuse 'a partial broadcast with a root' '--root' $partial --active 0,3 --root 1
refuse 'monotone routing to nowhere' '--destinations' run mesh:4x4 monotone-routing --active 0,3
refuse 'monotone routing to too few nodes' '--destinations.*2' run mesh:4x4 monotone-routing --active 0,3 --destinations 5
refuse 'a partial broadcast with destinations' '--destinations' $partial --active 0,3 --destinations 1,2

# ---- traffic ----
expect 'uniform traffic' 0 'verdict +carried' traffic torus:4x4 uniform --rate 0.2
expect 'a saturated run is a result' 0 'verdict +saturated' traffic ring:8 tornado --rate 0.5
expect 'traffic that is stuck' 3 'cycle of waiting nodes' traffic torus:4x4 uniform --rate 0.9 --queue-depth 1
expect 'traffic with grants' 0 'limit +1/3 ' traffic ring:8 neighbour --ports one --rate 0.1
printf '# two packets\n1 0 2\n5 3 1 2\n' >packets.txt
expect 'a trace' 0 '3 of 3 delivered, 0 lost' traffic ring:4 trace:packets.txt
printf '1 0 2\n50 0 2 3\n100 3 1\n' >later.txt
expect 'a trace longer than its window' 0 '5 of 5 delivered' traffic ring:4 trace:later.txt --warm-up 1 --measure 10
expect 'a trace that is cut short' 1 "problem: 4 of the trace's 5 packets" traffic ring:4 trace:later.txt --measure 10 --drain-limit 50
printf '1 0 2\n1 0 2 3\n' >later.txt
expect 'a burst that is delivered' 0 'verdict +carried' traffic ring:4 trace:later.txt
expect 'traffic stuck in the warm-up' 3 'window +not opened in cycle 900001: stuck' traffic torus:4x4 uniform --rate 0.9 --queue-depth 1 --warm-up 900000
"$safnet" traffic ring:8 tornado --sweep 0.1:0.5:0.2 --threads 2 --json --csv loads.csv --plot loads.svg >out 2>err && python3 - <<'PY' 2>>err
import csv, json, xml.etree.ElementTree
result = json.load(open('out'))
assert result['limit'] == '1/3' and [load['verdict'] for load in result['loads']] == ['carried', 'carried', 'saturated'], result
for load in result['loads']:
    assert load['generated'] == load['delivered'] + load['at_sources'] and load['lost'] == load['duplicated'] == 0, load
rows = list(csv.reader(open('loads.csv')))
assert [row[0] for row in rows] == ['rate', '0.1', '0.3', '0.5'] and all(len(row) == len(rows[0]) for row in rows), rows
xml.etree.ElementTree.parse('loads.svg')
PY
report 'a sweep as JSON, CSV and SVG' $?
refuse 'an unknown pattern' "'nowhere': expected uniform, " traffic ring:8 nowhere
refuse 'a pattern without a square' 'transpose: expected a square grid' traffic mesh:4x3 transpose
refuse 'a rate above one' 'rate 1.5: expected' traffic ring:8 uniform --rate 1.5
refuse 'a rate in words' "--rate 'fast'" traffic ring:8 uniform --rate fast
refuse 'a sweep from nothing' "--sweep '0:1:0.5': rate 0: expected" traffic ring:8 uniform --sweep 0:1:0.5
refuse 'a table and a plot in one file' "--plot './y.svg': expected another" traffic ring:8 uniform --sweep 0.1,0.2 --csv y.svg --plot ./y.svg
refuse 'more packets of a node than can be told apart' 'a node could generate' traffic ring:2 uniform --rate 0.9 --measure 20000000
refuse 'a trace without lines' '/dev/zero:1: expected a line' traffic ring:4 trace:/dev/zero
refuse 'a sweep backwards' "--sweep '0.5:0.1:0.1'" traffic ring:8 uniform --sweep 0.5:0.1:0.1
refuse 'a plot of one load' '--plot .*expected --sweep' traffic ring:8 uniform --plot one.svg
refuse 'a plot of another kind' "--plot 'a.png': expected .*svg" traffic ring:8 uniform --sweep 0.1,0.2 --plot a.png
refuse 'a hot spot that is cold' '--hot-spot .*hot-spot beside it' traffic ring:8 uniform --hot-spot 3
refuse 'a hot spot nowhere' "--hot-spot '9'" traffic ring:8 hot-spot --hot-spot 9
refuse 'more packets than can be followed' '--measure 99999999' traffic ring:8 uniform --rate 0.9 --measure 99999999
refuse 'a trace that is not there' 'trace:none.txt' traffic ring:8 trace:none.txt
printf '1 0 2\n2 0 0\n' >packets.txt
refuse 'a trace with a packet to oneself' "packets.txt:2: destination '0'" traffic ring:4 trace:packets.txt
refuse 'a trace with a rate' "--rate '0.1': expected a pattern" traffic ring:4 trace:packets.txt --rate 0.1
refuse 'a network too large for traffic' '60000 nodes' traffic ring:60000 uniform

# ---- dynamic broadcasting ----
expect 'dynamic broadcasting' 0 'verdict +within bound' dynamic-broadcast mesh:4x4 --split --flits 4 --packets 200
"$safnet" dynamic-broadcast mesh:4x4 --split --flits 4 --packets 200 --of-limit --sweep 0.3:1.5:0.6 --json --csv delays.csv --plot delays.svg >out 2>err && python3 - <<'PY' 2>>err
import csv, json, xml.etree.ElementTree
result = json.load(open('out'))
assert [load['verdict'] for load in result['loads']] == ['within bound', 'no bound', 'not stable'], result
for load in result['loads']:
    assert load['broadcast'] == load['arrived'] == 200 and load['lost'] == load['duplicated'] == 0, load
    assert load['deliveries'] == load['expected_deliveries'] == 200 * 15 * 2, load
assert [row[1] for row in csv.reader(open('delays.csv'))] == ['of limit', '0.3000', '0.9000', '1.5000']
xml.etree.ElementTree.parse('delays.svg')
PY
report 'a sweep of rates as JSON, CSV and SVG' $?
refuse 'dynamic broadcasting where there are no digits' 'dynamic-broadcast: .*petersen' dynamic-broadcast petersen
refuse 'a rate of nothing' '--rate 0: expected' dynamic-broadcast mesh:4x4 --rate 0
refuse 'no packets' '--packets 0: expected' dynamic-broadcast mesh:4x4 --packets 0
refuse 'more warm-up than packets' '--warm-up 2000: expected fewer' dynamic-broadcast mesh:4x4 --warm-up 2000
refuse 'packets of no flits' '--flits 0: expected' dynamic-broadcast mesh:4x4 --flits 0
refuse 'packets that come too rarely' '--packets 5000000: expected fewer' dynamic-broadcast mesh:4x4 --packets 5000000 --rate 0.000001
refuse 'turns without a ring' '--alternating: expected a torus' dynamic-broadcast mesh:4x4 --alternating
refuse 'a rate and a sweep' '--sweep .*no --rate beside it' dynamic-broadcast mesh:4x4 --rate 0.1 --sweep 0.1,0.2

# ---- a second run starts at once ----
begin=$(date +%s%N)
"$safnet" run torus:4x4 total-exchange --ports one --json >out 2>err
milliseconds=$((($(date +%s%N) - begin) / 1000000))
grep -q '"build_seconds":0.0,' out
report 'a second run builds nothing' $?
echo "second run of torus:4x4 took $milliseconds ms"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
