// Networks in the formats of other tools, besides those of test_graph_file.cpp.
#include <random>
#include <utility>

#include "testbench/support/catch.hpp"
#include "testbench/support/network_text.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

const std::string kExamples = "cpp_model/graph/file/";

std::string notes_of(const std::string& text, const std::string& extension) {
  const Notes notes;
  graph_of(text, extension);
  return notes.text();
}

std::string matrix(const std::string& rows) { return "\tGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\n" + rows; }

}  // namespace

TEST_CASE("GML is a graph", "[graph_file]") {
  CHECK(wiring(graph_of("graph [\n  node [ id 5 label \"a\" ]\n node [ id 7 label \"b\" ]\n"
                        "  edge [ source 7 target 5 ] ]")) == "a: b; b: a");
  CHECK(wiring(graph_of("# c [\nCreator \"x ] y\"\nVersion 1\ngraph [ comment \"]\" directed 1\n"
                        "node [ id 0 graphics [ x 1.5 y -2e3 w [ a NAN ] ] ] node [ id 1 ]\n"
                        "edge [ source 0 target 1 ] edge [ target 0 source 1 key 0 ] ]")) == "0: 1; 1: 0");
  // Edges may come before nodes; ids are taken where labels are the same; repeated edges are parallel links.
  CHECK(wiring(graph_of("graph [ edge [ source 1 target 0 ] edge [ source 0 target 1 ]\n"
                        "node [ id 0 label \"x\" ] node [ id 1 label \"x\" ] ]",
                        ".gml")) == "0: 1 1; 1: 0 0");
  CHECK(wiring(
            graph_of("graph [ node [ id 0 label \"x\" ] node [ id 1 label \"y\" ] node [ id 2 label \"x\" ]\n"
                     "edge [ source 0 target 1 ] edge [ source 1 target 2 ] ]",
                     ".gml")) == "0: 1; 1: 0 2; 2: 1");
  CHECK(wiring(graph_of("AZaz 1 graph [ Z_9 2 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
                        ".gml")) == "0: 1; 1: 0");
  CHECK(graph_of("graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 ]\n"
                 "edge [ source 1 target 2 ] edge [ source 2 target 0 ] ]")
            .has_one_way_links());
  const std::string nodes = "graph [\nnode [ id 0 ] node [ id 1 ]\n";
  check_errors({
      {"graph [", "expected ']' for 'graph'"},
      {"graph [ ]", "no edges"},
      {"graph [ ] ]", ":1: ']'"},
      {"graph [ ] graph [ ]", ":1: 'graph': a second one"},
      {"Version 1", "expected GML"},
      {nodes + "edge [ source 0 ] ]", ":3: edge: expected 'source' and 'target'"},
      {nodes + "edge [ source 0 target 2 ] ]", ":3: edge to '2'"},
      {nodes + "node [ id 1 ] ]", ":3: node id '1': given twice"},
      {nodes + "node [ label \"x\" ] ]", ":3: node: expected an 'id'"},
      {nodes + "directed 2 ]", ":3: directed '2'"},
      {nodes + "x y ]", ":3: x 'y': expected a number"},
      {nodes + "3 4 ]", ":3: '3': expected a key"},
      {nodes + "label \"x ]", ":3: label: expected '\"'"},
      {nodes + "edge [ source 0 target 0 ] ]", "connected to itself"},
      {"graph [ " + repeated("a [ ", 100), "nested too deeply"},
      {nodes + repeated("edge [ source 0 target 1 ]", 129) + "]", "more than 128 links"},
  });
}

TEST_CASE("networkx's lists are graphs", "[graph_file]") {
  CHECK(wiring(graph_of("# made by\na b {}\nb c {'weight': 2, \"x\": 'y'}\nc a\nb a\n", ".edgelist")) ==
        "a: b c; b: a c; c: b a");
  CHECK(wiring(graph_of("0 2 3.5\n2 1 -1e3\n", ".edgelist")) == "0: 2; 1: 2; 2: 0 1");
  CHECK(wiring(graph_of("#GMT\n0 1 2\n1 2\n2\n", ".adjlist")) == "0: 1 2; 1: 0 2; 2: 0 1");
  CHECK(wiring(graph_of("graph b\nb graph c\n", ".adjlist")) == "graph: b; b: graph c; c: b");
  check_errors({{"a b c d\n", ":1: 'a b c d'"},
                {"a b\na\n", ":2: 'a'"},
                {"a b\n{}\n", ":2: '{}'"},
                {"a b x\n", ":1: 'x': expected a number or"},
                {"a b {'x\n", ":1: '{'x': expected '}'"},
                {"a b {'x}\n", "expected a quote"},
                {"a a\n", ":1: edge 'a' 'a'"},
                {"", "no edges"}},
               ".edgelist");
  check_errors({{"a b\nc c\n", ":2: edge 'c' 'c'"}, {"a\nb\n", "no edges"}}, ".adjlist");
}

TEST_CASE("what nvidia-smi prints is a graph of its NVLinks", "[graph_file]") {
  const std::string cards = "NIC0\tPHB\tSYS\tSYS\tX\n\nLegend:\n\n  X = Self\n";
  const Graph direct =
      graph_of(matrix("GPU0\t X \tNV2\tNV1\tPHB\t0-9\nGPU1\tNV2\t X \tNODE\tSYS\t0-9\n"
                      "GPU2\tNV1\tNODE\t X \tSYS\n" +
                      cards));
  CHECK(wiring(direct) == "GPU0: GPU1 GPU1 GPU2; GPU1: GPU0 GPU0; GPU2: GPU0");
  CHECK_FALSE(direct.has_routers());
  // More NVLinks than a GPU has: it has these to switches. On a terminal the header is underlined.
  const Graph switched = graph_of(
      "\x1b[4m\tGPU0\tGPU1\tGPU2\x1b[0m\nGPU0\tX\tNV12\tNV12\nGPU1\tNV12\tX\tNV12\n"
      "GPU2\tNV12\tNV12\tX\n");
  CHECK(switched.processor_count() == 3);
  CHECK(switched.node_count() == 15);
  CHECK(switched.degree(2) == 12);
  CHECK(switched.degree(14) == 3);
  CHECK(switched.node_name(14) == "switch_11");
  // Of 18 links in all nothing says whether they lead to a switch.
  const std::string three = "GPU0 GPU1 GPU2\nGPU0 X NV9 NV9\nGPU1 NV9 X NV9\nGPU2 NV9 NV9 X\n";
  CHECK_FALSE(graph_of(three).has_routers());
  CHECK(graph_of(three + "Legend:\n").node_count() == 3);  // without a blank line before it
  std::string many_gpus;
  for (int i = 0; i < 300'000; ++i) many_gpus += "GPU" + std::to_string(i) + " ";
  const std::string first = "GPU0\tX\tNV1\tNV1\tSYS\n";
  check_errors({
      {matrix(first), ":2: the matrix ends: expected a row for 'GPU1'"},
      {matrix("GPU0\tX\tNV1\n"), ":2: 2 columns behind 'GPU0'; expected 4"},
      {matrix("GPU1\tX\n"), ":2: 'GPU1': expected the row of 'GPU0'"},
      {matrix("GPU0\tX\tNV0\tNV1\tSYS\n"), ":2: 'NV0': expected NV1"},
      {matrix("GPU0\tX\tNV\tNV1\tSYS\n"), ":2: 'NV'"},
      {matrix("GPU0\tX\tABC\tNV1\tSYS\n"), ":2: 'ABC'"},
      {matrix("GPU0\tNV1\tNV1\tNV1\tSYS\n"), ":2: 'NV1': expected X"},
      {matrix(first + "GPU1\tNV2\tX\tNV1\tSYS\nGPU2\tNV1\tNV1\tX\tSYS\n" + cards),
       "expected as many both ways"},
      {"GPU0 GPU0\n", ":1: 'GPU0': given twice"},
      {many_gpus, ":1: 'GPU1024': expected at most 1024 devices"},
      {"GPU0 NIC0\n", "two or more GPUs"},
      {"GPU0 NIC0 GPU1\n", "all GPUs before"},
      {"GPU0 GPU1\nGPU0 X SYS\nGPU1 SYS X\n", "no NVLinks"},
      {"GPU0 GPU1 GPU2\nGPU0 X NV18 NV1\nGPU1 NV18 X SYS\nGPU2 NV1 SYS X\n", "19 NVLinks at a GPU"},
  });
}

TEST_CASE("NCCL's topology is a graph of its NVLinks", "[graph_file]") {
  const auto gpu = [](int bus, const std::string& attributes, const std::string& links) {
    return "<pci busid=\"0:" + std::to_string(bus) + "\">\n<gpu " + attributes + ">" + links +
           "</gpu></pci>\n";
  };
  const auto link = [](const std::string& target, int count, const std::string& target_class) {
    return "<nvlink target=\"" + target + "\" count=\"" + std::to_string(count) + "\" tclass=\"" +
           target_class + "\"/>";
  };
  const std::string is_gpu = "0x030200", is_switch = "0x068000";
  const auto system = [](const std::string& inside) {
    return "<?xml version=\"1.0\"?>\n<system version=\"1\">" + inside + "</system>\n";
  };
  // In the order of ranks, where all have one.
  const Graph direct = graph_of(system(gpu(1, "rank=\"3\"", link("0:2", 2, is_gpu)) +
                                       gpu(2, "rank=\"0\"", link("0:1", 2, is_gpu) + "<c2c bw=\"1\"/>")));
  CHECK(wiring(direct) == "gpu_0: gpu_3 gpu_3; gpu_3: gpu_0 gpu_0");
  CHECK(graph_of(system(gpu(1, "dev=\"0\"", link("0:2", 1, is_gpu)) + gpu(2, "", link("0:1", 1, is_gpu))))
            .node_name(1) == "gpu_1");
  const std::string both = link("0:8", 5, is_switch) + link("0:9", 4, is_switch);
  const Graph switched = graph_of(system(gpu(1, "", both) + gpu(2, "", both) + gpu(3, "", both)));
  CHECK(switched.processor_count() == 3);
  CHECK(switched.node_count() == 5);
  CHECK(switched.degree(switched.parse_node("switch_0")) == 15);
  CHECK(switched.degree(switched.parse_node("switch_1")) == 12);
  // One address for all switches, with more links than a node can have: as many switches as links.
  std::string fabric;
  for (int i = 0; i < 8; ++i) fabric += gpu(i, "", link("f:f", 18, is_switch));
  const Graph planes = graph_of(system(fabric));
  CHECK(planes.node_count() == 8 + 18);
  CHECK(planes.degree(25) == 8);
  {
    const Notes notes;
    graph_of(
        system(gpu(1, "", both + link("0:7", 1, is_gpu)) + gpu(2, "", both + link("0:5", 1, "0x068001"))));
    CHECK_THAT(notes.text(), Catch::Contains("are left out"));
  }
  const std::string one = gpu(1, "", link("0:2", 2, is_gpu));
  check_errors({
      {"<system>", "expected </system>"},
      {"<system/>", "0 GPUs; expected two"},
      {system(one), "1 GPUs"},
      {system(one + gpu(2, "", "")), ":3: <nvlink>: 2 links to '0:2', and 0 back"},
      {system(one + gpu(2, "", link("0:1", 1, is_gpu))), "2 links to '0:2', and 1 back"},
      {system(gpu(1, "", "") + gpu(2, "", "")), "no NVLinks"},
      {system(one + gpu(1, "", "")), ":5: <gpu>: a second one at '0:1'"},
      {system("<gpu/>"), ":2: <gpu>: expected it inside a <pci>"},
      {system(gpu(1, "", "<nvlink/>")), ":3: <nvlink>: expected an attribute 'target'"},
      {system(gpu(1, "", link("0:2", 0, is_gpu))), ":3: <nvlink>: count='0': expected 1 to 128"},
      {system(gpu(1, "", link("0:2", 1, is_gpu) + link("0:2", 1, is_gpu))), "a second time at this GPU"},
      {system("</cpu>"), "</cpu>: expected </system>"},
      {"<x><system/></x>", "<x>: expected one element <system>"},
      {"<system>" + repeated("<pci>", 1000), "nested too deeply"},
  });
}

TEST_CASE("TACCL's custom topologies are graphs", "[graph_file]") {
  const Notes notes;
  // links[destination][source]
  CHECK(wiring(graph_of(R"({"name": "x", "gpus_per_node": 3, "alpha": 1, "betas": [[0]], "invbws": [[0]],
      "links": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]})")) == "0: 1; 1: 2; 2: 0");
  CHECK_THAT(notes.text(), Catch::Contains("betas, invbws of edges is not used"));
  check_errors(
      {{R"({"name": "x", "gpus_per_node": 3, "alpha": 1, "node_betas_list": [1], "node_invbws_list": [2]})",
        "links: none, as in TACCL's profiles"}});
}

TEST_CASE("ASTRA-sim's network is a product with switches", "[graph_file]") {
  CHECK(wiring(graph_of("topology: [ Ring ]\nnpus_count: [ 4 ]\n")) ==
        "npu_0: npu_1 npu_3; npu_1: npu_0 npu_2; npu_2: npu_1 npu_3; npu_3: npu_2 npu_0");
  // The first dimension is that of neighbouring numbers; two on a ring have one edge; sides of 1 have none.
  CHECK(wiring(graph_of("npus_count: [ 2, 1, 2 ]\ntopology: [ Ring, Ring, FullyConnected ]\n", ".yaml")) ==
        "npu_0: npu_1 npu_2; npu_1: npu_0 npu_3; npu_2: npu_3 npu_0; npu_3: npu_2 npu_1");
  const Graph switches = graph_of("topology: [ Ring, Switch ]\nnpus_count: [ 2, 3 ]\n", ".yml");
  CHECK(switches.processor_count() == 6);
  CHECK(switches.node_name(7) == "switch_2_1");
  CHECK(switches.degree(7) == 3);
  for (PortId p = 0; p < 3; ++p) CHECK(switches.peer(7, p).node == 2 * p + 1);
  const std::string ring = "topology: [ Ring ]\n";
  check_errors({
      {ring, "expected a key 'npus_count'"},
      {ring + "npus_count: 4", ":2: npus_count: expected a list"},
      {ring + "npus_count: [ 4, 2 ]", ":2: npus_count: 2 numbers; expected 1"},
      {ring + "npus_count: [ x ]", ":2: npus_count 'x'"},
      {ring + "npus_count: [ 0 ]", ":2: npus_count '0'"},
      {ring + "npus_count: [ [ 1 ] ]", ":2: npus_count: expected a list of words"},
      {ring + "npus_count: [ 65537 ]", ":2: npus_count '65537'"},
      {"topology: [ Ring, Ring ]\nnpus_count: [ 300, 300 ]", ":2: npus_count '300'"},
      {"topology: [ Mesh ]\nnpus_count: [ 4 ]", ":1: topology 'Mesh': expected Ring"},
      {"topology: [ Switch ]\nnpus_count: [ 129 ]", "more than 128 links"},
      {"topology: [ FullyConnected ]\nnpus_count: [ 130 ]", ":1: FullyConnected of 130"},
      {"topology: [ Ring ]\nnpus_count: [ 1 ]", "no edges"},
      {"topology: [ Ring\nnpus_count: [ 4 ]", "expected YAML"},
      {"topology: " + repeated("[", 5000), "expected YAML"},
      {"topology: &a [ *a ]\nnpus_count: [ 1 ]", "topology"},
      {ring + "npus_count: [ 4 ]\n# " + repeated("x", 70000), "at most 65536 bytes"},
  });
}

TEST_CASE("formats that say which nodes only route are believed", "[graph_file]") {
  const auto routers_of = [](const std::string& text, const std::string& extension = ".txt") {
    const Graph graph = graph_of(text, extension);
    std::string names;
    for (NodeId v = graph.processor_count(); v < graph.node_count(); ++v) names += graph.node_name(v) + " ";
    return names;
  };
  CHECK(routers_of("graph { s [type=switch]; a -- s -- b; t [type=\"Router\"]; t -- s; b [type=host] }") ==
        "s t ");
  // Defaults hold for the nodes that come first behind them in their group, and not for edges.
  CHECK(routers_of("graph { node [type=switch]; s; { node [type=host]; a; b } t; u [type=x]\n"
                   "a -- s [type=switch]; b -- t -- u; s -- t:x [type=host] }") == "s t ");
  CHECK(
      routers_of("graph [ node [ id 0 label \"s\" type \"switch\" ] node [ id 1 label \"a\" type \"host\" ]\n"
                 "node [ id 2 label \"b\" ] edge [ source 0 target 1 ] edge [ source 0 target 2 type "
                 "\"switch\" ] ]") == "s ");
  CHECK(routers_of(R"({"nodes": [{"id": "s", "type": "switch"}, {"id": "a", "type": 3}, {"id": "b"}],
      "links": [{"source": "s", "target": "a"}, {"source": "s", "target": "b"}]})") == "s ");
  const std::string graphml =
      "<graphml><key id=\"k\" for=\"node\" attr.name=\"type\"><default>switch</default></key>"
      "<key id=\"x\" for=\"node\" attr.name=\"colour\"/><key for=\"node\" attr.name=\"type\"/><graph "
      "edgedefault=\"undirected\">"
      "<node id=\"s\"><data key=\"x\">host</data></node><node id=\"a\"><data key=\"k\"> host </data></node>"
      "<node id=\"b\"><data key=\"k\">host</data></node><node id=\"t\"><data key=\"k\">router</data></node>"
      "<edge source=\"a\" target=\"s\"><data key=\"k\">host</data></edge><edge source=\"t\" target=\"s\"/>"
      "<edge source=\"b\" target=\"t\"/></graph></graphml>";
  CHECK(routers_of(graphml) == "s t ");
  check_errors({{"graph { node [type=switch]; a -- b -- c [type=x] }", "3 of 3 nodes only route"}});
}

TEST_CASE("BookSim's routers have any number of nodes", "[graph_file]") {
  // Where each has one at most, a router is its node.
  const Graph one = graph_of("router 0 node 5 router 1\nrouter 1 router 2\nrouter 2 node 3\n");
  CHECK(one.processor_count() == 2);
  CHECK(wiring(one) == "router_0: router_1; router_2: router_1; router_1: router_0 router_2");
  // Otherwise nodes are apart from their routers.
  const Graph apart = make_topology("graph:" + kExamples + "three_hosts.anynet");
  CHECK(apart.processor_count() == 5);
  CHECK(apart.node_count() == 9);
  CHECK(apart.node_name(apart.peer(apart.parse_node("node_2"), 0).node) == "router_0");
  CHECK(apart.degree(apart.parse_node("router_0")) == 5);
  CHECK(apart.degree(apart.parse_node("router_1")) == 2);
  CHECK(graph_of("router 0 node 0 node 1 node 2\n").processor_count() == 3);
  // The channel between a node and its router has a latency, too.
  const Graph channels = graph_of("router 0 node 0 3 node 1 router 1\nrouter 1 node 2\n");
  CHECK(channels.timing(channels.link(channels.parse_node("node_0"), 0)).latency == 2);
  CHECK(channels.timing(channels.link(channels.parse_node("node_1"), 0)).latency == 0);
  CHECK(graph_of("router 0 node 0 3 node 1 3 router 1 3\nrouter 1 node 2 3 router 0 3\n").node_count() == 5);
}

TEST_CASE("what a file says of edges and is not used is noted", "[graph_file]") {
  CHECK_THAT(notes_of("graph { a -- b [bandwidth=3, capacity=2, weight=2]; c -- b }", ".dot"),
             Catch::Contains("bandwidth, capacity of edges is not used"));
  CHECK(notes_of("graph { a -- b [weight=3]; b [bandwidth=3] }", ".dot").empty());
  CHECK_THAT(notes_of("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight 2 ] ]", ".gml"),
             Catch::Contains("weight of edges"));
  CHECK_THAT(notes_of("a b {'weight': 2}\n", ".edgelist"), Catch::Contains("weight of edges"));
  CHECK_THAT(notes_of("a b 2\n", ".edgelist"), Catch::Contains("weight of edges"));
  CHECK(notes_of("a b {'colour': 'weight'}\n", ".edgelist").empty());
  CHECK_THAT(
      notes_of(R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "speed": 3}]})",
               ".json"),
      Catch::Contains("speed of edges"));
  const std::string graphml =
      "<graphml><key id=\"d1\" for=\"edge\" attr.name=\"weight\"/><key id=\"d2\" for=\"edge\" "
      "attr.name=\"delay\"/>"
      "<graph edgedefault=\"undirected\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\">"
      "<data key=\"d1\">3</data></edge></graph></graphml>";
  CHECK(notes_of(graphml, ".graphml").find("weight of edges") != std::string::npos);
  CHECK(notes_of(graphml, ".graphml").find("delay") == std::string::npos);
  const Notes notes;
  make_topology("graph:" + kExamples + "rails.yml");
  make_topology("graph:" + kExamples + "nvswitch.topo.txt");
  CHECK_THAT(notes.text(), Catch::Contains("rails.yml': bandwidth, latency of edges"));
  CHECK_THAT(notes.text(), Catch::Contains("nvswitch.topo.txt': only NVLinks are read"));
}

TEST_CASE("a file of no known format is told what formats there are", "[graph_file]") {
  const std::string error = error_of("hello world\n");
  for (const char* format : {"u v [multiplicity", "DOT", "GML", "GraphML", "JSON", "NCCL", "anynet",
                             ".edgelist", ".adjlist", "nvidia-smi", "ASTRA-sim"})
    CHECK_THAT(error, Catch::Contains(format));
}

TEST_CASE("mutated files of other tools are read or refused in one line", "[graph_file]") {
  const std::vector<std::pair<std::string, std::string>> sources{
      {"graph [ directed 0\nnode [ id 0 label \"a\" type \"switch\" ]\nnode [ id 1 label \"b\" ] node [ id 2 "
       "]\n"
       "edge [ source 0 target 1 ]\nedge [ source 0 target 2 weight 3 ] ]\n",
       ".gml"},
      {"a b {'weight': 2}\nb c {}\nc a\n", ".edgelist"},
      {"a b c\nb c\nd a\n", ".adjlist"},
      {"topology: [ Ring, Switch ]\nnpus_count: [ 3, 2 ]\nbandwidth: [ 50.0, 25.0 ]\n", ".yml"},
      {"\tGPU0\tGPU1\tNIC0\tCPU Affinity\nGPU0\t X \tNV4\tPHB\t0-3\nGPU1\tNV4\t X "
       "\tSYS\t0-3\nNIC0\tPHB\tSYS\tX\n",
       ".txt"},
      {"<system><pci busid=\"1\"><gpu rank=\"0\"><nvlink target=\"9\" count=\"2\" "
       "tclass=\"0x068000\"/></gpu></pci>"
       "<pci busid=\"2\"><gpu rank=\"1\"><nvlink target=\"9\" count=\"1\" "
       "tclass=\"0x068000\"/></gpu></pci></system>",
       ".xml"},
      {"graph { node [type=switch]; s; node [type=host]; a -- s; b -- s [bandwidth=2]; c [type=router]; c -- "
       "s }",
       ".dot"},
      {"router 0 node 0 node 1 router 1\nrouter 1 router 2 node 2\n", ".anynet"}};
  std::mt19937 random(1);
  const std::string alphabet = "0123456789-[]{},:\"' ernotud\n\t&*!|>#\x01\xff";
  std::vector<std::size_t> accepted(sources.size());
  for (int i = 0; i < 4000; ++i) {
    const std::size_t which = random() % sources.size();
    std::string text = sources[which].first;
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
    const std::string error = error_of(text, sources[which].second);
    accepted[which] += error == "accepted" ? 1 : 0;
    if (error.find('\n') != std::string::npos || error.size() > 600) FAIL(error);
  }
  for (std::size_t which = 0; which < sources.size(); ++which) {
    CAPTURE(sources[which].second);
    CHECK(accepted[which] > 5);
    CHECK(accepted[which] < 450);
  }
}
