#include "cpp_model/graph/file/link_matrix_file.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

NamedEdges read_link_matrix(const nlohmann::json& links, const std::string& shown) {
  const auto wrong = [&](const std::string& what) {
    return std::invalid_argument(fmt::format("file '{}': {}", shown, what));
  };
  if (!links.is_array() || links.size() < 2 || links.size() > kMaxNodes)
    throw wrong(fmt::format("links: expected a square matrix of 2 to {} rows", kMaxNodes));
  const auto n = static_cast<NodeId>(links.size());
  for (NodeId v = 0; v < n; ++v) {
    if (!links[v].is_array() || links[v].size() != n)
      throw wrong(fmt::format("links[{}]: expected a row of {} numbers", v, n));
    std::uint64_t degree = 0;
    for (NodeId u = 0; u < n; ++u) {
      const nlohmann::json& count = links[v][u];
      if (!count.is_number_unsigned() || count.get<std::uint64_t>() > kMaxDegree) {
        throw wrong(fmt::format(
            "links[{}][{}]: {}; expected a number of links, 0 to {}", v, u,
            in_quotes(count.is_structured() ? count.type_name() : count.dump(-1, ' ', true)), kMaxDegree));
      }
      degree += count.get<std::uint64_t>();
    }
    if (degree > kMaxDegree)
      throw wrong(fmt::format("links[{}]: {} links; expected at most {} at a node", v, degree, kMaxDegree));
    if (links[v][v] != 0)
      throw wrong(fmt::format("links[{0}][{0}]: a node cannot be connected to itself", v));
  }
  NamedEdges result;
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId u = v + 1; u < n; ++u) result.directed = result.directed || links[u][v] != links[v][u];
  }
  for (NodeId v = 0; v < n; ++v) {
    result.names.push_back(std::to_string(v));
    for (NodeId u = result.directed ? 0 : v + 1; u < n; ++u)
      result.edges.insert(result.edges.end(), links[u][v].get<std::uint32_t>(), {v, u});
  }
  return result;
}

}  // namespace safnet
