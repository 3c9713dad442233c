#include <array>
#include <random>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/network_text.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string graphml(const std::string& inside, const std::string& direction = "undirected") {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
         "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "<graph id=\"G\" edgedefault=\"" +
         direction + "\">\n" + inside + "</graph>\n</graphml>\n";
}

}  // namespace

TEST_CASE("an edge list is a graph", "[graph_file]") {
  const GraphFile file("# a square with a double edge\n0 1\n1 2 2\n\n2 3  # the end\n3 0\n");
  const Graph graph = make_topology(file.spelling());
  CHECK(graph.spelling() == file.spelling());
  CHECK(graph.node_count() == 4);
  CHECK(graph.link_count() == 10);
  CHECK(graph.degree(1) == 3);
  CHECK(graph.peer(1, 0) == Endpoint{0, 0});
  CHECK(graph.peer(1, 1) == Endpoint{2, 0});
  CHECK(graph.peer(1, 2) == Endpoint{2, 1});
  CHECK(graph.diameter() == 2);
}

TEST_CASE("a file larger than allowed is not read", "[graph_file]") {
  const GraphFile file("0 1\n1 2\n");
  const std::string path = file.spelling().substr(std::string("graph:").size());
  CHECK(read_bounded_file(path, 8) == "0 1\n1 2\n");
  CHECK_THROWS_WITH(read_bounded_file(path, 7), Catch::EndsWith("expected at most 7 bytes"));
}

TEST_CASE("a wrong edge list gets one line that names file, line and word", "[graph_file]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "no edges"},
      {"# nothing\n", "no edges"},
      {"0\n", ":1: '0'"},
      {"0 1\n0 x\n", ":2: node 'x'"},
      {"0 1\n0 -1\n", ":2: node '-1'"},
      {"0 1\n1 65536\n", ":2: node '65536'"},
      {"0 1\n1 99999999999999999999\n", ":2: node '99999999999999999999'"},
      {"0 0\n", ":1: edge 0 0"},
      {"0 1 0\n", ":1: multiplicity '0'"},
      {"0 1 129\n", ":1: multiplicity '129'"},
      {"0 1 two\n", ":1: multiplicity 'two'"},
      {"0 1 1 3 5\n", ":1:"},
      {"0 1\n1 2\n1 0\n", ":3: edge 1 0"},
      {"0 1\n2 3\n", "node 2 cannot be reached"},
      {"0 1 128\n0 2\n", ":2: edge 0 2: node 0"},
  };
  check_errors(wrong);
}

TEST_CASE("DOT is a graph", "[graph_file]") {
  CHECK(wiring(graph_of("graph { a -- b -- c; c -- a }")) == "a: b c; b: a c; c: b a");
  CHECK(wiring(graph_of("graph \"g\" {\r\n  b;\r\n  a -- b [label=\"x -- y\"]\r\n}\r\n")) == "b: a; a: b");
  CHECK(wiring(graph_of("\xEF\xBB\xBF// c\n/* c\n */\n# 1 \"x\"\nGRAPH {a--b}")) == "a: b; b: a");
  CHECK(wiring(graph_of("graph a { c -- b }")) == "c: b; b: c");  // the graph's name is no node
  CHECK(wiring(graph_of("graph { node [shape=box, style=\"a;b\"]; edge [w=1][x=2]; k = v\n"
                        "subgraph cluster_x { label = <a<b>c</b>>; a; {b} } a -- b }")) == "a: b; b: a");
  CHECK(wiring(graph_of("graph { a:n -- b:port:sw; b -- \"c\" }")) == "a: b; b: a c; c: b");
  // A line of the C preprocessor, which begins with '#', is skipped; elsewhere '#' begins nothing.
  CHECK(wiring(graph_of("# 1 \"a.dot\"\ngraph { a -- b;\n#line 7 { ; -- c\n}")) == "a: b; b: a");
  CHECK(wiring(graph_of("graph { a -- b; " + repeated("{", 127) + repeated("}", 127) + "}")) == "a: b; b: a");
  CHECK(wiring(graph_of("graph { \"a\" + \"b\" -- c }")) == "ab: c; c: ab");
  // In quotes: a quote, a backslash, and a line that goes on on the next one, which is the same name both
  // times.
  CHECK(wiring(graph_of("graph { \"a\\\"b\" -- \"c\\\nd\"; \"c\\\r\nd\" -- \"e\\\\f\" }")) ==
        "0: 1; 1: 0 2; 2: 1");
  CHECK(wiring(graph_of("graph { \"node\" -- Node_1 }")) == "node: Node_1; Node_1: node");
  // Parallel edges are parallel links, but not in a strict graph.
  CHECK(wiring(graph_of("graph { a -- b; b -- a }")) == "a: b b; b: a a");
  CHECK(wiring(graph_of("strict graph { a -- b; b -- a }")) == "a: b; b: a");
}

TEST_CASE("edges of a directed file are full duplex if all have opposites, one way otherwise",
          "[graph_file]") {
  CHECK(wiring(graph_of("digraph { b -> c; a -> b; c -> b; b -> a }")) == "b: c a; c: b; a: b");
  CHECK(wiring(graph_of("digraph { a -> b -> a; a -> b; b -> a }")) == "a: b b; b: a a");
  CHECK(wiring(graph_of("strict digraph { a -> b -> a; a -> b }")) == "a: b; b: a");
  CHECK_FALSE(graph_of("digraph { a -> b -> a; a -> b; b -> a }").has_one_way_links());
  CHECK(wiring(graph_of("digraph { a -> b; b -> c; b -> a; c -> a }")) == "a: b; b: c a; c: a");
  const Graph one_way = graph_of("digraph { a -> b -> a; a -> b }");
  CHECK(wiring(one_way) == "a: b b; b: a");
  CHECK(one_way.has_one_way_links());
  CHECK(one_way.peer(0, 1) == Endpoint{1, 1});
  CHECK_THAT(error_of("digraph { a -> b; b -> c; b -> a }"),
             Catch::Contains("node 'c' cannot reach node 'a'; expected a strongly connected graph"));
  CHECK_THAT(
      error_of("digraph { a -> b; b -> a; c -> a }"),
      Catch::Contains("node 'c' cannot be reached from node 'a'; expected a strongly connected graph"));
  const std::string both = "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/>";
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/>";
  CHECK(wiring(graph_of(graphml(nodes + both, "directed"))) == "a: b; b: a");
  CHECK(wiring(graph_of(graphml(nodes + both))) == "a: b b; b: a a");
  CHECK_THAT(error_of(graphml(nodes + "<edge source=\"a\" target=\"b\"/>", "directed")),
             Catch::Contains("node 'b' cannot reach node 'a'"));
}

TEST_CASE("nodes of a file keep their numbers or their names", "[graph_file]") {
  CHECK(wiring(graph_of("graph { 2 -- 0; 0 -- 1 }")) == "0: 2 1; 1: 0; 2: 0");
  CHECK(wiring(graph_of("graph { 1 -- 2 -- 3 }")) == "0: 1; 1: 0 2; 2: 1");  // the order of appearance
  CHECK(wiring(graph_of("graph { 00 -- 1 }")) == "0: 1; 1: 0");
  CHECK(wiring(graph_of("graph { a -- \"b c\" }")) == "0: 1; 1: 0");  // no scope name
  CHECK(wiring(graph_of("graph { a -- 7 }")) == "0: 1; 1: 0");
  const Graph graph = graph_of("graph { spine_1 -- leaf_1; spine_1 -- leaf_2 }");
  CHECK(graph.parse_node("leaf_2") == 2);
  CHECK(graph.parse_node("1") == 1);
  CHECK_THROWS_WITH(graph.parse_node("leaf_3"), Catch::Contains("'leaf_3'"));
}

TEST_CASE("GraphML is a graph", "[graph_file]") {
  CHECK(wiring(graph_of(
            graphml("<edge source='b' target='a'/><!-- <node> --><node id='a'/><node id='b'></node>\n"))) ==
        "b: a; a: b");
  CHECK(wiring(graph_of(
            "\xEF\xBB\xBF<graphml>\r\n<key id=\"k\" for=\"node\"><default>1</default></key>"
            "<graph edgedefault=\"undirected\"><node id=\"x&amp;\"><data key=\"k\"><a:b><graph/></a:b>"
            "</data></node><node id=\"y\"><desc>d</desc></node><data key=\"q\"><![CDATA[</graph>]]></data>"
            "<edge source=\"x&#38;\" target=\"y\" directed=\"false\"/></graph></graphml>")) == "0: 1; 1: 0");
}

TEST_CASE("characters of GraphML may be written as their codes", "[graph_file]") {
  CHECK(wiring(graph_of(
            "<!DOCTYPE graphml SYSTEM \"x.dtd\">" +
            graphml("<node id=\"&#65;&#x42;\"/><node id='A'/><edge source='AB' target='&#x41;'/>"))) ==
        "AB: A; A: AB");
  CHECK(graph_of(graphml("<node id=\"\xC3\xA9\"/><node id='x'/><edge source='&#xe9;' target='x'/>"))
            .node_count() == 2);
}

TEST_CASE("wrong DOT gets one line", "[graph_file]") {
  const std::string edge = "graph { a -- b }";
  check_errors({
      {"graph", "expected DOT"},
      {"graph {", "expected DOT"},
      {"graph { }", "no edges"},
      {"graph { a; b }", "no edges"},
      {"graph { a -- }", "right_brace"},
      {"graph { -- a }", "'--'"},
      {"graph {\n a -> b }", ":2: '->': expected '--' in a graph"},
      {"digraph {\n a -- b }", ":2: '--': expected '->' in a digraph"},
      {"graph { a -- a }", "edge 'a' 'a'"},
      {"strict graph { a -- a; a -- b }", "edge 'a' 'a'"},
      {"graph { a -- b; # c\n}", "'#': expected a name"},
      {"graph { a -- b; c -- d }", "node 'c' cannot be reached"},
      {"graph { a -- b; c }", "node 'c' cannot be reached"},
      {"graph { a -- b\n", "expected DOT"},
      {edge + " }", "right_brace"},
      {edge + edge, "Wanted end of file"},
      {"graph { a -- b [label=] }", "NAME=VALUE"},
      {"graph { a -- b [label=x }", "NAME=VALUE"},
      {"graph { a -- b [label=x", "expected ']'"},
      {"graph { a -- b [label=\"x }", "expected '\"'"},
      {"graph { a -- b [label=<<b>x] }", "expected '>'"},
      {"graph { /* a -- b }", "expected '*/'"},
      {"graph { a -- 1b }", "'1b'"},
      {"graph { a -- b; node foo }", "foo"},
      {"graph { a - b }", "'-'"},
      {"graph { a: -- b }", "':'"},
      {"graph { a -- (b) }", "'('"},
      {"graph { \"a\" + b -- c }", "'+'"},
      {"graph { a -- {b c} }", ":1: '--': edges of a subgraph are not supported"},
      {"graph { {b c} -- a }", "edges of a subgraph"},
      {"graph { a -- subgraph s {b} }", "edges of a subgraph"},
      {"graph { subgraph s {a} subgraph s -- b }", "edges of a subgraph"},
      {std::string("graph { a --\n b\0 }", 18), ":2: a byte 0"},
      {"graph { a -- b; " + repeated("{", 128) + repeated("}", 128) + "}", "nested too deeply"},
      {"graph " + repeated("{", 1'000'000) + repeated("}", 1'000'000), "nested too deeply"},
      {"graph " + repeated("subgraph s {", 1'000'000), "nested too deeply"},
      {"graph {" + repeated("a--b;", 129) + "}", "node 'a' has more than 128 links"},
      {"graph {" + repeated("a--b;", 300'000) + "}", "262144 edges"},
      {"graph {" + repeated("{}", 1'000'000) + "}", "words"},
  });
  std::string many = "graph {";
  for (int i = 0; i <= 65536; ++i) many += "n" + std::to_string(i) + ";";
  check_errors({{many + "}", "65536 nodes"}});
}

TEST_CASE("wrong GraphML gets one line", "[graph_file]") {
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/>\n";
  const std::string edge = "<edge source=\"a\" target=\"b\"/>";
  check_errors({
      {"<", "expected the name"},
      {"<graphml>", "</graphml>"},
      {"<graphml/>", "expected GraphML with a <graph>"},
      {"<svg></svg>", "<svg>: expected one element <graphml>"},
      {graphml(nodes), "no edges"},
      {graphml(nodes + edge + "</node>"), ":5: </node>: expected </graph>"},
      {graphml(nodes + edge) + "<graphml/>", "expected one element <graphml>"},
      {graphml(nodes + edge, "sideways"), "edgedefault"},
      {"<graphml><graph>" + nodes + edge + "</graph></graphml>", "edgedefault"},
      {graphml(nodes + "<edge source=\"a\" target=\"c\"/>"), "'c'"},
      {graphml(nodes + "<edge source=\"a\"/>"), ":5: <edge>: expected an attribute 'target'"},
      {graphml("<node/>" + edge), "'id'"},
      {graphml(nodes + nodes + edge), "'a' is given twice"},
      {graphml(nodes + "<edge source=\"a\" target=\"a\"/>"), "edge 'a' 'a'"},
      {graphml(nodes + "<edge directed=\"true\" source=\"a\" target=\"b\"/>"), "directed='true'"},
      {graphml("<node id=\"a\"><graph edgedefault=\"directed\"/></node>"), "nested graphs are not supported"},
      {graphml("<node id=\"a\"><port name=\"p\"/></node>"), "ports are not supported"},
      {graphml(nodes + "<edge source=\"a\" target=\"b\" sourceport=\"p\"/>"), "ports are not supported"},
      {graphml("<hyperedge/>"), "hyperedges are not supported"},
      {"<graphml><graph edgedefault=\"directed\"/><graph/></graphml>", "a second graph"},
      {"<!DOCTYPE x [<!ENTITY a \"aaaa\">]><graphml/>", "'<!DOCTYPE'"},
      {"<!DOCTYPE x", "'<!DOCTYPE'"},
      {"<!x><graphml/>", "'<!'"},
      {graphml("<node id=\"&#x110000;\"/>"), "'&#x110000;'"},
      {graphml("<node id=\"&#;\"/>"), "'&#;'"},
      {graphml("<node id=\"&#99999999999;\"/>"), "'&#99999999999;'"},
      {graphml("<node id=\"&;\"/>"), "'&;'"},
      {graphml("<node id=\"&a;\"/>"), "'&a;'"},
      {graphml("<node id=\"&#0;\"/>"), "'&#0;'"},
      {graphml("<node id=\"a/>"), "expected a quote"},
      {graphml("<node id=a/>"), "in quotes"},
      // Of what is wrong the first 40 characters are shown.
      {graphml("<node id=\"" + repeated("a", 29) + "b" + repeated("c", 40) + "\" id=\"d\"/>"),
       "'<node id=\"" + repeated("a", 29) + "b'"},
      {graphml("<node id=\"a\" id=\"b\"/>"), "only once"},
      {graphml("<!-- "), "'-->'"},
      {graphml("<![CDATA[ "), "']]>'"},
      {std::string("<graphml>\n\0", 11), ":2: a byte 0"},
      {repeated("<graphml>", 1'000'000), "nested too deeply"},
      {graphml(repeated("<a>", 1'000'000) + repeated("</a>", 1'000'000)), "nested too deeply"},
      {graphml("<node id=\"a\" " + repeated("x", 100'000) + "=\"\"/>") + "<", "expected"},
      {graphml(nodes + repeated(edge, 129)), "more than 128 links"},
      {graphml(nodes + repeated(edge, 300'000)), "262144 edges"},
  });
}

TEST_CASE("the extension decides only where the first word does not", "[graph_file]") {
  CHECK_THAT(error_of("\x1b[31", ".txt"), Catch::Contains("expected"));  // a colour that never ends
  CHECK_THAT(error_of("a -- b", ".dot"), Catch::Contains("expected DOT"));
  CHECK_THAT(error_of("", ".gv"), Catch::Contains("expected DOT"));
  CHECK_THAT(error_of("a", ".graphml"), Catch::Contains("expected GraphML"));
  CHECK_THAT(error_of("graph { a -- b }", ".graphml"), Catch::Equals("accepted"));
  CHECK_THAT(error_of("graph_1", ".txt"), Catch::Contains("expected 'u v"));
  CHECK_THAT(error_of("\xEF\xBB\xBF# list\r\n0 1\r\n", ".txt"), Catch::Equals("accepted"));
}

TEST_CASE("latencies in a file are those of its links, beside the least", "[graph_file]") {
  const auto latency = [](const Graph& graph, NodeId from, NodeId to) {
    return graph.timing(graph.link(from, *graph.port_to(from, to))).latency;
  };
  const auto check = [&](const Graph& graph, std::array<int, 4> expected) {
    CHECK(latency(graph, 0, 1) == expected[0]);
    CHECK(latency(graph, 1, 0) == expected[1]);
    CHECK(latency(graph, 1, 2) == expected[2]);
    CHECK(latency(graph, 2, 1) == expected[3]);
  };
  const Notes notes;
  check(graph_of("0 1 1 3\n1 2 2 7\n"), {0, 0, 4, 4});
  CHECK_THAT(notes.text(), Catch::Contains("links take up to 4 cycles more than the quickest"));
  // In anynet each direction has its own; where none is given it is 1.
  check(graph_of("router 0 node 0 router 1 15\nrouter 1 node 1 router 0 2 router 2 1\nrouter 2 node 2\n"),
        {14, 1, 0, 0});
  check(graph_of(R"({"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [{"source": 0, "target": 1},
      {"source": 1, "target": 2, "latency": 3}]})"),
        {0, 0, 2, 2});
  // Two opposite links are an edge whose directions differ.
  check(graph_of(R"({"directed": true, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": [
      {"source": 1, "target": 0, "latency": 5}, {"source": 0, "target": 1, "latency": 2},
      {"source": 1, "target": 2, "latency": 3}, {"source": 2, "target": 1, "latency": 2}]})"),
        {0, 3, 1, 0});
  CHECK_FALSE(graph_of("0 1 1 3\n1 2 1 3\n").has_unequal_links());
}

TEST_CASE("an edge list may give all links one latency", "[graph_file]") {
  CHECK(wiring(graph_of("0 1 1 3\n1 2 2 3\n")) == "0: 1; 1: 0 2 2; 2: 1 1");
  CHECK(wiring(graph_of("0 1\n1 2 1 1\n")) == "0: 1; 1: 0 2; 2: 1");
  check_errors({
      {"0 1 1 2000\n1 2\n", "latencies from 1 to 2000 cycles; expected a difference of at most 1024"},
      {"0 1 1 -3\n", ":1: latency '-3'"},
      {"0 1 1 x\n", ":1: latency 'x'"},
  });
}

TEST_CASE("BookSim's anynet is a graph", "[graph_file]") {
  // Every mention of a connection is both ways; a router's node may be given by either side.
  CHECK(
      wiring(graph_of("router 0 node 0 router 1\nrouter 1 node 1 router 0 router 2\n\nnode 2 router 2\n")) ==
      "0: 1; 1: 0 2; 2: 1");
  CHECK(wiring(graph_of(
            "# a triangle\nrouter 0 node 0 router 1 15 router 2 15\nrouter 1 node 1 router 2 15 router 0 "
            "15\nrouter 2 node 2 router 0 15 router 1 15\n")) == "0: 1 2; 1: 0 2; 2: 0 1");
  // Routers that are not 0 ... n-1 are numbered in order.
  CHECK(wiring(graph_of("router 7 node 0 router 3\nrouter 3 node 1\n")) == "0: 1; 1: 0");
  check_errors({
      {"router\n", ":1: number ''"},
      {"router 0 node 0\n", "no routers connected"},
      {"router 0 switch 1\n", ":1: 'switch': expected 'router' or 'node'"},
      {"router 0 node 0 router 1\nrouter 1 node x\n", ":2: number 'x'"},
      {"router 0 node 0 router 65536\n", ":1: number '65536': expected 0 to 65535"},
      {"router 0 node 0 router 0\n", "connected to itself"},
      {"node 0 node 1\n", "nodes are connected to routers only"},
      {"router 0 node 0 router 1\n", "1 of 2 nodes only route; expected two or more"},
      {"router 0 router 1\n", "2 of 2 nodes only route"},
      {"router 0 node 0 router 1\nrouter 1 node 0\n", ":2: node 0: connected to router 0 and router 1"},
      {"router 0 node 0 router 1 1x\nrouter 1 node 1\n", ":1: '1x'"},
      {"router 0 node 0 router 1\nrouter 1 node 1\nrouter 2 node 2 router 3\nrouter 3 node 3\n",
       "cannot be reached"},
  });
}

TEST_CASE("an anynet file may have as many nodes and routers as a network", "[graph_file]") {
  std::string line;
  for (NodeId v = 0; v < kMaxNodes; ++v) {
    line += fmt::format("router {0} node {0}", v);
    line += v + 1 < kMaxNodes ? fmt::format(" router {}\n", v + 1) : "\n";
  }
  CHECK(graph_of(line).node_count() == kMaxNodes);
  // Router 0 has two nodes, so that every router is a node of the network beside its own.
  check_errors({{"router 0 node 65535\n" + line.substr(0, line.rfind("router 65535")),
                 "131072 nodes and routers; expected at most 65536"}});
}

TEST_CASE("node-link JSON is a graph", "[graph_file]") {
  CHECK(
      wiring(graph_of(R"({"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": 0}, {"id": 2},
      {"id": 1}], "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}, {"source": 2, "target": 1}]})")) ==
      "0: 1; 1: 0 2; 2: 1");
  CHECK(
      wiring(graph_of(R"({"directed": true, "multigraph": true, "nodes": [{"id": "a"}, {"id": "b"}], "edges":
      [{"source": "a", "target": "b", "key": 0}, {"source": "b", "target": "a", "key": 0},
       {"source": "a", "target": "b", "key": 1}, {"source": "b", "target": "a", "key": 1}]})")) ==
      "a: b b; b: a a");
  CHECK(wiring(graph_of(R"({"nodes": [{"id": [0, 1]}, {"id": [1, 1]}],
      "links": [{"source": [0, 1], "target": [1, 1], "latency": 4}]})")) == "0_1: 1_1; 1_1: 0_1");
  const auto file = [](const std::string& nodes, const std::string& links, const std::string& more = "") {
    return "{\"nodes\": [" + nodes + "], \"links\": [" + links + "]" + more + "}";
  };
  const std::string two = R"({"id": 0}, {"id": 1})", three = two + R"(, {"id": 2})";
  const std::string link = R"({"source": 0, "target": 1})";
  check_errors({
      {"{", "expected JSON"},
      {"[]", "expected node-link JSON"},
      {repeated("[", 100000), "nested more than 64 deep"},
      {repeated("{\"a\":", 100000), "nested more than 64 deep"},
      {"{\"nodes\": 3, \"links\": []}", "nodes: expected an array"},
      {"{\"nodes\": [], \"links\": 3}", "links: expected an array"},
      {"{\"nodes\": [], \"nodes\": []}", "key 'nodes': given twice"},
      {file("", ""), "no edges"},
      {file("3", link), "nodes[0].id: expected a number, a word"},
      {file("{\"id\": 0.5}", link), "nodes[0].id: expected"},
      {file("{\"id\": []}", link), "nodes[0].id: expected"},
      {file("{\"id\": 0}, {\"id\": \"0\"}", link), "nodes[1].id: '0': given twice"},
      {file("{\"id\": 0}", link), "links[0].target: '1' is none of the nodes"},
      {file(two, "{\"source\": 0}"), "links[0].target: expected"},
      {file(two, "{\"source\": 0, \"target\": 0}"), "connected to itself"},
      {file(two, link, ", \"directed\": true"), "node '1' cannot reach node '0'"},
      {file(two, link, ", \"directed\": 1"), "directed: expected true or false"},
      {file(three, link), "cannot be reached"},
      {file(two, R"({"source": 0, "target": 1, "latency": -3})"), "links[0].latency: expected"},
  });
}

TEST_CASE("SCCL's link matrix is a graph with parallel links", "[graph_file]") {
  // Two links from node 1 to node 0, one back.
  CHECK(wiring(graph_of(R"({"links": [[0, 2], [1, 0]]})")) == "0: 1; 1: 0 0");
  CHECK(wiring(graph_of(R"({"name": "x", "switches": [], "links": [[0, 2, 1], [2, 0, 0], [1, 0, 0]]})")) ==
        "0: 1 1 2; 1: 0 0; 2: 0");
  CHECK(wiring(graph_of(R"({"topology": {"switches": [[[0], [1], 1, "a"]], "links": [[0, 1], [1, 0]]}})")) ==
        "0: 1; 1: 0");
  check_errors({
      {R"({"links": [[0, 0], [1, 0]]})", "node '1' cannot reach node '0'"},
      {R"({"links": [[0, 1], [1]]})", "links[1]: expected a row of 2"},
      {R"({"links": [[0]]})", "links: expected a square matrix"},
      {R"({"links": [[1, 1], [1, 0]]})", "links[0][0]: a node cannot be connected to itself"},
      {R"({"links": [[0, -1], [1, 0]]})", "links[0][1]: '-1'"},
      {R"({"links": [[0, 129], [129, 0]]})", "links[0][1]: '129'"},
      {R"({"links": [[0, 70, 70], [70, 0, 0], [70, 0, 0]]})", "links[0]: 140 links; expected at most 128"},
      {R"({"links": [[0, 1, 0], [1, 0, 0], [0, 0, 0]]})", "cannot be reached"},
      {R"({"switches": [[[0], [1], 1, "a"]], "links": [[0, 1], [1, 0]]})",
       "switches: a network has links alone"},
  });
}

TEST_CASE("mutated networks are read or refused in one line", "[graph_file]") {
  const std::vector<std::string> sources{
      "router 0 node 0 router 1\nrouter 1 node 1 router 2\nnode 2 router 2\n",
      "{\"directed\": true, \"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": "
      "1}, {\"source\": 1, \"target\": 0, \"latency\": 1}]}",
      "{\"name\": \"x\", \"switches\": [], \"links\": [[0, 2, 1], [2, 0, 0], [1, 0, 0]]}",
      "0 1 2 3\n1 2 1 3\n"};
  std::mt19937 random(1);
  const std::string alphabet = "0123456789-[]{},:\" ernotud\n\x01\xff";
  std::size_t accepted = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = sources[random() % sources.size()];
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % (text.size() + 1);
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 8);
      } else {
        text.insert(at,
                    random() % 4 == 0 ? "99999999" : std::string(1, alphabet[random() % alphabet.size()]));
      }
    }
    CAPTURE(text);
    const std::string error = error_of(text);
    accepted += error == "accepted" ? 1 : 0;
    if (error.find('\n') != std::string::npos || error.size() > 500) FAIL(error);
  }
  CHECK(accepted > 50);
  CHECK(accepted < 1500);
}
