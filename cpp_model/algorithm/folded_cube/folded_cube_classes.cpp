#include "cpp_model/algorithm/folded_cube/folded_cube_classes.hpp"

#include <algorithm>

#include "cpp_model/algorithm/folded_cube/folded_cube_routes.hpp"
#include "cpp_model/algorithm/tree/tree_plans.hpp"
#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/plan_from_policy.hpp"

namespace safnet {
namespace {

// A packet is not sent to a node that has it already, because it is the node's own or passed through it while
// packets were packed.
Schedule plan_classes(const Problem& problem, const std::string& name) {
  const Graph& graph = problem.graph;
  const DigitNetwork network = *digit_network(graph);
  const std::uint32_t d = network.digits();
  const NodeId n = graph.node_count();
  const std::uint64_t packets = divide_up(n, d + 1);  // of a class
  Schedule schedule = empty_schedule(problem, name);
  schedule.sends.reserve(std::size_t{n} * (n - 1));
  std::vector<std::uint8_t> there(n);
  for (std::uint32_t c = 0; c <= d; ++c) {
    NodeId rank = 0;
    for (NodeId address = 0; address < n; ++address) {
      const PacketIndex packet = network.node_at(c, address);
      if (packet % (d + 1) != c) continue;
      std::fill(there.begin(), there.end(), std::uint8_t{0});
      NodeId at = address;
      there[at] = 1;
      const auto send = [&](std::uint64_t step, NodeId from, std::uint32_t bit) {
        const NodeId to = from ^ (NodeId{1} << bit);
        if (there[to]) return;
        there[to] = 1;
        schedule.sends.push_back(
            {static_cast<std::uint32_t>(step),
             graph.link(network.node_at(c, from), folded_cube_port(d, network.dimension(c, bit))), packet});
      };
      for (std::uint32_t bit = 0; bit < d; ++bit) {
        if (((at ^ rank) >> bit & 1) == 0) continue;
        send(bit + 1, at, bit);
        at ^= NodeId{1} << bit;
      }
      // Those that have it now agree with `rank` in the bits up to and including `bit`.
      std::uint64_t before = d;
      for (std::uint32_t bit = d; bit-- > 0;) {
        const NodeId low = (NodeId{2} << bit) - 1;
        for (NodeId high = 0; high < n; high += low + 1)
          send(before + 1 + rank / (low + 1), high | (rank & low), bit);
        before += divide_up(packets, std::uint64_t{low} + 1);
      }
      ++rank;
    }
  }
  sort_sends(schedule);
  return schedule;
}

}  // namespace

std::vector<Algorithm> folded_cube_class_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind collective :
       {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kGather, CollectiveKind::kScatter}) {
    list.push_back(
        {.name = "folded-cube-classes-as-published",
         .collective = collective,
         .source = "Varvarigos, folded cubes, section 3",
         .description = collective == CollectiveKind::kMultinodeBroadcast
                            ? "d + 1 classes of packets, each over a hypercube of its own"
                            : "the ways to the root in the multinode broadcast on d + 1 hypercubes",
         .domain = "folded cubes, all-port",
         .why_not = [](const Problem& p) -> std::string {
           if (std::string reason = why_not_folded_cube(p); !reason.empty()) return reason;
           const std::uint64_t n = p.graph.node_count();
           return n * (n - 1) <= kMaxPlannedSends ? "" : "needs a folded cube of at most 13 dimensions";
         },
         .closed_form = [collective](const Problem& p) -> std::optional<std::uint64_t> {
           if (collective != CollectiveKind::kMultinodeBroadcast) return std::nullopt;
           const DigitShape shape{2, *folded_cube_dimensions(p.graph), false, true};
           return partial_broadcast_time(shape, {.known_ranks = true}, shape.nodes()).total();
         },
         .chosen_by_name_only = true,
         .plan =
             [](const Problem& p) {
               Problem all = p;
               all.collective = CollectiveKind::kMultinodeBroadcast;
               all.root = 0;
               Schedule broadcasts = plan_classes(all, "folded-cube-classes-as-published");
               return p.collective == CollectiveKind::kMultinodeBroadcast
                          ? broadcasts
                          : personal_from_broadcasts(p, "folded-cube-classes-as-published", broadcasts);
             }});
  }
  return list;
}

}  // namespace safnet
