#include "cpp_model/bound/scatter_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// The network unrolled in time: a place per node and step. Packets wait at a node or move with the links;
// flow from the root at step 0, `messages` units to every other node.
class UnrolledNetwork {
 public:
  UnrolledNetwork(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t steps,
                  std::uint64_t messages)
      : wiring_(wiring), root_(root), n_(wiring.nodes()) {
    const auto layers = static_cast<std::uint32_t>(steps) + 1;
    // Arrival places stand before the nodes' where a node takes in one packet per step.
    const std::uint32_t arrivals = intake == Intake::kOnePort ? n_ * layers : 0;
    sink_ = n_ * layers + arrivals;
    arcs_of_.resize(sink_ + 1);
    std::vector<NodeId> order;
    std::vector<std::uint32_t> distance;
    wiring.search(root, order, distance);
    for (std::uint32_t t = 0; t + 1 < layers; ++t) {
      for (NodeId v = 0; v < n_; ++v) {
        if (distance[v] > t + 1) continue;
        if (arrivals != 0) add(n_ * layers + place(v, t + 1), place(v, t + 1), 1);
        if (distance[v] > t) continue;
        add(place(v, t), place(v, t + 1), kUnlimited);
        for (LinkId link = wiring.first[v]; link < wiring.first[v + 1]; ++link) {
          const NodeId u = wiring.target[link];
          if (u != root) add(place(v, t), (arrivals != 0 ? n_ * layers : 0) + place(u, t + 1), 1);
        }
      }
    }
    for (NodeId v = 0; v < n_; ++v) {
      if (v != root) add(place(v, layers - 1), sink_, static_cast<std::uint32_t>(messages));
    }
  }

  /// Packets that can be delivered: Dinic's algorithm.
  std::uint64_t maximum_flow() {
    std::uint64_t flow = 0;
    while (find_levels()) {
      next_.assign(arcs_of_.size(), 0);
      while (augment()) ++flow;
    }
    return flow;
  }

 private:
  struct Arc {
    std::uint32_t to, room;
  };
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max() / 2;

  std::uint32_t place(NodeId v, std::uint32_t t) const { return t * n_ + v; }
  // Arc i and its reverse i ^ 1 stand side by side.
  void add(std::uint32_t from, std::uint32_t to, std::uint32_t room) {
    arcs_of_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({to, room});
    arcs_of_[to].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({from, 0});
  }
  bool find_levels() {
    level_.assign(arcs_of_.size(), kUnreachable);
    std::vector<std::uint32_t> queue{place(root_, 0)};
    level_[queue[0]] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const std::uint32_t arc : arcs_of_[queue[head]]) {
        const std::uint32_t to = arcs_[arc].to;
        if (arcs_[arc].room == 0 || level_[to] != kUnreachable) continue;
        level_[to] = level_[queue[head]] + 1;
        queue.push_back(to);
      }
    }
    return level_[sink_] != kUnreachable;
  }
  // One unit along the levels; every path to the sink ends with an arc of room 1.
  bool augment() {
    std::vector<std::uint32_t> path;
    std::uint32_t at = place(root_, 0);
    while (at != sink_) {
      const std::vector<std::uint32_t>& arcs = arcs_of_[at];
      bool advanced = false;
      for (; next_[at] < arcs.size(); ++next_[at]) {
        const Arc& arc = arcs_[arcs[next_[at]]];
        if (arc.room == 0 || level_[arc.to] != level_[at] + 1) continue;
        path.push_back(arcs[next_[at]]);
        at = arc.to;
        advanced = true;
        break;
      }
      if (advanced) continue;
      if (path.empty()) return false;
      at = arcs_[path.back() ^ 1].to;
      path.pop_back();
      ++next_[at];
    }
    for (const std::uint32_t arc : path) {
      --arcs_[arc].room;
      ++arcs_[arc ^ 1].room;
    }
    return true;
  }

  const Wiring& wiring_;
  NodeId root_, n_;
  std::uint32_t sink_ = 0;
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> arcs_of_;
  std::vector<std::uint32_t> level_, next_;
};

const char* leave(Intake intake) { return intake == Intake::kAllPorts ? "leave" : "reach"; }

}  // namespace

LowerBound scatter_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t messages) {
  const NodeId n = wiring.nodes();
  std::vector<NodeId> order, other_order;
  std::vector<std::uint32_t> distance;
  wiring.search(root, order, distance);
  const std::uint32_t furthest = distance[order.back()];
  const bool one_by_one = intake == Intake::kOnePort;
  const std::uint64_t at_once = one_by_one ? wiring.neighbours(root) : wiring.degree(root);
  LowerBound best;
  const auto consider = [&best](std::uint64_t steps, const auto& reason) {
    if (steps > best.steps) best = {steps, reason(), ""};
  };
  const std::uint64_t packets = messages * (n - 1);
  consider(divide_up(packets, at_once), [&] {
    return fmt::format("{} packets {} the root, {} at once, thesis (3.3)", packets, leave(intake), at_once);
  });
  consider(furthest, [] { return std::string("eccentricity of the root"); });

  const char* each = messages == 1 ? "" : "packets for ";
  // nodes_from[d]: packets for the nodes d or more hops away. between[d]: packets that can go from those d
  // hops away to those d + 1 away in a step.
  std::vector<std::uint64_t> nodes_from(furthest + 2, 0), between(furthest + 1, 0);
  for (NodeId v = 0; v < n; ++v) nodes_from[distance[v]] += messages;
  for (std::uint32_t d = 0; d < furthest; ++d) between[d] = nodes_from[d + 1] / messages;
  for (std::uint32_t d = furthest; d-- > 0;) nodes_from[d] += nodes_from[d + 1];
  if (!one_by_one) {
    std::fill(between.begin(), between.end(), std::uint64_t{0});
    for (NodeId v = 0; v < n; ++v) {
      for (LinkId link = wiring.first[v]; link < wiring.first[v + 1]; ++link)
        between[distance[v]] += distance[wiring.target[link]] > distance[v] ? 1 : 0;
    }
  }
  std::uint64_t narrowest = between[0];
  std::uint32_t narrowest_at = 0;
  for (std::uint32_t far = 1; far <= furthest; ++far) {
    if (between[far - 1] < narrowest) {
      narrowest = between[far - 1];
      narrowest_at = far - 1;
    }
    // In steps narrowest_at + 1 ... T - (far - narrowest_at - 1).
    consider(far - 1 + divide_up(nodes_from[far], narrowest), [&] {
      return fmt::format(
          "{} {}nodes {} or more hops away, and {} packets at once from those {} to those {} "
          "hops away",
          nodes_from[far], each, far, narrowest, narrowest_at, narrowest_at + 1);
    });
  }

  // Each of the root's links by itself: how far its end is from the nearest of the nodes `far` or more hops
  // away; for all nodes, and for each part that the network falls into without the root.
  NodeId parts = 0;
  const std::vector<NodeId> part = wiring.both_ways().parts_without(root, parts);
  std::vector<NodeId> ends(wiring.target.begin() + wiring.first[root],
                           wiring.target.begin() + wiring.first[root + 1]);
  std::sort(ends.begin(), ends.end());
  if (one_by_one) ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  using ByFar = std::vector<std::vector<std::uint32_t>>;  // by `far`, one per link: steps still to go
  ByFar late(furthest + 1);
  std::vector<ByFar> late_in_part(parts > 1 ? parts : 0, late);
  std::vector<std::uint32_t> from_end, nearest(furthest + 1);
  const auto add_nearest = [&](ByFar& to, bool part_only, NodeId end) {
    std::fill(nearest.begin(), nearest.end(), kUnreachable);
    for (NodeId v = 0; v < n; ++v) {
      if (!part_only || part[v] == part[end])
        nearest[distance[v]] = std::min(nearest[distance[v]], from_end[v]);
    }
    for (std::uint32_t far = furthest; far >= 1; --far) {
      if (far < furthest) nearest[far] = std::min(nearest[far], nearest[far + 1]);
      if (nearest[far] != kUnreachable) to[far].push_back(nearest[far]);
    }
  };
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == 0 || ends[i] != ends[i - 1]) wiring.search(ends[i], other_order, from_end);
    add_nearest(late, false, ends[i]);
    if (parts > 1) add_nearest(late_in_part[part[ends[i]]], true, ends[i]);
  }
  for (std::uint32_t far = 1; far <= furthest; ++far) {
    consider(steps_of_late_servers(nodes_from[far], late[far]), [&] {
      return fmt::format(
          "{} {}nodes {} or more hops away, and how far they are from the {} neighbours of the "
          "root",
          nodes_from[far], each, far, late[far].size());
    });
  }
  for (NodeId i = 0; i < late_in_part.size(); ++i) {
    std::vector<std::uint64_t> in_part(furthest + 2, 0);
    for (NodeId v = 0; v < n; ++v) in_part[distance[v]] += part[v] == i ? messages : 0;
    for (std::uint32_t far = furthest; far >= 1; --far) {
      in_part[far] += in_part[far + 1];
      if (in_part[far] == 0) continue;
      const std::vector<std::uint32_t>& links = late_in_part[i][far];
      consider(steps_of_late_servers(in_part[far], links), [&] {
        return fmt::format(
            "{} {}nodes {} or more hops away, in a part of the network that {} links of the root "
            "lead to",
            in_part[far], each, far, links.size());
      });
    }
  }
  return best;
}

LowerBound scatter_flow_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t at_least,
                              std::uint64_t messages, std::uint64_t max_work) {
  const std::uint64_t packets = messages * (wiring.nodes() - 1);
  LowerBound best;
  for (std::uint64_t steps = std::max<std::uint64_t>(1, at_least);
       steps < packets && steps * (wiring.links() + wiring.nodes()) <= max_work; ++steps) {
    max_work -= steps * (wiring.links() + wiring.nodes());
    const std::uint64_t delivered = UnrolledNetwork(wiring, root, intake, steps, messages).maximum_flow();
    if (delivered == packets) break;
    best = {steps + 1,
            fmt::format("{} of {} packets at most in {} steps: maximum flow through the network unrolled in "
                        "time",
                        delivered, packets, steps),
            ""};
  }
  return best;
}

}  // namespace safnet
