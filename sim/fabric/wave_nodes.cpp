#include "sim/fabric/wave_nodes.hpp"

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {

void parse_wave_cycles(const std::string& text, WaveRequest& wave) {
  const auto refuse_text = [&](const char* expected) {
    throw bad_input("--wave-cycles {}: expected {}", text, expected);
  };
  const auto number = [&](const std::string& part, std::uint32_t missing) {
    if (part.empty()) return missing;
    const auto value = parse_decimal(part);
    if (part.size() > 9 || !value) refuse_text("FROM:TO in cycles, such as 100:250");
    return static_cast<std::uint32_t>(*value);
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) refuse_text("FROM:TO in cycles, such as 100:250");
  wave.first_cycle = number(text.substr(0, colon), 0);
  wave.last_cycle = number(text.substr(colon + 1), 0xffff'ffff);
  if (wave.first_cycle > wave.last_cycle) refuse_text("FROM not above TO");
}

std::vector<NodeId> parse_node_list(const std::string& text, const Graph& graph) {
  std::vector<NodeId> nodes;
  const auto has = [&](char c) { return text.find(c) != std::string::npos; };
  const bool coordinates = graph.coordinates(0).size() > 1 && has(',');
  for (const std::string& word : split(text, has(';') || coordinates ? ';' : ',')) {
    if (word.empty()) throw bad_input("a node is missing; expected nodes such as 0;1,2;17");
    nodes.push_back(graph.parse_node(word));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<NodeId> parse_wave_nodes(const std::string& text, const Graph& graph) {
  try {
    return parse_node_list(text, graph);
  } catch (const std::invalid_argument& error) {
    throw bad_input("--wave-nodes {}: {}", in_quotes(text), error.what());
  }
}

}  // namespace safnet
