// export_folder - an exported network as a folder: RTL, memories, testbench, and the files that other tools
// start from.
#pragma once

#include <string>
#include <vector>

#include "sim/export/exported_network.hpp"

namespace safnet {

/// Where the RTL is that the network is made of.
struct ExportSources {
  std::string root;                  ///< the folder that holds rtl/
  std::vector<std::string> files;    ///< of the nodes, in order of compilation, as absolute paths
  std::vector<std::string> folders;  ///< of rtl/, whose lists of ports the files include
};

/// Writes the folder, whole or not at all; it must not exist, or be empty. Throws WriteError.
void write_export(const std::string& folder, const ExportedNetwork& network, const ExportSources& sources);

/// Throws std::invalid_argument, naming `folder`, if an export cannot be written there.
void check_export_folder(const std::string& folder);

}  // namespace safnet
