// port_numbering - a graph from a list of edges: ports are numbered in the order in which edges come.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

/// Cycles of an edge's two directions; of a link only the first counts.
struct EdgeLatency {
  std::uint64_t there = 1, back = 1;
};

/// Nodes and what has been connected so far: full-duplex edges, or one-way links with LinkPairs::kNotAll.
class PortNumbering {
 public:
  explicit PortNumbering(std::size_t nodes = 0, LinkPairs pairs = LinkPairs::kAll)
      : ports_(nodes), latencies_(nodes), inputs_(nodes), pairs_(pairs) {}
  /// Makes room for a node that was not counted before.
  void add_node(NodeId v) {
    ports_.resize(std::max<std::size_t>(ports_.size(), v + std::size_t{1}));
    latencies_.resize(ports_.size());
    inputs_.resize(ports_.size());
  }
  bool empty() const { return ports_.empty(); }

  /// Which of u and v has no port left for an edge between them, or for a link from u to v: all kMaxDegree
  /// are taken.
  std::optional<NodeId> full_end(NodeId u, NodeId v) const {
    if (ports_[u].size() >= kMaxDegree) return u;
    if (inputs_[v] >= kMaxDegree) return v;
    return std::nullopt;
  }
  /// An edge takes the next free port of both nodes, a link that of u's outputs and v's inputs. Latencies of
  /// the two directions: see graph().
  void connect(NodeId u, NodeId v, EdgeLatency latency = {}) {
    ports_.at(u).push_back({v, inputs_.at(v)++});
    latencies_[u].push_back(latency.there);
    if (pairs_ != LinkPairs::kAll) return;
    ports_[v].push_back({u, inputs_[u]++});
    latencies_[v].push_back(latency.back);
  }

  /// If latencies differ, the least counts as none, and all others are links' own. Throws what Graph throws.
  Graph graph(std::string spelling) && {
    std::vector<std::uint64_t> all;
    for (const std::vector<std::uint64_t>& of_node : latencies_)
      all.insert(all.end(), of_node.begin(), of_node.end());
    const Graph graph(std::move(spelling), std::move(ports_), pairs_);
    if (all.empty()) return graph;
    const auto [least, most] = std::ranges::minmax(all);
    if (most - least > kMaxOwnLatency) {
      throw bad_input("{}: latencies from {} to {} cycles; expected a difference of at most {}",
                      one_line(graph.spelling()), least, most, kMaxOwnLatency);
    }
    std::vector<LinkTiming> timing;
    for (const std::uint64_t latency : all)
      timing.push_back({static_cast<std::uint16_t>(latency - least), 1});
    return graph.with_link_timing(std::move(timing));
  }

 private:
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<std::vector<std::uint64_t>> latencies_;  // by node and port
  std::vector<PortId> inputs_;                         // input ports taken, by node
  LinkPairs pairs_;
};

}  // namespace safnet
