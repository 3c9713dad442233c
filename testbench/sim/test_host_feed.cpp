// Hosts get their packets as their nodes take them: all of them, in the policy's order, and few at a time.
#include <algorithm>
#include <deque>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/pifo/host_feed.hpp"
#include "sim/pifo/router_program.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// Hosts that inject `before_start` packets each before the start, then one in every cycle.
class Hosts final : public Machine {
 public:
  Hosts(NodeId nodes, std::size_t before_start)
      : injected(nodes), queued_(nodes), room_(nodes, before_start) {}

  void load(std::uint32_t node, const NodeProgram& program) override {
    for (const HostPacket& packet : std::get<RouterProgram>(program).packets) offer(node, packet);
    for (; room_[node] != 0 && !queued_[node].empty(); --room_[node]) inject(node);
  }
  void offer(std::uint32_t node, HostPacket packet) override {
    queued_[node].push_back(std::move(packet));
    most_queued = std::max(most_queued, queued_[node].size());
  }
  std::uint32_t packets_with_host(std::uint32_t node) const override {
    return static_cast<std::uint32_t>(queued_[node].size());
  }
  NetworkTime clock() override {
    for (NodeId v = 0; v < queued_.size(); ++v) {
      if (!queued_[v].empty()) inject(v);
    }
    return {};
  }
  void reset() override {}
  void start() override {}
  bool finished() const override { return false; }
  std::uint64_t progress() const override { return 0; }
  void set_fault(const LinkFault&) override {}
  NodeCounters counters(std::uint32_t) const override { return {}; }
  NodeStatus status(std::uint32_t) const override { return {}; }

  std::vector<std::vector<HostPacket>> injected;
  std::size_t most_queued = 0;

 private:
  void inject(NodeId node) {
    injected[node].push_back(std::move(queued_[node].front()));
    queued_[node].pop_front();
  }
  std::vector<std::deque<HostPacket>> queued_;
  std::vector<std::size_t> room_;
};

PifoParameters parameters_for(const Policy& policy) {
  PifoParameters parameters;
  parameters.flits = 3;
  parameters.label_depth = 256;
  parameters.rank_levels = static_cast<int>(policy.rank_levels);
  parameters.tag_width = 12;
  return parameters;
}

Policy policy_for(const std::string& topology, CollectiveKind collective, std::uint32_t messages) {
  const Problem problem{.graph = make_topology(topology), .collective = collective, .messages = messages};
  return best_policy(problem).algorithm->policy(problem);
}

}  // namespace

TEST_CASE("hosts get all packets of a policy in order, a few at a time and one in every cycle",
          "[host_feed]") {
  const auto collective = GENERATE(CollectiveKind::kTotalExchange, CollectiveKind::kBroadcast);
  const std::uint32_t messages = GENERATE(1, 2, 100);
  const std::size_t before_start = GENERATE(0, 64, 150, 5000);
  const NodeId nodes = 8;
  const Policy policy = policy_for("ring:8", collective, messages);
  const PifoParameters parameters = parameters_for(policy);
  Hosts hosts(nodes, before_start);
  HostFeed feed(policy.injections, parameters, nodes, HostStart::kFull, 0, {});
  std::uint64_t all = 0;
  for (NodeId v = 0; v < nodes; ++v) {
    feed.load(hosts, v, {});
    all += router_packets(policy, parameters, v).size();
  }
  std::uint64_t at_start = feed.left();
  for (NodeId v = 0; v < nodes; ++v) at_start += hosts.injected[v].size() + hosts.packets_with_host(v);
  CHECK(at_start == all);
  for (std::size_t cycle = 0; cycle < policy.host_packets; ++cycle) {
    hosts.clock();
    feed.feed(hosts);
    for (NodeId v = 0; v < nodes; ++v) {
      const std::size_t injected = hosts.injected[v].size(),
                        wanted = router_packets(policy, parameters, v).size();
      if (injected != std::min(wanted, std::min(before_start, wanted) + cycle + 1))
        FAIL("a host had to wait");
    }
  }
  CHECK(feed.left() == 0);
  CHECK(hosts.most_queued <= HostFeed::kAtOnce);
  for (NodeId v = 0; v < nodes; ++v) {
    const std::vector<HostPacket> expected = router_packets(policy, parameters, v);
    CHECK(std::ranges::equal(hosts.injected[v], expected, [](const HostPacket& a, const HostPacket& b) {
      return a.words == b.words && a.rank == b.rank;
    }));
  }
}

TEST_CASE("with a window a host begins a round only when it has got the one so many before", "[host_feed]") {
  const NodeId nodes = 8;
  const Policy policy = policy_for("ring:8", CollectiveKind::kTotalExchange, 10);
  Hosts hosts(nodes, 5000);
  std::uint32_t got = 0;
  HostFeed feed(policy.injections, parameters_for(policy), nodes, HostStart::kFull, 3,
                [&](NodeId) { return got; });
  for (NodeId v = 0; v < nodes; ++v) feed.load(hosts, v, {});
  CHECK(hosts.injected[0].size() == 3 * 7);
  CHECK(feed.left() == nodes * 7 * 7);
  for (got = 1; got <= 10; ++got) {
    for (int cycle = 0; cycle < 100; ++cycle) {
      feed.feed(hosts);
      hosts.clock();
    }
    CHECK(hosts.injected[0].size() == std::min<std::size_t>(got + 3, 10) * 7);
  }
}

namespace {

// A node with an injection port for each of `ports` outputs, each of which takes a packet in every cycle.
class PortedNode final : public Machine {
 public:
  explicit PortedNode(std::size_t ports) : injected(ports), queued_(ports) {}
  void load(std::uint32_t, const NodeProgram& program) override {
    for (const HostPacket& packet : std::get<RouterProgram>(program).packets) offer(0, packet);
  }
  void offer(std::uint32_t, HostPacket packet) override {
    queued_.at(packet.port).push_back(std::move(packet));
  }
  std::uint32_t packets_with_host(std::uint32_t) const override {
    std::size_t all = 0;
    for (const auto& queue : queued_) all += queue.size();
    return static_cast<std::uint32_t>(all);
  }
  std::uint64_t unused_injection_ports(std::uint32_t) const override {
    std::uint64_t ports = 0;
    for (std::size_t p = 0; p < queued_.size(); ++p) ports |= std::uint64_t{queued_[p].empty()} << p;
    return ports;
  }
  NetworkTime clock() override {
    for (std::size_t p = 0; p < queued_.size(); ++p) {
      if (queued_[p].empty()) continue;
      injected[p].push_back(queued_[p].front());
      queued_[p].pop_front();
    }
    return {};
  }
  void reset() override {}
  void start() override {}
  bool finished() const override { return false; }
  std::uint64_t progress() const override { return 0; }
  void set_fault(const LinkFault&) override {}
  NodeCounters counters(std::uint32_t) const override { return {}; }
  NodeStatus status(std::uint32_t) const override { return {}; }

  std::vector<std::vector<HostPacket>> injected;

 private:
  std::vector<std::deque<HostPacket>> queued_;
};

// What comes through each port, as (rank, tag), where ports never wait.
std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> streams_of(
    const std::vector<LabelEntry>& table, const std::vector<Injection>& round, std::uint32_t rounds,
    HostStart start, std::uint64_t branch_first = ~std::uint64_t{0}) {
  PifoParameters parameters;
  parameters.inject_ports = parameters.radix = 4;
  parameters.rank_levels = 4;
  parameters.tag_width = 16;
  parameters.deals_links = branch_first != ~std::uint64_t{0} ? 1 : 0;
  InjectionRounds injections([&round](NodeId) { return round; });
  injections.rounds = rounds;
  injections.tag_stride = 100;
  PortedNode node(4);
  HostFeed feed(injections, parameters, 1, start, 0, {});
  RouterProgram program;
  program.table = table;
  program.branch_first = branch_first;
  feed.load(node, 0, std::move(program));
  if (start == HostStart::kEmpty) CHECK(node.packets_with_host(0) == 0);
  while (feed.left() != 0 || node.packets_with_host(0) != 0) {
    feed.feed(node);
    // A port whose stream has more is never left without: the host injects in every cycle.
    node.clock();
  }
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> streams(4);
  const PacketFormat format(parameters);
  for (std::size_t p = 0; p < 4; ++p) {
    for (const HostPacket& packet : node.injected[p])
      streams[p].emplace_back(
          packet.rank, format.parse(packet.words[0] | (std::uint64_t{packet.words[1]} << 32)).packet.tag);
  }
  return streams;
}

}  // namespace

TEST_CASE("each injection port gets the packets for its output, those of several outputs in each",
          "[host_feed]") {
  const std::vector<LabelEntry> table{{.label = 0, .mask = 0b0001}, {.label = 1, .mask = 0b0110}};
  // Labels, tags, ranks.
  const std::vector<Injection> round{{0, 1, 2}, {1, 2, 1}, {0, 3, 0}, {1, 4, 0}};
  using Stream = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  SECTION("in the order of the list, where the queues put them in order of rank") {
    const auto streams = streams_of(table, round, 2, HostStart::kFull);
    CHECK(streams[0] == Stream{{2, 1}, {0, 3}, {2, 101}, {0, 103}});
    CHECK(streams[1] == Stream{{1, 2}, {0, 4}, {1, 102}, {0, 104}});
    CHECK(streams[2] == streams[1]);
    CHECK(streams[3].empty());
  }
  SECTION("in order of rank, over all rounds, where hosts start with empty queues") {
    const auto streams = streams_of(table, round, 2, HostStart::kEmpty);
    CHECK(streams[0] == Stream{{0, 3}, {0, 103}, {2, 1}, {2, 101}});
    CHECK(streams[1] == Stream{{0, 4}, {0, 104}, {1, 2}, {1, 102}});
    CHECK(streams[2] == streams[1]);
    CHECK(streams[3].empty());
  }
}

TEST_CASE("hosts deal the packets of a branch to the ports of its links in turn", "[host_feed]") {
  // Outputs 1, 2 and 3 are one branch. It gets five packets of a round, the other output one.
  const std::vector<LabelEntry> table{{.label = 0, .mask = 0b0001}, {.label = 1, .mask = 0b0010}};
  const std::vector<Injection> round{{1, 1, 3}, {0, 2, 0}, {1, 3, 1}, {1, 4, 0}, {1, 5, 2}, {1, 6, 0}};
  using Stream = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  SECTION("full queues") {
    const auto streams = streams_of(table, round, 2, HostStart::kFull, 0b0011);
    CHECK(streams[0] == Stream{{0, 2}, {0, 102}});
    CHECK(streams[1] == Stream{{3, 1}, {2, 5}, {1, 103}, {0, 106}});
    CHECK(streams[2] == Stream{{1, 3}, {0, 6}, {0, 104}});
    CHECK(streams[3] == Stream{{0, 4}, {3, 101}, {2, 105}});
  }
  SECTION("empty queues: the same packets, in order of rank") {
    const auto streams = streams_of(table, round, 2, HostStart::kEmpty, 0b0011);
    CHECK(streams[0] == Stream{{0, 2}, {0, 102}});
    CHECK(streams[1] == Stream{{0, 106}, {1, 103}, {2, 5}, {3, 1}});
    CHECK(streams[2] == Stream{{0, 6}, {0, 104}, {1, 3}});
    CHECK(streams[3] == Stream{{0, 4}, {2, 105}, {3, 101}});
  }
}
