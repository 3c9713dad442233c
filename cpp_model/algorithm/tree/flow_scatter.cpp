#include "cpp_model/algorithm/tree/flow_scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

// g++ 12 takes the end of Boost's ranges of edges for uninitialized.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#pragma GCC diagnostic pop

#include "cpp_model/bound/demand.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// A flow network for Boost.
class FlowNetwork {
 public:
  using Vertex = std::uint32_t;
  struct EdgeData;
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Edge = Traits::edge_descriptor;
  struct VertexData {
    Edge predecessor;
    boost::default_color_type colour = boost::white_color;
    std::int32_t distance = 0;
  };
  struct EdgeData {
    std::int32_t capacity = 0;
    std::int32_t residual = 0;
    Edge reverse;
  };
  using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexData, EdgeData>;

  explicit FlowNetwork(std::size_t vertices) : network_(vertices) {}

  Edge add(Vertex from, Vertex to, std::int32_t capacity) {
    const Edge there = boost::add_edge(from, to, {capacity, 0, {}}, network_).first;
    const Edge back = boost::add_edge(to, from, {0, 0, there}, network_).first;
    network_[there].reverse = back;
    return there;
  }
  std::int32_t maximum(Vertex source, Vertex sink) {
    return boost::boykov_kolmogorov_max_flow(
        network_, get(&EdgeData::capacity, network_), get(&EdgeData::residual, network_),
        get(&EdgeData::reverse, network_), get(&VertexData::predecessor, network_),
        get(&VertexData::colour, network_), get(&VertexData::distance, network_),
        get(boost::vertex_index, network_), source, sink);
  }
  std::int32_t flow(Edge edge) const { return network_[edge].capacity - network_[edge].residual; }

 private:
  Network network_;
};

// Do all nodes `distance` or more hops away get their packets within `steps` steps if the order of the steps
// does not matter, and a link carries one packet in each step in which it can be of use (see
// scatter_bound())? `back`: the network with all links turned round.
bool flows(const Graph& graph, const Wiring& back, NodeId root, const std::vector<std::uint32_t>& hops,
           std::uint32_t distance, std::uint64_t steps, std::uint32_t messages) {
  const NodeId n = graph.node_count();
  std::vector<std::uint8_t> is_far(n);
  for (NodeId v = 0; v < n; ++v) is_far[v] = hops[v] >= distance ? 1 : 0;
  const std::vector<std::uint32_t> to_go = back.distance_from_nearest(is_far);
  FlowNetwork network(n + 1);
  std::int32_t wanted = 0;
  for (NodeId v = 0; v < n; ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId to = graph.peer(v, p).node;
      if (to == kNoNode || to == root || hops[v] + to_go[to] >= steps) continue;
      const std::uint64_t uses = steps - hops[v] - to_go[to];
      network.add(v, to,
                  static_cast<std::int32_t>(std::min<std::uint64_t>(uses, std::uint64_t{n} * messages)));
    }
    if (v != root && is_far[v] != 0) {
      network.add(v, n, static_cast<std::int32_t>(messages));
      wanted += static_cast<std::int32_t>(messages);
    }
  }
  return network.maximum(root, n) == wanted;
}

// scatter_bound() with only the cuts between nodes less than j hops away and the others, j <= d.
std::uint64_t level_bound(const Graph& graph, const std::vector<std::uint32_t>& hops,
                          std::uint32_t messages) {
  const std::uint32_t furthest = *std::max_element(hops.begin(), hops.end());
  std::vector<std::uint64_t> beyond(furthest + 2, 0), links(furthest + 2, 0);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    beyond[hops[v]] += messages;
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const NodeId to = graph.peer(v, p).node;
      if (to != kNoNode && hops[to] == hops[v] + 1) ++links[hops[to]];
    }
  }
  for (std::uint32_t d = furthest; d-- > 0;) beyond[d] += beyond[d + 1];
  std::uint64_t bound = 0, narrowest = links[1];
  for (std::uint32_t d = 1; d <= furthest; ++d) {
    narrowest = std::min(narrowest, links[d]);
    bound = std::max(bound, d - 1 + divide_up(beyond[d], narrowest));
  }
  return bound;
}

// Copies of the network, one per step. A node's copy t is the node after t steps; there is none before a
// packet can be there. The root has one copy: it has all packets from the start, and none comes back.
class TimeExpanded {
 public:
  TimeExpanded(const Graph& graph, NodeId root, const std::vector<std::uint32_t>& hops, std::uint32_t steps,
               std::uint32_t messages)
      : graph_(graph),
        root_(root),
        hops_(hops),
        steps_(steps),
        messages_(messages),
        first_(graph.node_count()) {
    std::size_t vertices = 0;
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      first_[v] = static_cast<std::uint32_t>(vertices);
      vertices += v == root ? 1 : steps + 1 - hops[v];
    }
    sink_ = static_cast<std::uint32_t>(vertices);
  }

  /// All packets' hops, or none if the steps do not suffice.
  std::vector<PersonalHop> solve() {
    FlowNetwork network(sink_ + 1);
    struct Crossing {
      std::uint32_t step;
      LinkId link;
      FlowNetwork::Edge edge;
    };
    std::vector<Crossing> crossings;
    const NodeId n = graph_.node_count();
    const auto each = static_cast<std::int32_t>(messages_);
    const std::int32_t any_number = static_cast<std::int32_t>(n) * each;
    for (NodeId v = 0; v < n; ++v) {
      if (v != root_) {
        for (std::uint32_t t = hops_[v]; t < steps_; ++t) network.add(copy(v, t), copy(v, t + 1), any_number);
        network.add(copy(v, steps_), sink_, each);
      }
      for (PortId p = 0; p < graph_.degree(v); ++p) {
        const NodeId to = graph_.peer(v, p).node;
        if (to == kNoNode || to == root_) continue;
        for (std::uint32_t t = hops_[v]; t < steps_; ++t)
          crossings.push_back({t + 1, graph_.link(v, p), network.add(copy(v, t), copy(to, t + 1), 1)});
      }
    }
    if (network.maximum(copy(root_, 0), sink_) != static_cast<std::int32_t>(n - 1) * each) return {};
    // Crossings with flow, by target, the earliest first.
    std::vector<std::vector<Crossing>> into(n);
    for (const Crossing& c : crossings) {
      if (network.flow(c.edge) > 0) into[graph_.link_target(c.link)].push_back(c);
    }
    for (auto& list : into) {
      std::sort(list.begin(), list.end(),
                [](const Crossing& a, const Crossing& b) { return a.step < b.step; });
    }
    std::vector<PersonalHop> hops;
    for (NodeId v = 0; v < n; ++v) {
      for (std::uint32_t m = 0; v != root_ && m < messages_; ++m) follow(v, m, into, hops);
    }
    return hops;
  }

 private:
  std::uint32_t copy(NodeId v, std::uint32_t t) const {
    return v == root_ ? first_[v] : first_[v] + t - hops_[v];
  }

  // Splits off one path, backwards from the destination: of the crossings into a node any that is early
  // enough will do, waiting costs nothing. Loops are cut out.
  template <class Lists>
  void follow(NodeId destination, std::uint32_t message, Lists& into, std::vector<PersonalHop>& hops) const {
    std::vector<PersonalHop> path;  // the last hop first
    std::uint32_t before = steps_ + 1;
    for (NodeId v = destination; v != root_;) {
      auto& list = into[v];
      auto entry = std::lower_bound(list.begin(), list.end(), before,
                                    [](const auto& c, std::uint32_t step) { return c.step < step; });
      if (entry == list.begin()) throw std::logic_error("scatter: the flow has a gap");
      --entry;
      path.push_back({entry->step, entry->link, destination, message});
      before = entry->step;
      list.erase(entry);
      v = graph_.link_source(path.back().link);
    }
    std::vector<PersonalHop> simple;  // in the order of travel
    for (std::size_t i = path.size(); i-- > 0;) {
      const NodeId to = graph_.link_target(path[i].link);
      const auto earlier = std::find_if(simple.begin(), simple.end(), [&](const PersonalHop& hop) {
        return graph_.link_target(hop.link) == to;
      });
      if (earlier != simple.end()) {
        simple.erase(earlier + 1, simple.end());
      } else {
        simple.push_back(path[i]);
      }
    }
    hops.insert(hops.end(), simple.begin(), simple.end());
  }

  const Graph& graph_;
  NodeId root_;
  const std::vector<std::uint32_t>& hops_;
  std::uint32_t steps_;
  std::uint32_t messages_;
  std::vector<std::uint32_t> first_;
  std::uint32_t sink_ = 0;
};

constexpr std::uint64_t kMaxPromisedLinkSteps = std::uint64_t{1} << 16;

std::uint64_t link_steps(const Graph& graph, std::uint64_t steps) { return graph.link_count() * steps; }

// A gather is planned as the scatter that it is backwards.
Problem outwards(const Problem& problem) {
  return problem.collective == CollectiveKind::kGather ? turned_round(problem) : problem;
}

// The time-expanded network is of at least this size.
std::uint64_t link_steps_at_least(const Problem& outward) {
  const std::vector<std::uint32_t> hops = outward.graph.distances_from(outward.root);
  return link_steps(outward.graph, level_bound(outward.graph, hops, outward.messages));
}

}  // namespace

std::uint64_t scatter_bound(const Graph& graph, NodeId root, std::uint32_t messages) {
  const std::vector<std::uint32_t> hops = graph.distances_from(root);
  const std::uint32_t furthest = *std::max_element(hops.begin(), hops.end());
  const Wiring back = Wiring(graph).reversed();
  std::uint64_t bound = level_bound(graph, hops, messages);
  // For most distances the bound so far already suffices, which one flow shows.
  for (std::uint32_t d = 1; d <= furthest; ++d) {
    while (!flows(graph, back, root, hops, d, bound, messages)) ++bound;
  }
  return bound;
}

std::vector<PersonalHop> fewest_steps_scatter(const Graph& graph, NodeId root, std::uint32_t messages) {
  if (graph.node_count() == 1) return {};
  const std::vector<std::uint32_t> hops = graph.distances_from(root);
  std::uint64_t steps = level_bound(graph, hops, messages);
  if (link_steps(graph, steps) <= kMaxLinkSteps) steps = scatter_bound(graph, root, messages);
  for (;; ++steps) {
    if (link_steps(graph, steps) > kMaxLinkSteps) {
      throw bad_input("scatter by max-flow: {} has {} links for {} steps; expected a product of at most {}",
                      one_line(graph.spelling()), graph.link_count(), steps, kMaxLinkSteps);
    }
    std::vector<PersonalHop> found =
        TimeExpanded(graph, root, hops, static_cast<std::uint32_t>(steps), messages).solve();
    if (!found.empty()) return found;
  }
}

std::vector<Algorithm> flow_scatter_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind collective : {CollectiveKind::kScatter, CollectiveKind::kGather}) {
    list.push_back(
        {.name = "max-flow",
         .collective = collective,
         .source = "Ford and Fulkerson, flows over time; optimal",
         .description = collective == CollectiveKind::kScatter
                            ? "as few steps as there can be, by maximum flow through a copy per step"
                            : "the optimal scatter backwards",
         .domain = fmt::format("networks of at most {} links times steps, all-port", kMaxLinkSteps),
         .why_not = [](const Problem& p) -> std::string {
           if (!p.tree.empty()) return "finds its own routes, without --tree";
           if (p.ports != PortModel::kAllPort) return "needs --ports all";
           if (p.messages > 1 && std::uint64_t{p.messages} * p.graph.node_count() > kMaxPackets)
             return fmt::format("needs at most {} packets of several messages", kMaxPackets);
           const std::uint64_t least = link_steps_at_least(outwards(p));
           return least <= kMaxLinkSteps ? ""
                                         : fmt::format("needs at most {} links times steps", kMaxLinkSteps);
         },
         // No formula, but the optimum itself where it is found in milliseconds.
         .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
           const Problem outward = outwards(p);
           if (link_steps_at_least(outward) > kMaxPromisedLinkSteps) return std::nullopt;
           std::uint64_t steps = 0;
           for (const PersonalHop& hop : fewest_steps_scatter(outward.graph, p.root, p.messages))
             steps = std::max<std::uint64_t>(steps, hop.step);
           return steps;
         },
         .plan =
             [](const Problem& p) {
               const Problem outward = outwards(p);
               return personal_schedule(outward, "max-flow",
                                        fewest_steps_scatter(outward.graph, p.root, p.messages));
             },
         .knows_messages = true,
         .knows_one_way = true});
  }
  return list;
}

}  // namespace safnet
