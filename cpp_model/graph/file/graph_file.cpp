#include "cpp_model/graph/file/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/named_edges.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;
constexpr std::size_t kLongestScopeName = 64;

enum class FileFormat { kEdgeList, kDot, kGraphMl, kJson, kAnynet };

// The text behind blanks and comments of DOT, where the first word stands.
std::string_view from_first_word(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
    const bool block = text.starts_with("/*");
    if (!block && !text.starts_with("//") && !text.starts_with("#")) return text;
    const std::size_t end = block ? text.find("*/", 2) : text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + (block ? 2 : 1));
  }
}

FileFormat format_of(std::string_view text, const std::string& path) {
  const std::string_view start = from_first_word(text);
  if (start.starts_with('<')) return FileFormat::kGraphMl;
  if (start.starts_with('{') || start.starts_with('[')) return FileFormat::kJson;
  std::string word;
  for (const char c : start.substr(0, 8)) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if ((small < 'a' || small > 'z') && (small < '0' || small > '9') && small != '_') break;
    word += small;
  }
  if (word == "graph" || word == "digraph" || word == "strict") return FileFormat::kDot;
  if (word == "router" || word == "node") return FileFormat::kAnynet;
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".dot" || extension == ".gv") return FileFormat::kDot;
  if (extension == ".graphml") return FileFormat::kGraphMl;
  if (extension == ".json") return FileFormat::kJson;
  if (extension == ".anynet") return FileFormat::kAnynet;
  return FileFormat::kEdgeList;
}

// Ports of nodes, numbered in the order of their edges.
class Wiring {
 public:
  explicit Wiring(std::size_t nodes = 0) : ports_(nodes) {}

  // The node that has no port left for this edge, if there is one; then nothing is changed.
  std::optional<NodeId> connect(NodeId u, NodeId v) {
    if (ports_.size() <= std::max(u, v)) ports_.resize(std::max(u, v) + 1);
    for (const NodeId end : {u, v}) {
      if (ports_[end].size() >= kMaxDegree) return end;
    }
    const auto port_u = static_cast<PortId>(ports_[u].size());
    const auto port_v = static_cast<PortId>(ports_[v].size());
    ports_[u].push_back({v, port_v});
    ports_[v].push_back({u, port_u});
    return std::nullopt;
  }
  // The same for a link from u to v alone. A network has links either of edges or of these.
  std::optional<NodeId> connect_one_way(NodeId u, NodeId v) {
    inputs_.resize(ports_.size());
    if (ports_[u].size() >= kMaxDegree) return u;
    if (inputs_[v] >= kMaxDegree) return v;
    ports_[u].push_back({v, inputs_[v]++});
    return std::nullopt;
  }
  bool empty() const { return ports_.empty(); }
  Graph graph(std::string spelling) && {
    return Graph(std::move(spelling), std::move(ports_),
                 inputs_.empty() ? LinkPairs::kAll : LinkPairs::kNotAll);
  }

 private:
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<PortId> inputs_;  // taken, by node, if links are one way
};

Graph read_edge_list(std::string text, const std::string& shown, std::string spelling) {
  Wiring wiring;
  CommonLatency latencies;
  std::map<std::pair<NodeId, NodeId>, std::size_t> line_of_edge;
  std::istringstream file(std::move(text));
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const auto wrong = [&](const std::string& what) {
      return std::invalid_argument(fmt::format("{}:{}: {}", shown, number, what));
    };
    line.erase(std::min(line.find('#'), line.size()));
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; words.size() < 5 && stream >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (words.size() < 2 || words.size() > 4) {
      throw wrong(fmt::format("{}: expected 'u v [multiplicity [latency]]'", in_quotes(line)));
    }
    const std::optional<std::uint64_t> latency = words.size() == 4 ? parse_decimal(words[3]) : 1;
    if (!latency) throw wrong(fmt::format("latency {}: expected a number", in_quotes(words[3])));
    if (!latencies.agrees(*latency)) {
      throw wrong(
          fmt::format("latency {}: expected {} as in the lines before (1 where none is given); links "
                      "of different latency are not supported",
                      *latency, latencies.value()));
    }
    std::pair<NodeId, NodeId> edge;
    for (NodeId* end : {&edge.first, &edge.second}) {
      const std::string& word = end == &edge.first ? words[0] : words[1];
      const std::optional<std::uint64_t> value = parse_decimal(word);
      if (!value || *value >= kMaxNodes) {
        throw wrong(fmt::format("node {}: expected 0 to {}", in_quotes(word), kMaxNodes - 1));
      }
      *end = static_cast<NodeId>(*value);
    }
    const auto [u, v] = edge;
    if (u == v) throw wrong(fmt::format("edge {} {}: a node cannot be connected to itself", u, v));
    std::uint64_t multiplicity = 1;
    if (words.size() >= 3) {
      const std::optional<std::uint64_t> value = parse_decimal(words[2]);
      if (!value || *value < 1 || *value > kMaxDegree) {
        throw wrong(fmt::format("multiplicity {}: expected 1 to {}", in_quotes(words[2]), kMaxDegree));
      }
      multiplicity = *value;
    }
    const auto [first, is_new] = line_of_edge.try_emplace(std::minmax(u, v), number);
    if (!is_new) {
      throw wrong(fmt::format("edge {} {}: given in line {} already; expected a multiplicity there", u, v,
                              first->second));
    }
    for (std::uint64_t i = 0; i < multiplicity; ++i) {
      const std::optional<NodeId> full = wiring.connect(u, v);
      if (full)
        throw wrong(fmt::format("edge {} {}: node {} has more than {} links", u, v, *full, kMaxDegree));
    }
  }
  if (wiring.empty())
    throw std::invalid_argument(fmt::format("file '{}': no edges; expected lines 'u v'", shown));
  return std::move(wiring).graph(std::move(spelling));
}

// Numbers of nodes that are called 0 ... n-1; otherwise the order of their appearance.
std::vector<NodeId> node_numbers(const std::vector<std::string>& names) {
  // Different names without leading zeros below n: all numbers occur.
  std::vector<NodeId> in_order(names.size()), as_called;
  for (NodeId v = 0; v < names.size(); ++v) {
    in_order[v] = v;
    const std::optional<std::uint64_t> number = parse_decimal(names[v]);
    const bool padded = names[v].size() > 1 && names[v].front() == '0';
    if (!number || padded || *number >= names.size() || as_called.size() < v) continue;
    as_called.push_back(static_cast<NodeId>(*number));
  }
  return as_called.size() == names.size() ? as_called : in_order;
}

bool is_scope_name(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return !number && name.size() <= kLongestScopeName && std::all_of(name.begin(), name.end(), legal);
}

using NodePair = std::pair<NodeId, NodeId>;

// Each full-duplex edge once: the first of every two opposite edges. Nothing if an edge has no opposite.
std::optional<std::vector<NodePair>> without_opposites(const NamedEdges& file) {
  std::map<NodePair, std::vector<std::size_t>> waiting;  // edges whose opposite has not been seen
  std::vector<bool> is_second(file.edges.size());
  for (std::size_t i = 0; i < file.edges.size(); ++i) {
    const auto [u, v] = file.edges[i];
    const auto opposite = waiting.find({v, u});
    if (opposite == waiting.end()) {
      waiting[{u, v}].push_back(i);
      continue;
    }
    is_second[i] = true;
    opposite->second.pop_back();
    if (opposite->second.empty()) waiting.erase(opposite);
  }
  if (!waiting.empty()) return std::nullopt;
  std::vector<NodePair> edges;
  for (std::size_t i = 0; i < file.edges.size(); ++i) {
    if (!is_second[i]) edges.push_back(file.edges[i]);
  }
  return edges;
}

void drop_repeated(NamedEdges& file) {
  std::set<NodePair> seen;
  std::erase_if(file.edges, [&](const NodePair& edge) {
    return !seen.insert(file.directed ? edge : NodePair(std::minmax(edge.first, edge.second))).second;
  });
}

// The first node that no path leads to from node 0; kNoNode if there is none.
NodeId first_unreached(const std::vector<NodePair>& edges, std::size_t nodes) {
  std::vector<NodeId> part(nodes);  // a forest whose roots stand for the connected parts
  std::iota(part.begin(), part.end(), NodeId{0});
  const auto root = [&](NodeId v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  for (const auto& [u, v] : edges) part[root(u)] = root(v);
  for (NodeId v = 0; v < nodes; ++v) {
    if (root(v) != root(0)) return v;
  }
  return kNoNode;
}

// The same over links in their direction, or against it.
NodeId first_unreached_one_way(const std::vector<NodePair>& links, std::size_t nodes, bool backwards) {
  std::vector<std::vector<NodeId>> next(nodes);
  for (const auto& [u, v] : links) next[backwards ? v : u].push_back(backwards ? u : v);
  std::vector<bool> is_reached(nodes);
  is_reached[0] = true;
  std::vector<NodeId> open{0};
  while (!open.empty()) {
    const NodeId at = open.back();
    open.pop_back();
    for (const NodeId u : next[at]) {
      if (!is_reached[u]) open.push_back(u);
      is_reached[u] = true;
    }
  }
  const auto missed = std::find(is_reached.begin(), is_reached.end(), false);
  return missed == is_reached.end() ? kNoNode : static_cast<NodeId>(missed - is_reached.begin());
}

}  // namespace

Graph graph_of_named_edges(NamedEdges file, const std::string& shown, std::string spelling) {
  const auto wrong = [&](const std::string& what) {
    return std::invalid_argument(fmt::format("file '{}': {}", shown, what));
  };
  const auto name = [&](NodeId v) { return in_quotes(file.names[v]); };
  if (file.edges.empty()) throw wrong("no edges; expected a connected network");
  for (const auto& [u, v] : file.edges) {
    if (u == v) throw wrong(fmt::format("edge {0} {0}: a node cannot be connected to itself", name(u)));
  }
  if (file.strict) drop_repeated(file);
  const std::optional<std::vector<NodePair>> paired =
      file.directed ? without_opposites(file) : std::optional(file.edges);
  const std::vector<NodePair>& edges = paired ? *paired : file.edges;

  const std::vector<NodeId> numbers = node_numbers(file.names);
  Wiring wiring(file.names.size());
  for (const auto& [u, v] : edges) {
    const std::optional<NodeId> full =
        paired ? wiring.connect(numbers[u], numbers[v]) : wiring.connect_one_way(numbers[u], numbers[v]);
    if (full) {
      throw wrong(fmt::format("edge {} {}: node {} has more than {} links", name(u), name(v),
                              name(*full == numbers[u] ? u : v), kMaxDegree));
    }
  }
  const std::size_t nodes = file.names.size();
  const NodeId cut_off =
      paired ? first_unreached(edges, nodes) : first_unreached_one_way(edges, nodes, false);
  if (cut_off != kNoNode) {
    throw wrong(fmt::format("node {} cannot be reached from node {}; expected {} connected graph",
                            name(cut_off), name(0), paired ? "a" : "a strongly"));
  }
  if (const NodeId end = paired ? kNoNode : first_unreached_one_way(edges, nodes, true); end != kNoNode) {
    throw wrong(
        fmt::format("node {} cannot reach node {}; expected a strongly connected graph", name(end), name(0)));
  }
  Graph graph = std::move(wiring).graph(std::move(spelling));
  if (!std::all_of(file.names.begin(), file.names.end(), is_scope_name)) return graph;
  const auto names = std::make_shared<const std::vector<std::string>>(std::move(file.names));
  return graph.with_node_names([names](NodeId v) { return (*names)[v]; });
}

Graph read_graph_file(const std::string& path, std::string spelling) {
  const std::string shown = one_line(path);
  std::string text = read_bounded_file(path, kMaxFileBytes);
  const FileFormat format = format_of(text, path);
  if (format == FileFormat::kEdgeList) return read_edge_list(std::move(text), shown, std::move(spelling));
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    throw std::invalid_argument(
        fmt::format("{}:{}: a byte 0; expected text", shown,
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n')));
  }
  const auto read = [&] {
    switch (format) {
      case FileFormat::kDot:
        return read_dot(text, shown);
      case FileFormat::kJson:
        return read_json_network(text, shown);
      case FileFormat::kAnynet:
        return read_anynet(text, shown);
      default:
        return read_graphml(text, shown);
    }
  };
  return graph_of_named_edges(read(), shown, std::move(spelling));
}

}  // namespace safnet
