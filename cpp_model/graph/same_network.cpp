#include "cpp_model/graph/same_network.hpp"

namespace safnet {

bool same_network(const Graph& a, const Graph& b) {
  if (a.node_count() != b.node_count()) return false;
  for (NodeId v = 0; v < a.node_count(); ++v) {
    if (a.degree(v) != b.degree(v)) return false;
    for (PortId p = 0; p < a.degree(v); ++p) {
      if (a.peer(v, p) != b.peer(v, p)) return false;
      if (a.timing(a.link(v, p)) != b.timing(b.link(v, p))) return false;
    }
  }
  return true;
}

}  // namespace safnet
