#include "cpp_model/bound/scatter_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "cpp_model/bound/unrolled_flow.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

const char* leave(Intake intake) { return intake == Intake::kAllPorts ? "leave" : "reach"; }

// What the bounds of one scatter have in common.
class Scatter {
 public:
  Scatter(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t messages)
      : wiring_(wiring), root_(root), intake_(intake), messages_(messages) {
    std::vector<NodeId> order;
    wiring.search(root, order, distance_);
    furthest_ = distance_[order.back()];
    nodes_from_.assign(furthest_ + 2, 0);
    for (const std::uint32_t d : distance_) nodes_from_[d] += messages;
    add_from_the_end(nodes_from_);
  }

  LowerBound bound() {
    at_root();
    at_the_narrowest_place();
    at_the_links_of_the_root();
    return best_.value();
  }

 private:
  bool one_by_one() const { return intake_ == Intake::kOnePort; }
  // "7 packets for nodes 2 or more hops away".
  std::string packets_for(std::uint64_t packets, std::uint32_t far) const {
    return fmt::format("{} {}nodes {} or more hops away", packets, messages_ == 1 ? "" : "packets for ", far);
  }

  void at_root() {
    const std::uint64_t at_once = one_by_one() ? wiring_.neighbours(root_) : wiring_.degree(root_);
    const std::uint64_t packets = messages_ * (wiring_.nodes() - 1);
    best_.consider(
        divide_up(packets, at_once),
        [&] {
          return fmt::format("{} packets {} the root, {} at once, thesis (3.3)", packets, leave(intake_),
                             at_once);
        },
        must_leave(root_, packets, at_once));
    best_.consider(furthest_, "eccentricity of the root", way_between(root_, kNoNode));
  }

  // Between the nodes so many hops away and those one further, where fewest packets can cross in a step.
  void at_the_narrowest_place() {
    std::vector<std::uint64_t> between(furthest_ + 1, 0);  // packets that can go from d to d + 1 hops away
    if (one_by_one()) {
      for (std::uint32_t d = 0; d < furthest_; ++d)
        between[d] = (nodes_from_[d + 1] - nodes_from_[d + 2]) / messages_;
    } else {
      for (NodeId v = 0; v < wiring_.nodes(); ++v) {
        for (const NodeId u : wiring_.targets_of(v))
          between[distance_[v]] += distance_[u] > distance_[v] ? 1 : 0;
      }
    }
    std::uint32_t narrowest = 0;
    for (std::uint32_t far = 1; far <= furthest_; ++far) {
      if (between[far - 1] < between[narrowest]) narrowest = far - 1;
      // The links are of use in steps narrowest + 1 ... T - (far - narrowest - 1).
      best_.consider(
          far - 1 + divide_up(nodes_from_[far], between[narrowest]),
          [&] {
            return fmt::format("{}, and {} packets at once from those {} to those {} hops away",
                               packets_for(nodes_from_[far], far), between[narrowest], narrowest,
                               narrowest + 1);
          },
          [&] {
            std::vector<std::uint8_t> near(wiring_.nodes());
            for (NodeId v = 0; v < wiring_.nodes(); ++v) near[v] = distance_[v] <= narrowest ? 1 : 0;
            return must_cross(near, nodes_from_[far], between[narrowest], narrowest, far - narrowest - 1);
          });
    }
  }

  // [far]: for each link of the root, hops from its end to the nearest of the nodes `far` or more hops away.
  using StepsToGo = std::vector<std::vector<std::uint32_t>>;

  // Each of the root's links by itself, for all nodes and for each part that the network falls into without
  // the root.
  void at_the_links_of_the_root() {
    const auto [parts, part] = wiring_.both_ways().parts_without(root_);
    const std::span<const NodeId> targets = wiring_.targets_of(root_);
    std::vector<NodeId> ends(targets.begin(), targets.end()), order;
    std::sort(ends.begin(), ends.end());
    if (one_by_one()) ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    StepsToGo late(furthest_ + 1);
    std::vector<StepsToGo> late_in_part(parts > 1 ? parts : 0, late);
    std::vector<std::uint32_t> from_end;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (i == 0 || ends[i] != ends[i - 1]) wiring_.search(ends[i], order, from_end);
      add_nearest(
          from_end, [](NodeId) { return true; }, late);
      if (parts > 1)
        add_nearest(
            from_end, [&](NodeId v) { return part[v] == part[ends[i]]; }, late_in_part[part[ends[i]]]);
    }
    for (std::uint32_t far = 1; far <= furthest_; ++far) {
      best_.consider(
          steps_of_late_servers(nodes_from_[far], late[far]),
          [&] {
            return fmt::format("{}, and how far they are from the {} neighbours of the root",
                               packets_for(nodes_from_[far], far), late[far].size());
          },
          [&] { return past_late_links(must_leave(root_, nodes_from_[far], 0), late[far]); });
    }
    for (NodeId i = 0; i < late_in_part.size(); ++i) {
      std::vector<std::uint64_t> in_part(furthest_ + 2, 0);
      for (NodeId v = 0; v < wiring_.nodes(); ++v) in_part[distance_[v]] += part[v] == i ? messages_ : 0;
      add_from_the_end(in_part);
      for (std::uint32_t far = furthest_; far >= 1; --far) {
        if (in_part[far] == 0) continue;
        const std::vector<std::uint32_t>& links = late_in_part[i][far];
        best_.consider(
            steps_of_late_servers(in_part[far], links),
            [&] {
              return fmt::format("{}, in a part of the network that {} links of the root lead to",
                                 packets_for(in_part[far], far), links.size());
            },
            [&] {
              std::vector<std::uint8_t> others(wiring_.nodes());
              for (NodeId v = 0; v < wiring_.nodes(); ++v) others[v] = part[v] == i ? 0 : 1;
              return past_late_links(must_cross(others, in_part[far], 0), links);
            });
      }
    }
  }

  // Packets that leave over links of the root, from whose ends each has so many steps to go.
  static BoundWitness past_late_links(BoundWitness witness, const std::vector<std::uint32_t>& steps_to_go) {
    const auto [least, most] = std::minmax_element(steps_to_go.begin(), steps_to_go.end());
    witness.at_once = steps_to_go.size();
    witness.after = *least;
    if (*least != *most) witness.remark = ", and over some of these links the ways are longer";
    return witness;
  }

  template <class IsMeant>
  void add_nearest(const std::vector<std::uint32_t>& from_end, IsMeant is_meant, StepsToGo& to) const {
    std::vector<std::uint32_t> nearest(furthest_ + 1, kUnreachable);
    for (NodeId v = 0; v < wiring_.nodes(); ++v) {
      if (is_meant(v)) nearest[distance_[v]] = std::min(nearest[distance_[v]], from_end[v]);
    }
    // The way to a node further from the root passes one that is `far` away: the nearest is one of these.
    for (std::uint32_t far = furthest_; far >= 1; --far) {
      if (nearest[far] != kUnreachable) to[far].push_back(nearest[far]);
    }
  }

  const Wiring& wiring_;
  NodeId root_;
  Intake intake_;
  std::uint64_t messages_;
  std::uint32_t furthest_ = 0;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint64_t> nodes_from_;  // [d]: packets for the nodes d or more hops away
  LargestBound best_;
};

}  // namespace

LowerBound scatter_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t messages) {
  return Scatter(wiring, root, intake, messages).bound();
}

LowerBound scatter_flow_bound(const Wiring& wiring, NodeId root, Intake intake, std::uint64_t at_least,
                              std::uint64_t messages, std::uint64_t max_work) {
  const std::uint64_t packets = messages * (wiring.nodes() - 1);
  LowerBound best;
  for (std::uint64_t steps = std::max<std::uint64_t>(1, at_least);
       steps < packets && steps * (wiring.links() + wiring.nodes()) <= max_work; ++steps) {
    max_work -= steps * (wiring.links() + wiring.nodes());
    const PacketsAtOnce at_once{false, intake == Intake::kOnePort};
    const std::uint64_t delivered =
        scattered(wiring, at_once, root, messages, static_cast<std::uint32_t>(steps));
    if (delivered == packets) break;
    best = {steps + 1,
            fmt::format("{} of {} packets at most in {} steps: maximum flow through the network "
                        "unrolled in time",
                        delivered, packets, steps),
            "",
            stated_witness(WitnessKind::kSending, {root},
                           fmt::format("in {} at most {} of {} packets arrive: maximum flow",
                                       counted(steps, "step"), delivered, packets))};
  }
  return best;
}

}  // namespace safnet
