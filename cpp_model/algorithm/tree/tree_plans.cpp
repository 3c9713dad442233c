#include "cpp_model/algorithm/tree/tree_plans.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

// The packet that every node of a reduction sends on: its own at a leaf, elsewhere its own combined with
// those of the nodes that it informs.
std::vector<PacketIndex> add_combined_packets(Schedule& schedule, const std::vector<NodeId>& parent) {
  const NodeId n = schedule.network.node_count(), root = schedule.root;
  std::vector<std::vector<NodeId>> children(n);
  for (NodeId v = 0; v < n; ++v) {
    if (v != root) children[parent[v]].push_back(v);
  }
  std::vector<NodeId> order{root};
  for (std::size_t head = 0; head < order.size(); ++head) {
    const auto& below = children[order[head]];
    order.insert(order.end(), below.begin(), below.end());
  }
  std::vector<PacketIndex> sent(n);
  for (std::size_t i = order.size(); i-- > 0;) {
    const NodeId v = order[i];
    sent[v] = v;
    if (children[v].empty() && v != root) continue;
    std::vector<PacketIndex> parts{v};
    for (const NodeId child : children[v]) parts.push_back(sent[child]);
    sent[v] =
        schedule.packets.add(v, 1, 1, v == root ? std::span(&root, 1) : std::span<const NodeId>(), parts);
  }
  return sent;
}

}  // namespace

Problem turned_round(const Problem& problem) {
  Problem turned = problem;
  turned.graph = problem.graph.transposed();
  return turned;
}

void turn_round(Schedule& schedule, std::uint32_t last) {
  const Graph graph = std::exchange(schedule.network, schedule.network.transposed());
  for (Send& send : schedule.sends) {
    send.start = last + 1 - send.start;
    send.link = schedule.network.link(graph.link_target(send.link), graph.link_target_port(send.link));
  }
}

Schedule informing_schedule(const Problem& problem, const std::string& algorithm,
                            const std::vector<Informing>& informings) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count();
  Schedule schedule = empty_schedule(problem, algorithm);
  std::vector<std::uint32_t> informed(n, 0);  // when; 0: not yet
  std::vector<NodeId> parent(n, kNoNode);
  std::vector<Informing> ordered = informings;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Informing& a, const Informing& b) { return a.step < b.step; });
  for (const Informing& i : ordered) {
    const NodeId to = graph.peer(i.from, i.port).node;
    const bool knows = i.from == problem.root || (informed[i.from] != 0 && informed[i.from] < i.step);
    if (i.step == 0 || !knows || to == problem.root || informed[to] != 0)
      throw std::logic_error("broadcast: informs a node twice, or before its informer");
    informed[to] = i.step;
    parent[to] = i.from;
    schedule.sends.push_back({i.step, graph.link(i.from, i.port), 0});
  }
  if (ordered.size() + 1 != n) throw std::logic_error("broadcast: does not inform every node");
  if (problem.collective == CollectiveKind::kReduction) {
    const std::vector<PacketIndex> sent = add_combined_packets(schedule, parent);
    for (Send& send : schedule.sends) send.packet = sent[graph.link_target(send.link)];
    turn_round(schedule, ordered.empty() ? 0 : ordered.back().step);
  }
  sort_sends(schedule);
  return schedule;
}

Schedule personal_schedule(const Problem& problem, const std::string& algorithm,
                           const std::vector<PersonalHop>& hops) {
  Schedule schedule = empty_schedule(problem, algorithm);
  schedule.sends.reserve(hops.size());
  std::uint32_t last = 0;
  for (const PersonalHop& hop : hops) {
    last = std::max(last, hop.step);
    const NodeId n = problem.graph.node_count();
    schedule.sends.push_back(
        {hop.step, hop.link, personal_packet(hop.message, hop.destination, problem.root, n)});
  }
  if (problem.collective == CollectiveKind::kGather) turn_round(schedule, last);
  sort_sends(schedule);
  return schedule;
}

Schedule personal_from_broadcasts(const Problem& problem, const std::string& algorithm,
                                  const Schedule& broadcasts) {
  const Graph& graph = problem.graph;
  const NodeId n = graph.node_count(), root = problem.root;
  Schedule schedule = empty_schedule(problem, algorithm);
  const SendsByPacket by_packet(broadcasts.sends, broadcasts.packets.size());
  std::vector<SendsByPacket::SendNumber> arrived_by(n);  // by node: the send that brings the packet
  for (PacketIndex p = 0; p < broadcasts.packets.size(); ++p) {
    const NodeId origin = broadcasts.packets.origin(p);
    if (origin == root) continue;
    for (const auto number : by_packet.of(p))
      arrived_by[graph.link_target(broadcasts.sends[number].link)] = number;
    const PacketIndex personal = personal_packet(p / n, origin, root, n);
    for (NodeId v = root; v != origin;) {
      const Send& send = broadcasts.sends[arrived_by[v]];
      v = graph.link_source(send.link);
      schedule.sends.push_back({send.start, send.link, personal});
    }
  }
  if (problem.collective == CollectiveKind::kScatter)
    turn_round(schedule, broadcasts.sends.empty() ? 0 : broadcasts.sends.back().start);
  sort_sends(schedule);
  return schedule;
}

std::vector<Informing> inform_over_tree(const Graph& graph, SpanningTree tree, PortModel ports) {
  order_for_one_port_broadcast(tree, graph);
  std::vector<std::uint32_t> informed(graph.node_count(), 0);
  std::vector<Informing> informings;
  informings.reserve(graph.node_count());
  for (const NodeId v : tree.order) {
    std::uint32_t step = informed[v];
    for (const PortId p : tree.children[v]) {
      step = ports == PortModel::kAllPort ? informed[v] + 1 : step + 1;
      informed[graph.peer(v, p).node] = step;
      informings.push_back({step, v, p});
    }
  }
  return informings;
}

std::vector<PersonalHop> scatter_over_tree(const Graph& graph, const SpanningTree& tree, PortModel ports) {
  // Below the root no packet waits: two that enter a subtree one after the other stay one step apart.
  std::vector<std::uint32_t> used(graph.degree(tree.root), 0);  // steps, by port of the root
  std::uint32_t used_by_any = 0;
  std::vector<PersonalHop> hops;
  std::vector<NodeId> path;
  for (std::size_t i = tree.order.size(); i-- > 1;) {
    const NodeId destination = tree.order[i];
    path.clear();
    for (NodeId v = destination; v != tree.root; v = tree.parent[v]) path.push_back(v);
    std::uint32_t& before = ports == PortModel::kAllPort ? used[tree.parent_port[path.back()]] : used_by_any;
    std::uint32_t step = ++before;
    for (std::size_t k = path.size(); k-- > 0; ++step)
      hops.push_back({step, graph.link(tree.parent[path[k]], tree.parent_port[path[k]]), destination});
  }
  return hops;
}

}  // namespace safnet
