#include "cpp_model/transform/carry_over.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

// Names packets as the problem's are called. Tags of packets that are for, or from, a certain node are d + m
// n, where d is that node (see collective_packets()); others only count.
class TagNames {
 public:
  explicit TagNames(const Problem& problem)
      : known_(problem.graph.known_as()),
        nodes_(problem.graph.node_count()),
        name_nodes_(name_of(problem.collective).handling == Handling::kPersonal ||
                    problem.collective == CollectiveKind::kMultinodeAccumulation) {}
  std::uint32_t operator()(std::uint32_t tag) const {
    return name_nodes_ ? tag - tag % nodes_ + known_->node_here[tag % nodes_] : tag;
  }

 private:
  std::shared_ptr<const KnownNetwork> known_;
  NodeId nodes_;
  bool name_nodes_;
};

// The packets of a schedule in the order of collective_packets(), those that combine others behind them.
std::vector<PacketIndex> packet_order(const PacketList& packets, const Problem& problem,
                                      const KnownNetwork& known) {
  const TagNames tag(problem);
  const NodeId n = problem.graph.node_count();
  const Handling handling = name_of(problem.collective).handling;
  const bool by_node = problem.collective == CollectiveKind::kConcurrentBroadcast;
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto key = [&](PacketIndex p) -> Key {
    const NodeId origin = known.node_here[packets.origin(p)];
    const std::uint32_t named = tag(packets.tag(p));
    if (by_node) return {0, origin, named};
    return handling == Handling::kPersonal ? Key{named / n, origin, named % n} : Key{0, named, origin};
  };
  std::vector<std::pair<Key, PacketIndex>> plain;
  std::vector<PacketIndex> combining;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    if (packets.parts(p).empty())
      plain.emplace_back(key(p), p);
    else
      combining.push_back(p);
  }
  std::ranges::sort(plain);
  std::vector<PacketIndex> order;
  order.reserve(packets.size());
  for (const auto& [_, p] : plain) order.push_back(p);
  order.insert(order.end(), combining.begin(), combining.end());
  return order;
}

PortSet ports_here(const Graph& graph, const KnownNetwork& known, NodeId v, PortSet ports) {
  PortSet here = 0;
  for (; ports != 0; ports &= ports - 1)
    here |= port_bit(graph.link_port(known.link_here[known.network.link(known.node[v], lowest_port(ports))]));
  return here;
}

}  // namespace

Schedule carry_over(Schedule planned, const Problem& problem) {
  const KnownNetwork& known = *problem.graph.known_as();
  const TagNames tag(problem);
  const std::vector<PacketIndex> order = packet_order(planned.packets, problem, known);
  std::vector<PacketIndex> here(order.size());
  for (PacketIndex i = 0; i < order.size(); ++i) here[order[i]] = i;
  PacketList packets;
  packets.reserve(order.size(), planned.packets.destination_count());
  std::vector<NodeId> destinations;
  std::vector<PacketIndex> parts;
  for (const PacketIndex p : order) {
    destinations.clear();
    parts.clear();
    for (const NodeId d : planned.packets.destinations(p)) destinations.push_back(known.node_here[d]);
    for (const PacketIndex part : planned.packets.parts(p)) parts.push_back(here[part]);
    std::ranges::sort(destinations);
    packets.add(known.node_here[planned.packets.origin(p)], tag(planned.packets.tag(p)),
                planned.packets.flits(p), destinations, parts);
  }
  planned.packets = std::move(packets);
  for (Send& send : planned.sends) send = {send.start, known.link_here[send.link], here[send.packet]};
  planned.network = problem.graph;
  planned.root = problem.root;
  sort_sends(planned);
  return planned;
}

namespace {

TableEntry entry_here(TableEntry entry, const Problem& problem, const KnownNetwork& known, NodeId v) {
  const Graph& graph = problem.graph;
  // Ports that are not listed follow in the order of their numbers, which are others here.
  if (problem.ports != PortModel::kAllPort) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      if ((entry.output_mask >> p & 1) != 0 &&
          std::ranges::find(entry.service_order, p) == entry.service_order.end())
        entry.service_order.push_back(p);
    }
  }
  for (PortId& p : entry.service_order)
    p = graph.link_port(known.link_here[known.network.link(known.node[v], p)]);
  entry.output_mask = ports_here(graph, known, v, entry.output_mask);
  return entry;
}

std::shared_ptr<const ClassScan> scan_here(const ClassScan& planned, const Problem& problem) {
  const Graph graph = problem.graph;
  const auto known = graph.known_as();
  const TagNames tag(problem);
  auto scan = std::make_shared<ClassScan>(planned);
  for (auto of_tree : {&ClassScan::row, &ClassScan::column}) {
    (*scan).*of_tree = [=, ports = planned.*of_tree](NodeId v) -> TreePorts {
      const TreePorts there = ports(known->node[v]);
      const auto here = [&](std::uint64_t mask) {  // of a node that decides by itself, with 64 at most
        return static_cast<std::uint64_t>(ports_here(graph, *known, v, mask));
      };
      return {here(there.towards), here(there.away)};
    };
  }
  scan->is_active = [known, f = planned.is_active](NodeId v) { return f(known->node[v]); };
  scan->row_sum = [known, f = planned.row_sum](NodeId v) { return f(known->node[v]); };
  scan->column_sum = [known, f = planned.column_sum](NodeId v) { return f(known->node[v]); };
  scan->injections = [known, tag, f = planned.injections](NodeId v, std::uint32_t of_class) {
    std::vector<Injection> injections = f(known->node[v], of_class);
    for (Injection& injection : injections) injection.tag = tag(injection.tag);
    return injections;
  };
  return scan;
}

}  // namespace

Policy carry_over(Policy planned, const Problem& problem) {
  const auto known = problem.graph.known_as();
  const TagNames tag(problem);
  if (planned.scan) planned.scan = scan_here(*planned.scan, problem);
  planned.table = [problem, known, table = std::move(planned.table)](NodeId v, Label label) {
    return entry_here(table(known->node[v], label), problem, *known, v);
  };
  planned.injections.round = [known, tag, round = std::move(planned.injections.round)](NodeId v) {
    std::vector<Injection> injections = round(known->node[v]);
    for (Injection& injection : injections) injection.tag = tag(injection.tag);
    return injections;
  };
  return planned;
}

}  // namespace safnet
