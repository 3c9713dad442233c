#include "cpp_model/graph/graph_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{64} << 20;

}  // namespace

Graph read_edge_list(const std::string& path, std::string spelling) {
  const std::string shown = one_line(path);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw std::invalid_argument(fmt::format("file {}: not found", in_quotes(path)));
  if (!std::filesystem::is_regular_file(status)) {
    throw std::invalid_argument(fmt::format("file {}: expected a regular file", in_quotes(path)));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kMaxFileBytes) {
    throw std::invalid_argument(
        fmt::format("file {}: expected at most {} bytes", in_quotes(path), kMaxFileBytes));
  }
  std::ifstream file(path);
  if (!file) throw std::invalid_argument(fmt::format("file {}: cannot be read", in_quotes(path)));

  std::vector<std::vector<Endpoint>> ports;
  std::map<std::pair<NodeId, NodeId>, std::size_t> line_of_edge;
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
      throw wrong(fmt::format("{}: expected 'u v [multiplicity]'", in_quotes(line)));
    }
    if (words.size() == 4) {
      throw wrong(
          fmt::format("latency {}: a latency per link is not supported; expected 'u v [multiplicity]'",
                      in_quotes(words[3])));
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
    if (words.size() == 3) {
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
    if (ports.size() <= std::max(u, v)) ports.resize(std::max(u, v) + 1);
    for (std::uint64_t i = 0; i < multiplicity; ++i) {
      const auto port_u = static_cast<PortId>(ports[u].size());
      const auto port_v = static_cast<PortId>(ports[v].size());
      if (port_u >= kMaxDegree || port_v >= kMaxDegree) {
        throw wrong(fmt::format("edge {} {}: node {} has more than {} links", u, v,
                                port_u >= kMaxDegree ? u : v, kMaxDegree));
      }
      ports[u].push_back({v, port_v});
      ports[v].push_back({u, port_u});
    }
  }
  if (file.bad()) throw std::invalid_argument(fmt::format("file {}: cannot be read", in_quotes(path)));
  if (ports.empty())
    throw std::invalid_argument(fmt::format("file {}: no edges; expected lines 'u v'", in_quotes(path)));
  return Graph(std::move(spelling), std::move(ports));
}

}  // namespace safnet
