#include "cpp_model/algorithm/fat_tree/fat_tree_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <queue>
#include <tuple>

#include "cpp_model/algorithm/fat_tree/fat_tree_one_port_phases.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMaxRanks = 4096;
constexpr std::uint64_t kMaxLabels = 131072;

// One label per packet: source * leaves + destination.
struct PacketLabel {
  NodeId leaves;
  Label of(NodeId source, NodeId destination) const { return source * leaves + destination; }
  NodeId destination(Label label) const { return label % leaves; }
  NodeId source(Label label) const { return label / leaves; }
};

// The ranks that packets have at the routers that they pass.
class Turns {
 public:
  explicit Turns(const FatTree& tree)
      : tree_(tree), label_{tree.leaves()}, queues_(tree.node_count()), came_(tree.node_count()) {
    ranks_.resize(std::size_t{tree.leaves()} * tree.leaves());
    for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf) {
      for (const NodeId destination : leaves_in_digit_order(tree, leaf))
        push(leaf, 0, label_.of(leaf, destination));
    }
    while (waiting_ != 0) advance();
  }

  /// 0 on the way up, 1 + the number of packets before it for the same child on the way down.
  std::uint32_t rank(NodeId router, Label label) const {
    const std::size_t at = index_on_way(router, label);
    return at < ranks_[label].size() ? ranks_[label][at] : 0;
  }
  std::uint32_t largest_rank() const { return largest_; }

 private:
  static constexpr std::size_t kNotOnWay = ~std::size_t{0};
  using Key = std::tuple<std::uint32_t, std::uint64_t, Label>;  // rank, arrival, packet
  using Queue = std::priority_queue<Key, std::vector<Key>, std::greater<>>;

  // Only the way down has ranks: at the turning router, the one below it, ...
  std::size_t index_on_way(NodeId router, Label label) const {
    const NodeId source = label_.source(label), destination = label_.destination(label);
    const std::uint32_t level = tree_.level_of(router);
    if (source == destination || level == 0 || tree_.above(destination, level) != router) return kNotOnWay;
    const std::uint32_t turn = tree_.turning_level(source, destination);
    return level > turn ? kNotOnWay : turn - level;
  }

  void push(NodeId node, std::uint32_t rank, Label label) {
    queues_[node].emplace(rank, arrivals_++, label);
    ++waiting_;
  }

  void arrive(NodeId router, Label label) {
    const NodeId destination = label_.destination(label);
    const std::uint32_t level = tree_.level_of(router);
    if (level == 0) return;
    std::uint32_t rank = 0;
    if (tree_.above(destination, level) == router) {
      std::vector<std::uint32_t>& came = came_[router];
      came.resize(tree_.arity(level));
      rank = 1 + came[tree_.child_number(tree_.above(destination, level - 1))]++;
      ranks_[label].push_back(rank);
      largest_ = std::max(largest_, rank);
    }
    push(router, rank, label);
  }

  void advance() {
    struct Arrival {
      NodeId to, from;
      Label label;
    };
    std::vector<Arrival> arrivals;
    for (NodeId v = 0; v < tree_.node_count(); ++v) {
      if (queues_[v].empty()) continue;
      const Label label = std::get<2>(queues_[v].top());
      queues_[v].pop();
      --waiting_;
      const NodeId destination = label_.destination(label);
      const std::uint32_t level = tree_.level_of(v);
      const bool down = level > 0 && tree_.above(destination, level) == v;
      arrivals.push_back({down ? tree_.above(destination, level - 1) : tree_.parent(v), v, label});
    }
    // Lower input ports first: the children from the left, then the parent, as their numbers are.
    std::ranges::sort(arrivals, {}, [](const Arrival& a) { return std::pair(a.to, a.from); });
    for (const Arrival& a : arrivals) arrive(a.to, a.label);
  }

  FatTree tree_;
  PacketLabel label_;
  std::vector<Queue> queues_;
  std::vector<std::vector<std::uint32_t>> came_;   // per router and child
  std::vector<std::vector<std::uint32_t>> ranks_;  // per packet, at the routers of its way down
  std::uint64_t arrivals_ = 0, waiting_ = 0;
  std::uint32_t largest_ = 0;
};

std::uint64_t most_packets_for_a_child(const FatTree& tree) {
  std::uint64_t most = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint64_t inside = tree.leaves_below(i - 1);
    most = std::max(most, inside * (tree.leaves() - inside));
  }
  return most;
}

std::string why_no_turns(const Problem& problem) {
  if (!problem.tree.empty()) return "has no use for --tree";
  const std::optional<FatTree> tree = fat_tree_shape(problem.graph);
  if (!tree) return "needs a fat tree";
  if (problem.ports != PortModel::kOnePortSend) return "needs --ports one-send";
  const std::uint64_t labels = std::uint64_t{tree->leaves()} * tree->leaves();
  const std::uint64_t ranks = most_packets_for_a_child(*tree) + 1;
  if (labels > kMaxLabels || ranks > kMaxRanks)
    return fmt::format("needs {} labels and {} ranks; expected at most {} and {}", labels, ranks, kMaxLabels,
                       kMaxRanks);
  return "";
}

Policy turns_policy(const Problem& problem) {
  const FatTree tree = *fat_tree_shape(problem.graph);
  const auto turns = std::make_shared<const Turns>(tree);
  const PacketLabel label{tree.leaves()};
  Policy policy;
  policy.label_count = tree.leaves() * tree.leaves();
  policy.rank_levels = turns->largest_rank() + 1;
  policy.deals_links = !tree.has_constant_capacities();
  policy.host_packets = tree.leaves() - 1;
  policy.queue_bound = most_packets_for_a_child(tree);
  policy.table = [tree, turns, label](NodeId v, Label l) {
    const NodeId source = label.source(l), destination = label.destination(l);
    const std::uint32_t level = tree.level_of(v);
    const bool on_way = source != destination && level <= tree.turning_level(source, destination) &&
                        (tree.above(source, level) == v || tree.above(destination, level) == v);
    if (!on_way) return TableEntry{};
    TableEntry entry = entry_towards_leaf(tree, v, destination);
    entry.rank = turns->rank(v, l);
    return entry;
  };
  policy.injections = [tree, label](NodeId v) {
    std::vector<Injection> packets;
    if (v >= tree.leaves()) return packets;
    for (const NodeId destination : leaves_in_digit_order(tree, v))
      packets.push_back({label.of(v, destination), destination, 0});
    return packets;
  };
  return policy;
}

}  // namespace

std::vector<Algorithm> fat_tree_turn_algorithms() {
  return {{.name = "parent-first-in-turns",
           .collective = CollectiveKind::kTotalExchange,
           .source = "thesis 6.2.4, Fig. 6.8, Theorem 6.8",
           .description = "leaves send furthest-first, routers to their parent first, then to their children "
                          "in turn, without those that nothing waits for",
           .domain = "fat trees of at most 362 leaves and 4095 packets per branch, one-port-send",
           .why_not = why_no_turns,
           .policy = turns_policy,
           .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
             return fat_tree_one_port_exchange_steps(*fat_tree_shape(p.graph));
           },
           // the order of arrival does as well, with fewer labels and ranks
           .chosen_by_name_only = true,
           .knows_routers = true}};
}

}  // namespace safnet
