#include "cpp_model/bound/scatter_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fewest_steps.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;

namespace {

struct Bounds {
  LowerBound formula, flow;
  std::uint64_t steps() const { return std::max(formula.steps, flow.steps); }
};

Bounds bounds(const std::string& topology, NodeId root = 0, Intake intake = Intake::kAllPorts) {
  const Wiring wiring(make_topology(topology));
  const LowerBound formula = scatter_bound(wiring, root, intake);
  return {formula, scatter_flow_bound(wiring, root, intake, formula.steps)};
}

std::uint64_t largest_subtree(const std::string& topology, NodeId root) {
  const Wiring wiring(make_topology(topology));
  const auto [parts, part_of] = wiring.parts_without(root);
  std::vector<std::uint64_t> size(wiring.nodes());
  for (const NodeId part : part_of) ++size[part];
  return *std::max_element(size.begin(), size.begin() + parts);
}

}  // namespace

TEST_CASE("scatter bounds by hand", "[scatter_bound]") {
  CHECK(bounds("torus:4x4").steps() == 4);
  CHECK(bounds("linear:9", 4).steps() == 4);
  // One of the root's two neighbours is a leaf: four packets go over the other link.
  CHECK(bounds("edges:0-1,0-2,2-3,2-4,2-5").formula.steps == 4);
  // Three nodes behind one link two hops away: its first use is in step 2.
  CHECK(bounds("edges:0-1,0-2,1-3,2-3,3-4,4-5,4-6,4-7").formula.steps == 6);
  // A tree: as long as its largest subtree, thesis Theorem 3.7.
  CHECK(bounds("edges:0-1,0-2,0-3,3-4,4-5,4-6,3-7").formula.steps == 5);
  CHECK(bounds("random:100,99,3", 50).formula.steps == largest_subtree("random:100,99,3", 50));
  // Two rings that share the root: five nodes over two links.
  CHECK(bounds("edges:0-1,1-2,2-3,3-4,4-5,5-0,0-6,6-7,7-0").formula.steps == 3);
  // Parallel links to the root carry two packets at once, but a one-port neighbour takes one.
  CHECK(bounds("edges:0-1,0-1,1-2,1-2").steps() == 2);
  CHECK(bounds("edges:0-1,0-1,1-2,1-2,1-3,1-3").steps() == 2);
  CHECK(bounds("edges:0-1,0-1,1-2,1-2,1-3,1-3", 0, Intake::kOnePort).steps() == 3);
}

TEST_CASE("packets that all go through one place wait for it", "[scatter_bound]") {
  // All of the root's neighbours lead to node 4 alone, and it to four others; a node receives one packet a
  // step.
  CHECK(bounds("edges:0-1,0-2,0-3,1-4,2-4,3-4,4-5,4-6,4-7,4-8", 0, Intake::kOnePort).formula.steps == 6);
  // Two of the root's four neighbours lead to node 4, and it to five others: none of these five packets
  // crosses in step 1, they cross in three steps, and go one hop further.
  const LowerBound place = bounds("edges:0-1,0-2,0-3,0-10,1-4,2-4,4-5,4-6,4-7,4-8,4-9").formula;
  CHECK(place.steps == 5);
  CHECK(place.witness.before == 1);
  CHECK(place.witness.after == 1);
  CHECK(place.witness.packets == 5);
  CHECK(place.witness.at_once == 2);
}

TEST_CASE("a bound by links of the root says that some lead a longer way", "[scatter_bound]") {
  // Five nodes behind node 4, which two of the root's three links lead to, two steps after them.
  const LowerBound late = bounds("edges:0-1,0-2,0-3,1-4,2-4,4-5,4-6,4-7,4-8,4-9,3-10,3-11").formula;
  CHECK(late.steps == 5);
  CHECK(late.witness.after == 2);
  CHECK(late.witness.remark == ", and over some of these links the ways are longer");
}

TEST_CASE("maximum flow is the optimum of scatter, all-port", "[scatter_bound]") {
  testbench::Dice dice(5);
  int above = 0;
  for (int i = 0; i < 150; ++i) {
    const Graph graph = testbench::random_graph(dice, 6, 4);
    const Wiring wiring(graph);
    const LowerBound formula = scatter_bound(wiring, 0, Intake::kAllPorts);
    const LowerBound flow = scatter_flow_bound(wiring, 0, Intake::kAllPorts, 0);
    testbench::PersonalPackets packets(graph, PortModel::kAllPort);
    for (NodeId v = 1; v < graph.node_count(); ++v) packets.add(0, v);
    const std::uint64_t optimum = packets.fewest_steps();
    CAPTURE(i, formula.reason, flow.reason);
    CHECK(formula.steps <= optimum);
    CHECK(std::max<std::uint64_t>(1, flow.steps) == optimum);
    above += formula.steps < optimum ? 1 : 0;
  }
  CHECK(above < 5);
}

TEST_CASE("gathering at a root that receives any number of packets", "[scatter_bound]") {
  testbench::Dice dice(6);
  for (int i = 0; i < 150; ++i) {
    const Graph graph = testbench::random_graph(dice, 6, 4);
    const Wiring wiring(graph);
    const LowerBound formula = scatter_bound(wiring, 0, Intake::kOnePort);
    const LowerBound flow = scatter_flow_bound(wiring, 0, Intake::kOnePort, 0);
    testbench::PersonalPackets packets(graph, PortModel::kOnePortSend);
    for (NodeId v = 1; v < graph.node_count(); ++v) packets.add(v, 0);
    const std::uint64_t optimum = packets.fewest_steps();
    CAPTURE(i, formula.reason, flow.reason);
    CHECK(formula.steps <= optimum);
    CHECK(std::max<std::uint64_t>(1, flow.steps) == optimum);
  }
}

TEST_CASE("too much work is not begun", "[scatter_bound]") {
  const Wiring wiring(make_topology("torus:32x32"));
  CHECK(scatter_flow_bound(wiring, 0, Intake::kAllPorts, 256).steps == 0);
}

TEST_CASE("a bound by flow takes no more work than it may", "[scatter_bound]") {
  // Node 0 has four packets behind one link, which the links and nodes of a step alone do not show.
  const Wiring wiring(make_topology("linear:5"));
  const std::uint64_t of_a_step = wiring.links() + wiring.nodes();
  const auto bound = [&](std::uint64_t work) {
    return scatter_flow_bound(wiring, 0, Intake::kAllPorts, 1, 1, work).steps;
  };
  CHECK(bound(of_a_step - 1) == 0);
  CHECK(bound(of_a_step) == 2);
  CHECK(bound(3 * of_a_step - 1) == 2);
  CHECK(bound(3 * of_a_step) == 3);
  CHECK(bound(6 * of_a_step) == 4);
}
