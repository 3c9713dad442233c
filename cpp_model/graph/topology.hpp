// topology - from the spelling of a topology on the command line to a Graph, for every family there is.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// One family of topologies, as `safnet list topologies` shows it. New families add one entry to the registry
/// in topology.cpp and nothing elsewhere.
struct TopologyFamily {
  std::string name;         ///< what stands before the colon or parenthesis: "torus"
  std::string arguments;    ///< form of what follows the name: ":AxBx..."
  std::string example;      ///< a spelling that works: "torus:4x4"
  std::string description;  ///< one line
  Graph (*build)(const std::string& spelling, const std::string& arguments);
};

const std::vector<TopologyFamily>& topology_families();

/// Builds the graph that `spelling` names, such as linear:8, torus:4x4 or product(ring:4,linear:3).
/// Throws std::invalid_argument with one line that names the offending word and what was expected.
Graph make_topology(const std::string& spelling);

}  // namespace safnet
