// Optimal broadcast and multinode broadcast on small networks: bounds and search against exhaustive search of
// states, plans against the checker.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/algorithm/tree/flow_scatter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/optimum/gossip_search.hpp"
#include "cpp_model/optimum/gossip_step_bound.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "cpp_model/optimum/random_gossip.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/fault_of.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

// Fewest steps by going through all states (which node holds which packets) that can be reached in 1, 2, ...
// steps. Holding more is never worse: a state that another one contains is left out.
class AllStates {
 public:
  explicit AllStates(const Gossip& gossip) : gossip_(gossip), packets_(gossip.packets()) {}

  std::uint32_t fewest_steps() {
    State start = 0;
    for (std::uint32_t p = 0; p < packets_; ++p) start |= bit(gossip_.origin[p], p);
    const State all = (State{1} << (gossip_.nodes * packets_)) - 1;
    std::vector<State> layer{start};
    for (std::uint32_t steps = 0;; ++steps) {
      if (layer.front() == all) return steps;
      next_.clear();
      for (const State now : layer) {
        now_ = now;
        go_on(0, now, 0, 0);
      }
      layer.clear();
      std::vector<State> by_size(next_.begin(), next_.end());
      std::stable_sort(by_size.begin(), by_size.end(),
                       [](State a, State b) { return std::popcount(a) > std::popcount(b); });
      for (const State state : by_size) {
        const bool covered =
            std::any_of(layer.begin(), layer.end(), [&](State larger) { return (state & ~larger) == 0; });
        if (!covered) layer.push_back(state);
      }
    }
  }

 private:
  using State = std::uint64_t;

  State bit(NodeId v, std::uint32_t p) const { return State{1} << (v * packets_ + p); }
  void go_on(std::uint32_t link, State after, std::uint32_t senders, std::uint32_t receivers) {
    if (link == gossip_.links.size()) {
      next_.insert(after);
      return;
    }
    const auto [from, to] = gossip_.links[link];
    const bool busy = (gossip_.sends_one && (senders >> from & 1) != 0) ||
                      (gossip_.receives_one && (receivers >> to & 1) != 0);
    bool sends = false;
    for (std::uint32_t p = 0; p < packets_ && !busy; ++p) {
      if ((now_ & bit(from, p)) == 0 || (after & bit(to, p)) != 0) continue;
      sends = true;
      go_on(link + 1, after | bit(to, p), senders | 1U << from, receivers | 1U << to);
    }
    // A link need only stay idle if it shares a port with others.
    if (!sends || gossip_.sends_one || gossip_.receives_one) go_on(link + 1, after, senders, receivers);
  }

  const Gossip& gossip_;
  std::uint32_t packets_;
  State now_ = 0;
  std::set<State> next_;
};

Gossip network_of(const Graph& graph, PortModel ports) {
  Problem problem{graph, CollectiveKind::kBroadcast, ports, 0};
  Gossip gossip = gossip_of(problem).value();
  gossip.origin.clear();
  return gossip;
}

// Bounds, searches and plans must agree with the optimum that exhaustive search finds.
void compare_with_all_states(const Gossip& gossip) {
  const std::uint32_t steps = AllStates(gossip).fewest_steps();
  CHECK(gossip_step_bound(gossip).steps <= steps);
  CHECK(sender_sets_bound(gossip, 0, 1000).steps <= steps);
  CHECK(steps_of(random_gossip(gossip, 0, 5)) >= steps);
  // The search without the help of the bounds. It does not count what a node has to send, and so takes long
  // to see that the middle of a star has too much: small networks only.
  if (gossip.nodes <= 4) {
    CHECK(search_gossip(gossip, steps, 1'000'000).answer == SearchAnswer::kFound);
    if (steps > 0) CHECK(search_gossip(gossip, steps - 1, 1'000'000).answer == SearchAnswer::kImpossible);
  }
  const OptimalGossip found = optimal_gossip(gossip);
  CHECK(found.steps == steps);
  CHECK(found.proved());
  CHECK(steps_of(found.sends) == steps);
}

// Plans by "optimal" and checks the plan. Returns its steps, or 0 if they are not proved to be the fewest.
std::uint64_t planned(const Problem& problem) {
  CAPTURE(problem.graph.spelling(), to_string(problem.collective), to_string(problem.ports),
          problem.messages);
  const Schedule schedule = find_planner(problem, "optimal").plan(problem);
  CHECK(fault_of(schedule) == "");
  CHECK(schedule.algorithm == "optimal");
  CHECK(why_not_packets_of(problem, schedule) == "");
  const auto proved = proved_optimum(problem);
  const std::uint64_t steps = steps_of(schedule);
  CHECK(searched_bound(problem).steps <= steps);
  CHECK(lower_bound(problem).steps <= steps);
  if (!proved) return 0;
  CHECK(proved->steps == steps);
  CHECK(proved->reason != "");
  return steps;
}

}  // namespace

TEST_CASE("the optimum of all connected graphs to 5 nodes is that of all states", "[optimal_gossip]") {
  for (const std::string& word : small_connected_graphs(5)) {
    const Graph graph = make_topology(word);
    for (const PortModel ports : kPortModels) {
      for (std::uint32_t messages = 1; messages <= 2; ++messages) {
        CAPTURE(word, to_string(ports), messages);
        for (NodeId root = 0; root < graph.node_count(); ++root)
          compare_with_all_states(
              gossip_of({graph, CollectiveKind::kBroadcast, ports, root, "", kNoNode, {}, messages}).value());
        // With more packets or links there are too many states.
        if (messages * graph.node_count() > (graph.link_count() <= 10 ? 5 : 4)) continue;
        const Problem all{graph, CollectiveKind::kMultinodeBroadcast, ports, 0, "", kNoNode, {}, messages};
        compare_with_all_states(gossip_of(all).value());
        compare_with_all_states(transposed(gossip_of(all).value()));
      }
    }
  }
}

TEST_CASE("the optimum of networks with one-way and parallel links is that of all states",
          "[optimal_gossip]") {
  Dice dice(7);
  int one_way = 0;
  for (int i = 0; i < 150; ++i) {
    Gossip gossip;
    gossip.nodes = dice.between(3, 4);
    // A ring in one direction reaches all nodes.
    for (NodeId v = 0; v < gossip.nodes; ++v) gossip.links.push_back({v, (v + 1) % gossip.nodes});
    for (std::uint32_t further = dice.below(5); further > 0; --further) {
      const NodeId from = dice.below(gossip.nodes), to = dice.below(gossip.nodes);
      if (from != to) gossip.links.push_back({from, to});
    }
    const auto& links = gossip.links;
    one_way += std::any_of(links.begin(), links.end(),
                           [&](const DirectedLink& link) {
                             return std::count(links.begin(), links.end(), link) !=
                                    std::count(links.begin(), links.end(), DirectedLink{link.to, link.from});
                           })
                   ? 1
                   : 0;
    gossip.sends_one = dice.one_in(2);
    gossip.receives_one = dice.one_in(2);
    // Any packets, as many as there are states for.
    for (std::uint32_t packets = dice.between(1, 4); packets > 0; --packets)
      gossip.origin.push_back(dice.below(gossip.nodes));
    CAPTURE(i);
    compare_with_all_states(gossip);
  }
  CHECK(one_way > 50);
}

TEST_CASE("optimal plans are valid and proved, and as long backwards on the network turned round",
          "[optimal_gossip]") {
  const struct {
    const char* word;
    NodeId root;
  } networks[] = {{"edges:0-1", 1},
                  {"ring:6", 2},
                  {"linear:5", 1},
                  {"mesh:3x3", 4},
                  {"generalized-petersen:5,2", 0},
                  {"hypercube:3", 5},
                  {"edges:0-1,0-2,0-3,0-4", 0},
                  {"edges:0-1,0-1,1-2,1-2,2-0,2-3", 3},
                  {"random:8,10,1", 0},
                  {"kautz:2,2", 1},
                  {"de-bruijn:2,3", 0},
                  {"links:0-1,1-2,2-3,3-0,0-2,0-2", 3},
                  {"dgx-1", 2}};
  for (const auto& [word, root] : networks) {
    const Graph graph = make_topology(word);
    for (const PortModel ports : kPortModels) {
      for (std::uint32_t messages = 1; messages <= 3; ++messages) {
        const auto steps = [&, root = root](const Graph& on, CollectiveKind collective) {
          return planned({on, collective, ports, root, "", kNoNode, {}, messages});
        };
        CAPTURE(word, to_string(ports), messages);
        const std::uint64_t broadcast = steps(graph, CollectiveKind::kBroadcast);
        const std::uint64_t reduction = steps(graph, CollectiveKind::kReduction);
        CHECK(broadcast > 0);
        // Backwards with one port for sending only is another problem: many may be received at once.
        const bool same_backwards = ports != PortModel::kOnePortSend;
        if (same_backwards) CHECK(reduction == steps(graph.transposed(), CollectiveKind::kBroadcast));
        if (messages == 3 || (messages == 2 && ports != PortModel::kAllPort && graph.node_count() > 6))
          continue;
        const std::uint64_t of_all = steps(graph, CollectiveKind::kMultinodeBroadcast);
        const std::uint64_t accumulation = steps(graph, CollectiveKind::kMultinodeAccumulation);
        if (same_backwards && graph.has_one_way_links())
          CHECK(accumulation == steps(graph.transposed(), CollectiveKind::kMultinodeBroadcast));
        if (same_backwards && !graph.has_one_way_links()) CHECK(accumulation == of_all);
      }
    }
  }
}

TEST_CASE("numbers of steps that are known", "[optimal_gossip]") {
  const auto optimum = [](const char* word, CollectiveKind collective, PortModel ports,
                          std::uint32_t messages) {
    const auto proved =
        proved_optimum({make_topology(word), collective, ports, 0, "", kNoNode, {}, messages});
    return proved ? proved->steps : 0;
  };
  constexpr auto kAllgather = CollectiveKind::kMultinodeBroadcast, kBroadcast = CollectiveKind::kBroadcast;
  constexpr auto kAll = PortModel::kAllPort, kOne = PortModel::kOnePort;
  // ceil(M (n - 1) / degree) on symmetric networks, M (n - 1) with one port.
  for (std::uint32_t m = 1; m <= 3; ++m) {
    CHECK(optimum("ring:9", kAllgather, kAll, m) == (8 * m + 1) / 2);
    CHECK(optimum("hypercube:4", kAllgather, kAll, m) == std::max(4U, (15 * m + 3) / 4));
    CHECK(optimum("torus:4x4", kAllgather, kOne, m) == 15 * m);
    CHECK(optimum("complete:7", kAllgather, kAll, m) == m);
    // The middle of a star sends every packet to all but where it is from.
    CHECK(optimum("edges:0-1,0-2,0-3,0-4,0-5", kAllgather, kOne, m) == 25 * m);
    CHECK(optimum("complete:8", kBroadcast, kOne, m) == m + 2);
    CHECK(optimum("linear:6", kBroadcast, kOne, m) == m + 4);
  }
  // Corners and centre are neighbours of the other four nodes only, which send them 5 * 8 packets.
  CHECK(optimum("mesh:3x3", kAllgather, kOne, 1) == 10);
}

TEST_CASE("scatter and gather by flow: any messages, links and ports", "[optimal_gossip]") {
  for (const std::string& word : small_connected_graphs(5)) {
    const Graph graph = make_topology(word);
    CAPTURE(word);
    std::uint32_t steps = 0;
    for (const PersonalHop& hop : fewest_steps_scatter(graph, 0)) steps = std::max(steps, hop.step);
    CHECK(fewest_scatter_steps(network_of(graph, PortModel::kAllPort), 0, 1) == steps);
    for (std::uint32_t messages = 1; messages <= 3; ++messages) {
      const std::uint64_t packets = messages * (graph.node_count() - 1);
      const Problem scatter{graph,   CollectiveKind::kScatter, PortModel::kOnePort, 0, "", kNoNode, {},
                            messages};
      CHECK(proved_optimum(scatter).value().steps == packets);
      Problem gather = scatter;
      gather.collective = CollectiveKind::kGather;
      CHECK(proved_optimum(gather).value().steps == packets);
      gather.ports = PortModel::kAllPort;
      CHECK(proved_optimum(gather).value().steps == lower_bound(gather).steps);
    }
  }
  // One way round a ring: with two packets a node, six come in over one link.
  Gossip ring;
  ring.nodes = 4;
  ring.links = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  CHECK(fewest_scatter_steps(ring, 0, 2) == 6);
  ring.links.push_back({0, 2});
  CHECK(fewest_scatter_steps(ring, 0, 2) == 3);              // three packets leave over each link
  CHECK(fewest_scatter_steps(transposed(ring), 0, 2) == 6);  // all come in over one link
  ring.receives_one = ring.sends_one = true;
  CHECK(fewest_scatter_steps(ring, 0, 3) == 9);
  CHECK(fewest_scatter_steps(transposed(ring), 0, 3) == 9);
}

TEST_CASE("gossips of a special shape", "[optimal_gossip]") {
  const auto gossip = [](const char* word, PortModel ports, std::uint32_t messages) {
    return gossip_of({make_topology(word),
                      CollectiveKind::kMultinodeBroadcast,
                      ports,
                      0,
                      "",
                      kNoNode,
                      {},
                      messages})
        .value();
  };
  // A ring turns by one place: every node does what node 0 does.
  const Gossip ring = gossip("ring:7", PortModel::kAllPort, 1);
  const auto turned = symmetry_of(ring, {1, 2, 3, 4, 5, 6, 0});
  REQUIRE(turned.size() == 1);
  const GossipSearchResult found = search_gossip(ring, 3, 1000, {turned, 0});
  REQUIRE(found.answer == SearchAnswer::kFound);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> sends;
  for (const GossipSend& send : found.sends) sends.emplace(send.step, send.link, send.packet);
  for (const GossipSend& send : found.sends)
    CHECK(sends.count({send.step, turned[0].link[send.link], turned[0].packet[send.packet]}) == 1);
  CHECK(symmetry_of(ring, {1, 0, 2, 3, 4, 5, 6}).empty());  // no symmetry
  CHECK(useful_symmetries(ring).size() == 3);
  CHECK(useful_symmetries(gossip("linear:3", PortModel::kAllPort, 1)).empty());
  // Two messages, each of four steps: three steps after the first is too soon for the second.
  const Gossip twice = gossip("ring:5", PortModel::kOnePort, 2);
  CHECK(search_gossip(twice, 8, 10'000, {{}, 3}).answer == SearchAnswer::kImpossible);
  const GossipSearchResult periodic = search_gossip(twice, 8, 10'000, {{}, 4});
  REQUIRE(periodic.answer == SearchAnswer::kFound);
  std::set<std::pair<std::uint32_t, std::uint32_t>> first;
  for (const GossipSend& send : periodic.sends) {
    if (send.packet < 5) first.emplace(send.step, send.link);
  }
  for (const GossipSend& send : periodic.sends) {
    if (send.packet >= 5) CHECK(first.count({send.step - 4, send.link}) == 1);
  }
}

TEST_CASE("a search that gives up says so", "[optimal_gossip]") {
  const Problem tree{make_topology("tree:2,2"), CollectiveKind::kMultinodeBroadcast, PortModel::kOnePort};
  const Gossip gossip = gossip_of(tree).value();
  constexpr GossipBudget kHasty{.effort = 0, .shape_effort = 0, .random_tries = 1, .random_effort = 0};
  const OptimalGossip hasty = optimal_gossip(gossip, kHasty), again = optimal_gossip(gossip, kHasty);
  CHECK(hasty.sends == again.sends);
  CHECK(hasty.bound.steps <= optimal_gossip(gossip).bound.steps);
  CHECK(hasty.steps >= optimal_gossip(gossip).steps);
  CHECK(optimal_gossip(gossip).proved());
  // With more possible sends than `most_sends` nothing is searched: a bound and a random plan are all.
  const OptimalGossip unasked =
      optimal_gossip(gossip, {.most_sends = 10, .random_tries = 1, .random_effort = 0});
  CHECK(unasked.bound.steps > 0);
  CHECK(unasked.steps >= unasked.bound.steps);
}

TEST_CASE("what the optimum is not searched for", "[optimal_gossip]") {
  const Graph ring = make_topology("ring:17");
  const Problem large{ring, CollectiveKind::kBroadcast, PortModel::kAllPort};
  CHECK(!gossip_of(large));
  CHECK(searched_optimum(large) == nullptr);
  CHECK(!proved_optimum(large));
  CHECK(searched_bound(large).steps == 0);
  CHECK(!gossip_of({make_topology("ring:4"), CollectiveKind::kTotalExchange}));
  CHECK_THROWS_WITH(find_planner(large, "optimal"), "algorithm optimal: needs a network of at most 16 nodes");
  const Problem many{
      make_topology("ring:4"), CollectiveKind::kBroadcast, PortModel::kAllPort, 0, "", kNoNode, {}, 4};
  CHECK_THROWS_WITH(find_planner(many, "optimal"), "algorithm optimal: needs --messages 3 or fewer");
  Gossip gossip{3, {{0, 1}, {1, 0}, {1, 2}}, {2}};
  CHECK_THROWS_WITH(gossip_step_bound(gossip), "node 2: expected ways from it to all others");
  gossip.origin = {5};
  CHECK_THROWS_WITH(gossip_step_bound(gossip), "origin 5: expected a node from 0 to 2");
  gossip.links.push_back({0, 4});
  CHECK_THROWS_WITH(gossip_step_bound(gossip), "link from 0 to 4: expected nodes from 0 to 2");
  gossip.nodes = 64;
  CHECK_THROWS_WITH(gossip_step_bound(gossip), "a gossip of 64 nodes: expected at most 63");
}
