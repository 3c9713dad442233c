#include "cpp_model/graph/unequal_links.hpp"

#include <optional>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/routers.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr const char* kExpected =
    "expected links, a colon and latency=N or cycles_per_flit=N, such as 0-1:latency=3,cycles_per_flit=2";

struct Values {
  std::optional<std::uint16_t> latency, cycles_per_flit;
};

Values parse_values(const std::string& entry, const std::string& text) {
  Values values;
  for (const std::string& word : split(text, ',')) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const bool is_latency = key == "latency";
    if (equals == std::string::npos || (!is_latency && key != "cycles_per_flit"))
      throw bad_input("links {}: {}: {}", in_quotes(entry), in_quotes(word), kExpected);
    const std::uint64_t low = is_latency ? 0 : 1, high = is_latency ? kMaxOwnLatency : kMaxCyclesPerFlit;
    const std::optional<std::uint64_t> value = parse_decimal(word.substr(equals + 1));
    if (!value || *value < low || *value > high)
      throw bad_input("links {}: {}: expected {} to {}", in_quotes(entry), in_quotes(word), low, high);
    (is_latency ? values.latency : values.cycles_per_flit) = static_cast<std::uint16_t>(*value);
  }
  return values;
}

void set(LinkTiming& timing, const Values& values) {
  timing.latency = values.latency.value_or(timing.latency);
  timing.cycles_per_flit = values.cycles_per_flit.value_or(timing.cycles_per_flit);
}

// Adds the links that "A-B" or "A>B" names.
void add_links(std::vector<bool>& is_in, const Graph& graph, const std::string& word, const char* expected) {
  const std::size_t between = word.find_first_of("->");
  if (between == std::string::npos) throw bad_input("links {}: expected {}", in_quotes(word), expected);
  const std::vector<bool> from = parse_node_set(word.substr(0, between), graph),
                          to = parse_node_set(word.substr(between + 1), graph);
  bool found = false;
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const NodeId u = graph.link_source(link), v = graph.link_target(link);
    if (!(from[u] && to[v]) && !(word[between] == '-' && from[v] && to[u])) continue;
    is_in[link] = true;
    found = true;
  }
  if (!found)
    throw bad_input("links {}: no link leads there; expected nodes that are neighbours", in_quotes(word));
}

}  // namespace

Graph with_unequal_links(const Graph& graph, const std::vector<std::string>& entries, std::string spelling) {
  std::vector<LinkTiming> timing;
  for (LinkId link = 0; link < graph.link_count(); ++link) timing.push_back(graph.timing(link));
  for (const std::string& entry : entries) {
    const std::size_t colon = entry.rfind(':');
    if (colon == std::string::npos) throw bad_input("links {}: {}", in_quotes(entry), kExpected);
    const Values values = parse_values(entry, entry.substr(colon + 1));
    for (const std::string& word : split(entry.substr(0, colon), ',')) {
      if (word == "all") {
        for (LinkTiming& of_link : timing) set(of_link, values);
      } else {
        std::vector<bool> named(graph.link_count());
        add_links(named, graph, word, "'all', A-B for both directions or A>B for one");
        for (LinkId link = 0; link < graph.link_count(); ++link) {
          if (named[link]) set(timing[link], values);
        }
      }
    }
  }
  return graph.with_link_timing(std::move(timing)).with_spelling(std::move(spelling));
}

std::vector<bool> parse_link_set(const std::string& list, const Graph& graph) {
  std::vector<bool> is_in(graph.link_count());
  for (const std::string& word : split(list, ','))
    add_links(is_in, graph, word, "A-B for both directions or A>B for one");
  return is_in;
}

}  // namespace safnet
