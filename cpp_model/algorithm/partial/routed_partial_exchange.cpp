#include "cpp_model/algorithm/partial/routed_partial_exchange.hpp"

#include <algorithm>
#include <utility>

namespace safnet {
namespace {

// The total exchange whose tables serve this problem.
Problem total_exchange_of(const Problem& problem) {
  Problem whole = problem;
  whole.collective = CollectiveKind::kTotalExchange;
  whole.active.clear();
  return whole;
}

Algorithm routed(const std::string& name, const std::string& description) {
  return {.name = name,
          .collective = CollectiveKind::kPartialExchange,
          .source = "beyond the thesis",
          .description = description,
          .domain = "any network, on-line",
          .why_not = [](const Problem& problem) -> std::string {
            if (!problem.tree.empty()) return "has no use for --tree";
            return problem.active.empty() ? "needs --active" : "";
          },
          .policy =
              [name](const Problem& problem) {
                const Problem whole = total_exchange_of(problem);
                Policy policy = find_algorithm(whole, name).policy(whole);
                policy.injections = [all = std::move(policy.injections), active = problem.active](NodeId v) {
                  return std::binary_search(active.begin(), active.end(), v) ? all(v)
                                                                             : std::vector<Injection>{};
                };
                policy.conflict_free = false;  // only a total exchange keeps all nodes in step
                return policy;
              },
          .knows_messages = true};
}

}  // namespace

std::vector<Algorithm> routed_partial_exchange_algorithms() {
  return {routed("furthest-first", "shortest paths; the packet with the most hops to go leaves first"),
          routed("transit-first",
                 "shortest paths; what has just arrived leaves before anything of the node's own")};
}

}  // namespace safnet
