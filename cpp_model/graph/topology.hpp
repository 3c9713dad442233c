// topology - from the spelling of a topology on the command line to a Graph, for every family there is.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// One family of topologies, as `safnet list topologies` shows it. New families add one entry to the registry
/// in topology.cpp and nothing elsewhere.
struct TopologyFamily {
  std::string name;         ///< what stands before the colon: "torus"
  std::string arguments;    ///< form of what stands after it: "K1xK2x..."
  std::string example;      ///< a spelling that works: "torus:4x4"
  std::string description;  ///< one line
  Graph (*build)(const std::string& spelling, const std::string& arguments);
};

const std::vector<TopologyFamily>& topology_families();

/// Largest network that is accepted: node ids are 16 bits wide in the hardware.
inline constexpr NodeId kMaxNodes = 65536;
/// Largest degree: the widest radix class of the hardware.
inline constexpr PortId kMaxDegree = 64;

/// Builds the graph that `spelling` names: linear:8 ring:8 mesh:4x3x2 torus:4x4 hypercube:4 graph:FILE.
/// Throws std::invalid_argument with one line that names the offending word and what was expected.
Graph make_topology(const std::string& spelling);

/// Reads an edge list: one edge `u v [multiplicity [latency]]` a line, `#` starts a comment, nodes are 0, 1,
/// ... Throws std::invalid_argument naming file, line and word. `spelling` becomes the graph's.
Graph read_edge_list(const std::string& path, std::string spelling);

}  // namespace safnet
