// Patterns of traffic: who sends to whom, with which probability, and what that loads the links with.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "cpp_model/traffic/packet_routes.hpp"
#include "cpp_model/traffic/traffic_trace.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

TrafficPattern pattern_on(const std::string& name, const std::string& topology) {
  return TrafficPattern(name, make_topology(topology));
}
TrafficLimit limit_of(const std::string& name, const std::string& topology,
                      PortModel ports = PortModel::kAllPort) {
  const Graph graph = make_topology(topology);
  return traffic_limit(PacketRoutes(graph, ports, ""), TrafficPattern(name, graph));
}

// A file that is removed again.
class TraceFile {
 public:
  explicit TraceFile(const std::string& text) { std::ofstream(path_) << text; }
  ~TraceFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "traffic_trace_of_a_test.txt";
};

}  // namespace

TEST_CASE("fractions are read exactly and refused by name", "[traffic]") {
  CHECK(parse_fraction("--rate", "0.35") == Rational(7, 20));
  CHECK(parse_fraction("--rate", ".5") == Rational(1, 2));
  CHECK(parse_fraction("--rate", "1") == Rational(1, 1));
  CHECK(parse_fraction("--rate", "1/3") == Rational(1, 3));
  for (const char* word : {"", "x", "1.", "-1", "1e3", "0.1234567", "1/0", "1/", "0.1.2", "1234567"}) {
    CAPTURE(word);
    CHECK_THROWS_WITH(parse_fraction("--rate", word), Catch::Contains("--rate '" + std::string(word)));
  }
  CHECK(parse_fractions("--sweep", "0.1:0.5:0.2", 9) ==
        std::vector{Rational(1, 10), Rational(3, 10), Rational(1, 2)});
  CHECK(parse_fractions("--sweep", "0.1,1/3", 9) == std::vector{Rational(1, 10), Rational(1, 3)});
  for (const char* text : {"0.1:0.5", "0.5:0.1:0.1", "0.1:0.5:0", "0.2,0.1", "0:1:0.01", "0.1,,0.2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fractions("--sweep", text, 9), std::invalid_argument);
  }
  CHECK(in_decimal(Rational(7, 20)) == "0.35");
  CHECK(in_decimal(Rational(2)) == "2");
  CHECK(in_decimal(Rational(1, 3)) == "1/3");
}

TEST_CASE("chances and choices keep their shares", "[traffic]") {
  RandomNumbers random(5);
  const Chance chance(Rational(3, 10)), never(Rational(0)), always(Rational(1));
  std::vector<int> chosen(7);
  int happened = 0;
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) {
    happened += chance.happens(random) ? 1 : 0;
    REQUIRE_FALSE(never.happens(random));
    REQUIRE(always.happens(random));
    ++chosen.at(random.below(7));
  }
  // Five standard deviations: sqrt(70000 * 0.3 * 0.7) = 121, sqrt(70000 / 7 * 6 / 7) = 93.
  CHECK(std::abs(happened - kDraws * 3 / 10) < 605);
  for (const int count : chosen) CHECK(std::abs(count - kDraws / 7) < 465);
}

TEST_CASE("patterns with one destination per node are permutations", "[traffic]") {
  for (const char* topology : {"torus:4x4", "mesh:8x8", "hypercube:6", "hypercube:4"}) {
    for (const char* name :
         {"transpose", "bit-complement", "bit-reversal", "shuffle", "tornado", "neighbour"}) {
      CAPTURE(topology, name);
      if (topology[0] == 'h' && std::string(name) == "tornado") continue;  // nobody sends
      const TrafficPattern pattern = pattern_on(name, topology);
      std::vector<NodeId> sorted = pattern.permutation();
      std::sort(sorted.begin(), sorted.end());
      std::vector<NodeId> all(sorted.size());
      std::iota(all.begin(), all.end(), 0U);
      CHECK(sorted == all);
    }
  }
}

TEST_CASE("patterns send where their definitions say", "[traffic]") {
  CHECK(pattern_on("transpose", "mesh:3x3").permutation() == std::vector<NodeId>{0, 3, 6, 1, 4, 7, 2, 5, 8});
  CHECK(pattern_on("transpose", "mesh:3x3").senders() == 6);
  CHECK(pattern_on("transpose", "hypercube:4").permutation()[0b0111] == 0b1101);
  CHECK(pattern_on("bit-complement", "hypercube:4").permutation()[0b0111] == 0b1000);
  const Graph mesh = make_topology("mesh:3x5");  // mirrored coordinates
  CHECK(TrafficPattern("bit-complement", mesh).permutation()[mesh.node_at({0, 1})] == mesh.node_at({2, 3}));
  CHECK(pattern_on("bit-reversal", "ring:8").permutation() == std::vector<NodeId>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(pattern_on("shuffle", "ring:8").permutation() == std::vector<NodeId>{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(pattern_on("tornado", "ring:8").permutation()[6] == 1);  // ceil(8 / 2) - 1 onwards
  CHECK(pattern_on("tornado", "ring:7").permutation()[6] == 2);
  CHECK(pattern_on("neighbour", "torus:4x4").permutation()[15] == 0);
  CHECK(pattern_on("bit-complement", "fat-tree:2,3").permutation().size() == 8);
}

TEST_CASE("patterns are refused where they are not defined", "[traffic]") {
  const std::map<std::string, std::vector<std::string>> refused{
      {"transpose", {"mesh:4x3", "ring:8", "petersen"}},
      {"bit-complement", {"petersen"}},
      {"bit-reversal", {"mesh:3x3"}},
      {"tornado", {"hypercube:3", "star:4"}},
      {"transposed", {"mesh:4x4"}}};
  for (const auto& [name, topologies] : refused) {
    for (const std::string& topology : topologies) {
      CAPTURE(name, topology);
      CHECK_THROWS_WITH(pattern_on(name, topology), Catch::Contains(name) && Catch::Contains("expected"));
    }
  }
  CHECK_THROWS_AS(TrafficPattern("hot-spot", make_topology("ring:4"), 0, Rational(3, 2)),
                  std::invalid_argument);
}

TEST_CASE("draws follow the weights", "[traffic]") {
  const Graph graph = make_topology("ring:6");
  const TrafficPattern pattern("hot-spot", graph, 2, Rational(1, 4));
  RandomNumbers random(3);
  for (const NodeId source : {0U, 2U}) {
    std::uint64_t sum = 0;
    for (NodeId d = 0; d < 6; ++d) sum += pattern.weight(source, d);
    CHECK(sum == pattern.weight_sum());
    std::vector<std::uint64_t> count(6);
    constexpr std::uint64_t kDraws = 40'000;
    for (std::uint64_t i = 0; i < kDraws; ++i) ++count[pattern.draw(source, random)];
    for (NodeId d = 0; d < 6; ++d) {
      const double expected =
          static_cast<double>(kDraws * pattern.weight(source, d)) / static_cast<double>(sum);
      CHECK(static_cast<double>(count[d]) == Approx(expected).margin(500));  // five deviations of sqrt(p q n)
    }
  }
  CHECK(pattern.weight(0, 2) * 5 == pattern.weight_sum() * 2);  // 1/4 + 3/4 * 1/5 = 2/5
}

TEST_CASE("limits by channel loads are those worked by hand", "[traffic]") {
  // On a ring of 8 tornado sends 3 hops clockwise: every clockwise link carries three flows.
  CHECK(limit_of("tornado", "ring:8").throughput() == Rational(1, 3));
  CHECK(limit_of("tornado", "ring:8").mean_hops == Rational(3));
  // Across the middle of 8 nodes in a row: 4 nodes send 4/7 of their packets over one link.
  CHECK(limit_of("uniform", "linear:8").throughput() == Rational(7, 16));
  // Node 0 of a mesh:4x4 transposed: its row sends to the right what goes down column 3.
  CHECK(limit_of("transpose", "mesh:4x4").throughput() == Rational(1, 3));
  CHECK(limit_of("neighbour", "ring:5").throughput() == Rational(1));  // links and hosts alike
  // One-port: the middle of three nodes in a row receives what both ends send, and sends half of it on.
  const TrafficLimit limit = limit_of("uniform", "linear:3", PortModel::kOnePort);
  CHECK(limit.load == Rational(2));
  CHECK(limit.limited_by == "what node 1 sends");
  // Dealt links: the 2 links to the parent together carry what 2 leaves send to the other half.
  const Graph tree = make_topology("fat-tree:2,2,exponential");
  const TrafficLimit dealt =
      traffic_limit(PacketRoutes(tree, PortModel::kAllPort, ""), TrafficPattern("uniform", tree));
  CHECK(dealt.throughput() == Rational(1));
  CHECK(limit_of("uniform", "fat-tree:2,2").throughput() == Rational(3, 4));
}

TEST_CASE("ways by other policies", "[traffic]") {
  const Graph mesh = make_topology("mesh:3x3");
  const auto first_port = [&](const std::string& algorithm) {
    PortId port = 99;
    PacketRoutes(mesh, PortModel::kAllPort, algorithm).follow(0, 8, [&](NodeId v, PortId p) {
      if (v == 0) port = p;
    });
    return port;
  };
  CHECK(first_port("") != first_port("message-shift-highest-port"));
  CHECK(PacketRoutes(mesh, PortModel::kAllPort, "").hops(0, 8) == 4);
  CHECK_THROWS_WITH(PacketRoutes(mesh, PortModel::kAllPort, "nobody"), Catch::Contains("nobody"));
}

TEST_CASE("traces are read in order, and refused by line and word", "[traffic]") {
  const Graph graph = make_topology("mesh:3x3");
  {
    const TraceFile file("# packets\n7 0 8\n\n3 2,2 1,0 4 # four\n7 1 0\n");
    const std::vector<TracedPackets> trace = read_traffic_trace(file.path(), graph);
    REQUIRE(trace.size() == 3);
    CHECK(trace[0].cycle == 3);
    CHECK(trace[0].source == 8);
    CHECK(trace[0].destination == 3);
    CHECK(trace[0].messages == 4);
    CHECK(trace[1].source == 0);
    CHECK(trace[2].source == 1);
    CHECK(sources_of(trace) == 3);
  }
  {
    const TraceFile file("1 0 1 16777216\n2 1 0 # " + std::string(992, 'x') + "\n10000000 2 0");
    CHECK(read_traffic_trace(file.path(), graph).size() == 3);
  }
  const std::vector<std::pair<std::string, std::string>> bad{
      {"1 0\n", "1: 2 words"},
      {std::string("1 0 1\0 2\n", 9), ":1: "},
      {"1 0 1\n0 0 1\n", "2: cycle '0'"},
      {"1 9 1\n", "'9'"},
      {"1 0 0\n", "destination '0'"},
      {"1 0 1 x\n", "messages 'x'"},
      {"1 0 1 2 3\n", "5 words"},
      {"-1 0 1\n", "cycle '-1'"},
      {"", "expected lines"},
      {std::string(2000, '1'), "at most 1000"},
      {std::string(1001, '#'), "1: expected a line of at most 1000"},
      {"1 0 1 16777216\n2 1 0\n3 0 2\n", "3: source '0': expected at most 16777216"},
      {"10000001 0 1\n", "cycle '10000001': expected 1 to 10000000"},
      {"1 0 1 10000000\n1 1 0 10000000\n2 2 1\n", "3: expected at most 20000000"}};
  for (const auto& [text, word] : bad) {
    CAPTURE(text.substr(0, 50), word);
    const TraceFile file(text);
    CHECK_THROWS_WITH(read_traffic_trace(file.path(), graph), Catch::Contains(word));
  }
  CHECK_THROWS_WITH(read_traffic_trace("no/such/file", graph), Catch::Contains("no/such/file"));
  CHECK_THROWS_WITH(read_traffic_trace("/dev/zero", graph), Catch::Contains("regular file"));
  CHECK_THROWS_WITH(read_traffic_trace("/proc/self/mem", graph), Catch::Contains("can be read"));
}
