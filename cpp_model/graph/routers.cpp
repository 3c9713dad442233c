#include "cpp_model/graph/routers.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::string_view kDegree = "degree:";
constexpr std::size_t kMostSearches = 256;

// "16-27": the first and the last number; nothing if the word has another form.
std::optional<std::pair<std::uint64_t, std::uint64_t>> as_range(const std::string& word) {
  const std::vector<std::string> ends = split(word, '-');
  if (ends.size() != 2) return std::nullopt;
  const std::optional<std::uint64_t> first = parse_decimal(ends[0]), last = parse_decimal(ends[1]);
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

bool is_number(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The names of all nodes, made so that none is a number.
std::vector<std::string> lasting_names(const Graph& graph) {
  std::vector<std::string> names;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    names.push_back(graph.node_name(v));
    if (is_number(names.back())) names.back() = "node_" + names.back();
  }
  return names;
}

}  // namespace

Graph with_routers(const Graph& graph, const std::vector<bool>& routes, std::string spelling) {
  const NodeId nodes = graph.node_count();
  std::vector<NodeId> order(nodes);  // by new number
  for (NodeId v = 0; v < nodes; ++v) order[v] = v;
  const auto processes = [&](NodeId v) { return v < graph.processor_count() && !routes[v]; };
  const auto first_router = std::stable_partition(order.begin(), order.end(), processes);
  const auto processors = static_cast<NodeId>(first_router - order.begin());
  if (processors < 2) {
    throw bad_input("{}: {} of {} nodes left that process; expected 2 or more", one_line(spelling),
                    processors, nodes);
  }
  std::vector<NodeId> number(nodes);
  for (NodeId v = 0; v < nodes; ++v) number[order[v]] = v;
  std::vector<std::vector<Endpoint>> ports(nodes);
  std::vector<LinkTiming> timing;
  for (const NodeId v : order) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint there = graph.peer(v, p);
      ports[number[v]].push_back({number[there.node], there.port});
      timing.push_back(graph.timing(graph.link(v, p)));
    }
  }
  const LinkPairs pairs = graph.has_one_way_links() ? LinkPairs::kNotAll : LinkPairs::kAll;
  const Graph renumbered = Graph(std::move(spelling), std::move(ports), pairs)
                               .with_routers_from(processors)
                               .with_link_timing(std::move(timing));
  const std::vector<std::string> names = lasting_names(graph);
  const bool all_numbers =
      std::ranges::all_of(order, [&](NodeId v) { return is_number(graph.node_name(v)); });
  if (all_numbers && std::ranges::is_sorted(order)) return renumbered;
  auto in_order = std::make_shared<std::vector<std::string>>();
  for (const NodeId v : order) in_order->push_back(names[v]);
  return renumbered.with_node_names([in_order](NodeId v) { return (*in_order)[v]; });
}

std::vector<bool> parse_node_set(const std::string& list, const Graph& graph) {
  const NodeId nodes = graph.node_count();
  std::vector<bool> is_in(nodes);
  std::vector<std::string> names;                  // filled when a word is no number
  std::unordered_map<std::string, NodeId> number;  // by name
  std::size_t searches = 0;                        // words for which all nodes are looked at
  for (const std::string& word : split(list, ',')) {
    bool found = false;
    const auto take = [&](const auto& wanted) {
      if (++searches > kMostSearches)
        throw bad_input("nodes {}: expected at most {} patterns and degrees", in_quotes(word), kMostSearches);
      for (NodeId v = 0; v < nodes; ++v) {
        if (!wanted(v)) continue;
        is_in[v] = true;
        found = true;
      }
    };
    if (names.empty() && !parse_decimal(word)) {
      for (NodeId v = 0; v < nodes; ++v) {
        names.push_back(graph.node_name(v));
        if (!is_number(names.back())) number.emplace(names.back(), v);
      }
    }
    const auto range = as_range(word);
    if (word.starts_with(kDegree)) {
      const auto least = parse_decimal(std::string_view(word).substr(kDegree.size()));
      if (!least || *least < 1 || *least > kMaxDegree)
        throw bad_input("nodes {}: expected degree:1 to degree:{}", in_quotes(word), kMaxDegree);
      take([&](NodeId v) { return std::max(graph.degree(v), graph.in_degree(v)) >= *least; });
      if (!found) {
        throw bad_input("nodes {}: the largest degree is {}; expected no more", in_quotes(word),
                        graph.max_degree());
      }
    } else if (word.find_first_of("*?[") != std::string::npos) {
      take([&](NodeId v) { return ::fnmatch(word.c_str(), names[v].c_str(), 0) == 0; });
      if (!found) {
        throw bad_input("nodes {}: no name is like that; expected a pattern for names such as {}",
                        in_quotes(word), in_quotes(names[nodes - 1]));
      }
    } else if (range) {
      if (range->first > range->second || range->second >= nodes)
        throw bad_input("nodes {}: expected ascending numbers from 0 to {}", in_quotes(word), nodes - 1);
      std::fill(is_in.begin() + static_cast<std::ptrdiff_t>(range->first),
                is_in.begin() + static_cast<std::ptrdiff_t>(range->second) + 1, true);
    } else if (const auto named = number.find(word); named != number.end()) {
      is_in[named->second] = true;
    } else {
      is_in[graph.parse_node(word)] = true;
    }
  }
  return is_in;
}

}  // namespace safnet
