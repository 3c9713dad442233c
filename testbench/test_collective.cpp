#include <set>
#include <stdexcept>

#include "cpp_model/schedule/collective.hpp"
#include "testbench/catch.hpp"

using namespace safnet;

TEST_CASE("both names of a collective are read", "[collective]") {
  for (const CollectiveName& entry : collective_names()) {
    CHECK(parse_collective(entry.name) == entry.kind);
    CHECK(parse_collective(entry.mpi_name) == entry.kind);
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
