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

# ---- pictures ----
expect 'prints DOT' 0 '^  "0_0" -- "0_1";$' draw mesh:2x2
"$safnet" draw torus:4x4 -o te.svg >out 2>err && "$safnet" draw graph:abc.gv -o abc.png >>out 2>>err && [ ! -s out ] &&
    grep -q '<svg' te.svg && ! grep -q '<!--' te.svg && [ "$(head -c 4 abc.png | tail -c 3)" = PNG ]
report 'draws SVG and PNG' $?
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
report 'the page of topologies in README.md is up to date' $?

# ---- the SystemC reference in the place of the RTL ----
expect 'reference' 0 'verdict +optimal' run torus:4x4 total-exchange --ports one --model systemc
expect 'the report says which model ran' 0 'model +systemc' run ring:5 broadcast --model systemc
expect 'reference that gets stuck' 3 'cycle of waiting nodes' \
    run ring:16 total-exchange --algorithm message-shift --queue-depth 1 --model systemc
expect 'reference under a broken port model' 1 'received two packets at once' \
    run mesh:3x3 total-exchange --ports one --grants off --model systemc
for model in rtl systemc; do
    "$safnet" run mesh:3x3 total-exchange --ports one --flits 2 --link-latency 1 --slot free --queue-depth 2 \
        --trace $model.trace --model $model --json >$model.json 2>err
done
cmp rtl.trace systemc.trace >out 2>>err && python3 - <<'PY' 2>>err
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
assert t["format"] == "safnet-schedule" and len(t["deliveries"]) == 72 and len(t["transfers"]) == 108
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
refuse 'DOT with one-way edges' "'a' -> 'b' has no partner" run graph:oneway.dot broadcast
printf '<graphml>\n<graph edgedefault="undirected"><hyperedge/></graph></graphml>' >hyper.graphml
refuse 'GraphML with hyperedges' 'hyper.graphml:2: .*hyperedges' describe graph:hyper.graphml
python3 -c 'print("graph " + "{" * 1000000)' >deep.dot
refuse 'DOT nested deeply' 'deep.dot:1: .*nested too deeply' draw graph:deep.dot
head -c 100000 /dev/urandom >noise.txt
refuse 'edge list of noise' 'noise.txt' run graph:noise.txt broadcast
refuse 'a folder as edge list' "$work" run "graph:$work" broadcast

# ---- a second run starts at once ----
begin=$(date +%s%N)
"$safnet" run torus:4x4 total-exchange --ports one --json >out 2>err
milliseconds=$((($(date +%s%N) - begin) / 1000000))
grep -q '"build_seconds":0.0,' out
report 'a second run builds nothing' $?
echo "second run of torus:4x4 took $milliseconds ms"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
