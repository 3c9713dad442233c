#include "sim/report/report.hpp"

#include <algorithm>
#include <map>

#include "cpp_model/graph/recognise/known_network.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Nodes and links that a bound's witness is reported with; of larger ones a report leaves them out.
constexpr std::size_t kMaxShown = 4096;

}  // namespace

std::string in_words(const Graph& graph) {
  return fmt::format("{} ({} nodes, {} links)", one_line(graph.spelling()), graph.node_count(),
                     graph.link_count());
}

Json hardware_json(const Hardware& hardware, const Graph& graph) {
  const NodeKind& kind = *hardware.kind;
  Json parameters = Json::object();
  for (const auto& [name, value] : hardware.parameters) parameters[name] = value;
  std::map<PortId, NodeId> nodes;
  for (NodeId v = 0; v < graph.node_count(); ++v) ++nodes[std::max(graph.degree(v), graph.in_degree(v))];
  Json nodes_by_ports = Json::object();
  for (const auto& [ports, count] : nodes) nodes_by_ports[std::to_string(ports)] = count;
  Json settings;
  ADD_MEMBERS(settings, hardware.settings, slot_cycles, link_latency, port_model, grant_cycles, queue_depth,
              window);
  return {{"kind", kind.name},
          {"module", kind.top},
          {"folders", kind.folders},
          {"sources", kind.sources},
          {"parameters", std::move(parameters)},
          {"settings", std::move(settings)},
          {"nodes_by_ports", std::move(nodes_by_ports)}};
}

void add_known(Json& json, const Graph& graph) {
  if (const auto known = graph.known_as()) json["known_as"] = printable(known->network.spelling());
}

void add_known(TextReport& text, const Graph& graph) {
  if (graph.known_as()) text.line("network", "it is {}", known_in_words(graph));
}

Json network_json(const Graph& graph) {
  Json json{{"topology", printable(graph.spelling())},
            {"nodes", graph.node_count()},
            {"links", graph.link_count()}};
  add_known(json, graph);
  return json;
}

void add_whole(Json& json, const std::optional<WholeFigures>& whole) {
  if (!whole) return;
  json["whole_network"] = {
      {"topology", printable(whole->topology)}, {"steps", whole->steps}, {"lower_bound", whole->bound}};
}
void add_whole(TextReport& text, const std::optional<WholeFigures>& whole) {
  if (whole)
    text.line("whole network", "{} steps, lower bound {}, on {}", whole->steps, whole->bound,
              one_line(whole->topology));
}
void add_bound(Json& json, const LowerBound& bound) {
  json.update({{"lower_bound", bound.steps}, {"lower_bound_reason", bound.reason}});
  const BoundWitness& witness = bound.witness;
  if (witness.count.empty()) return;
  Json shown{{"kind", to_string(witness.kind)}, {"count", witness.count}};
  if (witness.nodes.size() + witness.links.size() <= kMaxShown)
    shown.update({{"nodes", witness.nodes}, {"links", witness.links}});
  json["lower_bound_witness"] = shown;
}

std::string degrees_in_words(const Graph& graph) {
  return graph.min_degree() == graph.max_degree()
             ? fmt::format("{}", graph.max_degree())
             : fmt::format("{} to {}", graph.min_degree(), graph.max_degree());
}

std::string deliveries_in_words(const Account& account) {
  return fmt::format("{} of {} delivered, {} lost, {} duplicated", account.delivered,
                     account.expected_deliveries, account.lost, account.duplicated);
}

void TextReport::outcome(const Account& account) {
  line("time", "{:.2f} s build, {:.2f} s run", account.build_seconds, account.run_seconds);
  for (const std::string& problem : account.problems) sentence("problem: " + problem);
  for (const std::string& wait : account.waits) sentence("stuck: " + wait);
}

}  // namespace safnet
