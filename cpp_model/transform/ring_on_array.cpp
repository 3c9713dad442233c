#include "cpp_model/transform/ring_on_array.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/sends_by_packet.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNever = 0xffff'ffff;

// A link of the torus on the array: over `relay` if it is two places long, else in the first or second step.
struct Way {
  LinkId first = 0, second = 0;
  NodeId relay = kNoNode;
  bool in_first_step = false;
};

class Folding {
 public:
  Folding(const Graph& torus, const Graph& array) : torus_(torus), array_(array) {
    const std::vector<Graph> dimensions = dimensions_of(torus);
    node_.resize(torus.node_count());
    for (NodeId v = 0; v < torus.node_count(); ++v) node_[v] = folded(v, dimensions);
    ways_.reserve(torus.link_count());
    for (LinkId link = 0; link < torus.link_count(); ++link)
      ways_.push_back(way(torus.link_source(link), torus.link_target(link), dimensions));
  }
  NodeId node(NodeId on_torus) const { return node_[on_torus]; }
  const Way& way(LinkId on_torus) const { return ways_[on_torus]; }

 private:
  NodeId folded(NodeId v, const std::vector<Graph>& dimensions) const {
    std::vector<NodeId> at = torus_.coordinates(v);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = place_on_array(dimensions[i].node_count(), at[i]);
    return array_.node_at(at);
  }
  Way way(NodeId from, NodeId to, const std::vector<Graph>& dimensions) const {
    std::vector<NodeId> at = array_.coordinates(node_[from]);
    const std::vector<NodeId> end = array_.coordinates(node_[to]);
    std::size_t i = 0;
    while (at[i] == end[i]) ++i;
    Way way;
    const bool up = at[i] < end[i];
    // Links of one place: the link down at the lower end and the link up at the upper are used in the first
    // step.
    if (at[i] + 1 == end[i] || end[i] + 1 == at[i]) {
      const bool lower_end = std::min(at[i], end[i]) == 0 && dimensions[i].node_count() > 2;
      way.in_first_step = lower_end != up;
      way.first = link(node_[from], node_[to]);
      return way;
    }
    at[i] = up ? at[i] + 1 : at[i] - 1;
    way.relay = array_.node_at(at);
    way.first = link(node_[from], way.relay);
    way.second = link(way.relay, node_[to]);
    return way;
  }
  LinkId link(NodeId from, NodeId to) const { return array_.link(from, array_.port_to(from, to).value()); }

  Graph torus_, array_;
  std::vector<NodeId> node_;
  std::vector<Way> ways_;
};

// The sends of one packet on the array.
class PacketOnArray {
 public:
  PacketOnArray(const Folding& folding, const Graph& torus, const Graph& array)
      : folding_(folding),
        torus_(torus),
        array_(array),
        there_(array.node_count(), kNever),
        needed_(there_.size(), 0) {}

  /// `sends`: of the packet on the torus, by time. `wanted`: nodes of the array that it must reach.
  void add(const std::vector<Send>& sends, NodeId origin, const std::vector<NodeId>& wanted,
           PacketIndex packet, std::vector<Send>& list) {
    mine_.clear();
    touch(origin);
    there_[origin] = 0;
    for (std::size_t first = 0, end = 0; first < sends.size(); first = end) {
      while (end < sends.size() && sends[end].start == sends[first].start) ++end;
      const std::uint32_t before = 2 * sends[first].start - 2;
      for (std::size_t s = first; s < end; ++s) first_step(sends[s], before);
      for (std::size_t s = first; s < end; ++s) second_step(sends[s], before);
    }
    for (const NodeId v : wanted) {
      touch(v);
      needed_[v] = 1;
    }
    for (std::size_t s = mine_.size(); s-- > 0;) {
      const LinkId link = mine_[s].link;
      if (!needed_[array_.link_target(link)]) continue;
      needed_[array_.link_source(link)] = 1;
      list.push_back({mine_[s].start, link, packet});
    }
    for (const NodeId v : touched_) {
      there_[v] = kNever;
      needed_[v] = 0;
    }
    touched_.clear();
  }

 private:
  void touch(NodeId v) { touched_.push_back(v); }
  void send(std::uint32_t step, LinkId link) {
    const NodeId to = array_.link_target(link);
    if (there_[to] <= step) return;  // it has been there, or comes from elsewhere in this step
    touch(to);
    there_[to] = step;
    mine_.push_back({step, link, 0});
  }
  NodeId target(const Send& s) const { return folding_.node(torus_.link_target(s.link)); }
  void first_step(const Send& s, std::uint32_t before) {
    const Way& way = folding_.way(s.link);
    if (there_[target(s)] <= before) return;
    if (way.relay != kNoNode || way.in_first_step) send(before + 1, way.first);
  }
  void second_step(const Send& s, std::uint32_t before) {
    const Way& way = folding_.way(s.link);
    if (way.relay != kNoNode) {
      send(before + 2, way.second);
    } else if (!way.in_first_step) {
      send(before + 2, way.first);
    }
  }

  const Folding& folding_;
  const Graph& torus_;
  const Graph& array_;
  std::vector<std::uint32_t> there_;  // by node: the step at whose end the packet is there
  std::vector<std::uint8_t> needed_;  // by node
  std::vector<NodeId> touched_;
  std::vector<Send> mine_;
};

}  // namespace

NodeId place_on_array(NodeId nodes, NodeId k) { return 2 * k < nodes ? 2 * k : 2 * (nodes - k) - 1; }

std::optional<Graph> torus_of_array(const Graph& array) {
  if (array.family() != "linear" && array.family() != "mesh") return std::nullopt;
  std::vector<Graph> rings;
  std::vector<NodeId> sides;
  for (const Graph& dimension : dimensions_of(array)) {
    sides.push_back(dimension.node_count());
    if (sides.back() < 2) return std::nullopt;
    rings.push_back(ring(sides.back()));
  }
  if (array.factors().empty()) return rings[0];
  return cartesian_product(rings, fmt::format("torus:{}", fmt::join(sides, "x")));
}

Problem torus_problem(const Problem& on_array) {
  std::optional<Graph> torus = torus_of_array(on_array.graph);
  if (!torus) {
    throw bad_input("{} as a torus: expected a mesh or linear array of two or more nodes in every dimension",
                    one_line(on_array.graph.spelling()));
  }
  Problem problem = on_array;
  const Folding folding(*torus, on_array.graph);
  problem.root = 0;
  while (folding.node(problem.root) != on_array.root) ++problem.root;
  problem.graph = std::move(*torus);
  return problem;
}

Schedule on_array_from_torus(const Schedule& on_torus, const Problem& on_array,
                             const std::string& algorithm) {
  const Problem problem = torus_problem(on_array);
  const Graph& torus = problem.graph;
  if (!on_torus.is_of_steps() || !same_network(on_torus.network, torus) || on_torus.root != problem.root)
    throw bad_input("a schedule on {}: expected one of steps on {} from root {}",
                    one_line(on_torus.network.spelling()), torus.spelling(), problem.root);
  const Folding folding(torus, on_array.graph);
  Schedule schedule = empty_schedule(on_array, algorithm);
  const CollectiveName& name = name_of(on_array.collective);
  if (name.handling == Handling::kOther || name.has_active) {
    throw bad_input("{} on an array as on a torus: expected a collective of all nodes", name.name);
  }
  const PacketList& packets = on_torus.packets;
  const Collective collective = collective_of(on_array);
  const PacketIndex plain = schedule.packets.size();  // combined packets come after these
  // Where packets are for one node each, or are combined for one, their tags hold that node's number.
  const bool tags_name_nodes = name.handling == Handling::kPersonal ||
                               (name.handling == Handling::kCombined && name.to == Parties::kAll);
  const auto relabelled = [&](PacketIndex p) {
    if (p >= plain) return p;
    const NodeId n = torus.node_count();
    const auto [origin, tag] = packets.id(p);
    return collective.number(
        {folding.node(origin), tags_name_nodes ? tag / n * n + folding.node(tag % n) : tag});
  };
  std::vector<NodeId> combined_at(packets.size(), kNoNode);
  for (PacketIndex p = plain; p < packets.size(); ++p) {
    std::vector<NodeId> destinations;
    std::vector<PacketIndex> parts;
    for (const NodeId v : packets.destinations(p)) destinations.push_back(folding.node(v));
    for (const PacketIndex part : packets.parts(p)) {
      parts.push_back(relabelled(part));
      combined_at[part] = folding.node(packets.origin(p));
    }
    schedule.packets.add(folding.node(packets.origin(p)), packets.tag(p), 1, destinations, parts);
  }
  const SendsByPacket by_packet(on_torus.sends, packets.size());
  PacketOnArray on(folding, torus, on_array.graph);
  std::vector<Send> sends;
  std::vector<NodeId> wanted;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    sends.clear();
    wanted.clear();
    for (const auto number : by_packet.of(p)) sends.push_back(on_torus.sends[number]);
    for (const NodeId v : packets.destinations(p)) wanted.push_back(folding.node(v));
    if (combined_at[p] != kNoNode) wanted.push_back(combined_at[p]);
    on.add(sends, folding.node(packets.origin(p)), wanted, relabelled(p), schedule.sends);
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace safnet
