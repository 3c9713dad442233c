#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_phases.hpp"

#include <stdexcept>

#include "cpp_model/graph/maximum_flow.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// From a leaf of one child of a level-j node to a leaf of the child `rotation` further on, both counted
// within their child. All children do the same, and then no two of them send to the same child.
struct Pair {
  std::uint32_t from = 0, to = 0, rotation = 1;
};
using Slot = std::vector<Pair>;

// The leaf, within a subtree of height j - 1, whose digits are those of u the other way round: u modulo a
// product of upper arities names the subtree that it is in.
std::uint32_t leaf_of_reversed(const FatTree& tree, std::uint32_t level, std::uint32_t u) {
  std::uint32_t leaf = 0;
  for (std::uint32_t i = level - 1; i >= 1; --i) {
    leaf += u % tree.arity(i) * tree.leaves_below(i - 1);
    u /= tree.arity(i);
  }
  return leaf;
}

// If the usable capacity divides a child's leaves: a slot's senders have consecutive reversed numbers.
std::vector<Slot> slots_by_division(const FatTree& tree, std::uint32_t level, std::uint32_t links) {
  const std::uint32_t below = tree.leaves_below(level - 1);
  std::vector<std::uint32_t> leaf(below);
  for (std::uint32_t u = 0; u < below; ++u) leaf[u] = leaf_of_reversed(tree, level, u);
  std::vector<Slot> slots;
  for (std::uint32_t rotation = 1; rotation < tree.arity(level); ++rotation) {
    for (std::uint32_t shift = 0; shift < below; ++shift) {
      for (std::uint32_t first = 0; first < below; first += links) {
        Slot slot;
        for (std::uint32_t u = first; u < first + links; ++u)
          slot.push_back({leaf[u], leaf[(u + shift) % below], rotation});
        slots.push_back(std::move(slot));
      }
    }
  }
  return slots;
}

// Any capacity: slot by slot, so that every subtree keeps, of what its leaves have left to send and to
// receive, an even share for each slot to come. If `left` slots are to come and a subtree has L packets,
// floor(L / left) or ceil(L / left) of them go now; a flow with these bounds exists, for a left-th of
// everything is a fractional one.
class Peeling {
 public:
  Peeling(const FatTree& tree, std::uint32_t level)
      : tree_(tree), level_(level), below_(tree.leaves_below(level - 1)) {
    pairs_.assign(std::size_t{below_} * below_, tree.arity(level) - 1);
  }

  std::vector<Slot> run() {
    std::uint64_t left = divide_up(pairs_.size() * (tree_.arity(level_) - 1), tree_.usable_capacity(level_));
    std::vector<Slot> slots;
    for (; left > 0; --left) slots.push_back(next(left));
    return slots;
  }

 private:
  // Subtrees of height i that the child has: numbers of places, senders first.
  std::uint32_t place(std::uint32_t height, std::uint32_t index, bool receives) const {
    std::uint32_t first = receives ? place(level_, 0, false) : 0;
    for (std::uint32_t i = 0; i < height; ++i) first += below_ / tree_.leaves_below(i);
    return first + index;
  }

  // Packets that the leaves of a subtree still have to send, or to receive.
  std::uint64_t load(std::uint32_t height, std::uint32_t index, bool receives) const {
    const std::uint32_t leaves = tree_.leaves_below(height);
    std::uint64_t sum = 0;
    for (std::uint32_t leaf = index * leaves; leaf < (index + 1) * leaves; ++leaf) {
      for (std::uint32_t other = 0; other < below_; ++other)
        sum += receives ? pairs_[std::size_t{other} * below_ + leaf]
                        : pairs_[std::size_t{leaf} * below_ + other];
    }
    return sum;
  }

  Slot next(std::uint64_t left) {
    const std::uint32_t places = 2 * place(level_, 0, false), source = places, sink = places + 1;
    MaximumFlow flow(places + 2);
    std::uint64_t wanted = 0;
    // An arc that must carry `least`: those come from the source and go to the sink.
    const auto between = [&](std::uint32_t from, std::uint32_t to, std::uint64_t load) {
      const auto least = static_cast<std::uint32_t>(load / left);
      if (load % left != 0) flow.add(from, to, 1);
      if (least == 0) return;
      flow.add(source, to, least);
      flow.add(from, sink, least);
      wanted += least;
    };
    const std::uint32_t out = place(level_ - 1, 0, false), in = place(level_ - 1, 0, true);
    for (std::uint32_t height = 0; height + 1 < level_; ++height) {
      for (std::uint32_t i = 0; i < below_ / tree_.leaves_below(height); ++i) {
        const std::uint32_t above = i / tree_.arity(height + 1);
        between(place(height + 1, above, false), place(height, i, false), load(height, i, false));
        between(place(height, i, true), place(height + 1, above, true), load(height, i, true));
      }
    }
    between(in, out, load(level_ - 1, 0, false));
    std::vector<std::uint32_t> arcs;
    for (std::uint32_t pair = 0; pair < pairs_.size(); ++pair) {
      arcs.push_back(flow.add(place(0, pair / below_, false), place(0, pair % below_, true), pairs_[pair]));
    }
    if (flow.maximum(source, sink) != wanted) throw std::logic_error("fat tree: a phase has no even slot");
    Slot slot;
    for (std::uint32_t pair = 0; pair < pairs_.size(); ++pair) {
      for (std::uint64_t i = flow.flow(arcs[pair]); i > 0; --i)
        slot.push_back({pair / below_, pair % below_, pairs_[pair]--});
    }
    return slot;
  }

  const FatTree& tree_;
  std::uint32_t level_, below_;
  std::vector<std::uint32_t> pairs_;  // packets left, one per rotation
};

std::vector<Slot> slots_of_phase(const FatTree& tree, std::uint32_t level) {
  const std::uint64_t links = tree.usable_capacity(level);
  if (tree.leaves_below(level - 1) % links == 0)
    return slots_by_division(tree, level, static_cast<std::uint32_t>(links));
  return Peeling(tree, level).run();
}

class LockStep {
 public:
  explicit LockStep(const FatTree& tree) : tree_(tree), n_(tree.leaves()), placed_(std::size_t{n_} * n_, 0) {}

  std::vector<TimedPacket> run() {
    const std::uint32_t top = tree_.height(), below = tree_.leaves_below(top - 1), k = tree_.arity(top);
    for (std::uint32_t rotation = 1; rotation < k; ++rotation) {
      for (std::uint32_t shift = 0; shift < below; ++shift) {
        for (std::uint32_t from = 0; from < below; ++from) {
          ++step_;
          const std::uint32_t to = (from + shift) % below;
          for (std::uint32_t child = 0; child < k; ++child) {
            place(child * below + from, (child + rotation) % k * below + to, top);
            fill(top - 1, child * below, from, to);
          }
        }
      }
    }
    return std::move(packets_);
  }

 private:
  void place(NodeId from, NodeId to, std::uint32_t level) {
    packets_.push_back({from, to, step_, 2 * (tree_.height() - level)});
  }

  // Of the node of that level whose leaves begin with `first`, leaf `up` sends to the outside in this step
  // and leaf `down` receives from there.
  void fill(std::uint32_t level, NodeId first, std::uint32_t up, std::uint32_t down) {
    if (level == 0) return;
    const std::uint32_t below = tree_.leaves_below(level - 1);
    const NodeId sending = first + up / below * below, receiving = first + down / below * below;
    if (sending != receiving) {
      const NodeId from = receiving + up % below, to = sending + down % below;
      char& placed = placed_[std::size_t{from} * n_ + to];
      if (placed != 0) return;
      placed = 1;
      place(from, to, level);
      fill(level - 1, receiving, up % below, down % below);
    }
    fill(level - 1, sending, up % below, down % below);
  }

  const FatTree& tree_;
  NodeId n_;
  std::vector<char> placed_;  // by origin and destination
  std::uint32_t step_ = 0;
  std::vector<TimedPacket> packets_;
};

}  // namespace

std::vector<TimedPacket> exchange_in_phases(const FatTree& tree) {
  std::vector<TimedPacket> packets;
  packets.reserve(std::size_t{tree.leaves()} * (tree.leaves() - 1));
  std::uint32_t step = 1;
  for (std::uint32_t level = tree.height(); level >= 1; --level) {
    const std::uint32_t below = tree.leaves_below(level - 1), k = tree.arity(level);
    for (const Slot& slot : slots_of_phase(tree, level)) {
      for (NodeId first = 0; first < tree.leaves(); first += tree.leaves_below(level)) {
        for (std::uint32_t child = 0; child < k; ++child) {
          for (const Pair& pair : slot) {
            packets.push_back({first + child * below + pair.from,
                               first + (child + pair.rotation) % k * below + pair.to, step, 0});
          }
        }
      }
      ++step;
    }
    step += 2;
  }
  return packets;
}

std::vector<TimedPacket> exchange_in_lock_step(const FatTree& tree) { return LockStep(tree).run(); }

}  // namespace safnet
