#include "cpp_model/algorithm/torus/torus_multinode_broadcast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include "cpp_model/algorithm/torus/torus_collectives.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

RelativeSend send_over(const DimensionedLink& link, std::uint32_t step, std::uint32_t message) {
  return {step, link.tail, link.label, message};
}

// Messages of a subgroup: ceil(MP/2n), the last ones may be short of some.
struct Subgroups {
  std::uint32_t messages, size;
  Subgroups(std::uint32_t of, std::uint32_t count)
      : messages(of), size(static_cast<std::uint32_t>(divide_up(of, count))) {}
  std::uint32_t first(std::uint32_t g) const { return std::min(g * size, messages); }
  std::uint32_t end(std::uint32_t g) const { return std::min((g + 1) * size, messages); }
};

// A necklace of `period` nodes from step `before` + 1 on, over a link and its first rotations, as many as
// `copies`; each of the copies of a node gets a subgroup of the messages. Returns the steps that takes.
std::uint32_t inform_necklace(const MultidimensionalTorus& torus, const DimensionedLink& link,
                              std::uint32_t period, std::uint32_t copies, std::uint32_t messages,
                              std::uint32_t before, std::vector<RelativeSend>& sends) {
  const Subgroups groups(messages, copies / period);
  for (std::uint32_t i = 0; i < copies; ++i) {
    const DimensionedLink rotated = torus.rotate(link, i);
    std::uint32_t step = before;
    for (std::uint32_t m = groups.first(i / period); m < groups.end(i / period); ++m)
      sends.push_back(send_over(rotated, ++step, m));
  }
  return groups.size;
}

}  // namespace

FirstSubtree first_subtree(const MultidimensionalTorus& torus, ParentRule rule) {
  FirstSubtree subtree;
  subtree.link.resize(torus.node_count());
  std::vector<std::vector<NodeId>> children(torus.node_count());
  for (const NodeId v : torus.entries(false)) {
    subtree.link[v] = link_into(torus, v, rule);
    children[subtree.link[v].tail].push_back(v);
  }
  std::vector<NodeId> open{0};
  while (!open.empty()) {
    const NodeId v = open.back();
    open.pop_back();
    if (v != 0) subtree.order.push_back(v);
    open.insert(open.end(), children[v].rbegin(), children[v].rend());
  }
  return subtree;
}

std::vector<RelativeSend> bsg_broadcast(const MultidimensionalTorus& torus, const FirstSubtree& subtree,
                                        std::uint32_t messages) {
  std::vector<RelativeSend> sends;
  std::uint32_t step = 0;
  for (const NodeId v : subtree.order) {
    step +=
        inform_necklace(torus, subtree.link[v], torus.period(v), torus.label_count(), messages, step, sends);
  }
  return sends;
}

AcknowledgedBroadcast acknowledged_bsg_broadcast(const MultidimensionalTorus& torus,
                                                 const FirstSubtree& subtree, std::uint32_t messages) {
  AcknowledgedBroadcast result;
  std::uint32_t step = 0;
  std::vector<NodeId> path{0};
  const auto acknowledge = [&] {
    const NodeId v = path.back();
    path.pop_back();
    ++step;
    const DimensionedLink back{v, (subtree.link[v].label + torus.dimensions()) % torus.label_count()};
    for (std::uint32_t i = 0; i < torus.label_count(); ++i)
      result.acknowledgements.push_back(send_over(torus.rotate(back, i), step, 0));
  };
  for (const NodeId v : subtree.order) {
    while (path.back() != subtree.link[v].tail) acknowledge();
    step += inform_necklace(torus, subtree.link[v], torus.period(v), torus.label_count(), messages, step,
                            result.sends);
    path.push_back(v);
  }
  while (path.size() > 1) acknowledge();
  return result;
}

std::vector<RelativeSend> bsg_broadcast_split_by_parent(const MultidimensionalTorus& torus,
                                                        const FirstSubtree& subtree, std::uint32_t messages) {
  std::vector<RelativeSend> sends;
  std::uint32_t step = 0;
  // What the copy of a node in each subtree has received.
  std::vector<std::vector<std::vector<std::uint32_t>>> received(torus.node_count());
  received[0].assign(torus.label_count(), std::vector<std::uint32_t>(messages));
  for (auto& all : received[0]) std::iota(all.begin(), all.end(), std::uint32_t{0});
  for (const NodeId v : subtree.order) {
    const NodeId parent = subtree.link[v].tail;
    const std::uint32_t period = parent == 0 ? torus.label_count() : torus.period(parent);
    std::uint32_t longest = 0;
    received[v].resize(torus.label_count());
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const std::vector<std::uint32_t>& own = received[parent][i];
      const Subgroups groups(static_cast<std::uint32_t>(own.size()), torus.label_count() / period);
      for (std::uint32_t j = groups.first(i / period); j < groups.end(i / period); ++j) {
        received[v][i].push_back(own[j]);
        sends.push_back(send_over(torus.rotate(subtree.link[v], i),
                                  step + static_cast<std::uint32_t>(received[v][i].size()), own[j]));
      }
      longest = std::max(longest, static_cast<std::uint32_t>(received[v][i].size()));
    }
    step += longest;
  }
  return sends;
}

std::vector<RelativeSend> bst_broadcast(const MultidimensionalTorus& torus, const FirstSubtree& subtree,
                                        std::uint32_t messages) {
  std::vector<RelativeSend> sends;
  std::uint32_t step = 0;
  for (const NodeId v : subtree.order) {
    const std::uint32_t period = torus.period(v);
    step += inform_necklace(torus, subtree.link[v], period, period, messages, step, sends);
  }
  return sends;
}

std::vector<RelativeSend> packed_broadcast(const MultidimensionalTorus& torus, std::uint32_t messages) {
  const std::uint32_t labels = torus.label_count();
  std::vector<RelativeSend> sends;
  sends.reserve(std::size_t{torus.node_count() - 1} * messages);
  std::uint32_t step = 0;
  for (const NodeId v : torus.generators()) {
    if (!torus.is_full(v)) continue;
    DimensionedLink link;
    const auto informs = [&](NodeId u) {
      return torus.distance(u) < torus.distance(v) && (u == 0 || torus.is_full(u));
    };
    for (std::uint32_t label = 0;; ++label) {
      if (label == labels) throw std::logic_error("packed_broadcast: a full necklace behind others alone");
      link = torus.link_to(v, label);
      if (informs(link.tail)) break;
    }
    step += inform_necklace(torus, link, labels, labels, messages, step, sends);
  }
  std::uint64_t item = 0;
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    if (torus.is_full(v)) continue;
    for (std::uint32_t m = 0; m < messages; ++m, ++item) {
      const auto label = static_cast<std::uint32_t>(item % labels);
      const std::uint32_t late = step + static_cast<std::uint32_t>(item / labels) + 1;
      sends.push_back(send_over(torus.link_to(v, label), late, m));
    }
  }
  return sends;
}

namespace {

constexpr std::uint32_t kMatchingAttempts = 20;

// A number below `range` by one multiplication, drawn again where that would favour some (Lemire).
std::uint64_t below(std::uint64_t range, std::mt19937_64& random) {
  using Product = boost::multiprecision::uint128_t;
  for (;;) {
    const Product product = Product(random()) * range;
    const auto low = static_cast<std::uint64_t>(product & ~std::uint64_t{0});
    if (low >= range || low >= (0 - range) % range) return static_cast<std::uint64_t>(product >> 64);
  }
}

// std::shuffle of libstdc++, written out so that the order is the same with every library: every number that
// is drawn places two items.
void shuffle_in_pairs(std::vector<NodeId>& items, std::mt19937_64& random) {
  std::size_t i = 1;
  if (items.size() % 2 == 0) std::swap(items[i++], items[below(2, random)]);
  for (; i + 1 < items.size(); i += 2) {
    const std::uint64_t both = below((i + 1) * (i + 2), random);
    std::swap(items[i], items[both / (i + 2)]);
    std::swap(items[i + 1], items[both % (i + 2)]);
  }
}

// Matchings step by step: links on one side, messages that nodes lack on the other.
class LinkMatching {
 public:
  /// `order`: which nodes are looked at first.
  LinkMatching(const TorusNetwork& network, std::uint32_t messages, const std::vector<NodeId>& order)
      : torus_(network.torus), links_(network.port_count()), messages_(messages) {
    lacking_.reserve(order.size() * messages);
    for (const NodeId v : order) {
      for (std::uint32_t m = 0; m < messages; ++m) lacking_.push_back(v * messages + m);
    }
    has_.assign(std::size_t{torus_.node_count()} * messages, 0);
    std::fill_n(has_.begin(), messages, 1);
    by_.assign(has_.size(), kNobody);
    seen_.assign(has_.size(), 0);
  }

  std::vector<RelativeSend> run() {
    std::vector<RelativeSend> sends;
    for (std::uint32_t step = 1; !lacking_.empty(); ++step) {
      taken_.assign(links_, kNothing);
      for (std::uint32_t label = 0; label < links_; ++label) {
        ++visit_;
        extend(label);
      }
      for (std::uint32_t label = 0; label < links_; ++label) {
        const std::uint32_t item = taken_[label];
        if (item == kNothing) continue;
        sends.push_back({step, torus_.link_to(item / messages_, label).tail, label, item % messages_});
        by_[item] = kNobody;
        has_[item] = 1;
      }
      std::erase_if(lacking_, [&](std::uint32_t item) { return has_[item] != 0; });
    }
    return sends;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffff'ffff, kNothing = 0xffff'ffff;

  // An augmenting path from the link.
  bool extend(std::uint32_t label) {
    for (const std::uint32_t item : lacking_) {
      const NodeId before = torus_.link_to(item / messages_, label).tail;
      if (seen_[item] == visit_ || has_[before * messages_ + item % messages_] == 0) continue;
      seen_[item] = visit_;
      if (by_[item] != kNobody && !extend(by_[item])) continue;
      by_[item] = label;
      taken_[label] = item;
      return true;
    }
    return false;
  }

  const MultidimensionalTorus& torus_;
  std::uint32_t links_, messages_;
  std::vector<std::uint32_t> lacking_;  // node times messages plus message
  std::vector<std::uint8_t> has_;
  std::vector<std::uint32_t> by_, taken_;  // the matching: by item, by link
  std::vector<std::uint32_t> seen_;
  std::uint32_t visit_ = 0;
};

}  // namespace

std::uint64_t matched_broadcast_steps(const TorusNetwork& network, std::uint32_t messages) {
  const std::uint64_t links = network.port_count(), others = network.torus.node_count() - 1;
  const std::uint64_t neighbours = std::min<std::uint64_t>(others, network.torus.dimensions());
  const std::uint64_t first = std::min(links, neighbours * messages);
  return std::max<std::uint64_t>(network.torus.diameter(), 1 + divide_up(others * messages - first, links));
}

std::vector<RelativeSend> matched_broadcast(const TorusNetwork& network, std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  std::vector<NodeId> order(torus.node_count() - 1);
  std::iota(order.begin(), order.end(), NodeId{1});
  std::ranges::stable_sort(order, {}, [&](NodeId v) { return torus.distance(v); });
  std::mt19937_64 random(1);
  std::vector<RelativeSend> best;
  for (std::uint32_t attempt = 0; attempt < kMatchingAttempts; ++attempt) {
    if (attempt > 0) shuffle_in_pairs(order, random);
    std::vector<RelativeSend> sends = LinkMatching(network, messages, order).run();
    if (best.empty() || last_step(sends) < last_step(best)) best = std::move(sends);
    if (last_step(best) <= matched_broadcast_steps(network, messages)) break;
  }
  return best;
}

namespace {

constexpr std::uint64_t kMaxMatched = std::uint64_t{1} << 14;   // nodes times messages
constexpr std::uint64_t kMaxPromised = std::uint64_t{1} << 11;  // where all sizes were tried

std::uint64_t necklaces(const TorusNetwork& network) { return network.torus.generators().size(); }

template <class Steps, class Broadcast>
Algorithm broadcast(const std::string& name, std::string description, Steps steps, Broadcast sends) {
  return relative_algorithm(name, CollectiveKind::kMultinodeBroadcast, std::move(description), steps, sends);
}

Algorithm packed_necklaces() {
  Algorithm algorithm = broadcast(
      "torus-packed-necklaces",
      "optimal for any number of messages: full necklaces one by one, the nodes of the others packed",
      [](const TorusNetwork& n, std::uint32_t m) {
        return divide_up(std::uint64_t{n.torus.node_count() - 1} * m, n.torus.label_count());
      },
      [](const TorusNetwork& n, std::uint32_t m) { return packed_broadcast(n.torus, m); });
  algorithm.source = "beyond Fragopoulou and Akl, TR 94-363, 5.3";
  algorithm.domain = "tori of equal sides, all-port";
  algorithm.why_not = [](const Problem& p) {
    return why_not_relative(
        p, [](const TorusNetwork& n) { return n.torus.radix() > 2; },
        "needs a torus of equal sides, 3 or more");
  };
  return algorithm;
}

Algorithm cube_matching() {
  Algorithm algorithm = broadcast(
      "cube-matching", "as many links in every step as a matching of links and messages has",
      [](const TorusNetwork& n, std::uint32_t m) -> std::optional<std::uint64_t> {
        if (std::uint64_t{n.torus.node_count()} * m > kMaxPromised) return std::nullopt;
        return matched_broadcast_steps(n, m);
      },
      matched_broadcast);
  algorithm.source = "beyond Fragopoulou and Akl, TR 94-363, 5.3";
  algorithm.domain = "cubes and doubled cubes, all-port";
  algorithm.why_not = [](const Problem& p) -> std::string {
    const auto is_cube = [](const TorusNetwork& n) { return n.torus.radix() == 2; };
    if (std::string reason = why_not_relative(p, is_cube, "needs a cube or a doubled cube"); !reason.empty())
      return reason;
    if (std::uint64_t{p.graph.node_count()} * p.messages <= kMaxMatched) return {};
    return fmt::format("needs at most {} nodes times messages", kMaxMatched);
  };
  return algorithm;
}

Algorithm bsg(const std::string& name, std::string description, ParentRule rule) {
  return broadcast(
      name, std::move(description),
      [](const TorusNetwork& n, std::uint32_t m) { return bsg_scatter_steps(n.torus, m); },
      [rule](const TorusNetwork& n, std::uint32_t m) {
        return bsg_broadcast(n.torus, first_subtree(n.torus, rule), m);
      });
}

Algorithm bst() {
  return broadcast(
      "torus-bst", "depth first over the spanning tree BST, without acknowledgements",
      [](const TorusNetwork& n, std::uint32_t m) { return m * (necklaces(n) - 1); },
      [](const TorusNetwork& n, std::uint32_t m) {
        return bst_broadcast(n.torus, first_subtree(n.torus, ParentRule::kCorrected), m);
      });
}

// Acknowledgements are packets of their own, after those of the broadcast: node v's are number M, M + 1, ...
Schedule acknowledged_schedule(const Problem& problem, const std::string& name) {
  const MultidimensionalTorus torus = TorusNetwork::of(problem.graph)->torus;
  const auto broadcast =
      acknowledged_bsg_broadcast(torus, first_subtree(torus, ParentRule::kCorrected), problem.messages);
  Schedule schedule = relative_schedule(problem, name, broadcast.sends);
  schedule.collective.clear();
  std::uint32_t tag = problem.messages;
  for (const RelativeSend& back : broadcast.acknowledgements) {
    const NodeId parent = torus.head({back.at, back.label});
    for (NodeId s = 0; s < torus.node_count(); ++s) {
      const NodeId from = torus.translate(s, back.at), to = torus.translate(s, parent);
      const PacketIndex packet = schedule.packets.add(from, tag, 1, std::span(&to, 1));
      schedule.sends.push_back(
          {back.step, problem.graph.link(from, torus.port_of_label(back.label)), packet});
    }
    ++tag;
  }
  sort_sends(schedule);
  return schedule;
}

Algorithm acknowledged() {
  Algorithm algorithm =
      bsg("torus-bsg-acknowledged-as-published",
          "depth first over the spanning graph BSG; an acknowledgement is a packet of one step",
          ParentRule::kCorrected);
  algorithm.chosen_by_name_only = true;
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const TorusNetwork network = *TorusNetwork::of(p.graph);
    return bsg_scatter_steps(network.torus, p.messages) + necklaces(network) - 1;
  };
  algorithm.plan = [name = algorithm.name](const Problem& p) { return acknowledged_schedule(p, name); };
  return algorithm;
}

Algorithm as_printed() {
  Algorithm algorithm =
      bsg("torus-bsg-as-printed",
          "the printed parents of Definition 9; for even sides most nodes are never reached",
          ParentRule::kAsPrinted);
  algorithm.chosen_by_name_only = true;
  algorithm.closed_form = Algorithm().closed_form;
  return algorithm;
}

Algorithm split_by_parent() {
  Algorithm algorithm = broadcast(
      "torus-bsg-split-by-parent-as-printed",
      "messages split by the period of the node that forwards them; some come twice or never",
      [](const TorusNetwork&, std::uint32_t) -> std::optional<std::uint64_t> { return std::nullopt; },
      [](const TorusNetwork& n, std::uint32_t m) {
        return bsg_broadcast_split_by_parent(n.torus, first_subtree(n.torus, ParentRule::kCorrected), m);
      });
  algorithm.chosen_by_name_only = true;
  return algorithm;
}

}  // namespace

std::vector<Algorithm> torus_multinode_broadcast_algorithms() {
  std::vector<Algorithm> list{
      packed_necklaces(), cube_matching(),
      bsg("torus-bsg", "depth first over the 2n subtrees of the spanning graph BSG, without acknowledgements",
          ParentRule::kCorrected),
      bst()};
  for (std::size_t i = 0; i < 4; ++i)  // reduce-scatter
    list.push_back(backwards(list[i], CollectiveKind::kMultinodeAccumulation));
  list.push_back(acknowledged());
  list.push_back(as_printed());
  list.push_back(split_by_parent());
  return list;
}

}  // namespace safnet
