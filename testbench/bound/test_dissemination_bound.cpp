// Bounds on packets that every node must get, by hand: what enters a set of nodes, and what can be sent at
// once.
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/bound/flow_bound.hpp"
#include "cpp_model/bound/gossip_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

std::uint64_t dissemination(const std::string& topology, const std::vector<std::uint64_t>& packets,
                            PacketsAtOnce at_once) {
  return dissemination_bound(Wiring(make_topology(topology)), packets, at_once).steps;
}

constexpr PacketsAtOnce kOneSend{.sends_one = true, .receives_one = false};
constexpr PacketsAtOnce kOneEach{.sends_one = true, .receives_one = true};

}  // namespace

TEST_CASE("a node that receives one at a time gets no more, however many send", "[gossip_bound]") {
  // Node 2 has nothing, and a link from either node that has two packets: four steps if it receives one by
  // one, and otherwise three, since 8 copies are sent by three nodes.
  CHECK(dissemination("ring:3", {2, 2, 0}, kOneEach) == 4);
  CHECK(dissemination("ring:3", {2, 2, 0}, kOneSend) == 3);
}

TEST_CASE("only nodes with a link into a set send into it", "[gossip_bound]") {
  // Nodes 0, 1 and 2 have a packet each; all go through 3 and 4 into 5 to 8, and from there into 9 to 12. Two
  // hops behind nodes 0 to 2 only two nodes send: no packet arrives in step 1, three take two steps to enter,
  // and one more hop follows. That 3 and 4 are two of the five nodes outside is why links alone prove less.
  std::string edges = "edges:";
  const auto join = [&](NodeId from, NodeId last, NodeId to, NodeId end) {
    for (NodeId u = from; u <= last; ++u) {
      for (NodeId v = std::max(to, u + 1); v <= end; ++v)
        edges += (edges.back() == ':' ? "" : ",") + std::to_string(u) + "-" + std::to_string(v);
    }
  };
  join(0, 2, 3, 4);
  join(3, 4, 5, 8);
  join(5, 8, 5, 8);
  join(5, 8, 9, 12);
  join(9, 12, 9, 12);
  std::vector<std::uint64_t> packets(13, 0);
  packets[0] = packets[1] = packets[2] = 1;
  CHECK(dissemination(edges, packets, kOneSend) == 4);
}

TEST_CASE("a single packet has as far to go as the furthest node is", "[flow_bound]") {
  const auto bound = [](const std::string& topology, PortModel ports) {
    const Wiring wiring(make_topology(topology));
    std::vector<std::uint64_t> packets(wiring.nodes(), 0);
    packets[0] = 1;
    return flow_bound(wiring, packets, ports).steps;
  };
  CHECK(bound("linear:5", PortModel::kAllPort) == 4);
  CHECK(bound("complete:9", PortModel::kOnePort) == 4);  // nodes that have it double at most
}

TEST_CASE("the part of a network that only one node leads to, whichever part is found first",
          "[gossip_bound]") {
  // Node 9 joins a part of 9 nodes, 0 to 8, to two of 17. In each a node stands between two halves, so that
  // no ball of nodes around another, and no complement of one, is the whole part. The packets of 35 nodes
  // enter the small part over one link, and go one hop further.
  std::vector<std::pair<NodeId, NodeId>> joined;
  const auto clique = [&](NodeId first, NodeId last, std::vector<NodeId> to) {
    for (NodeId u = first; u <= last; ++u) {
      for (NodeId v = u + 1; v <= last; ++v) joined.emplace_back(u, v);
      for (const NodeId v : to) joined.emplace_back(v, u);
    }
  };
  clique(0, 4, {});
  clique(5, 8, {0});
  joined.emplace_back(0, 9);
  for (const NodeId middle : {10, 27}) {
    joined.emplace_back(9, middle);
    for (const NodeId near : {middle + 1, middle + 9}) {
      clique(near, near + 3, {middle});
      clique(near + 4, near + 7, {near, near + 1, near + 2, near + 3});
    }
  }
  for (const bool turned : {false, true}) {
    std::string edges = "edges:";
    for (const auto& [u, v] : joined) {
      edges += (edges.back() == ':' ? "" : ",") + std::to_string(turned ? 43 - u : u) + "-" +
               std::to_string(turned ? 43 - v : v);
    }
    CAPTURE(edges);
    const LowerBound bound =
        dissemination_bound(Wiring(make_topology(edges)), std::vector<std::uint64_t>(44, 1), {});
    CHECK(bound.steps == 36);
    CHECK_THAT(bound.reason, Catch::Contains("a part of the network that only node"));
  }
}
