// host_memories - what the hosts of an exported network say, and what they must get, as files for $readmemh;
// their formats are those of the modules of rtl/host.
#pragma once

#include <string>
#include <vector>

#include "sim/export/bit_string.hpp"
#include "sim/export/exported_network.hpp"

namespace safnet {

/// A memory of `streams` stretches of `depth` words each. `kind` names it: "table", "packets", "deliveries",
/// ...
struct MemoryImage {
  std::string kind;
  int width = 1;  ///< bits of a word, without the one that says that there is one
  std::vector<std::vector<BitString>> streams = {};
  bool marked = true;  ///< whether words have that bit, and each stream ends with a word without it

  std::size_t depth() const;  ///< words of a stretch
  /// A word a line; a comment says where a stream begins.
  std::string text() const;
};

/// Those of the host of a node.
std::vector<MemoryImage> host_memories(const ExportedNetwork& network, NodeId v);

/// The inputs of a router that make a word of the table's file, lowest first.
std::vector<std::string> table_ports(const ExportedNetwork& network);

}  // namespace safnet
