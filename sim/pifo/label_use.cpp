#include "sim/pifo/label_use.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace safnet {
namespace {

constexpr std::uint64_t kFewEntries = std::uint64_t{1} << 28, kManyUses = std::uint64_t{1} << 24;
constexpr std::uint64_t kPage = 4096;

}  // namespace

std::optional<LabelUse> LabelUse::if_sparse(const Graph& graph, const Policy& policy) {
  const NodeId nodes = graph.node_count();
  if (policy.scan || std::uint64_t{nodes} * policy.label_count < kFewEntries) return std::nullopt;
  std::vector<std::pair<NodeId, Label>> uses;
  std::vector<std::uint64_t> seen(nodes);  // the number of the last packet that was seen at each node
  std::uint64_t packet = 0;
  std::vector<NodeId> to_visit;
  for (NodeId source = 0; source < nodes; ++source) {
    for (const Injection& injection : policy.injections.round(source)) {
      ++packet;
      to_visit.push_back(source);
      while (!to_visit.empty()) {
        const NodeId v = to_visit.back();
        to_visit.pop_back();
        if (std::exchange(seen[v], packet) == packet) continue;
        if (uses.size() == kManyUses) return std::nullopt;
        uses.emplace_back(v, injection.label);
        for (PortSet ports = policy.table(v, injection.label).output_mask; ports != 0; ports &= ports - 1)
          to_visit.push_back(graph.peer(v, lowest_port(ports)).node);
      }
    }
  }
  std::ranges::sort(uses);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  LabelUse use;
  for (const auto& [node, label] : uses) {
    while (use.begin_.size() <= node) use.begin_.push_back(use.labels_.size());
    use.labels_.push_back(label);
  }
  while (use.begin_.size() <= nodes) use.begin_.push_back(use.labels_.size());
  return use;
}

std::uint64_t LabelUse::pages(std::uint64_t bytes_of_entry) const {
  std::uint64_t pages = 0;
  for (NodeId v = 0; v + 1 < begin_.size(); ++v) {
    std::uint64_t next = 0;
    for (const Label label : at(v)) {
      const std::uint64_t page = label * bytes_of_entry / kPage;
      if (page >= next) ++pages;
      next = page + 1;
    }
  }
  return pages;
}

}  // namespace safnet
