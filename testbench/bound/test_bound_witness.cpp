#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/maximum_flow.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

using Marks = std::vector<std::uint8_t>;

// Counts by itself what a witness says: from the graph's links, all distances and the problem's parties.
class Judge {
 public:
  explicit Judge(const Problem& problem)
      : problem_(problem),
        graph_(problem.graph),
        n_(graph_.node_count()),
        name_(name_of(problem.collective)),
        is_origin_(marks(name_.from)),
        is_destination_(marks(name_.to)) {
    for (NodeId v = 0; v < n_; ++v) hops_.push_back(graph_.distances_from(v));
  }

  void judge(const LowerBound& bound) {
    const BoundWitness& witness = bound.witness;
    CAPTURE(to_string(witness.kind), witness.nodes, witness.links, witness.count, witness.packets,
            witness.at_once, witness.before, witness.after, witness.remark);
    CHECK_FALSE(witness.count.empty());
    CHECK(witness.count.find('\n') == std::string::npos);
    if (witness.kind == WitnessKind::kPath) {
      path(witness, bound.steps);
    } else if (witness.kind == WitnessKind::kNetwork) {
      network(witness, bound.steps);
    } else if (witness.kind == WitnessKind::kPrices) {
      prices(witness, bound.steps);
    } else {
      CHECK(witness.links == links_of(witness));
      if (witness.kind == WitnessKind::kCut) separates(witness);
      if (witness.packets != 0) {
        quotient(witness, bound.steps);
        CHECK((witness.count.find("the first ") != std::string::npos) == (witness.before != 0));
        CHECK((witness.count.find("the last ") != std::string::npos) == (witness.after != 0));
      }
    }
  }

 private:
  Marks marks(Parties parties) const {
    Marks result(n_, 0);
    const SomeNodes nodes = some_nodes(parties, graph_.processor_count(), problem_.root, problem_.active);
    for (const NodeId v : nodes.list()) result[v] = 1;
    return result;
  }

  std::vector<LinkId> links_of(const BoundWitness& witness) const {
    std::vector<LinkId> links;
    const auto named = [&](NodeId v) {
      return std::find(witness.nodes.begin(), witness.nodes.end(), v) != witness.nodes.end();
    };
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      const bool from = named(graph_.link_source(link)), to = named(graph_.link_target(link));
      const bool is_of_it = witness.kind == WitnessKind::kSending     ? from
                            : witness.kind == WitnessKind::kReceiving ? to
                                                                      : from && !to;
      if (is_of_it) links.push_back(link);
    }
    return links;
  }

  // What can be reached from some nodes without some links.
  Marks reached(Marks from, const std::function<bool(LinkId)>& is_closed) const {
    for (Marks before; before != from;) {
      before = from;
      for (LinkId link = 0; link < graph_.link_count(); ++link) {
        if (from[graph_.link_source(link)] != 0 && !is_closed(link)) from[graph_.link_target(link)] = 1;
      }
    }
    return from;
  }
  Marks side(const BoundWitness& witness) const {
    Marks result(n_, 0);
    for (const NodeId v : witness.nodes) result[v] = 1;
    return result;
  }

  void separates(const BoundWitness& witness) const {
    CHECK_FALSE(witness.nodes.empty());
    CHECK(witness.nodes.size() < n_);
    CHECK(reached(side(witness), [&](LinkId link) {
            return std::find(witness.links.begin(), witness.links.end(), link) != witness.links.end();
          }) == side(witness));
  }

  // Packets that can cross these links in a step.
  std::uint64_t room(const std::vector<LinkId>& links) const {
    const std::uint32_t source = 2 * n_, sink = source + 1;
    MaximumFlow flow(sink + 1);
    for (NodeId v = 0; v < n_; ++v) {
      flow.add(source, v, problem_.ports == PortModel::kAllPort ? links.size() : 1);
      flow.add(n_ + v, sink, problem_.ports == PortModel::kOnePort ? 1 : links.size());
    }
    for (const LinkId link : links) flow.add(graph_.link_source(link), n_ + graph_.link_target(link), 1);
    return flow.maximum(source, sink);
  }

  void quotient(const BoundWitness& witness, std::uint64_t steps) const {
    const std::uint64_t proved = witness.before + divide_up(witness.packets, witness.at_once) + witness.after;
    CHECK(proved <= steps);
    if (witness.remark.empty()) CHECK(proved == steps);
    // A branch of a tree may carry less than its links; a message that is split into flows has fewer ways.
    CHECK(witness.at_once <= witness.links.size());
    if (!graph_.has_routers() && witness.remark.empty()) CHECK(witness.at_once >= room(witness.links));
    CHECK((witness.kind == WitnessKind::kCut ? crossing(witness) : at_node(witness)) * problem_.messages >=
          witness.packets);
  }

  // The pairs of an origin and a destination that are far enough from the place, by way of which packets of
  // one step later have to pass; as many packets as the collective needs for them.
  std::uint64_t packets_of(const std::function<bool(NodeId, NodeId)>& passes) const {
    std::uint64_t pairs = 0, of_origins = 0, of_destinations = 0;
    for (NodeId o = 0; o < n_; ++o) {
      bool any = false;
      for (NodeId d = 0; d < n_; ++d) {
        const bool counts = is_origin_[o] != 0 && is_destination_[d] != 0 && passes(o, d);
        pairs += counts ? 1 : 0;
        any = any || counts;
      }
      of_origins += any ? 1 : 0;
    }
    for (NodeId d = 0; d < n_; ++d) {
      bool any = false;
      for (NodeId o = 0; o < n_; ++o)
        any = any || (is_origin_[o] != 0 && is_destination_[d] != 0 && passes(o, d));
      of_destinations += any ? 1 : 0;
    }
    switch (name_.handling) {
      case Handling::kPersonal:
        return pairs;
      case Handling::kCopied:
        return of_origins;
      case Handling::kCombined:
        return of_destinations;
      default:
        return of_origins == 0 ? 0 : 1;
    }
  }

  std::uint64_t crossing(const BoundWitness& witness) const {
    const Marks inside = side(witness);
    std::vector<std::uint32_t> to_border(n_, kUnreachable), from_border(n_, kUnreachable);
    for (NodeId v = 0; v < n_; ++v) {
      for (const LinkId link : witness.links) {
        to_border[v] = std::min(to_border[v], hops_[v][graph_.link_source(link)]);
        from_border[v] = std::min(from_border[v], hops_[graph_.link_target(link)][v]);
      }
    }
    return packets_of([&](NodeId o, NodeId d) {
      return inside[o] != 0 && inside[d] == 0 && to_border[o] >= witness.before &&
             from_border[d] >= witness.after;
    });
  }

  std::uint64_t at_node(const BoundWitness& witness) const {
    std::uint64_t packets = 0;
    for (const NodeId v : witness.nodes) packets += at_node(witness, v);
    return packets;
  }
  std::uint64_t at_node(const BoundWitness& witness, NodeId v) const {
    const bool sends = witness.kind == WitnessKind::kSending;
    const auto closed = [&](LinkId link) {
      return graph_.link_source(link) == v || graph_.link_target(link) == v;
    };
    std::vector<Marks> without;  // by node: what it reaches without v
    for (NodeId o = 0; o < n_; ++o) {
      Marks only(n_, 0);
      only[o] = 1;
      without.push_back(reached(only, closed));
    }
    const auto is_far = [&](NodeId o, NodeId d) {
      return hops_[o][v] >= witness.before + (sends ? 0 : 1) &&
             hops_[v][d] >= witness.after + (sends ? 1 : 0);
    };
    const std::uint64_t once = packets_of([&](NodeId o, NodeId d) {
      if (o == d || !is_far(o, d)) return false;
      return o == v ? sends : d == v ? !sends : without[o][d] == 0;
    });
    // Into each part that v alone joins a copy has to go, and out of each a combined packet has to come;
    // nodes that only route do not combine these.
    std::uint64_t by_part = 0;
    const bool copies = name_.handling == Handling::kCopied && sends;
    const bool combines = name_.handling == Handling::kCombined && (!sends || v >= graph_.processor_count());
    const bool both = name_.handling == Handling::kCombinedOnce;
    for (NodeId end = 0; end < n_; ++end) {
      if (both ? end != v : (copies ? is_origin_ : is_destination_)[end] == 0) continue;
      Marks seen = end == v ? Marks(n_, 0) : without[end];
      seen[v] = 1;
      for (NodeId u = 0; u < graph_.processor_count(); ++u) {
        if (seen[u] != 0) continue;
        ++by_part;
        for (NodeId w = 0; w < n_; ++w) seen[w] |= without[u][w];
      }
    }
    return copies || combines || both ? std::max(once, by_part) : once;
  }

  void path(const BoundWitness& witness, std::uint64_t steps) const {
    REQUIRE(witness.nodes.size() == witness.links.size() + 1);
    for (std::size_t i = 0; i < witness.links.size(); ++i) {
      CHECK(graph_.link_source(witness.links[i]) == witness.nodes[i]);
      CHECK(graph_.link_target(witness.links[i]) == witness.nodes[i + 1]);
    }
    const NodeId from = witness.nodes.front(), to = witness.nodes.back();
    CHECK(hops_[from][to] == witness.links.size());
    CHECK(is_origin_[from] == 1);
    CHECK(is_destination_[to] == 1);
    if (witness.remark.empty()) CHECK(witness.links.size() == steps);
    CHECK(witness.count.find(std::to_string(witness.links.size()) + " hop") != std::string::npos);
  }

  void network(const BoundWitness& witness, std::uint64_t steps) const {
    CHECK(witness.nodes.empty());
    CHECK(witness.links.empty());
    if (witness.count.find("all packets together need") == std::string::npos) return;
    std::uint64_t hops = 0;
    for (NodeId o = 0; o < n_; ++o) {
      for (NodeId d = 0; d < n_; ++d)
        hops += is_origin_[o] * is_destination_[d] * hops_[o][d] * problem_.messages;
    }
    const bool of_links = problem_.ports == PortModel::kAllPort;
    const std::uint64_t at_once = of_links ? graph_.link_count() : n_;
    CHECK(divide_up(hops, at_once) == steps);
    CHECK(witness.count == "all packets together need " + std::to_string(hops) + " hops, " +
                               std::to_string(at_once) +
                               (of_links ? " links carry one each a step" : " nodes send one each a step"));
  }

  // If all prices are equal: how often the cheapest ways use what has a price.
  void prices(const BoundWitness& witness, std::uint64_t steps) const {
    CHECK(witness.nodes.empty() != witness.links.empty());
    if (witness.count.find("prices") != std::string::npos || witness.count.find("into") != std::string::npos)
      return;
    std::vector<std::vector<std::uint64_t>> uses(n_, std::vector<std::uint64_t>(n_, 1000));
    for (NodeId v = 0; v < n_; ++v) uses[v][v] = 0;
    const auto has = [](const auto& list, std::uint32_t number) {
      return std::find(list.begin(), list.end(), number) != list.end() ? 1U : 0U;
    };
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      const NodeId from = graph_.link_source(link);
      std::uint64_t& use = uses[from][graph_.link_target(link)];
      use = std::min<std::uint64_t>(use, has(witness.nodes, from) + has(witness.links, link));
    }
    std::uint64_t sum = 0;
    for (NodeId middle = 0; middle < n_; ++middle) {
      for (NodeId o = 0; o < n_; ++o) {
        for (NodeId d = 0; d < n_; ++d) uses[o][d] = std::min(uses[o][d], uses[o][middle] + uses[middle][d]);
      }
    }
    for (NodeId o = 0; o < n_; ++o) {
      for (NodeId d = 0; d < n_; ++d) sum += is_origin_[o] * is_destination_[d] * uses[o][d];
    }
    sum *= problem_.messages;
    CHECK(divide_up(sum, witness.nodes.size() + witness.links.size()) == steps);
    CHECK(witness.count.find(" " + std::to_string(sum) + " times") != std::string::npos);
  }

  const Problem& problem_;
  const Graph& graph_;
  NodeId n_;
  const CollectiveName& name_;
  Marks is_origin_, is_destination_;
  std::vector<std::vector<std::uint32_t>> hops_;
};

const std::vector<std::string> kNetworks{"torus:4x4",
                                         "mesh:3x4",
                                         "mesh:3x3",
                                         "linear:6",
                                         "linear:2",
                                         "ring:7",
                                         "tree:2,3",
                                         "tree:7,1",
                                         "hypercube:3",
                                         "random:12,15,1",
                                         "kautz:2,2",
                                         "generalized-petersen:5,2",
                                         "fat-tree:2,3",
                                         "complete:4",
                                         "edges:0-1,1-2,0-2,2-3,3-4,4-5,3-5",
                                         "edges:0-1,0-1,1-2,1-2"};
const std::vector<CollectiveKind> kCollectives{CollectiveKind::kBroadcast,
                                               CollectiveKind::kScatter,
                                               CollectiveKind::kGather,
                                               CollectiveKind::kReduction,
                                               CollectiveKind::kMultinodeBroadcast,
                                               CollectiveKind::kMultinodeAccumulation,
                                               CollectiveKind::kTotalExchange,
                                               CollectiveKind::kAllreduce,
                                               CollectiveKind::kPartialExchange,
                                               CollectiveKind::kPartialGather};

BoundWitness witness_of(const std::string& topology, CollectiveKind collective, PortModel ports) {
  return lower_bound({make_topology(topology), collective, ports, 0, ""}).witness;
}

}  // namespace

TEST_CASE("what a bound's witness shows of the network proves the bound", "[lower_bound][bound_witness]") {
  std::map<WitnessKind, int> seen;
  for (const std::string& network : kNetworks) {
    const Graph graph = make_topology(network);
    for (const CollectiveKind collective : kCollectives) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend}) {
        for (const std::uint32_t messages : {1U, 3U}) {
          Problem problem{.graph = graph, .collective = collective, .ports = ports, .messages = messages};
          problem.root = graph.processor_count() > 4 ? 1 : 0;
          problem.active = {0, 1};
          const LowerBound bound = lower_bound(problem);
          if (bound.reason.empty()) continue;
          CAPTURE(network, to_string(collective), to_string(ports), messages, bound.steps, bound.reason);
          Judge(problem).judge(bound);
          ++seen[bound.witness.kind];
        }
      }
    }
  }
  for (const WitnessKind kind : {WitnessKind::kNetwork, WitnessKind::kSending, WitnessKind::kReceiving,
                                 WitnessKind::kCut, WitnessKind::kPath, WitnessKind::kPrices}) {
    CAPTURE(to_string(kind));
    CHECK(seen[kind] > 0);
  }
}

TEST_CASE("words beside the picture of a bound", "[bound_witness]") {
  constexpr PortModel kAll = PortModel::kAllPort, kOne = PortModel::kOnePort;
  const BoundWitness cut = witness_of("mesh:4x4", CollectiveKind::kTotalExchange, kAll);
  CHECK(cut.kind == WitnessKind::kCut);
  CHECK(cut.nodes == std::vector<NodeId>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(cut.count == "64 packets must cross these 4 links");
  const BoundWitness root = witness_of("torus:4x4", CollectiveKind::kGather, kOne);
  CHECK(root.kind == WitnessKind::kReceiving);
  CHECK(root.links.size() == 4);
  CHECK(root.count == "15 packets must reach this node, 1 at a time");
  CHECK(witness_of("torus:4x4", CollectiveKind::kTotalExchange, kOne).count ==
        "all packets together need 512 hops, 16 nodes send one each a step");
  CHECK(witness_of("ring:8", CollectiveKind::kBroadcast, kAll).count == "the furthest node is 4 hops away");
  CHECK(witness_of("mesh:3x3", CollectiveKind::kTotalExchange, kOne).count ==
        "all packets together must go out of these 4 nodes 72 times, and a step has room for 4");
  // The five nodes of one colour have four neighbours, and lack eight packets each.
  const BoundWitness colour = witness_of("mesh:3x3", CollectiveKind::kMultinodeBroadcast, kOne);
  CHECK(colour.nodes == std::vector<NodeId>{0, 2, 4, 6, 8});
  CHECK(colour.count == "40 packets must reach these 5 nodes, 4 at a time");
}

TEST_CASE("searches for the optimum of a gossip say where it binds as well", "[bound_witness]") {
  for (const CollectiveKind collective :
       {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation}) {
    const Problem problem{
        .graph = make_topology("mesh:2x3"), .collective = collective, .ports = PortModel::kOnePort};
    const LowerBound bound = searched_bound(problem);
    CAPTURE(to_string(collective), bound.reason);
    Judge(problem).judge(bound);
  }
}

TEST_CASE("a transfer leaves its root in time for the way to go, or is as long as this way",
          "[bound_witness]") {
  Problem problem{
      .graph = make_topology("torus:4x4"), .collective = CollectiveKind::kMultipath, .destination = 10};
  problem.messages = 12;
  const LowerBound many = lower_bound(problem);
  CAPTURE(many.reason, many.witness.count);
  CHECK(many.witness.kind == WitnessKind::kSending);
  CHECK(many.witness.nodes == std::vector<NodeId>{0});
  CHECK(many.witness.links.size() == 4);
  CHECK(many.witness.before + divide_up(many.witness.packets, many.witness.at_once) + many.witness.after ==
        many.steps);
  problem.messages = 1;
  const LowerBound one = lower_bound(problem);
  CAPTURE(one.reason, one.witness.count);
  CHECK(one.witness.kind == WitnessKind::kPath);
  CHECK(one.witness.nodes.front() == 0);
  CHECK(one.witness.nodes.back() == 10);
  CHECK(one.witness.links.size() == one.steps);
}
