#include "sim/run/active_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cpp_model/graph/random_nodes.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/fabric/wave_nodes.hpp"

namespace safnet {

std::vector<NodeId> parse_active_nodes(const char* option, const std::string& text, const Graph& graph) {
  const NodeId nodes = graph.processor_count();
  if (text == "all") return random_nodes(nodes, nodes, 0);
  constexpr std::string_view kRandom = "random:";
  if (text.starts_with(kRandom)) {
    const std::string_view rest = std::string_view(text).substr(kRandom.size());
    const std::size_t colon = rest.find(':');
    const auto count = parse_decimal(rest.substr(0, colon));
    const auto seed = colon == std::string_view::npos ? std::nullopt : parse_decimal(rest.substr(colon + 1));
    if (!count || !seed) {
      throw std::invalid_argument(
          fmt::format("{} {}: expected random:M:SEED, such as random:5:1", option, in_quotes(text)));
    }
    if (*count > nodes) {
      throw std::invalid_argument(
          fmt::format("{} {}: expected at most {} nodes, there are no more", option, in_quotes(text), nodes));
    }
    return random_nodes(nodes, static_cast<NodeId>(*count), *seed);
  }
  std::string list = text;
  if (list.find(';') == std::string::npos) std::replace(list.begin(), list.end(), ',', ';');
  try {
    const std::vector<NodeId> nodes_named = parse_node_list(list, graph);
    const std::vector<std::string> words = split(list, ';');
    const auto count =
        std::count_if(words.begin(), words.end(), [](const std::string& word) { return !word.empty(); });
    if (static_cast<std::size_t>(count) != nodes_named.size())
      throw std::invalid_argument("expected every node once");
    return nodes_named;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} {}: {}", option, in_quotes(text), error.what()));
  }
}

}  // namespace safnet
