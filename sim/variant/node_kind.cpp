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

void Hardware::write_wave_view(const std::string& wave_path, const Graph& graph,
                               const std::vector<NodeId>& nodes) const {
  if (!kind->show_node) return;
  WaveView view(wave_path, graph, kind->timer);
  for (const NodeId v : view.shown(nodes)) {
    view.begin_node(v);
    kind->show_node(view, *this, v, fmt::format("node_{}.{}", graph.node_name(v), kind->top));
    view.end_node(v);
  }
  view.write();
}

}  // namespace safnet
