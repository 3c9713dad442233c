#include "sim/fabric/wave_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"

namespace safnet {

// "FROM:TO", either side may be missing.
void parse_wave_cycles(const std::string& text, WaveRequest& wave) {
  const auto number = [&](const std::string& part, std::uint32_t missing) -> std::uint32_t {
    if (part.empty()) return missing;
    if (part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos) {
      throw std::invalid_argument(
          fmt::format("--wave-cycles {}: expected FROM:TO in cycles, such as 100:250", text));
    }
    return static_cast<std::uint32_t>(std::stoul(part));
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw std::invalid_argument(
        fmt::format("--wave-cycles {}: expected FROM:TO in cycles, such as 100:250", text));
  }
  wave.first_cycle = number(text.substr(0, colon), 0);
  wave.last_cycle = number(text.substr(colon + 1), 0xffff'ffff);
  if (wave.first_cycle > wave.last_cycle) {
    throw std::invalid_argument(fmt::format("--wave-cycles {}: expected FROM not above TO", text));
  }
}

// Nodes separated by ";" or, where no coordinates are used, by ",".
std::vector<NodeId> parse_node_list(const std::string& text, const Graph& graph) {
  std::vector<NodeId> nodes;
  const char separator = text.find(';') != std::string::npos ? ';' : '\0';
  const bool coordinates = graph.coordinates(0).size() > 1 && text.find(',') != std::string::npos;
  std::string word;
  for (const char c : text + ";") {
    if (c == ';' || (separator == '\0' && !coordinates && c == ',')) {
      if (!word.empty()) nodes.push_back(graph.parse_node(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (nodes.empty()) throw std::invalid_argument("expected nodes, such as 0;1,2;17");
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::vector<NodeId> parse_wave_nodes(const std::string& text, const Graph& graph) {
  try {
    return parse_node_list(text, graph);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--wave-nodes {}: {}", in_quotes(text), error.what()));
  }
}

}  // namespace safnet
