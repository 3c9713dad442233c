// topology - a network, by the spelling that the command line has as well.
//
// The headers of this folder are the library's interface (README.md here). Every function throws
// std::invalid_argument, with the one line that the program prints, for what its user got wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace safnet {
class Graph;
}

namespace safnet::lab {

/// A network of processors, and perhaps of routers, which are nodes that only pass packets on.
class Topology {
 public:
  /// "torus:4x4", "product(ring:3;path:2)", "file:rack.graphml": whatever `safnet describe` takes.
  explicit Topology(const std::string& spelling);

  const std::string& spelling() const;  ///< that names the network, in full
  std::uint32_t nodes() const;          ///< how many
  std::uint32_t processors() const;     ///< nodes 0 ... processors()-1; all others only route
  /// Nodes that the output ports of a node lead to, port 0 first.
  std::vector<std::uint32_t> neighbours(std::uint32_t node) const;
  std::string name(std::uint32_t node) const;  ///< what the family calls the node, such as "0_3"

  const Graph& graph() const { return *graph_; }  ///< as the library's sources have it

 private:
  std::shared_ptr<const Graph> graph_;
};

}  // namespace safnet::lab
