#include "cpp_model/algorithm/torus/array_from_torus.hpp"

#include <algorithm>

#include "cpp_model/number/exact.hpp"
#include "cpp_model/transform/ring_on_array.hpp"

namespace safnet {
namespace {

std::string why_not_array(const Problem& problem) {
  if (std::string reason = why_not_all_port(problem); !reason.empty()) return reason;
  const std::optional<Graph> torus = torus_of_array(problem.graph);
  if (!torus) return "needs a linear array or a mesh of two or more nodes in every dimension";
  return {};
}

}  // namespace

std::vector<Algorithm> array_from_torus_algorithms() {
  std::vector<Algorithm> list;
  for (const CollectiveKind collective :
       {CollectiveKind::kMultinodeBroadcast, CollectiveKind::kMultinodeAccumulation,
        CollectiveKind::kTotalExchange}) {
    const bool trees = collective != CollectiveKind::kTotalExchange;
    const auto on_torus = [collective, trees](const Problem& p) -> const Algorithm& {
      if (!trees) return find_planner(p, "");
      return *std::find_if(algorithms().begin(), algorithms().end(), [&](const Algorithm& a) {
        return a.collective == collective && a.name == "translated-broadcast";
      });
    };
    list.push_back(
        {.name = "array-from-torus",
         .collective = collective,
         .source = "Varvarigos and Bertsekas 1994, section 2, Theorem 1",
         .description = "the torus of the same sides, folded onto the array: two steps for one",
         .domain = "linear arrays and meshes, all-port",
         .why_not = [on_torus](const Problem& p) -> std::string {
           if (std::string reason = why_not_array(p); !reason.empty()) return reason;
           const Problem torus = torus_problem(p);
           return on_torus(torus).why_not(torus);
         },
         // Promised only where no array can be faster: corners, with a link per dimension, get all packets.
         .closed_form = [on_torus, trees](const Problem& p) -> std::optional<std::uint64_t> {
           if (!trees) return std::nullopt;
           const Problem torus = torus_problem(p);
           const auto steps = on_torus(torus).closed_form(torus);
           const std::uint64_t packets = std::uint64_t{p.messages} * (p.graph.node_count() - 1);
           if (!steps || 2 * *steps != divide_up(packets, p.graph.min_degree())) return std::nullopt;
           return 2 * *steps;
         },
         // Optimal, but so are other total exchanges on arrays.
         .chosen_by_name_only = !trees,
         .plan =
             [on_torus](const Problem& p) {
               const Problem torus = torus_problem(p);
               return on_array_from_torus(on_torus(torus).plan(torus), p, "array-from-torus");
             },
         .knows_messages = trees});
  }
  return list;
}

}  // namespace safnet
