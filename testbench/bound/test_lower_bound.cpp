#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/unfinished.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

std::uint64_t bound(const std::string& topology, CollectiveKind collective, PortModel ports,
                    NodeId root = 0) {
  const LowerBound result = lower_bound({make_topology(topology), collective, ports, root, ""});
  CHECK_FALSE(result.reason.empty());
  CHECK(result.reason.find('\n') == std::string::npos);
  return result.steps;
}

// A graph given by its edges, through a file as a user would.
std::string edges(const std::string& text) {
  static const Temporary file(std::filesystem::temp_directory_path() /
                              ("safnet_test_bound_" + std::to_string(::getpid())));
  std::ofstream(file.path()) << text;
  return "graph:" + file.path().string();
}

std::string sized(const std::string& family, std::uint64_t n) { return family + ":" + std::to_string(n); }

constexpr CollectiveKind kBroadcast = CollectiveKind::kBroadcast;
constexpr CollectiveKind kScatter = CollectiveKind::kScatter;
constexpr CollectiveKind kExchange = CollectiveKind::kTotalExchange;
constexpr PortModel kAll = PortModel::kAllPort;
constexpr PortModel kOne = PortModel::kOnePort;
constexpr PortModel kSend = PortModel::kOnePortSend;

}  // namespace

TEST_CASE("broadcast bounds", "[lower_bound]") {
  CHECK(bound("linear:7", kBroadcast, kAll, 2) == 4);
  for (std::uint64_t d = 1; d <= 8; ++d) CHECK(bound(sized("hypercube", d), kBroadcast, kOne) == d);
  CHECK(bound("linear:5", kBroadcast, kOne, 2) == 3);  // two nodes at distance 2: one step more
  CHECK(bound("ring:8", kBroadcast, kOne) == 4);
  CHECK(bound("ring:9", kBroadcast, kOne) == 5);
  CHECK(bound("torus:3x3", kBroadcast, kOne) == 4);   // log2 of 9; the optimum
  CHECK(bound("torus:5x5", kBroadcast, kSend) == 5);  // four nodes at distance 4
  // A hub and seven others: three steps by Theorem 3.3, seven by Corollary 3.5, and in truth.
  CHECK(bound(edges("0 1\n0 2\n0 3\n0 4\n0 5\n0 6\n0 7\n"), kBroadcast, kOne) == 7);
  CHECK(bound(edges("0 1\n0 2\n0 3\n1 2\n1 3\n2 3\n"), kBroadcast, kOne) == 2);
  CHECK(bound("linear:65536", kBroadcast, kOne) == 65535);
  CHECK(bound("mesh:256x256", kBroadcast, kOne) >= 510);
}

TEST_CASE("scatter bounds", "[lower_bound]") {
  CHECK(bound("torus:4x4", kScatter, kAll) == 4);
  CHECK(bound("torus:4x4", kScatter, kOne) == 15);
  CHECK(bound("torus:4x4", kScatter, kSend) == 15);
  CHECK(bound("linear:5", kScatter, kAll, 0) == 4);
  CHECK(bound("linear:9", kScatter, kAll, 4) == 4);
  // The distance decides: v-a, v-b, b-c, c-d.
  CHECK(bound(edges("0 1\n0 2\n2 3\n3 4\n"), kScatter, kAll) == 3);
}

TEST_CASE("total exchange bounds, all-port", "[lower_bound]") {
  for (std::uint64_t n = 2; n <= 40; ++n) {
    CAPTURE(n);
    CHECK(bound(sized("linear", n), kExchange, kAll) == (n * n - 1 + 3) / 4);
    CHECK(bound(sized("ring", n), kExchange, kAll) == (n == 2 ? 1 : (n * n - 1 + 7) / 8));
  }
  for (std::uint64_t d = 1; d <= 8; ++d)
    CHECK(bound(sized("hypercube", d), kExchange, kAll) == (1U << (d - 1)));
  CHECK(bound("torus:6x6", kExchange, kAll) == 27);
  CHECK(bound("torus:4x3", kExchange, kAll) == 6);
  CHECK(bound("mesh:4x3", kExchange, kAll) == 12);
  CHECK(bound("linear:4096", kExchange, kAll) == 4096ULL * 4096 / 4);
  CHECK(bound("ring:4096", kExchange, kAll) == 4096ULL * 4096 / 8);
  CHECK(bound("torus:64x64", kExchange, kAll) == 64 * 64 * 64 / 8);
  // Two triangles joined by an edge: nine packets cross it each way.
  CHECK(bound(edges("0 1\n1 2\n0 2\n2 3\n3 4\n4 5\n3 5\n"), kExchange, kAll) == 9);
}

TEST_CASE("every bound says which argument gives it", "[lower_bound]") {
  const auto reason = [](const std::string& topology, CollectiveKind collective, PortModel ports) {
    return lower_bound({make_topology(topology), collective, ports, 0, ""}).reason;
  };
  CHECK(reason("mesh:4x4", kExchange, kAll) ==
        "cut of 4 links across dimension 0 after 2 of 4: 64 packets each way, thesis (4.1)");
  CHECK(reason("linear:6", kExchange, kAll) ==
        "cut of 1 link between nodes {3-5} and the other 3: 9 packets each way, thesis (4.1)");
  CHECK(reason("torus:4x4", kExchange, kOne) == "average status, thesis (4.4)");
  CHECK(reason("linear:5", kExchange, kOne) ==
        "node 2 sends 4 packets of its own and forwards 8 between the parts that it joins");
  CHECK(reason("mesh:3x3", kExchange, kOne) ==
        "with prices on sending nodes all packets pay 72 or more and a step at most 4");
  CHECK(reason("star:5", kExchange, kAll) == "53040 hops of all packets over 480 links");
  CHECK(reason("torus:4x4", kScatter, kAll) == "15 packets leave the root, 4 at once, thesis (3.3)");
  CHECK(reason("torus:4x4", CollectiveKind::kReduction, kSend) == "eccentricity of the root");
  CHECK(lower_bound({make_topology("mesh:3x3"), kExchange, kOne, 0, ""}).certificate ==
        "sending nodes 0 1 0 1 0 1 0 1 0");
}

TEST_CASE("gathering and reduction are scatter and broadcast backwards", "[lower_bound]") {
  for (const std::string topology :
       {"torus:4x4", "mesh:3x4", "tree:2,3", "random:12,15,1", "edges:0-1,0-1,1-2"}) {
    for (const PortModel ports : {kAll, kOne}) {
      CAPTURE(topology, to_string(ports));
      CHECK(bound(topology, CollectiveKind::kGather, ports, 1) == bound(topology, kScatter, ports, 1));
      CHECK(bound(topology, CollectiveKind::kReduction, ports, 1) == bound(topology, kBroadcast, ports, 1));
    }
  }
  // Backwards in time, one-port-send nodes receive one packet per step; in a broadcast they do so anyway.
  CHECK(bound("torus:4x4", CollectiveKind::kGather, kSend) == 4);
  CHECK(bound("edges:0-1,0-1,1-2", CollectiveKind::kGather, kAll) == 2);
  CHECK(bound("edges:0-1,0-1,0-2,0-2", CollectiveKind::kGather, kSend) == 1);
  CHECK(bound("edges:0-1,0-1,1-2,1-2", CollectiveKind::kGather, kSend) == 2);
  CHECK(bound("tree:7,1", CollectiveKind::kReduction, kSend) == 1);
  CHECK(bound("tree:7,1", CollectiveKind::kReduction, kOne) == 7);
}

TEST_CASE("partial exchange bounds", "[lower_bound]") {
  const auto partial = [](const std::string& topology, CollectiveKind collective, PortModel ports,
                          const std::vector<NodeId>& active) {
    Problem problem{make_topology(topology), collective, ports, 0, ""};
    problem.active = active;
    return lower_bound(problem).steps;
  };
  constexpr CollectiveKind kFrom = CollectiveKind::kPartialExchange, kTo = CollectiveKind::kPartialGather;
  CHECK(partial("linear:8", kFrom, kAll, {0, 1}) == 12);  // six packets of both across one link
  CHECK(partial("linear:8", kTo, kAll, {0, 1}) == 12);
  CHECK(partial("linear:8", kFrom, kOne, {0, 1}) == 13);  // node 1: seven of its own, six of node 0
  CHECK(partial("linear:3", kFrom, kSend, {0}) == 2);
  CHECK(partial("linear:8", kFrom, kAll, {0}) == 7);
  CHECK(partial("torus:4x4", kFrom, kAll, {5}) == 4);
  CHECK(partial("torus:4x4", kTo, kOne, {5}) == 15);
  CHECK(partial("torus:4x4", kTo, kSend, {5}) == 4);
  CHECK_THROWS_WITH(partial("ring:4", kFrom, kAll, {4}), "node 4: expected one from 0 to 3");
  CHECK(partial("mesh:3x3", kFrom, kOne, {0, 1, 2, 3, 4, 5, 6, 7, 8}) == 18);
}

TEST_CASE("a root that does not exist is refused", "[lower_bound]") {
  CHECK_THROWS_WITH(bound("ring:4", kScatter, kAll, 4), "root 4: expected a node from 0 to 3");
}

TEST_CASE("bounds of a thousand nodes take no time to speak of", "[lower_bound]") {
  CHECK(bound("torus:32x32", kExchange, kAll) == 4096);
  CHECK(bound("linear:512", kExchange, kAll) == 65536);
  CHECK(bound("linear:4096", kExchange, kOne) == 4096 * 4096 / 2 - 1);
  CHECK(bound("tree:2,9", kExchange, kAll) == 511 * 512);
  CHECK(bound("mesh:32x32", kScatter, kAll) == 512);
}

TEST_CASE("up to 1,024 nodes an allreduce, one-port, is held against each node's broadcast",
          "[lower_bound]") {
  // Two hops from end to end, but who knows a contribution can at most double in a step.
  CHECK(bound("de-bruijn:31,2", CollectiveKind::kAllreduce, PortModel::kOnePort) == 10);  // 961 nodes
  CHECK(bound("de-bruijn:32,2", CollectiveKind::kAllreduce, PortModel::kOnePort) == 10);  // 1,024 nodes
}

TEST_CASE("total exchange bounds, one-port", "[lower_bound]") {
  for (const std::string topology : {"ring:5", "ring:8", "torus:4x4", "torus:2x3x2", "hypercube:6"}) {
    for (const PortModel ports : {kOne, kSend})
      CHECK(bound(topology, kExchange, ports) == make_topology(topology).status(0));
  }
  // The middle node of a linear array sends and forwards floor(n^2/2) packets, one fewer if n is even.
  for (std::uint64_t n = 3; n <= 30; ++n)
    CHECK(bound(sized("linear", n), kExchange, kOne) == n * n / 2 - (n % 2 == 0 ? 1 : 0));
  CHECK(bound("linear:2", kExchange, kOne) == 1);
  // Needed, and enough; the average status is 16, 41, 28, 80, 63.
  CHECK(bound("mesh:3x3", kExchange, kOne) == 18);
  CHECK(bound("mesh:4x4", kExchange, kOne) == 43);
  CHECK(bound("mesh:4x3", kExchange, kOne) == 28);
  CHECK(bound("mesh:5x5", kExchange, kOne) == 85);
  CHECK(bound("mesh:2x3x4", kExchange, kSend) == 64);
  CHECK(bound("generalized-petersen:5,2", kExchange, kOne) == 15);
  // A hub and five others: the hub sends 5 and forwards 20.
  CHECK(bound(edges("0 1\n0 2\n0 3\n0 4\n0 5\n"), kExchange, kOne) == 25);
}
