#include "cpp_model/bound/gossip_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Links that searches for balls may look at, and nodes times links up to which cut nodes are searched for.
constexpr std::uint64_t kMaxLinksSearched = std::uint64_t{1} << 26;

// A set of nodes, and what its border is like.
struct Border {
  std::uint64_t links = 0;    // that lead into it
  std::uint64_t at_once = 0;  // packets that can enter it in a step
  std::uint32_t deepest = 0;  // hops from the nearest entry to the node that is furthest from all
};

class Sets {
 public:
  Sets(const Wiring& wiring, PacketsAtOnce at_once)
      : wiring_(wiring),
        back_(wiring.reversed()),
        both_ways_(wiring.both_ways()),
        at_once_(at_once),
        inside_(wiring.nodes(), 0),
        seen_(wiring.nodes()) {}

  /// Calls use(border, name of the set) for sets of nodes; `inside()` and hops_to_set() then describe the
  /// set.
  void for_each(const std::function<void(const Border&, const std::function<std::string()>&)>& use) {
    const NodeId n = wiring_.nodes();
    if (n < 2) return;
    if (n <= kMaxNodesForAllSets) {
      for (std::uint32_t set = 1; set + 1 < (std::uint32_t{1} << n); ++set) {
        for (NodeId v = 0; v < n; ++v) inside_[v] = (set >> v) & 1;
        use(border(), [this] { return named(); });
      }
      return;
    }
    std::uint64_t left = kMaxLinksSearched;
    std::vector<NodeId> order;
    std::vector<std::uint32_t> distance;
    for (const Wiring* direction : {&std::as_const(back_), &wiring_}) {
      for (NodeId v = 0; v < n; ++v) {
        direction->search(v, order, distance);
        const std::uint32_t furthest = distance[order.back()];
        const std::uint64_t work = (furthest + std::uint64_t{2}) * (wiring_.links() + n);
        if (work > left) break;
        left -= work;
        // The nodes within `radius` hops to v; then the nodes more than `radius` hops from v.
        for (std::uint32_t radius = 0; radius < furthest; ++radius) {
          for (NodeId u = 0; u < n; ++u)
            inside_[u] = (distance[u] <= radius) == (direction == &back_) ? 1 : 0;
          use(border(), [&] {
            return radius == 0 && direction == &back_ ? fmt::format("node {}", v)
                   : direction == &back_
                       ? fmt::format("the nodes {} or fewer hops from node {}", radius, v)
                       : fmt::format("the nodes {} or more hops from node {}", radius + 1, v);
          });
        }
      }
    }
    for (NodeId v = 0; v < n && left > wiring_.links() + n; ++v) {
      left -= wiring_.links() + n;
      const auto [parts, part] = both_ways_.parts_without(v);
      for (NodeId p = 0; parts > 1 && p < parts && left > wiring_.links() + n; ++p) {
        left -= wiring_.links() + n;
        for (NodeId u = 0; u < n; ++u) inside_[u] = part[u] == p ? 1 : 0;
        use(border(), [&] { return fmt::format("a part of the network that only node {} leads to", v); });
      }
    }
  }

  const std::vector<std::uint8_t>& inside() const { return inside_; }
  /// Hops from every node to the nearest of the set.
  const std::vector<std::uint32_t>& hops_to_set() {
    hops_ = back_.distance_from_nearest(inside_);
    return hops_;
  }

 private:
  Border border() {
    Border result;
    const NodeId n = wiring_.nodes();
    std::uint64_t feeders = 0, entries = 0;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    for (NodeId v = 0; v < n; ++v) {
      if (inside_[v] != 0) continue;
      bool feeds = false;
      for (const NodeId u : wiring_.targets_of(v)) {
        if (inside_[u] == 0) continue;
        ++result.links;
        feeds = true;
        entries += seen_[u] == 0 ? 1 : 0;
        seen_[u] = 1;
      }
      feeders += feeds ? 1 : 0;
    }
    result.at_once = result.links;
    if (at_once_.sends_one) result.at_once = std::min(result.at_once, feeders);
    if (at_once_.receives_one) result.at_once = std::min(result.at_once, entries);
    const std::vector<std::uint32_t> from_entry = wiring_.distance_from_nearest(seen_);
    for (NodeId v = 0; v < n; ++v) {
      if (inside_[v] != 0 && from_entry[v] != kUnreachable)
        result.deepest = std::max(result.deepest, from_entry[v]);
    }
    return result;
  }
  std::string named() const {
    std::vector<NodeId> nodes;
    for (NodeId v = 0; v < inside_.size(); ++v) {
      if (inside_[v] != 0) nodes.push_back(v);
    }
    return fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", fmt::join(nodes, " "));
  }

  const Wiring& wiring_;
  Wiring back_, both_ways_;
  PacketsAtOnce at_once_;
  std::vector<std::uint8_t> inside_, seen_;
  std::vector<std::uint32_t> hops_;
};

// `packets` must get into the set `inside`, from `far` hops away or more, and go on to its deepest node.
BoundWitness getting_into(const std::vector<std::uint8_t>& inside, std::uint64_t packets,
                          const Border& border, std::uint64_t far) {
  std::vector<std::uint8_t> outside = inside;
  for (std::uint8_t& mark : outside) mark ^= 1;
  return must_cross(outside, packets, border.at_once, far - 1, border.deepest);
}

// Calls use(node, parts, part of every node) for every cut node.
template <class Use>
void for_each_joint(const Wiring& wiring, const Use& use) {
  if (std::uint64_t{wiring.nodes()} * wiring.links() > kMaxLinksSearched) return;
  const Wiring both_ways = wiring.both_ways();
  for (NodeId v = 0; v < wiring.nodes(); ++v) {
    const auto [parts, part] = both_ways.parts_without(v);
    if (parts > 1) use(v, parts, part);
  }
}

std::string entering(std::uint64_t packets, const Border& border, const std::string& set, std::uint32_t far) {
  return fmt::format(
      "{} must enter {}, {} at once{}{}", counted(packets, "packet"), set, border.at_once,
      far > 1 ? fmt::format(", none before step {}", far) : "",
      border.deepest > 0 ? fmt::format(", and go {} further", counted(border.deepest, "hop")) : "");
}

}  // namespace

LowerBound dissemination_bound(const Wiring& wiring, const std::vector<std::uint64_t>& packets,
                               PacketsAtOnce at_once) {
  const NodeId n = wiring.nodes();
  const std::uint64_t all = std::accumulate(packets.begin(), packets.end(), std::uint64_t{0});
  if (n < 2 || all == 0) return {};
  const bool one_by_one = at_once.sends_one || at_once.receives_one;
  const std::uint64_t senders = one_by_one ? std::min<std::uint64_t>(wiring.links(), n) : wiring.links();
  LargestBound best({divide_up(all * (n - 1), senders),
                     fmt::format("{} packets for {} nodes each, {} sent in a step", all, n - 1, senders)});
  Sets sets(wiring, at_once);
  std::vector<std::uint64_t> from;  // by hops from the set: packets from there and beyond
  sets.for_each([&](const Border& border, const std::function<std::string()>& name) {
    if (border.at_once == 0) return;
    const std::vector<std::uint32_t>& hops = sets.hops_to_set();
    from.assign(2, 0);
    for (NodeId v = 0; v < n; ++v) {
      if (hops[v] == 0 || packets[v] == 0) continue;
      if (hops[v] >= from.size()) from.resize(hops[v] + 1, 0);
      from[hops[v]] += packets[v];
    }
    add_from_the_end(from);
    for (std::size_t far = from.size(); far-- > 1;) {
      if (from[far] == 0) continue;
      best.consider(
          far - 1 + divide_up(from[far], border.at_once) + border.deepest,
          [&] { return entering(from[far], border, name(), static_cast<std::uint32_t>(far)); },
          [&] { return getting_into(sets.inside(), from[far], border, far); });
    }
  });
  if (!at_once.sends_one) return best.value();
  // A cut node sends into each part the packets of all nodes outside that part.
  for_each_joint(wiring, [&](NodeId v, NodeId parts, const std::vector<NodeId>& part) {
    std::vector<std::uint64_t> in_part(parts + 1);
    for (NodeId u = 0; u < n; ++u) in_part[part[u]] += packets[u];
    const std::uint64_t sends =
        parts * all - std::accumulate(in_part.begin(), in_part.end() - 1, std::uint64_t{0});
    best.consider(
        sends,
        [&] {
          return fmt::format("node {} sends {} packets one by one into the {} parts that it joins", v, sends,
                             parts);
        },
        [&] { return must_leave(v, sends, 1); });
  });
  return best.value();
}

LowerBound allreduce_bound(const Wiring& wiring, std::uint64_t messages, PortModel ports) {
  const NodeId n = wiring.nodes();
  if (n < 2) return {};
  const std::uint64_t senders = ports == PortModel::kAllPort ? wiring.links() : n;
  const std::uint64_t sends = messages * (2 * std::uint64_t{n} - 2);
  LargestBound best(
      {divide_up(sends, senders), fmt::format("{} packets must cross links, {} in a step", sends, senders)});
  Sets sets(wiring, packets_at_once(ports));
  sets.for_each([&](const Border& border, const std::function<std::string()>& name) {
    if (border.at_once == 0) return;
    const std::vector<std::uint32_t>& hops = sets.hops_to_set();
    std::uint32_t far = 0;
    for (const std::uint32_t h : hops) far = std::max(far, h == kUnreachable ? 0 : h);
    best.consider(
        far - 1 + divide_up(messages, border.at_once) + border.deepest,
        [&] { return entering(messages, border, name(), far); },
        [&] { return getting_into(sets.inside(), messages, border, far); });
  });
  if (ports == PortModel::kAllPort) return best.value();
  // The last packet of a message that enters a part must hold contributions from all other parts.
  for_each_joint(wiring, [&](NodeId v, NodeId parts, const std::vector<NodeId>&) {
    const std::uint64_t before = ports == PortModel::kOnePort ? parts - std::uint64_t{1} : 1;
    best.consider(
        messages * parts + before,
        [&] {
          return fmt::format(
              "node {} sends a last packet of each message into each of the {} parts that it joins, "
              "none before it has received {}",
              v, parts, before);
        },
        [&] { return must_leave(v, messages * parts, 1, before); });
  });
  return best.value();
}

}  // namespace safnet
