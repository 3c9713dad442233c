#include "cpp_model/algorithm/gossip/recursive_doubling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "cpp_model/algorithm/gossip/allreduce_lines.hpp"
#include "cpp_model/algorithm/gossip/gossip_plans.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr const char* kRecursiveDoubling = "recursive-doubling";

// A schedule that grows by one allreduce along a dimension after the other.
class ByDimensions {
 public:
  explicit ByDimensions(const Problem& problem)
      : problem_(problem),
        nodes_(problem.graph.node_count()),
        schedule_(empty_schedule(problem, kRecursiveDoubling)) {
    // By message and node: the packet with all that the node knows.
    held_.resize(std::size_t{problem.messages} * nodes_);
    std::iota(held_.begin(), held_.end(), PacketIndex{0});
    next_tag_ = problem.messages;
  }

  /// Message m along all copies of the dimension. The first step is begin + 1.
  void add(std::uint32_t m, const DimensionCopies& lines, const Schedule& line, std::uint32_t begin,
           bool is_last) {
    std::vector<PacketIndex> becomes(line.packets.size()), parts;
    for (const auto& copy : lines.list) {
      for (PacketIndex p = 0; p < line.packets.size(); ++p) {
        const NodeId v = lines.node(copy, line.packets.origin(p));
        if (line.packets.parts(p).empty()) {
          becomes[p] = held_[at(m, v)];
          continue;
        }
        parts.clear();
        for (const PacketIndex part : line.packets.parts(p)) parts.push_back(becomes[part]);
        const bool is_result = !line.packets.destinations(p).empty();
        becomes[p] = schedule_.packets.add(
            v, next_tag_++, 1, is_result && is_last ? std::span(&v, 1) : std::span<const NodeId>(), parts);
        if (is_result) held_[at(m, v)] = becomes[p];
      }
      for (const Send& send : line.sends) {
        const LinkId link = lines.link(problem_.graph, copy, line.network.link_source(send.link),
                                       line.network.link_port(send.link));
        schedule_.sends.push_back({begin + send.start, link, becomes[send.packet]});
      }
    }
  }
  Schedule finish() {
    sort_sends(schedule_);
    tighten(schedule_);
    return std::move(schedule_);
  }

 private:
  std::size_t at(std::uint32_t m, NodeId v) const { return std::size_t{m} * nodes_ + v; }

  const Problem& problem_;
  NodeId nodes_;
  Schedule schedule_;
  std::vector<PacketIndex> held_;
  std::uint32_t next_tag_ = 0;
};

Schedule plan_recursive_doubling(const Problem& problem) {
  std::vector<DimensionCopies> dimensions = {{problem.graph, 1, {{0, 0}}}};
  if (!problem.graph.factors().empty()) dimensions = copies_of_dimensions(problem.graph);
  const auto count = static_cast<std::uint32_t>(dimensions.size());
  std::map<std::string, Schedule> by_spelling;
  std::vector<const Schedule*> lines;
  for (const DimensionCopies& copies : dimensions) {
    const std::string& spelling = copies.dimension.spelling();
    auto known = by_spelling.find(spelling);
    if (known == by_spelling.end())
      known = by_spelling.emplace(spelling, best_allreduce_line(copies.dimension)).first;
    lines.push_back(&known->second);
  }
  // Messages that go along a dimension at the same time are those of the same number modulo `count`; one-port
  // nodes serve one after the other.
  const bool all_port = problem.ports == PortModel::kAllPort;
  ByDimensions schedule(problem);
  std::uint32_t begin = 0;
  for (std::uint32_t round = 0; round < count; ++round) {
    std::uint32_t longest = 0;
    for (std::uint32_t m = 0; m < problem.messages; ++m) {
      const std::uint32_t dimension = (m % count + round) % count;
      const std::uint32_t steps = lines[dimension]->last_start();
      const std::uint32_t before = all_port ? m / count * steps : longest;
      schedule.add(m, dimensions[dimension], *lines[dimension], begin + before, round + 1 == count);
      longest = std::max(longest, before + steps);
    }
    begin += longest;
  }
  return schedule.finish();
}

}  // namespace

std::vector<Algorithm> recursive_doubling_algorithms() {
  return {
      {.name = kRecursiveDoubling,
       .collective = CollectiveKind::kAllreduce,
       .source = "beyond the thesis",
       .description = "nodes send what they have summed up and go on, along each dimension in turn",
       .domain = fmt::format("networks of at most {} nodes and {} sends", kMostGossipNodes, kMostGossipSends),
       .why_not = [](const Problem& p) -> std::string {
         if (!p.tree.empty()) return "has no use for --tree";
         if (p.graph.node_count() < 2) return "needs two nodes or more";
         std::uint64_t each = p.graph.factors().empty() ? p.graph.node_count() : 0;
         for (const Graph& factor : p.graph.factors()) each += factor.node_count();
         return why_too_many(p, each * p.messages);
       },
       .plan = plan_recursive_doubling,
       .knows_messages = true}};
}

}  // namespace safnet
