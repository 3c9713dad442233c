// maximum_flow - how much flows from one place to another: Dinic's algorithm, integer capacities.
#pragma once

#include <cstdint>
#include <vector>

namespace safnet {

/// Places 0 ... places - 1 and arcs between them.
class MaximumFlow {
 public:
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0} / 2;

  explicit MaximumFlow(std::uint32_t places) : arcs_of_(places) {}
  /// Returns the arc's number, for flow().
  std::uint32_t add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  /// The most that can flow from source to sink. Call it once. Work: places^2 times arcs at most.
  std::uint64_t maximum(std::uint32_t source, std::uint32_t sink);
  /// What flows through the arc once maximum() has been called.
  std::uint64_t flow(std::uint32_t arc) const { return arcs_[arc ^ 1].room; }
  /// Whether a place is on the source's side of a smallest cut, once maximum() has been called: the arcs that
  /// lead from such places to others are full, and hold all that flows.
  bool is_before_cut(std::uint32_t place) const;

 private:
  struct Arc {
    std::uint32_t to;
    std::uint64_t room;
  };
  bool find_levels(std::uint32_t source, std::uint32_t sink);
  std::uint64_t augment(std::uint32_t source, std::uint32_t sink);

  std::vector<Arc> arcs_;  // arc i and its reverse i ^ 1 stand side by side
  std::vector<std::vector<std::uint32_t>> arcs_of_;
  std::vector<std::uint32_t> level_, next_;
};

}  // namespace safnet
