// topology_page - the families of topologies as a table, as Markdown and as pictures.
#pragma once

#include <string>

namespace safnet {

struct TopologyPageOptions {
  bool markdown = false;  ///< the table of cpp_model/graph/family/README.md instead of plain text
  std::string pictures;   ///< folder that gets one SVG per family; none if empty
};

/// `safnet list topologies`. Returns the exit code. Throws std::invalid_argument with one line; then no
/// picture was written.
int topology_page(const TopologyPageOptions& options);

}  // namespace safnet
