#include "cpp_model/algorithm/fat_tree/fat_tree_lock_step.hpp"

namespace safnet {
namespace {

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

std::vector<TimedPacket> exchange_in_lock_step(const FatTree& tree) { return LockStep(tree).run(); }

}  // namespace safnet
