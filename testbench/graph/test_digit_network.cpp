// test_digit_network - arrays, tori and cubes as numbers of digits, once per class.
#include <set>
#include <stdexcept>

#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// In every class the ports of a digit lead to the nodes where it is one more or less and all other digits are
// the same; only ends of an array lack one. No two classes use one dimension for the same digit.
void check_classes(const DigitNetwork& network) {
  CAPTURE(network.graph().spelling());
  const std::uint32_t p = network.side(), d = network.digits();
  const NodeId nodes = network.graph().node_count();
  REQUIRE(network.shape().nodes() == nodes);
  for (std::uint32_t l = 0; l < d; ++l) {
    std::set<std::uint32_t> dimensions;
    for (std::uint32_t c = 0; c < network.classes(); ++c) dimensions.insert(network.dimension(c, l));
    CHECK(dimensions.size() == network.classes());
  }
  for (std::uint32_t c = 0; c < network.classes(); ++c) {
    for (NodeId v = 0; v < nodes; ++v) {
      const NodeId at = network.address(v, c);
      REQUIRE(at < nodes);
      REQUIRE(network.node_at(c, at) == v);
      NodeId sum = 0;
      for (std::uint32_t l = 0; l < d; ++l) {
        const std::uint32_t x = network.coordinate(v, c, l);
        REQUIRE(x < p);
        sum += x * network.weight(l);
        const PortId plus = network.plus_port(v, c, l), minus = network.minus_port(v, c, l);
        REQUIRE((plus == kNoPort) == (!network.is_ring() && x + 1 == p));
        REQUIRE((minus == kNoPort) == (!network.is_ring() && x == 0));
        if (plus != kNoPort) {
          const NodeId to = network.address(network.graph().peer(v, plus).node, c);
          REQUIRE(to == at - x * network.weight(l) + (x + 1) % p * network.weight(l));
        }
        if (minus != kNoPort) {
          const NodeId to = network.address(network.graph().peer(v, minus).node, c);
          REQUIRE(to == at - x * network.weight(l) + (x + p - 1) % p * network.weight(l));
        }
      }
      REQUIRE(sum == at);
    }
  }
}

}  // namespace

TEST_CASE("every class is the same network", "[digit_network]") {
  for (const char* spelling :
       {"linear:2", "linear:5", "ring:2", "ring:3", "ring:6", "mesh:2x2", "mesh:4x4", "mesh:3x3x3",
        "mesh:2x2x2", "torus:2x2", "torus:3x3", "torus:4x4x4", "hypercube:1", "hypercube:4", "folded-cube:2",
        "folded-cube:3", "folded-cube:6", "product(ring:3,ring:3)"})
    check_classes(make_digit_network(spelling));
  check_classes(digit_network(folded_cube(1)).value());
}

TEST_CASE("shapes", "[digit_network]") {
  CHECK(make_digit_network("mesh:4x4").shape() == DigitShape{4, 2, false, false});
  CHECK(make_digit_network("torus:4x4").shape() == DigitShape{4, 2, true, false});
  CHECK(make_digit_network("torus:2x2").shape() == DigitShape{2, 2, false, false});
  CHECK(make_digit_network("hypercube:3").shape() == DigitShape{2, 3, false, false});
  CHECK(make_digit_network("ring:5").shape() == DigitShape{5, 1, true, false});
  CHECK(make_digit_network("folded-cube:4").shape() == DigitShape{2, 4, false, true});
  CHECK(make_digit_network("folded-cube:4").classes() == 5);
  CHECK(make_digit_network("torus:3x3x3").classes() == 3);
}

// Node 5 of 3 x 3 x 3 is 012 in base 3; shifted to the right by one, 201, is 19.
TEST_CASE("class c of an array is a cyclic shift to the right by c digits", "[digit_network]") {
  const DigitNetwork network = make_digit_network("mesh:3x3x3");
  CHECK(network.address(5, 0) == 5);
  CHECK(network.address(5, 1) == 19);
  CHECK(network.coordinate(5, 1, 2) == 2);
  CHECK(network.dimension(1, 2) == 0);
}

TEST_CASE("networks of other kinds are refused in one line", "[digit_network]") {
  for (const char* spelling : {"complete:5", "star:4", "mesh:3x4", "torus:3x3x4", "tree:2,2", "fat-tree:2,2",
                               "product(ring:3,linear:3)", "petersen", "doubled-cube:2"}) {
    CAPTURE(spelling);
    const Graph graph = make_topology(spelling);
    CHECK_FALSE(digit_network(graph).has_value());
    const std::string reason = why_not_digit_network(graph);
    CHECK(reason.find(graph.spelling()) != std::string::npos);
    CHECK(reason.find('\n') == std::string::npos);
  }
  CHECK(why_not_digit_network(make_topology("mesh:3x4")) ==
        "mesh:3x4 has sides of 3 and 4 nodes, expected equal sides");
  CHECK_THROWS_AS(make_digit_network("mesh:3x4"), std::invalid_argument);
  CHECK(why_not_digit_network(make_topology("mesh:3x3")).empty());
}
