#include "cpp_model/bound/timed_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

// Links that are looked at, of all sets together.
constexpr std::uint64_t kMostLinksLookedAt = 400'000'000;
// Prices of links are kept small.
constexpr std::uint64_t kMostCommon = 1'000'000;

// Who has packets, and who has to get them.
struct Ends {
  std::vector<std::uint8_t> from, to;  // by node
  std::uint64_t from_count = 0, to_count = 0;
};

class TimedBound {
 public:
  TimedBound(const Problem& problem, const LinkTimes& times)
      : problem_(problem),
        graph_(problem.graph),
        times_(times),
        name_(name_of(problem.collective)),
        nodes_(graph_.node_count()) {}

  LowerBound run() {
    if (name_.handling == Handling::kOther) return {};
    find_parties();
    for (NodeId v = 0; v < nodes_; ++v) {
      time_.push_back(times_from(graph_, times_, v));
    }
    consider_ways();
    consider_growth();
    consider_work(false);
    consider_work(true);
    if (nodes_ <= kMostSetNodes) {
      for (std::uint32_t set = 1; set + 1 < std::uint32_t{1} << nodes_; ++set) {
        std::vector<std::uint8_t> marks(nodes_);
        for (NodeId v = 0; v < nodes_; ++v) marks[v] = set >> v & 1;
        consider_set(marks);
      }
      return best_.value();
    }
    consider_balls();
    consider_halves();
    return best_.value();
  }

 private:
  void find_parties() {
    const NodeId processors = graph_.processor_count();
    const auto mark = [&](Parties who, std::vector<std::uint8_t>& marks, std::uint64_t& count) {
      marks.assign(nodes_, 0);
      for (const NodeId v : some_nodes(who, processors, problem_.root, problem_.active).list()) {
        count += marks[v] == 0 ? 1 : 0;
        marks[v] = 1;
      }
    };
    mark(name_.from, ends_.from, ends_.from_count);
    mark(name_.to, ends_.to, ends_.to_count);
  }

  // Something of every origin gets to every destination.
  void consider_ways() {
    for (NodeId v = 0; v < nodes_; ++v) {
      for (NodeId u = 0; u < nodes_; ++u) {
        if (u == v || ends_.from[v] == 0 || ends_.to[u] == 0) continue;
        best_.consider(
            time_[v][u],
            [&] {
              return fmt::format("the quickest way from node {} to node {}", graph_.node_name(v),
                                 graph_.node_name(u));
            },
            [&] { return stated_witness(WitnessKind::kNetwork, {}); });
      }
    }
  }

  // Personal packets keep links busy, or the nodes that send them, for a time each. With prices a cycle of a
  // link costs as much more as its packets are quicker: then each packet pays for its hops.
  void consider_work(bool priced) {
    if (name_.handling != Handling::kPersonal) return;
    std::uint64_t common = 1;  // price of a packet's hop, in units of a cycle of the slowest link
    if (priced) {
      if (problem_.ports != PortModel::kAllPort)
        return;  // a node's time costs the same over all of its links
      for (const std::uint32_t busy : times_.busy) {
        common = std::lcm(common, std::uint64_t{busy});
        if (common > kMostCommon) return;
      }
    }
    LinkTimes costs = times_;
    std::uint64_t per_cycle = priced || problem_.ports == PortModel::kAllPort ? 0 : nodes_;
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      costs.crossing[link] = priced ? 1 : costs.busy[link];
      if (problem_.ports == PortModel::kAllPort) per_cycle += priced ? common / costs.busy[link] : 1;
    }
    std::uint64_t all = 0;
    for (NodeId v = 0; v < nodes_; ++v) {
      if (ends_.from[v] == 0) continue;
      const std::vector<std::uint64_t> cost = times_from(graph_, costs, v);
      for (NodeId u = 0; u < nodes_; ++u) all += u != v && ends_.to[u] != 0 ? cost[u] : 0;
    }
    best_.consider(
        divide_up(all * problem_.messages * common, per_cycle),
        [&] {
          return fmt::format("{} that all packets keep {} busy", priced ? "hops and cycles" : "cycles",
                             problem_.ports == PortModel::kAllPort ? "links" : "nodes");
        },
        [&] { return stated_witness(WitnessKind::kNetwork, {}); });
  }

  // One packet at a time leaves a node that has it: whoever is informed informs another every so many cycles.
  void consider_growth() {
    const bool is_one_to_all = name_.has_root && name_.handling == Handling::kCopied;
    const bool is_all_to_one = name_.has_root && name_.handling == Handling::kCombined;
    const bool one_by_one = problem_.ports == PortModel::kOnePort ||
                            (problem_.ports == PortModel::kOnePortSend && !is_all_to_one);
    if (!one_by_one || (!is_one_to_all && !is_all_to_one && name_.handling != Handling::kCombinedOnce))
      return;
    const std::uint64_t busy = std::ranges::min(times_.busy), crossing = std::ranges::min(times_.crossing);
    // By cycle: nodes that are informed at its end, and those whose next send would be informed then.
    std::vector<std::uint64_t> informed{1}, sending{1};
    for (std::uint64_t all = 1; all < graph_.processor_count(); all += informed.back()) {
      const std::uint64_t now = informed.size();
      informed.push_back(now < crossing ? 0 : sending[now - crossing]);
      sending.push_back(informed.back() + (now < busy ? 0 : sending[now - busy]));
    }
    const bool is_rooted = is_one_to_all || is_all_to_one;  // then messages pass the root one by one
    best_.consider(informed.size() - 1 + (is_rooted ? (problem_.messages - 1) * busy : 0),
                   "a node that has it informs one other at a time",
                   [&] { return stated_witness(WitnessKind::kNetwork, {}); });
  }

  // Packets that have to leave the set. Of what is combined, or copied, one packet stands for many.
  std::uint64_t packets_out_of(std::span<const std::uint8_t> in_set) const {
    std::uint64_t origins = 0, destinations = 0;
    for (NodeId v = 0; v < nodes_; ++v) {
      if (in_set[v] != 0) origins += ends_.from[v];
      if (in_set[v] == 0) destinations += ends_.to[v];
    }
    if (origins == 0 || destinations == 0) return 0;
    const std::uint64_t messages = problem_.messages;
    switch (name_.handling) {
      case Handling::kPersonal:
        return messages * origins * destinations;
      case Handling::kCopied:
        return messages * origins;
      case Handling::kCombined:
        return messages * destinations;
      default:
        return messages;
    }
  }

  struct Crossing {
    std::uint64_t idle = 0;  // cycles in which the link cannot be crossed, at the start and the end
    std::uint32_t busy = 0;
    NodeId from = 0, to = 0;
  };
  // The links out of the set that a packet may cross on its way.
  std::vector<Crossing> crossings(std::span<const std::uint8_t> in_set) const {
    std::vector<std::uint64_t> before(nodes_, kNoWay), after(nodes_, kNoWay);
    std::vector<Crossing> result;
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      const NodeId from = graph_.link_source(link), to = graph_.link_target(link);
      if (in_set[from] == 0 || in_set[to] != 0) continue;
      if (before[from] == kNoWay) {
        for (NodeId v = 0; v < nodes_; ++v) {
          if (in_set[v] != 0 && ends_.from[v] != 0) before[from] = std::min(before[from], time_[v][from]);
        }
      }
      if (after[to] == kNoWay) {
        for (NodeId v = 0; v < nodes_; ++v) {
          if (in_set[v] == 0 && ends_.to[v] != 0) after[to] = std::min(after[to], time_[to][v]);
        }
      }
      result.push_back({before[from] + times_.latency(link) + after[to], times_.busy[link], from, to});
    }
    return result;
  }

  static std::uint64_t carried(const Crossing& link, std::uint64_t cycles) {
    return cycles <= link.idle ? 0 : (cycles - link.idle) / link.busy;
  }
  // At most so many packets cross in so many cycles.
  std::uint64_t most_in(std::span<const Crossing> links, std::uint64_t cycles) {
    std::uint64_t all = 0;
    for (const Crossing& link : links) all += carried(link, cycles);
    if (problem_.ports == PortModel::kAllPort) return all;
    all = std::min(all, shared(links, cycles, &Crossing::from));
    return problem_.ports == PortModel::kOnePortSend ? all
                                                     : std::min(all, shared(links, cycles, &Crossing::to));
  }
  // The links of one node share its time: none carries more than the quickest of them could in all of it.
  std::uint64_t shared(std::span<const Crossing> links, std::uint64_t cycles, NodeId Crossing::*end) {
    std::uint64_t all = 0;
    quickest_.assign(nodes_, {kNoWay, 0, 0, 0});
    for (const Crossing& link : links) {
      Crossing& of_node = quickest_[link.*end];
      of_node.busy = of_node.idle == kNoWay ? link.busy : std::min(of_node.busy, link.busy);
      of_node.idle = std::min(of_node.idle, link.idle);
    }
    for (const Crossing& of_node : quickest_) {
      if (of_node.idle != kNoWay) all += carried(of_node, cycles);
    }
    return all;
  }

  void consider_set(const std::vector<std::uint8_t>& in_set) {
    const std::uint64_t packets = packets_out_of(in_set);
    if (packets == 0 || looked_at_ > kMostLinksLookedAt) return;
    looked_at_ += graph_.link_count() + nodes_;
    const std::vector<Crossing> links = crossings(in_set);
    // The bound so far is kept unless it is too short for this set.
    if (most_in(links, best_.steps()) >= packets) return;
    std::uint64_t enough = std::max<std::uint64_t>(1, best_.steps());
    while (most_in(links, enough) < packets) enough *= 2;
    std::uint64_t short_of = best_.steps();
    while (short_of + 1 < enough) {
      const std::uint64_t middle = short_of + (enough - short_of) / 2;
      (most_in(links, middle) < packets ? short_of : enough) = middle;
      looked_at_ += links.size();
    }
    best_.consider(
        enough,
        [&] {
          return fmt::format("{} must cross {} of unequal times", counted(packets, "packet"),
                             counted(links.size(), "link"));
        },
        [&] { return stated_witness(WitnessKind::kCut, marked_nodes(in_set)); });
  }
  void consider_both(std::vector<std::uint8_t> in_set) {
    consider_set(in_set);
    for (std::uint8_t& mark : in_set) mark ^= 1;
    consider_set(in_set);
  }

  // The nodes within every time from a node, and their complements.
  void consider_balls() {
    for (NodeId v = 0; v < nodes_; ++v) {
      std::vector<NodeId> order(nodes_);
      std::iota(order.begin(), order.end(), NodeId{0});
      std::ranges::stable_sort(order, {}, [&](NodeId u) { return time_[v][u]; });
      std::vector<std::uint8_t> marks(nodes_);
      for (NodeId k = 0; k + 1 < nodes_; ++k) {
        marks[order[k]] = 1;
        if (time_[v][order[k]] != time_[v][order[k + 1]]) consider_both(marks);
      }
    }
  }
  void consider_halves() {
    for (std::size_t d = 0; d < graph_.factors().size(); ++d) {
      for (NodeId size = 1; size < graph_.factors()[d].node_count(); ++size) {
        std::vector<std::uint8_t> marks(nodes_);
        for (NodeId v = 0; v < nodes_; ++v) marks[v] = graph_.coordinates(v)[d] < size ? 1 : 0;
        consider_both(marks);
      }
    }
  }

  const Problem& problem_;
  const Graph& graph_;
  const LinkTimes& times_;
  const CollectiveName& name_;
  NodeId nodes_;
  Ends ends_;
  std::vector<std::vector<std::uint64_t>> time_;  // by node: to every other
  std::vector<Crossing> quickest_;                // by node
  LargestBound best_;
  std::uint64_t looked_at_ = 0;
};

}  // namespace

LowerBound timed_bound(const Problem& problem, const LinkTimes& times) {
  return TimedBound(problem, times).run();
}

}  // namespace safnet
