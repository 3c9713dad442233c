#include "cpp_model/traffic/packet_routes.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr NodeId kMostNodes = 4096;
constexpr const char* kInOrderOfArrival = "transit-first";

const Algorithm& choose(const Problem& problem, const std::string& name) {
  if (!name.empty()) return find_algorithm(problem, name);
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == problem.collective && algorithm.name == kInOrderOfArrival &&
        algorithm.why_not(problem).empty())
      return algorithm;
  }
  return find_algorithm(problem, "");
}

}  // namespace

PacketRoutes::PacketRoutes(Graph graph, PortModel ports, const std::string& algorithm)
    : graph_(std::move(graph)), ports_(ports) {
  const NodeId nodes = graph_.node_count(), processors = graph_.processor_count();
  if (nodes > kMostNodes)
    throw bad_input("{}: {} nodes; traffic is limited to {}", one_line(graph_.spelling()), nodes, kMostNodes);
  const Problem problem{.graph = graph_, .collective = CollectiveKind::kTotalExchange, .ports = ports_};
  algorithm_ = &choose(problem, algorithm);
  policy_ = algorithm_->policy(problem);
  const auto refuse = [&](const std::string& why) {
    throw bad_input("algorithm {}: {} on {}; expected another for traffic", algorithm_->name, why,
                    one_line(graph_.spelling()));
  };
  starts_.resize(std::size_t{processors} * processors);
  for (NodeId source = 0; source < processors; ++source) {
    NodeId destinations = 0;
    for (const Injection& injection : policy_.injections(source)) {
      if (injection.tag >= processors || injection.tag == source) refuse("has packets of other kinds");
      starts_[std::size_t{source} * processors + injection.tag] = {injection.label, injection.rank};
      ++destinations;
    }
    if (destinations + 1 != processors) refuse("has not one packet for each destination");
  }
  port_.resize(std::size_t{nodes} * policy_.label_count, kDelivered);
  for (NodeId v = 0; v < nodes; ++v) {
    for (Label label = 0; label < policy_.label_count; ++label) {
      const PortSet mask = policy_.table(v, label).output_mask;
      if (mask == 0) continue;
      if (port_count(mask) != 1) refuse("sends packets to several nodes at once");
      port_[std::size_t{v} * policy_.label_count + label] = static_cast<std::uint8_t>(lowest_port(mask));
    }
  }
}

void PacketRoutes::follow(NodeId source, NodeId destination,
                          const std::function<void(NodeId, PortId)>& cross) const {
  const Label label = start(source, destination).label;
  NodeId v = source;
  for (NodeId hops = 0; v != destination; ++hops) {
    const std::uint8_t port = port_[std::size_t{v} * policy_.label_count + label];
    if (port == kDelivered || hops > graph_.node_count()) {
      throw bad_input("algorithm {}: no way from node {} to node {}; expected another for traffic",
                      algorithm_->name, graph_.node_name(source), graph_.node_name(destination));
    }
    cross(v, port);
    v = graph_.peer(v, port).node;
  }
}

std::uint32_t PacketRoutes::hops(NodeId source, NodeId destination) const {
  std::uint32_t count = 0;
  follow(source, destination, [&](NodeId, PortId) { ++count; });
  return count;
}

std::uint32_t PacketRoutes::branch_links(NodeId node, PortId port) const {
  std::uint32_t links = 1;
  if (!policy_.deals_links) return links;
  const NodeId to = graph_.peer(node, port).node;
  while (port + links < graph_.degree(node) && graph_.peer(node, port + links).node == to) ++links;
  return links;
}

TrafficLimit traffic_limit(const PacketRoutes& routes, const TrafficPattern& pattern,
                           const Rational& port_cycles_per_flit) {
  const Graph& graph = routes.graph();
  const NodeId processors = graph.processor_count();
  std::vector<std::uint64_t> on_link(graph.link_count()), leaving(graph.node_count()),
      entering(graph.node_count());
  std::uint64_t weighed_hops = 0;
  const auto add = [&](NodeId source, NodeId destination) {
    const std::uint64_t weight = pattern.weight(source, destination);
    if (weight == 0) return;
    routes.follow(source, destination, [&](NodeId v, PortId port) {
      on_link[graph.link(v, port)] += weight;
      leaving[v] += weight;
      entering[graph.peer(v, port).node] += weight;
      weighed_hops += weight;
    });
  };
  for (NodeId source = 0; source < processors; ++source) {
    if (!pattern.permutation().empty()) {
      add(source, pattern.permutation()[source]);
      continue;
    }
    for (NodeId destination = 0; destination < processors; ++destination) add(source, destination);
  }
  const std::uint64_t all = pattern.weight_sum();
  TrafficLimit limit;
  limit.limited_by = "what a host hands over";
  limit.mean_hops = Rational(weighed_hops, all * pattern.senders());
  const auto raise = [&](const Rational& load, const auto& words) {
    if (load > limit.load) {
      limit.load = load;
      limit.limited_by = words();
    }
  };
  for (LinkId link = 0; link < on_link.size(); ++link) {
    if (on_link[link] == 0) continue;
    const NodeId from = graph.link_source(link);
    const Rational load(on_link[link], all * routes.branch_links(from, graph.link_port(link)));
    if (load > limit.busiest_link) {
      limit.busiest_link = load;
      limit.link = link;
    }
    raise(load, [&] {
      return fmt::format("the link from node {} to node {}", graph.node_name(from),
                         graph.node_name(graph.link_target(link)));
    });
  }
  for (NodeId v = 0; v < graph.node_count() && routes.ports() != PortModel::kAllPort; ++v) {
    raise(port_cycles_per_flit * Rational(leaving[v], all),
          [&] { return fmt::format("what node {} sends", graph.node_name(v)); });
    if (routes.ports() == PortModel::kOnePortSend) continue;
    raise(port_cycles_per_flit * Rational(entering[v], all),
          [&] { return fmt::format("what node {} receives", graph.node_name(v)); });
  }
  return limit;
}

}  // namespace safnet
