#include "cpp_model/algorithm/tools/translated_sends.hpp"

#include <algorithm>
#include <tuple>

#include "cpp_model/algorithm/tools/dimensions.hpp"

namespace safnet {
namespace {

// Where each node's translation takes a node; worked out once per node, as hops are many times more.
class Images {
 public:
  Images(const Translate& translate, NodeId n) : translate_(translate), of_(n) {}
  /// By node v: what v's translation makes of x.
  const std::vector<NodeId>& of(NodeId x) {
    std::vector<NodeId>& images = of_[x];
    if (images.empty()) {
      images.resize(of_.size());
      for (NodeId v = 0; v < images.size(); ++v) images[v] = translate_(v, x);
    }
    return images;
  }

 private:
  const Translate& translate_;
  std::vector<std::vector<NodeId>> of_;
};

// `number(hop, origin)`: the number of the packet of node `origin` that makes the hop, translated.
template <class PacketOf>
std::vector<Send> all_sends(const Graph& graph, std::vector<TranslatedHop> hops, Images& images,
                            PacketOf number) {
  const NodeId n = graph.node_count();
  std::vector<Send> sends;
  sends.reserve(hops.size() * n);
  std::sort(hops.begin(), hops.end(), [](const TranslatedHop& a, const TranslatedHop& b) {
    return std::tuple(a.step, a.port) < std::tuple(b.step, b.port);
  });
  std::vector<std::vector<NodeId>> origin;  // by hop of a step and node: whose packet makes the hop there
  for (std::size_t first = 0, end = 0; first < hops.size(); first = end) {
    origin.clear();
    for (; end < hops.size() && hops[end].step == hops[first].step; ++end) {
      std::vector<NodeId>& of_hop = origin.emplace_back(n);
      const std::vector<NodeId>& from = images.of(hops[end].from);
      for (NodeId v = 0; v < n; ++v) of_hop[from[v]] = v;
    }
    for (NodeId u = 0; u < n; ++u) {
      for (std::size_t h = first; h < end; ++h)
        sends.push_back({hops[h].step, graph.link(u, hops[h].port), number(hops[h], origin[h - first][u])});
    }
  }
  return sends;
}

}  // namespace

Translate translations_of(const Graph& graph) {
  return [translations = *graph.translations()](NodeId v, NodeId x) { return translations.apply(v, x); };
}

Schedule translated_schedule(const Problem& problem, const std::string& algorithm,
                             std::vector<TranslatedHop> hops, const Translate& translate) {
  const NodeId n = problem.graph.node_count();
  Schedule schedule = empty_schedule(problem, algorithm);
  const bool is_exchange = problem.collective == CollectiveKind::kTotalExchange;
  Images images(translate, n);
  schedule.sends =
      all_sends(problem.graph, std::move(hops), images, [&](const TranslatedHop& hop, NodeId origin) {
        if (!is_exchange) return hop.message * n + origin;
        return hop.message * n * (n - 1) + exchange_packet(origin, images.of(hop.destination)[origin], n);
      });
  sort_sends(schedule);
  return schedule;
}

std::vector<Send> translated_sends(const Graph& graph, std::vector<TranslatedHop> hops) {
  const NodeId n = graph.node_count();
  const Translate translate = translations_of(graph);
  Images images(translate, n);
  return all_sends(graph, std::move(hops), images,
                   [n](const TranslatedHop& hop, NodeId origin) { return hop.message * n + origin; });
}

}  // namespace safnet
