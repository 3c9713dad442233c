#include <set>
#include <stdexcept>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

TEST_CASE("both names of a collective are read", "[collective]") {
  for (const CollectiveName& entry : collective_names()) {
    CHECK(parse_collective(entry.name, kOnAnyNode) == entry.kind);
    CHECK(parse_collective(entry.mpi_name, kOnAnyNode) == entry.kind);
    if (entry.scans) CHECK_THROWS_AS(parse_collective(entry.name), std::invalid_argument);
    CHECK(to_string(entry.kind) == entry.name);
  }
  CHECK(parse_collective("bcast") == CollectiveKind::kBroadcast);
  CHECK(parse_collective("alltoall") == CollectiveKind::kTotalExchange);
  CHECK_THROWS_WITH(parse_collective("al2all"),
                    Catch::Contains("'al2all'") && Catch::Contains("total-exchange"));
  CHECK_THROWS_AS(parse_collective(""), std::invalid_argument);
}

TEST_CASE("port models are read", "[collective]") {
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
    CHECK(parse_port_model(to_string(ports)) == ports);
  }
  CHECK(to_string(PortModel::kOnePortSend) == "one-send");
  CHECK_THROWS_WITH(parse_port_model("two"), Catch::Contains("'two'") && Catch::Contains("one-send"));
}

TEST_CASE("expected packets are numbered densely and consistently", "[collective]") {
  const auto kind =
      GENERATE(CollectiveKind::kBroadcast, CollectiveKind::kScatter, CollectiveKind::kTotalExchange);
  const NodeId nodes = GENERATE(2u, 3u, 7u);
  const NodeId root = nodes / 2;
  CAPTURE(to_string(kind), nodes);
  const Collective collective(kind, nodes, root);
  std::uint64_t expected = 0;
  for (NodeId v = 0; v < nodes; ++v) {
    std::set<PacketId> packets;
    for (std::uint32_t i = 0; i < collective.expected_at_node(v); ++i) {
      const PacketId packet = collective.expected_packet(v, i);
      CHECK(collective.expects(v, packet));
      CHECK(collective.delivery_index(v, packet) == i);
      packets.insert(packet);
    }
    CHECK(packets.size() == collective.expected_at_node(v));
    CHECK_THROWS_AS(collective.expected_packet(v, collective.expected_at_node(v)), std::out_of_range);
    CHECK_THROWS_AS(collective.delivery_index(v, {nodes, 0}), std::out_of_range);
    // Nothing else is expected.
    for (NodeId source = 0; source <= nodes; ++source) {
      for (std::uint32_t tag = 0; tag <= nodes; ++tag) {
        CHECK(collective.expects(v, {source, tag}) == (packets.count({source, tag}) == 1));
      }
    }
    expected += packets.size();
  }
  CHECK(collective.expected_deliveries() == expected);
}

TEST_CASE("collectives are what their definitions say", "[collective]") {
  const Collective broadcast(CollectiveKind::kBroadcast, 4, 1);
  CHECK(broadcast.expects(3, {1, 0}));
  CHECK_FALSE(broadcast.expects(1, {1, 0}));
  CHECK_FALSE(broadcast.expects(3, {1, 3}));
  const Collective scatter(CollectiveKind::kScatter, 4, 1);
  CHECK(scatter.expects(3, {1, 3}));
  CHECK_FALSE(scatter.expects(3, {1, 2}));
  CHECK_FALSE(scatter.expects(1, {1, 1}));
  const Collective exchange(CollectiveKind::kTotalExchange, 4, 0);
  CHECK(exchange.expects(3, {1, 3}));
  CHECK_FALSE(exchange.expects(3, {3, 3}));
  CHECK_FALSE(exchange.expects(3, {1, 2}));
  CHECK(exchange.expected_deliveries() == 12);
  CHECK(Collective(CollectiveKind::kTotalExchange, 65536, 0).expected_deliveries() == 65536ULL * 65535);
  CHECK_THROWS_AS(Collective(CollectiveKind::kScatter, 4, 4), std::invalid_argument);
}

TEST_CASE("a multipath transfer is of as many packets as there are disjoint paths", "[collective]") {
  const auto packets = [](const char* word, NodeId root, NodeId destination) {
    Problem problem{make_topology(word), CollectiveKind::kMultipath, PortModel::kAllPort, root};
    problem.destination = destination;
    return collective_of(problem).expected_deliveries();
  };
  CHECK(packets("mesh:3x3", 0, 8) == 2);
  CHECK(packets("mesh:3x3", 4, 0) == 2);
  CHECK(packets("mesh:3x3", 0, 2) == 2);  // 1 along the row, 1 around it
  CHECK(packets("hypercube:4", 0, 1) == 4);
  CHECK(packets("tree:2,3", 14, 0) == 1);
  CHECK(packets("generalized-petersen:5,2", 0, 7) == 3);
  CHECK_THROWS_WITH(packets("ring:5", 2, 2), Catch::Contains("destination 2"));
  CHECK_THROWS_WITH(packets("ring:5", 2, 5), Catch::Contains("destination 5"));
  const Problem last{make_topology("ring:5"), CollectiveKind::kMultipath, PortModel::kAllPort, 4};
  CHECK(destination_of(last) == 3);

  CHECK_THROWS_WITH(Collective::multipath(5, 1, 1, 2), Catch::Contains("destination 1"));
  const Collective collective = Collective::multipath(5, 1, 3, 2);
  CHECK(collective.expects(3, {1, 0}));
  CHECK(collective.expects(3, {1, 1}));
  CHECK_FALSE(collective.expects(3, {1, 2}));
  CHECK_FALSE(collective.expects(2, {1, 0}));
  CHECK_FALSE(collective.expects(3, {0, 0}));
  CHECK(collective.expected_at_node(3) == 2);
  CHECK(collective.expected_at_node(1) == 0);
  CHECK(collective.delivery_index(3, collective.expected_packet(3, 1)) == 1);
}
