#include "cpp_model/algorithm/fat_tree/fat_tree_multinode.hpp"

#include <algorithm>
#include <functional>

#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// Adds sends over first links of branches.
class Branches {
 public:
  Branches(const FatTree& tree, Schedule& schedule) : tree_(tree), schedule_(schedule) {}

  void up(std::uint32_t step, NodeId from, PacketIndex packet) {
    schedule_.sends.push_back({step, schedule_.network.link(from, tree_.up_port(from)), packet});
  }
  // To one child from above or from another child, in `step`, and on to all leaves below.
  void to_child(std::uint32_t step, NodeId router, std::uint32_t child, PacketIndex packet) {
    const NodeId to = tree_.child(router, child);
    const std::uint32_t level = tree_.level_of(to);
    const LinkId link = schedule_.network.link(router, tree_.down_port(level + 1, child));
    schedule_.sends.push_back({step, link, packet});
    for (std::uint32_t c = 0; level > 0 && c < tree_.arity(level); ++c) to_child(step + 1, to, c, packet);
  }
  // packets[c] of child c, for the others; slot s is step first + s - 1.
  void exchange(std::uint32_t first, NodeId router, const std::vector<PacketIndex>& packets) {
    const auto children = static_cast<std::uint32_t>(packets.size());
    for (std::uint32_t slot = 1; slot < children; ++slot) {
      for (std::uint32_t c = 0; c < children; ++c)
        to_child(first + slot - 1, router, c, packets[c < slot ? slot : slot - 1]);
    }
  }

 private:
  const FatTree& tree_;
  Schedule& schedule_;
};

// Slots of all exchanges of a level.
std::uint32_t exchange_slots(const FatTree& tree, std::uint32_t level) {
  return (tree.arity(level) - 1) * tree.leaves_below(level - 1);
}

// The leaves that turn to `leaf` at `level`, ascending.
std::vector<NodeId> turning_leaves(const FatTree& tree, NodeId leaf, std::uint32_t level) {
  std::vector<NodeId> leaves;
  const NodeId all = tree.leaves_below(level), first = leaf / all * all;
  for (NodeId other = first; other < first + all; ++other) {
    if (tree.turning_level(leaf, other) == level) leaves.push_back(other);
  }
  return leaves;
}

// When leaf's message leaves its ancestor of each level upwards, and when its exchange begins there.
class BlockTimes {
 public:
  explicit BlockTimes(const FatTree& tree) : tree_(tree), delay_(block_delay(tree)) {
    // |B_i| = k_i ... k_h - 1.
    length_.assign(tree.height() + 2, 0);
    for (std::uint32_t i = tree.height(); i >= 1; --i) length_[i] = (length_[i + 1] + 1) * tree.arity(i) - 1;
  }
  std::vector<std::uint32_t> exchanges(NodeId leaf) const {
    std::vector<std::uint32_t> step(tree_.height() + 1);
    std::uint32_t position = 1;
    for (std::uint32_t i = 1; i <= tree_.height(); ++i) {
      step[i] = position + 2 + delay_ - i;
      position += tree_.arity(i) - 1 + digit(leaf, i) * length_[i + 1];
    }
    return step;
  }
  // As late as the exchanges above allow.
  std::vector<std::uint32_t> departures(NodeId leaf) const {
    const std::vector<std::uint32_t> exchange = exchanges(leaf);
    std::vector<std::uint32_t> step(tree_.height());
    std::uint32_t needed = 0;  // at level i + 1 at the latest
    for (std::uint32_t i = tree_.height(); i-- > 0;) {
      const std::uint32_t first_slot = std::max(digit(leaf, i + 1), 1U);
      const std::uint32_t first_use = exchange[i + 1] + first_slot - 1;
      needed = needed == 0 ? first_use : std::min(needed, first_use);
      step[i] = --needed;
    }
    return step;
  }

 private:
  std::uint32_t digit(NodeId leaf, std::uint32_t level) const {
    return tree_.child_number(tree_.above(leaf, level - 1));
  }
  const FatTree& tree_;
  std::uint32_t delay_;
  std::vector<std::uint32_t> length_;
};

}  // namespace

Schedule fat_tree_phases(const Problem& problem, PhaseOrder order, const std::string& algorithm) {
  check_multinode_sends(problem, algorithm);
  const FatTree tree = shape_of(problem);
  Schedule schedule(problem.graph);
  schedule.ports = problem.ports;
  schedule.algorithm = algorithm;
  for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf) {
    for (std::uint32_t i = 1; i <= tree.height(); ++i)
      schedule.packets.add(leaf, i - 1, 1, turning_leaves(tree, leaf, i));
  }
  Branches branches(tree, schedule);
  std::uint32_t begin = 1;
  for (std::uint32_t i = tree.height(); i >= 1; --i) {
    const std::uint32_t below = tree.leaves_below(i - 1), slots = tree.arity(i) - 1;
    for (std::uint32_t r = 0; r < tree.nodes_of(i); ++r) {
      for (std::uint32_t batch = 0; batch < below; ++batch) {
        const std::uint32_t start = begin + batch * slots;
        std::vector<PacketIndex> packets;
        for (std::uint32_t c = 0; c < tree.arity(i); ++c) {
          const NodeId leaf = (r * tree.arity(i) + c) * below + batch;
          packets.push_back(leaf * tree.height() + i - 1);
          for (std::uint32_t j = 0; j < i; ++j) branches.up(start + j, tree.above(leaf, j), packets.back());
        }
        branches.exchange(start + i, tree.node(i, r), packets);
      }
    }
    // The next phase's packets turn one level lower: they may start 2 steps after the last of this phase.
    begin += exchange_slots(tree, i) + (order == PhaseOrder::kSerial ? 2 * i - 1 : 2);
  }
  sort_sends(schedule);
  return schedule;
}

std::uint32_t block_delay(const FatTree& tree) {
  std::int64_t sum = 0, largest = 0;
  for (std::uint32_t i = 1; i < tree.height(); ++i) {
    sum += 3 - std::int64_t{tree.arity(i)};
    largest = std::max(largest, sum);
  }
  return static_cast<std::uint32_t>(largest);
}

Schedule fat_tree_blocks(const Problem& problem, const std::string& algorithm) {
  check_multinode_sends(problem, algorithm);
  const FatTree tree = shape_of(problem);
  const BlockTimes times(tree);
  Schedule schedule = empty_schedule(problem, algorithm);
  Branches branches(tree, schedule);
  for (NodeId leaf = 0; leaf < tree.leaves(); ++leaf) {
    const std::vector<std::uint32_t> departure = times.departures(leaf);
    for (std::uint32_t i = 0; i < tree.height(); ++i) branches.up(departure[i], tree.above(leaf, i), leaf);
  }
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const std::uint32_t below = tree.leaves_below(i - 1);
    for (std::uint32_t r = 0; r < tree.nodes_of(i); ++r) {
      for (std::uint32_t u = 0; u < below; ++u) {
        std::vector<PacketIndex> packets;
        for (std::uint32_t c = 0; c < tree.arity(i); ++c)
          packets.push_back((r * tree.arity(i) + c) * below + u);
        branches.exchange(times.exchanges(packets[0])[i], tree.node(i, r), packets);
      }
    }
  }
  sort_sends(schedule);
  return schedule;
}

Schedule fat_tree_sent_twice(const Problem& problem, const std::string& algorithm) {
  const FatTree tree = shape_of(problem);
  Schedule schedule(problem.graph);
  schedule.ports = problem.ports;
  schedule.algorithm = algorithm;
  const NodeId n = tree.leaves(), half = n / 2;
  const auto others = [n](NodeId leaf, NodeId first, NodeId end) {
    std::vector<NodeId> list;
    for (NodeId v = 0; v < n; ++v) {
      if (v != leaf && v >= first && v < end) list.push_back(v);
    }
    return list;
  };
  for (NodeId leaf = 0; leaf < n; ++leaf) {
    const bool twice = leaf % half == 0;
    schedule.packets.add(leaf, 0, 1, twice ? others(leaf, leaf, leaf + half) : others(leaf, 0, n));
  }
  Branches branches(tree, schedule);
  for (std::uint32_t side = 0; side < 2; ++side) {
    // Leaves a, b below one level-1 router, c, d below the other; a is sent twice.
    const NodeId a = side * half, b = a + 1, c = a + 2, d = a + 3;
    const NodeId left = tree.above(a, 1), right = tree.above(c, 1), top = tree.above(a, 2);
    const PacketIndex far = schedule.packets.add(a, 1, 1, others(a, half - a, n - a));
    for (const NodeId leaf : {a, b, c, d}) branches.up(1, leaf, leaf);
    branches.exchange(2, left, {a, b});
    branches.exchange(2, right, {c, d});
    branches.up(2, left, a);
    branches.up(2, right, c);
    branches.up(3, left, b);
    branches.up(3, right, d);
    branches.up(3, a, far);
    branches.up(4, left, far);
    branches.exchange(3, top, {a, c});
    branches.exchange(4, top, {b, d});
    std::uint32_t step = 3;
    for (const PacketIndex packet : {PacketIndex{c}, PacketIndex{b}, PacketIndex{d}, far}) {
      branches.up(step, top, packet);
      branches.to_child(++step, tree.root(), 1 - side, packet);
    }
  }
  sort_sends(schedule);
  return schedule;
}

void check_multinode_sends(const Problem& problem, const std::string& algorithm) {
  // A leaf's message crosses every branch once, or, in phases, up to h branches upwards once more each.
  const std::uint64_t height = shape_of(problem).height();
  const std::uint64_t sends =
      problem.graph.processor_count() * (problem.graph.node_count() + height * height);
  if (sends > kMaxPlannedSends) {
    throw bad_input("algorithm {}: {} on {} takes some {} transmissions, expected at most {}",
                    one_line(algorithm), to_string(problem.collective), one_line(problem.graph.spelling()),
                    sends, kMaxPlannedSends);
  }
}

namespace {

using Plan = std::function<Schedule(const Problem&, const std::string& name)>;
using StepsOf = std::function<std::uint64_t(const FatTree&)>;

Algorithm timetable(const std::string& name, std::string description, const Plan& plan,
                    const StepsOf& steps) {
  return {.name = name,
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = "beyond thesis 6.3.2.2",
          .description = std::move(description),
          .domain = "fat trees, all-port",
          .why_not = why_not_all_port_fat_tree,
          .closed_form = [steps](const Problem& p) { return steps(shape_of(p)); },
          .plan = [plan, name](const Problem& p) { return plan(p, name); },
          .knows_routers = true};
}

std::string why_not_one_message(const Problem& problem) {
  if (std::string reason = why_not_all_port_fat_tree(problem); !reason.empty()) return reason;
  return problem.messages != 1 ? "needs --messages 1" : "";
}

Algorithm phases(const std::string& name, PhaseOrder order, std::string description) {
  Algorithm algorithm = timetable(
      name, std::move(description),
      [order](const Problem& p, const std::string& as) { return fat_tree_phases(p, order, as); },
      [order](const FatTree& tree) {
        const std::uint64_t h = tree.height();
        return tree.leaves() + (order == PhaseOrder::kSerial ? h * h - 1 : 2 * h - 2);
      });
  algorithm.source = "thesis 6.3.2.2, Fig. 6.10";
  algorithm.why_not = why_not_one_message;
  algorithm.knows_messages = true;  // takes only one: nothing to repeat
  return algorithm;
}

Algorithm sent_twice() {
  Algorithm algorithm =
      timetable("sent-twice", "n + 1 steps with one register per link; two leaves send their message twice",
                fat_tree_sent_twice, [](const FatTree& tree) { return tree.leaves() + 1; });
  algorithm.domain = "binary fat trees of height 3, all-port";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (std::string reason = why_not_one_message(p); !reason.empty()) return reason;
    return shape_of(p).arities() == std::vector<std::uint32_t>{2, 2, 2}
               ? ""
               : "needs a binary fat tree of height 3";
  };
  algorithm.knows_messages = true;  // takes only one: nothing to repeat
  return algorithm;
}

}  // namespace

std::vector<Algorithm> fat_tree_multinode_algorithms() {
  return {sent_twice(),
          timetable("block-schedule", "exchanges of all levels nested in each other; one register per link",
                    fat_tree_blocks, [](const FatTree& tree) { return tree.leaves() + block_delay(tree); }),
          phases("pipelined-phases", PhaseOrder::kPipelined,
                 "a phase per level, each begun before the last has ended; one register per link"),
          phases("serial-phases", PhaseOrder::kSerial, "a phase per level, one after the other")};
}

}  // namespace safnet
