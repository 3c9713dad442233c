// A transfer over node-disjoint paths: thesis 2.2, Theorem 2.1.
//
// The label is the number of the path. The root's packets leave in the order of the paths' lengths, the
// longest first.
#include "cpp_model/algorithm/tree/multipath.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "cpp_model/graph/disjoint_paths.hpp"

namespace safnet {
namespace {

std::vector<Path> paths_of(const Problem& problem, bool as_printed) {
  const NodeId destination = destination_of(problem);
  std::vector<Path> paths = problem.graph.factors().empty() || problem.graph.has_one_way_links()
                                ? node_disjoint_paths(problem.graph, problem.root, destination)
                            : as_printed ? product_paths_as_printed(problem.graph, problem.root, destination)
                                         : product_paths(problem.graph, problem.root, destination);
  std::stable_sort(paths.begin(), paths.end(),
                   [](const Path& a, const Path& b) { return a.size() > b.size(); });
  return paths;
}

Policy multipath_policy(const Problem& problem, bool as_printed) {
  const std::vector<Path> paths = paths_of(problem, as_printed);
  using Hops = std::map<std::pair<NodeId, Label>, PortId>;
  Hops hops;
  for (Label label = 0; label < paths.size(); ++label) {
    for (std::size_t i = 1; i < paths[label].size(); ++i) {
      const NodeId v = paths[label][i - 1];
      hops[{v, label}] = problem.graph.port_to(v, paths[label][i]).value();
    }
  }
  Policy policy;
  policy.label_count = static_cast<std::uint32_t>(paths.size());
  policy.host_packets = policy.label_count;
  policy.queue_bound = policy.label_count;
  policy.table = [hops = std::make_shared<const Hops>(std::move(hops)),
                  destination = destination_of(problem)](NodeId v, Label label) {
    TableEntry entry;
    if (v == destination) {
      entry.deliver = true;
    } else if (const auto hop = hops->find({v, label}); hop != hops->end()) {
      entry.output_mask = port_bit(hop->second);
    }
    return entry;
  };
  policy.injections = [root = problem.root, count = policy.label_count](NodeId v) {
    std::vector<Injection> packets;
    for (Label label = 0; v == root && label < count; ++label) packets.push_back({label, label, 0, 0});
    return packets;
  };
  return policy;
}

Algorithm over_paths(bool as_printed) {
  return {.name = as_printed ? "disjoint-paths-as-printed" : "disjoint-paths",
          .collective = CollectiveKind::kMultipath,
          .source = "thesis 2.2, Theorem 2.1",
          .description =
              as_printed
                  ? "the construction word for word: every path turns off at its last but one node; paths "
                    "may meet"
                  : "the first path of each dimension is walked whole; elsewhere paths by maximum flow",
          .domain = as_printed ? "products" : "any network",
          .why_not = [as_printed](const Problem& p) -> std::string {
            if (!p.tree.empty()) return "has no use for --tree";
            return as_printed && p.graph.factors().empty() ? "needs a product of graphs" : "";
          },
          .policy = [as_printed](const Problem& p) { return multipath_policy(p, as_printed); },
          .closed_form = [as_printed](const Problem& p) -> std::optional<std::uint64_t> {
            // All-port and disjoint, no packet ever waits.
            if (as_printed || p.ports != PortModel::kAllPort) return std::nullopt;
            return paths_of(p, false).front().size() - 1;
          },
          .chosen_by_name_only = as_printed,
          .knows_one_way = !as_printed};
}

}  // namespace

std::vector<Algorithm> multipath_algorithms() { return {over_paths(false), over_paths(true)}; }

}  // namespace safnet
