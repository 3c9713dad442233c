#include "cpp_model/algorithm/fat_tree/timed_packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cpp_model/algorithm/fat_tree/fat_tree_ways.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"

namespace safnet {

NodeId sum_of_digits(const FatTree& tree, NodeId leaf, NodeId delta) {
  NodeId sum = 0;
  for (std::uint32_t i = 1; i <= tree.height(); ++i) {
    const NodeId place = tree.leaves_below(i - 1);
    sum += (leaf / place + delta / place) % tree.arity(i) * place;
  }
  return sum;
}

std::vector<NodeId> other_leaves(const FatTree& tree, NodeId leaf) {
  std::vector<NodeId> list(tree.leaves());
  std::iota(list.begin(), list.end(), NodeId{0});
  list.erase(list.begin() + leaf);
  return list;
}

std::vector<NodeId> leaves_in_digit_order(const FatTree& tree, NodeId leaf) {
  std::vector<NodeId> list;
  for (NodeId delta = tree.leaves() - 1; delta > 0; --delta) list.push_back(sum_of_digits(tree, leaf, delta));
  return list;
}

void add_timed_packets(Schedule& schedule, const FatTree& tree, const std::vector<TimedPacket>& packets) {
  const Graph& graph = schedule.network;
  // All sends first go over the first link of their branch; the links of a branch are dealt out at the end.
  for (const TimedPacket& packet : packets) {
    const PacketIndex index = exchange_packet(packet.origin, packet.destination, tree.leaves());
    const std::vector<NodeId> way = nodes_between(tree, packet.origin, packet.destination);
    NodeId here = packet.origin;
    for (std::uint32_t i = 0; i < way.size(); here = way[i++]) {
      const std::uint32_t waits = 2 * i < way.size() ? 0 : packet.waits;
      schedule.sends.push_back({packet.start + i + waits, first_link(graph, tree, here, way[i]), index});
    }
  }
  sort_sends(schedule);
  for (std::size_t first = 0, end = 0; first < schedule.sends.size(); first = end) {
    const Send branch = schedule.sends[first];
    while (end < schedule.sends.size() && schedule.sends[end].start == branch.start &&
           schedule.sends[end].link == branch.link)
      ++end;
    const NodeId from = graph.link_source(branch.link), to = graph.link_target(branch.link);
    const std::uint32_t links = tree.capacity(std::max(tree.level_of(from), tree.level_of(to)));
    if (end - first > links) {
      throw std::logic_error(
          fmt::format("fat tree: {} packets from node {} to node {} in step {}, over {} links", end - first,
                      from, to, branch.start, links));
    }
    for (std::size_t i = first; i < end; ++i) schedule.sends[i].link += static_cast<LinkId>(i - first);
  }
  sort_sends(schedule);
}

std::uint32_t last_arrival(const FatTree& tree, const std::vector<TimedPacket>& packets) {
  std::uint32_t last = 0;
  for (const TimedPacket& p : packets)
    last = std::max(last, p.start + p.waits + 2 * tree.turning_level(p.origin, p.destination) - 1);
  return last;
}

}  // namespace safnet
