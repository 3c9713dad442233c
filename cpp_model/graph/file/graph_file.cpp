#include "cpp_model/graph/file/graph_file.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;

using Reader = NamedEdges (*)(std::string_view text, const std::string& shown);

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

constexpr const char* kFormats =
    "DOT (graph, digraph, .dot, .gv), GML (graph [, .gml), GraphML (<graphml>, .graphml), NCCL's topology "
    "(<system>), JSON ({, .json), anynet "
    "(router, "
    ".anynet), networkx's .edgelist and .adjlist, `nvidia-smi topo -m` (GPU0), ASTRA-sim (topology:, .yml)";

// What reads the file, by its extension or first word; nullptr: it is an edge list.
Reader reader_of(std::string_view text, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".edgelist") return read_networkx_edges;
  if (extension == ".adjlist") return read_networkx_neighbours;
  std::string_view start = from_first_word(text);
  if (start.starts_with('<')) {
    const bool of_nccl = text.find("<system") < text.find("<graphml");
    return of_nccl ? read_nccl_topology : read_graphml;
  }
  if (start.starts_with('{') || start.starts_with('[')) return read_json_network;
  if (start.starts_with("\x1b["))
    start = from_first_word(start.substr(std::min(start.find('m'), start.size() - 1) + 1));
  std::string word;
  for (const char c : start.substr(0, 16)) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if ((small < 'a' || small > 'z') && (small < '0' || small > '9') && small != '_') break;
    word += small;
  }
  if (word == "graph" && from_first_word(start.substr(word.size())).starts_with('[')) return read_gml;
  static const std::map<std::string, Reader> readers{{"graph", read_dot},
                                                     {"digraph", read_dot},
                                                     {"strict", read_dot},
                                                     {"router", read_anynet},
                                                     {"node", read_anynet},
                                                     {"creator", read_gml},
                                                     {"version", read_gml},
                                                     {"gpu0", read_nvidia_matrix},
                                                     {"topology", read_astra_network},
                                                     {"npus_count", read_astra_network},
                                                     {".dot", read_dot},
                                                     {".gv", read_dot},
                                                     {".graphml", read_graphml},
                                                     {".json", read_json_network},
                                                     {".anynet", read_anynet},
                                                     {".gml", read_gml},
                                                     {".yml", read_astra_network},
                                                     {".yaml", read_astra_network}};
  for (const std::string& mark : {word, extension}) {
    if (const auto found = readers.find(mark); found != readers.end()) return found->second;
  }
  return nullptr;
}

Graph read_edge_list(std::string text, const std::string& shown, std::string spelling) {
  const BadFile wrong(shown);
  PortNumbering ports;
  std::map<std::pair<NodeId, NodeId>, std::size_t> line_of_edge;
  std::istringstream file(std::move(text));
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::vector<std::string> words = words_of_line(line, 5);
    if (words.empty()) continue;
    if (ports.empty() && !parse_decimal(words[0])) {
      throw wrong.at(number, "{}: expected 'u v [multiplicity [latency]]', or {}", in_quotes(words[0]),
                     kFormats);
    }
    if (words.size() < 2 || words.size() > 4) {
      throw wrong.at(number, "{}: expected 'u v [multiplicity [latency]]'",
                     in_quotes(line.substr(0, line.find('#'))));
    }
    const std::optional<std::uint64_t> latency = words.size() == 4 ? parse_decimal(words[3]) : 1;
    if (!latency) throw wrong.at(number, "latency {}: expected a number", in_quotes(words[3]));
    const auto end = [&](const std::string& word) {
      const std::optional<std::uint64_t> value = parse_decimal(word);
      if (!value || *value >= kMaxNodes)
        throw wrong.at(number, "node {}: expected 0 to {}", in_quotes(word), kMaxNodes - 1);
      return static_cast<NodeId>(*value);
    };
    const NodeId u = end(words[0]), v = end(words[1]);
    if (u == v) throw wrong.at(number, "edge {} {}: a node cannot be connected to itself", u, v);
    const std::optional<std::uint64_t> multiplicity = words.size() >= 3 ? parse_decimal(words[2]) : 1;
    if (!multiplicity || *multiplicity < 1 || *multiplicity > kMaxDegree)
      throw wrong.at(number, "multiplicity {}: expected 1 to {}", in_quotes(words[2]), kMaxDegree);
    const auto [first, is_new] = line_of_edge.try_emplace(std::minmax(u, v), number);
    if (!is_new) {
      throw wrong.at(number, "edge {} {}: given in line {} already; expected a multiplicity there", u, v,
                     first->second);
    }
    for (std::uint64_t i = 0; i < *multiplicity; ++i) {
      ports.add_node(std::max(u, v));
      if (const auto full = ports.full_end(u, v))
        throw wrong.at(number, "edge {} {}: node {} has more than {} links", u, v, *full, kMaxDegree);
      ports.connect(u, v, {*latency, *latency});
    }
  }
  if (ports.empty()) throw wrong("no edges; expected lines 'u v'");
  const Graph graph = std::move(ports).graph(std::move(spelling));
  note_latencies(graph, shown);
  return graph;
}

}  // namespace

Graph read_graph_file(const std::string& path, std::string spelling) {
  const std::string shown = one_line(path);
  std::string text = read_bounded_file(path, kMaxFileBytes);
  const Reader read = reader_of(text, path);
  if (read == nullptr) return read_edge_list(std::move(text), shown, std::move(spelling));
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    throw bad_input("{}:{}: a byte 0; expected text", shown,
                    1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n'));
  }
  return graph_of_named_edges(read(text, shown), shown, std::move(spelling));
}

}  // namespace safnet
