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
  HostFeed feed(policy.injections, parameters, nodes, 0, {});
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
  HostFeed feed(policy.injections, parameters_for(policy), nodes, 3, [&](NodeId) { return got; });
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
