#include "cpp_model/algorithm/fat_tree/fat_tree_fewest_first.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "cpp_model/algorithm/fat_tree/fat_tree_multinode.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_routes.hpp"

namespace safnet {
namespace {

class Stepper {
 public:
  Stepper(const Problem& problem, const RegisterRule& rule, const std::string& algorithm)
      : graph_(problem.graph),
        tree_(shape_of(problem)),
        rule_(rule),
        schedule_(empty_schedule(problem, algorithm)),
        stored_(graph_.node_count()),
        room_(graph_.link_count(), rule.registers) {}

  Schedule run() {
    std::vector<NodeId> waiting(tree_.leaves());
    for (NodeId leaf = 0; leaf < tree_.leaves(); ++leaf) waiting[leaf] = leaf;
    for (bool busy = true; busy;) {
      ++step_;
      const std::size_t before = schedule_.sends.size();
      for (std::uint32_t level = 1; level <= tree_.height(); ++level) {
        for (std::uint32_t r = 0; r < tree_.nodes_of(level); ++r) serve_children(tree_.node(level, r));
      }
      for (std::uint32_t level = tree_.height() - 1; level >= 1; --level) {
        for (std::uint32_t r = 0; r < tree_.nodes_of(level); ++r) serve_parent(tree_.node(level, r));
      }
      std::erase_if(waiting, [this](NodeId leaf) { return leave(leaf); });
      settle();
      busy = schedule_.sends.size() != before;
    }
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  struct Stored {
    PacketIndex packet;
    std::uint32_t arrival;
    PortId from;     // input port
    PortSet copies;  // bit c: child c wants one; bit arity: the parent does
    auto urgency() const { return std::tuple(port_count(copies), arrival, from); }
  };

  bool has_room(LinkId link) const { return graph_.link_target(link) < tree_.leaves() || room_[link] != 0; }

  // Sends packet over the link; its register there is taken from now on.
  void send(LinkId link, PacketIndex packet) {
    schedule_.sends.push_back({step_, link, packet});
    const NodeId to = graph_.link_target(link);
    if (to < tree_.leaves()) return;
    --room_[link];
    arrived_.push_back({link, packet});
  }

  // Is there an older packet of the same incoming link that still has copies to send?
  bool is_behind(NodeId router, const Stored& packet) const {
    return rule_.in_order && std::ranges::any_of(stored_[router], [&](const Stored& other) {
             return other.from == packet.from && other.arrival < packet.arrival && other.copies != 0;
           });
  }

  // Sends one of the stored packets that want `branch` of a router.
  void serve(NodeId router, std::uint32_t branch, PortId port) {
    const LinkId link = graph_.link(router, port);
    if (!has_room(link)) return;
    Stored* best = nullptr;
    for (Stored& packet : stored_[router]) {
      if ((packet.copies >> branch & 1) == 0 || is_behind(router, packet)) continue;
      if (best == nullptr || packet.urgency() < best->urgency()) best = &packet;
    }
    if (best == nullptr) return;
    best->copies &= ~(std::uint64_t{1} << branch);
    send(link, best->packet);
    if (best->copies != 0) return;
    const Endpoint feeder = graph_.feeder(router, best->from);
    const LinkId input = graph_.link(feeder.node, feeder.port);
    if (rule_.credit == Credit::kSameStep) {
      ++room_[input];
    } else {
      freed_.push_back(input);
    }
  }
  void serve_children(NodeId router) {
    const std::uint32_t level = tree_.level_of(router);
    for (std::uint32_t c = 0; c < tree_.arity(level); ++c) {
      for (PortId p = 0; p < tree_.capacity(level); ++p) serve(router, c, tree_.down_port(level, c) + p);
    }
  }
  void serve_parent(NodeId router) {
    const std::uint32_t level = tree_.level_of(router);
    for (PortId p = 0; p < tree_.capacity(level + 1); ++p)
      serve(router, tree_.arity(level), tree_.up_port(router) + p);
  }
  bool leave(NodeId leaf) {
    for (PortId p = 0; p < graph_.degree(leaf); ++p) {
      if (!has_room(graph_.link(leaf, p))) continue;
      send(graph_.link(leaf, p), leaf);
      return true;
    }
    return false;
  }

  // Ends a step: packets without copies left are dropped, and what was sent is stored at the next router.
  void settle() {
    for (auto& packets : stored_) std::erase_if(packets, [](const Stored& s) { return s.copies == 0; });
    for (const auto& [link, packet] : arrived_) {
      const NodeId router = graph_.link_target(link);
      const std::uint32_t level = tree_.level_of(router), arity = tree_.arity(level);
      const PortId port = graph_.link_target_port(link);
      PortSet copies = ~PortSet{0} >> (kMaxDegree - arity);
      if (port < arity * tree_.capacity(level)) {
        copies &= ~port_bit(port / tree_.capacity(level));
        if (router != tree_.root()) copies |= port_bit(arity);
      }
      stored_[router].push_back({packet, step_, port, copies});
    }
    arrived_.clear();
    for (const LinkId link : freed_) ++room_[link];
    freed_.clear();
  }

  const Graph graph_;
  const FatTree tree_;
  const RegisterRule rule_;
  Schedule schedule_;
  std::uint32_t step_ = 0;
  std::vector<std::vector<Stored>> stored_;  // by router
  std::vector<std::uint32_t> room_;          // registers free, by link into a router
  std::vector<std::pair<LinkId, PacketIndex>> arrived_;
  std::vector<LinkId> freed_;
};

// Measured, not proved.
std::optional<std::uint64_t> measured_steps(const FatTree& tree, const RegisterRule& rule) {
  const std::uint64_t n = tree.leaves();
  if (tree.height() == 1) return n;
  if (!tree.is_uniform() || !tree.has_constant_capacities() || tree.arity(1) > 5 || n > 256)
    return std::nullopt;
  if (rule.registers == 1 && rule.credit == Credit::kNextStep) return std::nullopt;
  if (tree.arity(1) > 2) return n;
  const bool any_of_two = rule.registers == 2 && !rule.in_order;
  return n + (tree.height() == 2 || any_of_two ? 1 : 2);
}

Algorithm fewest_first(std::string name, const RegisterRule& rule, std::string description) {
  return {.name = name,
          .collective = CollectiveKind::kMultinodeBroadcast,
          .source = "beyond thesis 6.3.2.2",
          .description = std::move(description),
          .domain = "fat trees, all-port",
          .why_not = why_not_all_port_fat_tree,
          .closed_form = [rule](const Problem& p) { return measured_steps(shape_of(p), rule); },
          .plan = [rule, name](const Problem& p) { return fat_tree_fewest_first(p, rule, name); },
          .knows_routers = true};
}

}  // namespace

Schedule fat_tree_fewest_first(const Problem& problem, const RegisterRule& rule,
                               const std::string& algorithm) {
  check_multinode_sends(problem, algorithm);
  return Stepper(problem, rule, algorithm).run();
}

std::vector<Algorithm> fat_tree_fewest_first_algorithms() {
  std::vector<Algorithm> list{
      fewest_first("fewest-first", {}, "one register per link; the packet with the fewest copies left first"),
      fewest_first("fewest-first-next-step-credit", {1, Credit::kNextStep},
                   "fewest-first; a register is filled again a step after it is free"),
      fewest_first("fewest-first-two-registers", {2, Credit::kNextStep},
                   "fewest-first with two registers per link, each filled again a step after it is free"),
      fewest_first("fewest-first-two-in-order", {2, Credit::kNextStep, true},
                   "the same, first in, first out")};
  for (std::size_t i = 1; i < list.size(); ++i) list[i].chosen_by_name_only = true;
  return list;
}

}  // namespace safnet
