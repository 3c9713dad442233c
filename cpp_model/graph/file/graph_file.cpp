#include "cpp_model/graph/file/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/file/anynet_file.hpp"
#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/dot_file.hpp"
#include "cpp_model/graph/file/graphml_file.hpp"
#include "cpp_model/graph/file/node_link_file.hpp"
#include "cpp_model/graph/port_numbering.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;

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

Graph read_edge_list(std::string text, const std::string& shown, std::string spelling) {
  PortNumbering ports;
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
      ports.add_node(std::max(u, v));
      if (const auto full = ports.full_end(u, v))
        throw wrong(fmt::format("edge {} {}: node {} has more than {} links", u, v, *full, kMaxDegree));
      ports.connect(u, v);
    }
  }
  if (ports.empty())
    throw std::invalid_argument(fmt::format("file '{}': no edges; expected lines 'u v'", shown));
  return std::move(ports).graph(std::move(spelling));
}

}  // namespace

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
