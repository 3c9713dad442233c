// disjoint_paths - paths between two nodes that share no other node (thesis 2.2).
#pragma once

#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// The nodes of a path, both ends included.
using Path = std::vector<NodeId>;

/// As many node-disjoint paths from v to u as there are, shortest first. v != u. Parallel links count once.
std::vector<Path> node_disjoint_paths(const Graph& graph, NodeId v, NodeId u);

/// The sum of Theorem 2.1: over the dimensions, the node-disjoint paths between the two coordinates, or the
/// neighbours where they are equal. `graph` must be a product.
std::size_t promised_paths(const Graph& graph, NodeId v, NodeId u);

/// The paths of Theorem 2.1, word for word: path j of class i corrects dimension i up to the last but one
/// node of its j-th path there, then dimensions i + 1, ..., i - 1, and then the last edge of dimension i.
/// They are as many as promised but not always disjoint.
std::vector<Path> product_paths_as_printed(const Graph& graph, NodeId v, NodeId u);

/// The same with the correction that makes them disjoint: the first path of every class corrects its
/// dimension completely before the others; other dimensions are always crossed along their first path.
std::vector<Path> product_paths(const Graph& graph, NodeId v, NodeId u);

/// Empty if the paths lead from v to u along links and share no node besides; otherwise what is wrong.
std::string why_not_disjoint(const Graph& graph, NodeId v, NodeId u, const std::vector<Path>& paths);

}  // namespace safnet
