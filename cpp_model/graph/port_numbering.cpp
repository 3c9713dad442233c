#include "cpp_model/graph/port_numbering.hpp"

#include <algorithm>
#include <utility>

namespace safnet {

void PortNumbering::add_node(NodeId v) {
  ports_.resize(std::max<std::size_t>(ports_.size(), v + std::size_t{1}));
  inputs_.resize(ports_.size());
}

std::optional<NodeId> PortNumbering::full_end(NodeId u, NodeId v) const {
  if (ports_[u].size() >= kMaxDegree) return u;
  if (inputs_[v] >= kMaxDegree) return v;
  return std::nullopt;
}

void PortNumbering::connect(NodeId u, NodeId v) {
  ports_.at(u).push_back({v, inputs_.at(v)++});
  if (pairs_ == LinkPairs::kAll) ports_[v].push_back({u, inputs_[u]++});
}

Graph PortNumbering::graph(std::string spelling) && {
  return Graph(std::move(spelling), std::move(ports_), pairs_);
}

}  // namespace safnet
