#include "cpp_model/check/deadlock.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 31;  // bits: a quarter of a gigabyte
constexpr LinkId kNoLink = std::numeric_limits<LinkId>::max();

// Of every link those that it waits for, ascending.
using Waits = std::vector<std::vector<LinkId>>;

class Followed {
 public:
  Followed(const Graph& graph, PortModel ports, const Policy& policy)
      : graph_(graph), policy_(policy), one_queue_(ports != PortModel::kAllPort), visited_(visits()) {
    waits.resize(graph.link_count());
    crossed.resize(graph.link_count());
    leaving_.resize(one_queue_ ? graph.node_count() : 0);
    forwards_.resize(one_queue_ ? graph.link_count() : 0);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      for (const Injection& injection : policy.injections.round(v)) {
        // Nobody waits for a place of a host's own packets but the host.
        leave(v, policy.table(v, injection.label).output_mask, injection.label, kNoLink);
        follow();
      }
    }
    if (one_queue_) wait_for_all_of_the_node();
    for (std::vector<LinkId>& of_link : waits) std::ranges::sort(of_link);
  }

  Waits waits;
  std::vector<bool> crossed;

 private:
  std::uint64_t visits() const {
    const std::uint64_t labels = policy_.label_count, links = graph_.link_count();
    if (links != 0 && labels > kMostVisits / links)
      throw bad_input("{}: {} links and {} labels; expected at most {} of both multiplied",
                      one_line(graph_.spelling()), links, labels, kMostVisits);
    return labels * links;
  }

  // A packet of `label` leaves `v`, where it came over `from`, through the ports of a mask.
  void leave(NodeId v, PortSet mask, Label label, LinkId from) {
    for (PortId p = 0; p < graph_.degree(v); ++p) {
      if ((mask >> p & 1) == 0) continue;
      cross(graph_.link(v, p), label, from);
      // Links are dealt: the mask names the first of a branch, and any of the branch may be next.
      for (PortId q = p + 1;
           policy_.deals_links && q < graph_.degree(v) && graph_.peer(v, q).node == graph_.peer(v, p).node;
           ++q)
        cross(graph_.link(v, q), label, from);
    }
  }

  void cross(LinkId link, Label label, LinkId from) {
    crossed[link] = true;
    if (from != kNoLink && one_queue_) forwards_[from] = true;
    if (from != kNoLink && !one_queue_) add(link, waits[from]);
    if (one_queue_) add(link, leaving_[graph_.link_source(link)]);
    const std::uint64_t visit = std::uint64_t{label} * graph_.link_count() + link;
    if (visited_[visit]) return;
    visited_[visit] = true;
    ahead_.emplace_back(link, label);
  }

  // Lists stay short: there are as many different links as the node has ports.
  static void add(LinkId link, std::vector<LinkId>& list) {
    if (std::ranges::find(list, link) == list.end()) list.push_back(link);
  }

  void follow() {
    while (!ahead_.empty()) {
      const auto [link, label] = ahead_.front();
      ahead_.pop_front();
      const NodeId v = graph_.link_target(link);
      leave(v, policy_.table(v, label).output_mask, label, link);
    }
  }

  // In one queue a packet may be behind any other of its node.
  void wait_for_all_of_the_node() {
    for (LinkId link = 0; link < graph_.link_count(); ++link)
      if (forwards_[link]) waits[link] = leaving_[graph_.link_target(link)];
  }

  const Graph& graph_;
  const Policy& policy_;
  const bool one_queue_;
  std::vector<bool> visited_;  // label and link
  std::deque<std::pair<LinkId, Label>> ahead_;
  std::vector<std::vector<LinkId>> leaving_;  // of each node, if it has one queue
  std::vector<bool> forwards_;  // whether packets go on that came over a link, if there is one queue
};

// Links whose waits end: from the sinks on, those all of whose waits are numbered. What is left has a circle.
std::vector<std::uint32_t> chains(const Followed& followed) {
  const Waits& waits = followed.waits;
  std::vector<std::vector<LinkId>> waited_for_by(waits.size());
  std::vector<std::uint32_t> open(waits.size()), chain(waits.size());
  std::deque<LinkId> ready;
  for (LinkId link = 0; link < waits.size(); ++link) {
    open[link] = static_cast<std::uint32_t>(waits[link].size());
    for (const LinkId other : waits[link]) waited_for_by[other].push_back(link);
    if (followed.crossed[link] && open[link] == 0) ready.push_back(link);
  }
  while (!ready.empty()) {
    const LinkId link = ready.front();
    ready.pop_front();
    ++chain[link];
    for (const LinkId other : waited_for_by[link]) {
      chain[other] = std::max(chain[other], chain[link]);
      if (--open[other] == 0) ready.push_back(other);
    }
  }
  for (LinkId link = 0; link < waits.size(); ++link)
    if (open[link] != 0) chain[link] = 0;
  return chain;
}

// The shortest way from a link over its waits back to itself, if it has fewer links than `limit`.
std::vector<LinkId> circle_through(LinkId start, const Waits& waits, std::size_t limit) {
  std::vector<LinkId> before(waits.size(), kNoLink);
  std::vector<LinkId> level{start};
  for (std::size_t length = 1; length < limit && !level.empty(); ++length) {
    std::vector<LinkId> next;
    for (const LinkId link : level) {
      for (const LinkId other : waits[link]) {
        if (other == start) {
          std::vector<LinkId> circle{link};
          while (circle.back() != start) circle.push_back(before[circle.back()]);
          std::ranges::reverse(circle);
          return circle;
        }
        if (before[other] != kNoLink) continue;
        before[other] = link;
        next.push_back(other);
      }
    }
    level = std::move(next);
  }
  return {};
}

std::vector<LinkId> shortest_circle(const Followed& followed, const std::vector<std::uint32_t>& chain) {
  constexpr std::uint64_t kMostSteps = 200'000'000;  // of all searches: some seconds
  const std::uint64_t each = followed.waits.size();
  std::uint64_t steps = 0;
  std::vector<LinkId> best;
  for (LinkId link = 0; link < followed.waits.size(); ++link) {
    if (!followed.crossed[link] || chain[link] != 0) continue;
    if (!best.empty() && (best.size() == 1 || steps > kMostSteps)) break;
    steps += each;
    std::vector<LinkId> found = circle_through(link, followed.waits, best.empty() ? each + 1 : best.size());
    if (!found.empty()) best = std::move(found);
  }
  return best;
}

}  // namespace

DeadlockAnalysis find_deadlock(const Graph& graph, PortModel ports, const Policy& policy) {
  const Followed followed(graph, ports, policy);
  DeadlockAnalysis analysis;
  analysis.links = static_cast<std::uint64_t>(std::ranges::count(followed.crossed, true));
  for (const std::vector<LinkId>& waits : followed.waits) analysis.waits += waits.size();
  analysis.chain = chains(followed);
  analysis.circle = shortest_circle(followed, analysis.chain);
  if (!analysis.circle.empty()) {
    analysis.chain.clear();
    return analysis;
  }
  for (LinkId link = 0; link < followed.waits.size(); ++link) {
    const bool numbered = (analysis.chain[link] != 0) == followed.crossed[link];
    const bool descends = std::ranges::all_of(
        followed.waits[link], [&](LinkId other) { return analysis.chain[other] < analysis.chain[link]; });
    if (!numbered || !descends) throw std::logic_error("find_deadlock: a wait leads to no smaller number");
  }
  return analysis;
}

}  // namespace safnet
