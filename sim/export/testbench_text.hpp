// testbench_text - a self-checking testbench in SystemVerilog for an exported network.
#pragma once

#include <map>
#include <string>

#include "sim/export/exported_network.hpp"

namespace safnet {

/// How the memory of a node's host is made: the file, seen from the folder of the export, and the words of a
/// stream.
struct MemoryFile {
  std::string path;
  std::size_t depth = 0;
};

/// A testbench NAME_testbench. It resets the network, lets the hosts load their nodes until nothing moves,
/// starts, holds every flit that a host gets against the file of deliveries, and then the nodes' counters
/// against the cycles of the run. Its last line is "NAME: PASS ...", or it ends with $fatal. `files`: by node
/// and kind of memory.
std::string testbench_text(const ExportedNetwork& network,
                           const std::vector<std::map<std::string, MemoryFile>>& files);

}  // namespace safnet
