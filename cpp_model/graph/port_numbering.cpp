#include "cpp_model/graph/port_numbering.hpp"

#include <algorithm>
#include <utility>

namespace safnet {

void PortNumbering::add_node(NodeId v) {
  ports_.resize(std::max<std::size_t>(ports_.size(), v + std::size_t{1}));
  inputs_.resize(ports_.size());
}

std::optional<NodeId> PortNumbering::full_end(NodeId u, NodeId v) const {
  for (const NodeId end : {u, v}) {
    if (ports_[end].size() >= kMaxDegree) return end;
  }
  return std::nullopt;
}

std::optional<NodeId> PortNumbering::full_end_one_way(NodeId u, NodeId v) const {
  if (ports_[u].size() >= kMaxDegree) return u;
  if (inputs_[v] >= kMaxDegree) return v;
  return std::nullopt;
}

void PortNumbering::connect(NodeId u, NodeId v) {
  const auto port_u = static_cast<PortId>(ports_.at(u).size());
  const auto port_v = static_cast<PortId>(ports_.at(v).size() + (u == v ? 1 : 0));
  ports_[u].push_back({v, port_v});
  ports_[v].push_back({u, port_u});
}

void PortNumbering::connect_one_way(NodeId u, NodeId v) {
  ports_.at(u).push_back({v, inputs_.at(v)++});
  is_one_way_ = true;
}

Graph PortNumbering::graph(std::string spelling) && {
  return Graph(std::move(spelling), std::move(ports_), is_one_way_ ? LinkPairs::kNotAll : LinkPairs::kAll);
}

}  // namespace safnet
