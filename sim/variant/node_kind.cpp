#include "sim/variant/node_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/machine/wave_view.hpp"

namespace safnet {

int Hardware::value(const std::string& name, int otherwise) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& parameter) { return parameter.first == name; });
  return found == parameters.end() ? otherwise : found->second;
}

std::string Hardware::readable_name() const {
  static const char* const kPortModels[] = {"_all", "_one", "_onesend"};
  std::string text = fmt::format("{}_r{}", kind->name, value("Radix"));
  if (const int ports = value("PortModel", -1); ports >= 0 && ports < 3) text += kPortModels[ports];
  if (value("GrantCycles", 0) != 0) text += "_grant";
  for (const auto& [letter, name] : {std::pair{"f", "Flits"},
                                     {"l", "LinkLatency"},
                                     {"s", "SlotCycles"},
                                     {"b", "Buffers"},
                                     {"d", "Digits"},
                                     {"c", "Classes"}}) {
    if (const int number = value(name, -1); number >= 0) text += fmt::format("_{}{}", letter, number);
  }
  return text;
}

WavedNetwork Hardware::waved_network(const Graph& graph, bool whole) const {
  return {graph, kind->top, kind->timer, whole ? kind->network : ""};
}

void Hardware::write_wave_view(const std::string& wave_path, const Graph& graph, const ViewedRun& run) const {
  WaveView view(wave_path, waved_network(graph, run.whole_network), run);
  const auto queues_of = [&](NodeId v) {
    const WavedNetwork& network = view.network();
    return kind->queues ? kind->queues(network, *this, v, network.scope_of(v)) : std::vector<ShownSignal>();
  };
  std::vector<ShownSignal> all;
  for (const NodeId v : view.shown()) {
    for (const ShownSignal& queue : queues_of(v))
      all.push_back({graph.node_name(v) + ", " + queue.words, queue.signal});
  }
  view.show_overview(all);
  for (const NodeId v : view.shown()) {
    view.begin_node(v);
    for (const ShownSignal& queue : queues_of(v)) view.show_curve(queue);
    if (kind->show_node) kind->show_node(view, *this, v, view.network().scope_of(v));
    view.end_node(v);
  }
  view.write();
}

}  // namespace safnet
